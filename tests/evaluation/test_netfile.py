"""Network files: exact layout, round trips, and one clear line for whatever is not a network."""

import random
import struct
import zlib
from array import array
from pathlib import Path

import pytest

from sssnake._fast.evaluation import netfile
from sssnake._fast.evaluation.netfile import MAX_WEIGHT, Net


def random_net(seed: int, hidden: int = 16, buckets: int = 1, weight: int = 400) -> Net:
    """A network of random numbers, with inputs up to +-weight."""
    rng = random.Random(seed)
    net = Net(hidden, buckets, description="random")
    limits = {"weights": weight, "bias": weight, "out": 127, "out_bias": 255 * 64}
    for name, (kind, length) in net.parts().items():
        setattr(net, name, array(kind, (rng.randint(-limits[name], limits[name]) for _ in range(length))))
    return net


def written(net: Net, folder: Path) -> bytes:
    """The bytes of a network's file."""
    netfile.write(folder / "net", net)
    return (folder / "net").read_bytes()


def sealed(data: bytes) -> bytes:
    """`data` with a checksum that fits."""
    return data[:-4] + struct.pack("<I", zlib.crc32(data[:-4]))


def test_layout(tmp_path: Path) -> None:
    net = random_net(1, 32, 2)
    net.description = "käse " * 11  # 18 + 66 bytes: padded up to 128
    data = written(net, tmp_path)
    assert data[:18] == b"SSSN" + struct.pack("<HHHhhhH", 1, 32, 2, 255, 64, 400, 66)
    assert data[18:128] == net.description.encode() + bytes(44)
    places = {"weights": 128, "bias": 128 + 768 * 64, "out": 128 + 769 * 64, "out_bias": 128 + 773 * 64}
    for name, start in places.items():
        kind, length = net.parts()[name]
        assert list(struct.unpack_from(f"<{length}{kind}", data, start)) == list(getattr(net, name))
    assert len(data) == 128 + 773 * 64 + 2 * 4 + 4
    assert struct.unpack("<I", data[-4:])[0] == zlib.crc32(data[:-4])


@pytest.mark.parametrize(("hidden", "buckets"), [(16, 1), (48, 8), (1024, 3)])
def test_what_was_written_is_read(hidden: int, buckets: int, tmp_path: Path) -> None:
    net = random_net(hidden, hidden, buckets)
    net.qa, net.qb, net.scale = 200, 32, 350
    data = written(net, tmp_path)
    assert netfile.read(data) == netfile.read(tmp_path / "net") == netfile.read(str(tmp_path / "net")) == net


def test_every_truncation_is_refused(tmp_path: Path) -> None:
    data = written(random_net(2), tmp_path)
    for length in [*range(200), *range(200, len(data), 97), len(data) - 1]:
        with pytest.raises(ValueError, match=r"truncated|not a network|no text") as refusal:
            netfile.read(data[:length])
        assert "\n" not in str(refusal.value)


def test_every_flipped_byte_is_refused(tmp_path: Path) -> None:
    data = written(random_net(3), tmp_path)
    for place in [*range(80), *range(80, len(data), 101), *range(len(data) - 8, len(data))]:
        damaged = bytearray(data)
        damaged[place] ^= 0x40
        with pytest.raises(ValueError):
            netfile.read(bytes(damaged))


@pytest.mark.parametrize(
    ("place", "value", "complaint"),
    [
        (4, 2, "version 2"),
        (6, 24, "hidden size 24"),
        (6, 0, "hidden size 0"),
        (6, 1040, "hidden size 1040"),
        (8, 0, "0 output buckets"),
        (8, 9, "9 output buckets"),
        (10, 0, "qa is 0"),
        (10, 4096, "qa is 4096"),
        (12, -1, "qb is -1"),
        (14, 0, "scale is 0"),
        (64, MAX_WEIGHT + 1, "weights beyond"),
        (64 + 768 * 32, -MAX_WEIGHT - 1, "bias beyond"),
        (64 + 769 * 32, 129, "out beyond"),
    ],
)
def test_wrong_numbers_are_named(place: int, value: int, complaint: str, tmp_path: Path) -> None:
    data = bytearray(written(random_net(4), tmp_path))
    struct.pack_into("<h", data, place, value)
    with pytest.raises(ValueError, match=complaint):
        netfile.read(sealed(bytes(data)))


def test_the_largest_numbers_are_accepted(tmp_path: Path) -> None:
    net = random_net(5)
    net.weights[7], net.bias[3], net.out[5] = MAX_WEIGHT, -MAX_WEIGHT, -128
    netfile.write(tmp_path / "net", net)
    assert netfile.read(tmp_path / "net") == net
    assert 33 * MAX_WEIGHT <= 32767
    assert 128 * 255 <= 32767


def test_what_may_not_be_read_is_not_written(tmp_path: Path) -> None:
    changes = {"hidden": 32, "qa": 0, "weights": array("i", [0] * 768 * 16), "description": "x" * 65536}
    for name, value in changes.items():
        net = random_net(6)
        setattr(net, name, value)
        with pytest.raises(ValueError):
            netfile.write(tmp_path / "net", net)
    assert not (tmp_path / "net").exists()


def test_other_files_are_refused_in_one_line(tmp_path: Path) -> None:
    good = written(random_net(7), tmp_path)
    rng = random.Random(8)
    contents = {
        "empty": b"",
        "text": b"a diary\n",
        "random": rng.randbytes(30000),
        "random behind the magic": b"SSSN" + rng.randbytes(30000),
        "random behind the head": sealed(good[:64] + rng.randbytes(len(good) - 64)),
        "longer": good + b"\0",
        "two": good + good,
        "huge": good + bytes(8 << 20),
    }
    for name, data in contents.items():
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(ValueError) as refusal:
            netfile.read(path)
        message = str(refusal.value)
        assert message.startswith(f"{path}: ") and "\n" not in message and len(message) < 400


@pytest.mark.parametrize("name", ["missing", ".", "net/inside", "x" * 300, "/dev/zero", "nul\0"])
def test_what_is_no_file_is_refused(name: str, tmp_path: Path) -> None:
    netfile.write(tmp_path / "net", random_net(9))
    with pytest.raises(ValueError) as refusal:
        netfile.read(tmp_path / name)
    assert "\n" not in str(refusal.value)
