"""Tools around the engine: bench, match, epd, tune, datagen, book building."""
