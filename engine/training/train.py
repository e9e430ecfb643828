"""train: trains an evaluation network on logged games. A TOML file has the settings (see docs/training).

Writes into the output folder the network, a card that describes it, the losses as CSV and as a picture, and a
checkpoint after every epoch, from which `--resume` continues. A seed always gives the same network.
"""

import csv
import hashlib
import io
import json
import math
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sssnake._fast.evaluation import netfile
from sssnake.engine.common.arguments import Parser, positive
from sssnake.engine.common.extras import how_to_get
from sssnake.engine.common.files import check_apart, save_text, try_output, whole
from sssnake.engine.common.progress import Progress
from sssnake.engine.player import evaluation
from sssnake.engine.player.options import INTERNAL

if TYPE_CHECKING:  # what needs numpy is imported by `prepare`, so that --help works without
    from matplotlib.figure import Figure

    from sssnake.engine.training.config import Config
    from sssnake.engine.training.dataset import Shard
    from sssnake.engine.training.trainer import Losses, Trainer

NET, CARD, TABLE, PICTURE, CHECKPOINT = "net.sssn", "net.json", "losses.csv", "losses.png", "checkpoint.npz"
WRITTEN = (NET, CARD, TABLE, PICTURE, CHECKPOINT)
COLUMNS = ("epoch", "rate", "training", "held_out", "held_out_result", "held_out_beside")


def line(losses: "Losses", config: "Config") -> str:
    """One line about an epoch."""
    told = {
        "training": losses.training,
        "held-out": losses.held_out,
        "against results": losses.held_out_result,
        "beside the games": losses.held_out_beside,
    }
    parts = [f"{name} {value:.6f}" for name, value in told.items() if not math.isnan(value)]
    return f"epoch {losses.epoch}/{config.training.epochs}: {', '.join(parts)}"


def speed(positions: int, seconds: float) -> str:
    """One line about the speed of a training of so many positions."""
    rate = positions / max(seconds, 1e-9) / 1e6
    return f"{seconds:.1f} s of processor time, {rate:.2f} million positions a second and core"


def show_loss(bar: Progress, loss: float) -> None:
    """Count a batch; `loss` is the mean so far in this epoch."""
    bar.advance(f"loss {loss:.6f}")


def run(trainer: "Trainer", folder: Path) -> None:
    """Train all epochs that are left; write checkpoint and losses after each."""
    epochs = trainer.config.training.epochs
    while len(trainer.history) < epochs:
        title = f"epoch {len(trainer.history) + 1}/{epochs}"
        with Progress(trainer.batches(), "batches", title=title) as bar:
            losses = trainer.epoch(partial(show_loss, bar))
        print(line(losses, trainer.config), flush=True)
        trainer.save(folder / CHECKPOINT)
        write_table(trainer.history, folder / TABLE)


def write_table(history: "Sequence[Losses]", path: Path) -> None:
    """Write the losses of all epochs as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([[getattr(losses, name) for name in COLUMNS] for losses in history])
    save_text(path, text.getvalue())


def picture(history: "Sequence[Losses]") -> "Figure":
    """Draw the losses, epoch by epoch. ImportError without matplotlib."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(7, 4))
    axes = figure.add_subplot()
    epochs = [losses.epoch for losses in history]
    axes.plot(epochs, [losses.training for losses in history], marker=".", label="training")
    axes.plot(epochs, [losses.held_out for losses in history], marker=".", label="held-out games")
    axes.set(xlabel="epoch", ylabel="mean squared error", title="Losses of the training")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.legend()
    return figure


def draw(history: "Sequence[Losses]", path: Path) -> bool:
    """Write a picture of the losses; False without matplotlib."""
    try:
        figure = picture(history)
    except ImportError:
        return False
    with whole(path) as file:
        figure.savefig(file, dpi=120, bbox_inches="tight", format=path.suffix[1:])
    return True


# -- output files -----------------------------------------------------------------------------


