"""The wheels for macOS, which nothing here can run: their tags, load commands, symbols and signatures."""

import hashlib
import struct
import zipfile
from pathlib import Path
from typing import Any

import pytest
from support.constants import ROOT
from support.packages import one

CODE_SIGNATURE = 0x1D  # load commands
BUILD_VERSION = 0x32
MINIMUM_VERSION = 0x24
CODE_DIRECTORY = 0xFADE0C02  # blobs of a signature
AD_HOC = 0x2  # a flag of the code directory

macho = pytest.importorskip("macholib.MachO", reason="macholib is not installed")
symbols = pytest.importorskip("macholib.SymbolTable", reason="macholib is not installed")

SYSTEM = {  # what modules may take from it, and what the linker adds
    *("_calloc", "_free", "_malloc", "_realloc", "_memcpy", "_memmove", "_memset", "_memcmp", "_bzero"),
    *(
        "___bzero",
        "_memset_pattern16",
        "_memchr",
        "_strlen",
        "_strrchr",
        "_vsnprintf",
        "_exp",
        "_log",
        "_pow",
        "_sqrt",
    ),
    *("_lrint", "_rintf", "_clock_gettime", "_mmap", "_munmap", "_madvise", "_host_statistics64"),
    *("_mach_host_self", "_mach_task_self_", "_vm_page_size", "_vm_kernel_page_size", "dyld_stub_binder"),
    *("__mh_dylib_header", "___dso_handle"),
}

WHEELS = {
    "macosx_11_0_arm64": (0x100000C, "11.0"),
    "macosx_10_13_x86_64": (0x1000007, "10.13"),
}  # processor, oldest


@pytest.fixture(scope="module", params=WHEELS)
def unpacked(
    request: pytest.FixtureRequest, packages: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Path]:
    """A wheel's tag, and its contents."""
    tag = str(request.param)
    folder = tmp_path_factory.mktemp(tag)
    with zipfile.ZipFile(one(packages, f"*-cp311-abi3-{tag}.whl")) as files:
        files.extractall(folder)
    return tag, folder


def headers(folder: Path) -> list[tuple[Path, Any]]:
    """Every compiled module, with its only Mach-O header."""
    found = []
    for path in sorted((folder / "sssnake" / "_fast").rglob("*.so")):
        [header] = macho.MachO(str(path)).headers
        found.append((path, header))
    return found


def test_every_module_is_there(unpacked: tuple[str, Path]) -> None:
    tag, folder = unpacked
    core = ROOT / "_fast"
    modules = {path.relative_to(core).with_suffix(".abi3.so").as_posix() for path in core.rglob("*.pyx")}
    cores = (
        {"": modules, "x86-64-v3/": modules - {"cpu.abi3.so"}} if tag.endswith("x86_64") else {"": modules}
    )
    found = {
        path.relative_to(folder / "sssnake" / "_fast").as_posix()
        for path in (folder / "sssnake" / "_fast").rglob("*.so")
    }
    assert found == {prefix + module for prefix, held in cores.items() for module in held}
    [text] = [path.read_text() for path in folder.glob("*.dist-info/WHEEL")]
    assert f"Tag: cp311-abi3-{tag}\n" in text


def test_load_commands(unpacked: tuple[str, Path]) -> None:
    tag, folder = unpacked
    machine, oldest = WHEELS[tag]
    for path, header in headers(folder):
        assert header.header.cputype == machine, path
        assert [name for _, _, name in header_libraries(header)] == ["/usr/lib/libSystem.B.dylib"], path
        [version] = [
            command.minos if load.cmd == BUILD_VERSION else command.version
            for load, command, _ in header.commands
            if load.cmd in (BUILD_VERSION, MINIMUM_VERSION)
        ]
        assert f"{int(version) >> 16}.{int(version) >> 8 & 255}" == oldest, path


def header_libraries(header: Any) -> list[tuple[int, Any, str]]:
    """What the module is linked to."""
    return list(header.walkRelocatables())


def test_symbols(unpacked: tuple[str, Path]) -> None:
    """A module has no symbols but its start, Python's functions and the system's."""
    for path, header in headers(unpacked[1]):
        table = symbols.SymbolTable(macho.MachO(str(path)), header=header)
        names = {name.decode() for _, name in table.nlists}
        start = f"_PyInit_{path.name.partition('.')[0]}"
        assert start in names, path
        outside = {name.removesuffix("__thunk") for name in names - {start}}
        assert not {
            name for name in outside if not name.startswith(("_Py", "__Py")) and name not in SYSTEM
        }, path


def test_arm_modules_are_signed(unpacked: tuple[str, Path]) -> None:
    """Apple's ARM processors run nothing unsigned; an ad-hoc signature is a list of the pages' digests."""
    tag, folder = unpacked
    if not tag.endswith("arm64"):
        pytest.skip("Intel Macs run unsigned modules")
    for path, header in headers(folder):
        [place] = [command for load, command, _ in header.commands if load.cmd == CODE_SIGNATURE]
        data = path.read_bytes()
        check_signature(data, data[place.dataoff : place.dataoff + place.datasize], path)


def check_signature(data: bytes, signature: bytes, path: Path) -> None:
    """Every page has the digest that the code directory says."""
    count = struct.unpack_from(">I", signature, 8)[0]
    offsets = [struct.unpack_from(">II", signature, 12 + 8 * i)[1] for i in range(count)]
    [at] = [offset for offset in offsets if struct.unpack_from(">I", signature, offset)[0] == CODE_DIRECTORY]
    flags, digests, _, _, slots, limit = struct.unpack_from(">IIIIII", signature, at + 12)
    size, _, _, page = struct.unpack_from(">BBBB", signature, at + 36)
    assert flags & AD_HOC and size == 32, path
    step = 1 << page
    assert slots == -(-limit // step), path
    for i in range(slots):
        digest = hashlib.sha256(data[i * step : min(limit, (i + 1) * step)]).digest()
        assert signature[at + digests + 32 * i : at + digests + 32 * (i + 1)] == digest, (path, i)
