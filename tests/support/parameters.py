"""The parameters that a test searches with: it changes them at will, and the next one finds the defaults."""

from _fast.search.params import Parameters

PARAMETERS = Parameters()
