"""Optional parts: which command needs what, and how to get it in this kind of installation."""

import sys
from pathlib import Path
from types import ModuleType

EXTRAS = {  # module -> the extra of pyproject.toml that brings it, and all that it brings
    "numpy": ("tune", "numpy scipy"),
    "scipy": ("tune", "numpy scipy"),
    "matplotlib": ("lab", "matplotlib tqdm"),
    "tqdm": ("lab", "matplotlib tqdm"),
    "distributed": ("dask", "distributed"),
}
NAMES = ("numpy", "numpy.typing", "scipy", "scipy.optimize", "scipy.sparse")  # what definitions make use of
HOME = Path(__file__).parents[2]


def extra_of(error: ImportError) -> str:
    """The optional module whose absence the error tells of; "" if it is another error."""
    module = (error.name or "").partition(".")[0]
    return module if module in EXTRAS else ""


def how_to_get(module: str) -> str:
    """A command that brings an optional module. The project is on no index: it is named by its folder."""
    extra, packages = EXTRAS[module]
    if (HOME / "pyproject.toml").is_file():
        return f"pip install '.[{extra}]' in {HOME}"
    if "pipx" in Path(sys.prefix).parts:
        return f"pipx inject sssnake {packages}"
    if is_bundle():
        return f"pip install '.[{extra}]' in the source folder, and sssnake from there"
    return f"pip install {packages} (or '.[{extra}]' in the source folder)"


def is_bundle() -> bool:
    """Whether this is the executable that `make` packs, which imports nothing of the system's packages."""
    return bool(sys.flags.isolated and sys.flags.no_site)


class StandIn(ModuleType):
    """Takes the place of a missing module as far as definitions go: types, annotations, decorators."""

    __path__ = ()  # type: ignore[assignment]  # it has submodules

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn(name)

    def __call__(self, *_: object, **__: object) -> "StandIn":
        """Whatever a definition calls."""
        return self

    def __getitem__(self, _: object) -> "StandIn":
        return self

    def __ne__(self, _: object) -> bool:
        return False  # whatever a definition makes sure of

    def __or__(self, _: object) -> "StandIn":
        return self

    __ror__ = __or__


def stand_in() -> bool:
    """Let modules be imported that need numpy, for their `--help`; whether that changes anything."""
    before = len(sys.modules), list(map(sys.modules.get, NAMES))
    for name in NAMES:
        try:
            __import__(name)
        except ImportError:
            sys.modules[name] = StandIn(name)
    return before != (len(sys.modules), list(map(sys.modules.get, NAMES)))
