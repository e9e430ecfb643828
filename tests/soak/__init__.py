"""Programs that strain the engine for hours; tests run short forms of them."""
