"""Many machines: the batch's one engine replaced by warm ones on the workers of a dask scheduler."""
