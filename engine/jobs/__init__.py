"""Independent jobs, run in threads and processes of this machine or on the workers of a Dask scheduler."""
