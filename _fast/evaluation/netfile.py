"""The file of an evaluation network. `read` checks it completely; the core computes without further checks.

Little-endian: magic "SSSN", u16 version, u16 hidden (multiple of 16), u16 buckets, i16 QA, i16 QB, i16 scale,
u16 n, n bytes UTF-8 description, zeros up to a multiple of 64, i16 weights[768][hidden], i16 bias[hidden],
i16 out[buckets][2][hidden], i32 out_bias[buckets], u32 CRC-32 of all bytes before it; nothing after it.

Checked: |weights| and |bias| <= MAX_WEIGHT, so that a bias and the weights of 32 pieces never overflow an
int16; |out| * QA fits an int16, as the inner loop needs; QA <= MAX_QA.
"""

import struct
import sys
import zlib
from array import array
from dataclasses import dataclass, field
from pathlib import Path

MAGIC = b"SSSN"
VERSION = 1
HEAD = struct.Struct("<4sHHHhhhH")
ALIGNMENT = 64
INPUTS = 768  # own and enemy pieces, six types, 64 squares
INT16_MAX = 32767
MAX_PIECES = 32
MAX_WEIGHT = INT16_MAX // (MAX_PIECES + 1)
MAX_QA = 4095  # so that 16 products of the output layer fit an int32
MAX_HIDDEN = 1024
MAX_BUCKETS = 8
MAX_DESCRIPTION = 65535
MAX_SIZE = 4 << 20  # bytes; more than the largest network there can be


def shorts() -> "array[int]":
    """An empty array of int16."""
    return array("h")


@dataclass
class Net:
    """A network in integers; the arrays are flat, in the order of the file."""

    hidden: int
    buckets: int = 1
    qa: int = 255
    qb: int = 64
    scale: int = 400
    description: str = ""
    weights: "array[int]" = field(default_factory=shorts)  # 'h', [INPUTS][hidden], in 1/qa
    bias: "array[int]" = field(default_factory=shorts)  # 'h', [hidden], in 1/qa
    out: "array[int]" = field(default_factory=shorts)  # 'h', [buckets][2: mover, other][hidden], in 1/qb
    out_bias: "array[int]" = field(default_factory=lambda: array("i"))  # 'i', [buckets], in 1/(qa*qb)

    def check(self) -> None:
        """Raise ValueError, one line, unless the shape is possible and no int16 can overflow."""
        self.check_head()
        for name, (kind, length) in self.parts().items():
            numbers = getattr(self, name)
            if numbers.typecode != kind or len(numbers) != length:
                raise ValueError(f"{name}: expected an array('{kind}') of {length} numbers")
        limits = {"weights": MAX_WEIGHT, "bias": MAX_WEIGHT, "out": INT16_MAX // self.qa}
        for name, limit in limits.items():
            numbers = getattr(self, name)
            if max(numbers) > limit or min(numbers) < -limit:
                raise ValueError(f"{name} beyond +-{limit}: sums could overflow")

    def check_head(self) -> None:
        """The part of `check` that needs no arrays."""
        if self.hidden % 16 or not 16 <= self.hidden <= MAX_HIDDEN:
            raise ValueError(f"hidden size {self.hidden}: not a multiple of 16 up to {MAX_HIDDEN}")
        if not 1 <= self.buckets <= MAX_BUCKETS:
            raise ValueError(f"{self.buckets} output buckets: not 1 to {MAX_BUCKETS}")
        for name, limit in {"qa": MAX_QA, "qb": INT16_MAX, "scale": INT16_MAX}.items():
            if not 1 <= getattr(self, name) <= limit:
                raise ValueError(f"{name} is {getattr(self, name)}: not 1 to {limit}")

    def parts(self) -> dict[str, tuple[str, int]]:
        """Type code and length of each array, in the order of the file."""
        return {
            "weights": ("h", INPUTS * self.hidden),
            "bias": ("h", self.hidden),
            "out": ("h", 2 * self.buckets * self.hidden),
            "out_bias": ("i", self.buckets),
        }


def little_endian(numbers: "array[int]") -> "array[int]":
    """`numbers` converted to or from little-endian; a copy on big-endian machines."""
    if sys.byteorder == "little":
        return numbers
    swapped = array(numbers.typecode, numbers)
    swapped.byteswap()
    return swapped


def write(path: str | Path, net: Net) -> None:
    """Write a network. ValueError if its numbers are not what a file may hold; OSError."""
    net.check()
    text = net.description.encode()
    if len(text) > MAX_DESCRIPTION:
        raise ValueError(f"a description of {len(text)} bytes: at most {MAX_DESCRIPTION}")
    head = HEAD.pack(MAGIC, VERSION, net.hidden, net.buckets, net.qa, net.qb, net.scale, len(text)) + text
    body = [little_endian(getattr(net, name)).tobytes() for name in net.parts()]
    data = b"".join([head, bytes(-len(head) % ALIGNMENT), *body])
    Path(path).write_bytes(data + struct.pack("<I", zlib.crc32(data)))


def read(source: str | Path | bytes) -> Net:
    """The network in a file, or in the bytes of one. ValueError, one line: what is wrong with it."""
    if isinstance(source, bytes):
        return parse(source)
    path = Path(source)
    try:
        if not path.is_file():
            raise ValueError("not a regular file" if path.exists() else "no such file")
        with path.open("rb") as file:
            return parse(file.read(MAX_SIZE + 1))
    except OSError as error:
        raise ValueError(f"{source}: {error.strerror}") from None
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None


def parse(data: bytes) -> Net:
    """The network in `data`, all of which it must fill."""
    net, start = parse_head(data)
    end = start + sum(array(kind).itemsize * length for kind, length in net.parts().values())
    if len(data) < end + 4:
        raise ValueError(f"a truncated network: {len(data)} bytes instead of {end + 4}")
    if len(data) > end + 4:
        raise ValueError(f"a network of {end + 4} bytes with something behind it")
    if zlib.crc32(data[:end]) != int.from_bytes(data[end:], "little"):
        raise ValueError("a damaged network: its checksum is wrong")
    for name, (kind, length) in net.parts().items():
        numbers = array(kind)
        numbers.frombytes(data[start : start + length * numbers.itemsize])
        setattr(net, name, little_endian(numbers))
        start += length * numbers.itemsize
    net.check()
    return net


def parse_head(data: bytes) -> tuple[Net, int]:
    """A network without its arrays, and their offset in the file."""
    if data[: len(MAGIC)] != MAGIC:
        raise ValueError("not a network of SSSnake")
    if len(data) < HEAD.size:
        raise ValueError(f"a truncated network: {len(data)} bytes")
    _, version, hidden, buckets, qa, qb, scale, length = HEAD.unpack_from(data)
    if version != VERSION:
        raise ValueError(f"a network of version {version}: this program reads version {VERSION}")
    try:
        text = data[HEAD.size : HEAD.size + length].decode()
    except UnicodeDecodeError:
        raise ValueError("a damaged network: its description is no text") from None
    net = Net(hidden, buckets, qa, qb, scale, text)
    net.check_head()
    end = HEAD.size + length
    return net, end + -end % ALIGNMENT