def commit() -> str:
    """The commit of this source tree; "unknown" outside a repository."""
    here = Path(__file__).parent
    try:
        words = ["git", "describe", "--always", "--dirty", "--abbrev=40", "--match="]
        found = subprocess.run(words, cwd=here, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return found.stdout.strip()


def export(trainer: "Trainer", games: "Sequence[Shard]", parents: dict[str, str], folder: Path) -> Path:
    """Write the network and its card; `parents`: see `parent_networks`."""
    config, made_by = trainer.config, commit()
    samples = len(trainer.known)
    description = (
        f"SSSnake (768 -> {config.network.hidden}) x 2 -> {config.network.buckets}, {samples} positions, "
        f"{config.training.epochs} epochs, seed {config.training.seed}, commit {made_by}"
    )
    path = folder / NET
    with whole(path) as file:
        netfile.write(file.name, trainer.net(description))
    card = {
        "network": NET,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "commit": made_by,
        "settings": config.settings(),
        "networks": parents,
        "positions": {"training": samples, "held out": len(trainer.unseen)},
        "losses": {name: None if math.isnan(x) else x for name, x in vars(trainer.history[-1]).items()},
        "games": [vars(shard) for shard in games],
    }
    save_text(folder / CARD, json.dumps(card, indent=1, allow_nan=False) + "\n")
    return path


def compare(trainer: "Trainer") -> None:
    """Print the errors of the network and of the baselines on the held-out games."""
    from sssnake.engine.training import baselines

    print(f"{'held-out positions':<32}{'target':>10}{'result':>10}")
    for name, target, result in baselines.comparison(trainer):
        print(f"{name:<32}{target:10.6f}{result:10.6f}", flush=True)


def place(name: str, beside: Path) -> Path:
    """The path of a network or checkpoint that a configuration in the folder `beside` names."""
    return evaluation.SHIPPED if name == INTERNAL else beside / name


def parent_files(config: "Config", beside: Path) -> dict[str, Path]:
    """The network it starts from, and that which evaluates added positions."""
    data, start = config.data, config.training.start
    files = {"start": place(start, beside)} if start else {}
    valued = place(data.evaluation, beside)
    if (data.walks or data.harvest_every) and valued.is_file():  # if none is shipped, piece-square tables do
        files["evaluation"] = valued
    return files


def parent_networks(config: "Config", beside: Path) -> dict[str, str]:
    """SHA-256 of each of them. OSError."""
    files = parent_files(config, beside)
    return {role: hashlib.sha256(path.read_bytes()).hexdigest() for role, path in files.items()}


def prepare(args: "Arguments") -> "tuple[Trainer, list[Shard], dict[str, str]]":
    """(trainer, games, `parent_networks`) from configuration, games and checkpoint. OSError, ValueError."""
    from sssnake.engine.training import config as settings
    from sssnake.engine.training import dataset, shards
    from sssnake.engine.training.trainer import Trainer

    config, beside = settings.read(args.config), args.config.parent
    paths = args.data or settings.files(config, beside)
    if not paths:
        raise ValueError(f"{args.config}: no games in [data], and none given with --data")
    checkpoint = args.output / CHECKPOINT
    if checkpoint.exists() and not args.resume:
        raise ValueError(f"{args.output} holds a training already: use --resume, or another folder")
    read = (args.config, *paths, *parent_files(config, beside).values())
    check_apart([args.output / name for name in WRITTEN], read)
    args.output.mkdir(parents=True, exist_ok=True)
    try_output(args.output / NET)
    parents = parent_networks(config, beside)
    wanted = config.data.filter(beside)
    games, samples = shards.load_all(paths, wanted, args.cache, args.threads)
    fingerprint = dataset.fingerprint(games, wanted) + parents.get("start", "")
    trainer = Trainer(config, samples, fingerprint, args.threads)
    if args.compare and not len(trainer.unseen):
        raise ValueError("--compare needs held-out games, and held_out in [data] chose none")
    if args.resume and checkpoint.exists():
        trainer.restore(checkpoint)
        write_table(trainer.history, args.output / TABLE)  # it may have been stopped before
    elif config.training.start:
        trainer.begin_with(place(config.training.start, beside))
    return trainer, games, parents


class Arguments:
    """The command line."""

    config: Path
    data: list[Path]
    output: Path
    cache: Path | None
    threads: int
    resume: bool
    compare: bool


def read_arguments(argv: list[str]) -> Arguments:
    """The parsed arguments."""
    parser = Parser("sssnake train", description=__doc__)
    add = parser.add_argument
    add("config", type=Path, help="TOML file")
    add(
        "--data", type=Path, nargs="+", default=[], metavar="FILE", help="games, instead of those in the file"
    )
    add("-o", "--output", type=Path, required=True, metavar="FOLDER", help="for all that is written")
    add("--cache", type=Path, metavar="FOLDER", help="cache of converted games")
    add("--threads", type=positive, default=1, help="(default 1); the result does not depend on it")
    add("--resume", action="store_true", help="continue the training in the output folder")
    add("--compare", action="store_true", help="compare the network with simpler evaluations")
    return parser.parse_args(argv, Arguments())


def main(argv: list[str]) -> int:
    """`sssnake train CONFIG.toml -o FOLDER`."""
    args = read_arguments(argv)
    trainer, games, parents = prepare(args)
    played = sum(shard.games for shard in games)
    print(f"{played} games, {len(trainer.known)} positions, {len(trainer.unseen)} held out", flush=True)
    started, already = time.process_time(), len(trainer.history)
    run(trainer, args.output)
    print(speed((len(trainer.history) - already) * len(trainer.known), time.process_time() - started))
    print(export(trainer, games, parents, args.output))
    if not draw(trainer.history, args.output / PICTURE):
        print(f"no picture of the losses: {how_to_get('matplotlib')}", file=sys.stderr)
    if args.compare:
        compare(trainer)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
