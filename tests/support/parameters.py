"""The parameters that tests search with. A test may change them; a fixture resets them after each test."""

from sssnake._fast.search.params import Parameters

PARAMETERS = Parameters()
