"""Independent jobs handed to threads and processes here, or to a Dask scheduler elsewhere."""
