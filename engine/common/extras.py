"""Optional dependencies: which module belongs to which extra, and how to install it here."""

import sys
from pathlib import Path
from types import ModuleType

EXTRAS = {  # module -> the extra that brings it ("": every installation does), and all that it brings
    "numpy": ("tune", "numpy scipy"),
    "scipy": ("tune", "numpy scipy"),
    "matplotlib": ("lab", "matplotlib"),
    "tqdm": ("", "tqdm"),
    "distributed": ("dask", "distributed"),
    "starlette": ("", "starlette uvicorn websockets"),
    "uvicorn": ("", "starlette uvicorn websockets"),
    "websockets": ("", "starlette uvicorn websockets"),
}
NAMES = (  # modules that definitions use
    "numpy", "numpy.typing", "scipy", "scipy.optimize", "scipy.sparse", "scipy.special",
)  # fmt: skip
HOME = Path(__file__).parents[3]


def extra_of(error: ImportError) -> str:
    """The missing optional module; "" if the error has another cause."""
    module = (error.name or "").partition(".")[0]
    return module if module in EXTRAS else ""


def how_to_get(module: str) -> str:
    """A command that installs an optional module. The project is in no package index: its folder is named."""
    extra, packages = EXTRAS[module]
    folder = f"'.[{extra}]'" if extra else "."
    if is_bundle():
        return f"pip install {folder} in the source folder, and sssnake from there"
    if (HOME / "pyproject.toml").is_file():
        return f"{sys.executable} -m pip install {folder} in {HOME}"
    if "pipx" in Path(sys.prefix).parts:
        return f"pipx inject sssnake {packages}"
    if Path(sys.prefix).parts[-2:-1] == ("tools",):  # .../uv/tools/sssnake
        return (
            f"uv tool install --reinstall --with {packages.replace(' ', ' --with ')}, and the wheel or folder"
        )
    if sys.prefix == sys.base_prefix:  # a system's Python, which may refuse pip
        return f"pip install {packages}, or pipx install sssnake's wheel and pipx inject sssnake {packages}"
    return f"{sys.executable} -m pip install {packages}"


def is_bundle() -> bool:
    """Whether this is the executable made by `make EXE=...`, which cannot import installed packages."""
    return bool(sys.flags.isolated and sys.flags.no_site)


class StandIn(ModuleType):
    """Replaces a missing module in definitions: types, annotations, decorators."""

    __path__ = ()  # type: ignore[assignment]  # it has submodules

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn(name)

    def __call__(self, *_: object, **__: object) -> "StandIn":
        """The result of a call in a definition."""
        return self

    def __getitem__(self, _: object) -> "StandIn":
        return self

    def __ne__(self, _: object) -> bool:
        return False  # so that checks at import time pass

    def __or__(self, _: object) -> "StandIn":
        return self

    __ror__ = __or__


def stand_in() -> bool:
    """Replace missing modules, so that `--help` works without numpy; whether any was replaced."""
    before = len(sys.modules), list(map(sys.modules.get, NAMES))
    for name in NAMES:
        try:
            __import__(name)
        except ImportError:
            sys.modules[name] = StandIn(name)
    return before != (len(sys.modules), list(map(sys.modules.get, NAMES)))
