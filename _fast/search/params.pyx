"""The parameters of one searcher: the rows of parameters.py, each with a value."""

from sssnake._fast.search.parameters import TABLE, find

_INDEX = {row.name: index for index, row in enumerate(TABLE)}


cdef class Parameters:
    """A value for each parameter, by default that of parameters.py. Workers of a search share one object.

    Parameters(lmr_depth=3) has that one changed. KeyError: no such parameter; ValueError: out of its range.
    `revision` grows with every change, so that derived data can be brought up to date.
    """

    def __cinit__(self, **changes):
        self.reset()
        for name, value in changes.items():
            self[name] = value

    def __getitem__(self, str name):
        return (<int *> &self.values)[_INDEX[find(name).name]]

    def __setitem__(self, str name, value):
        row = find(name)
        limits = f"{row.minimum}..{row.maximum}"
        if isinstance(value, bool) or not hasattr(type(value), "__index__"):  # numpy's integers have it, too
            raise ValueError(f"{row.name} must be a whole number in {limits}, not {value!r}")
        if not row.minimum <= value <= row.maximum:
            raise ValueError(f"{row.name} must lie in {limits}, not {value}")
        (<int *> &self.values)[_INDEX[row.name]] = value
        self.revision += 1

    def reset(self):
        """Set every parameter to its default."""
        for row in TABLE:
            (<int *> &self.values)[_INDEX[row.name]] = row.default
        self.revision += 1

    def changed(self):
        """The values that differ from their defaults, by name."""
        return {row.name: self[row.name] for row in TABLE if self[row.name] != row.default}

    def field_names(self):
        """The struct's field names in memory order; a test compares them with parameters.py."""
        return list((<object> self.values).keys())


if len(TABLE) * sizeof(int) != sizeof(Params):
    raise SystemError("params.pxd does not fit: run `python -m sssnake._fast.search.parameters`")
