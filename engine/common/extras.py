"""Optional dependencies: which module belongs to which extra, and how to install it here."""

import sys
from pathlib import Path

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
HOME = Path(__file__).parents[3]


def extra_of(error: ImportError) -> str:
    """The missing optional module; "" if the error has another cause."""
    module = (error.name or "").partition(".")[0]
    return module if module in EXTRAS else ""


def how_to_get(module: str) -> str:
    """A command that installs an optional module. The project is in no package index: its folder is named."""
    extra, packages = EXTRAS[module]
    folder = f"'.[{extra}]'" if extra else "."
    if is_bundle() and sys.platform == "win32":
        instead = f"pipx install sssnake's wheel, pipx inject sssnake {packages}"
        return f"the zip cannot have it; with Python: {instead}"
    if is_bundle():
        return f"pip install {folder} in the source folder, and sssnake from there"
    if (HOME / "pyproject.toml").is_file():
        return f"{sys.executable} -m pip install {folder} in {HOME}"
    environment = Path(sys.prefix)
    if (environment / "pipx_metadata.json").is_file():  # wherever PIPX_HOME is
        return f"pipx inject {environment.name} {packages}"
    if (environment / "uv-receipt.toml").is_file():
        return (
            f"uv tool install --reinstall --with {packages.replace(' ', ' --with ')}, and the wheel or folder"
        )
    if sys.prefix == sys.base_prefix:  # a system's Python, which may refuse pip
        return f"pip install {packages}, or pipx install sssnake's wheel and pipx inject sssnake {packages}"
    return f"{sys.executable} -m pip install {packages}"


def is_bundle() -> bool:
    """Whether this is `make`'s executable or the zip for Windows: neither imports what is installed."""
    return bool(sys.flags.isolated and sys.flags.no_site)
