"""The seam through which every tool hands out its work: to threads or processes here, or to Dask elsewhere.

    with hire(args, processes=True) as crew:
        for job, result in crew.in_order(function, jobs): ...

`function` is a module's own, jobs and results are plain values, and all randomness is seeded by the job: then
the results are the same whoever does it, on however many workers.
"""

from argparse import ArgumentParser, Namespace

from engine.common.arguments import positive
from engine.jobs.local import Crew, CrewError, Local

__all__ = ["Crew", "CrewError", "Local", "add_arguments", "hire"]


def add_arguments(parser: ArgumentParser, what: str, default: int = 1) -> None:
    """Give a tool the options `--concurrency` and `--scheduler`."""
    add = parser.add_argument
    at_a_time = f"{what} at a time (default {default})"
    add("--concurrency", type=positive, default=default, metavar="N", help=at_a_time)
    add("--scheduler", metavar="tcp://HOST:8786", help="leave it to the workers of a Dask scheduler")


def hire(args: Namespace, tool: str, processes: bool = False) -> Crew:
    """The crew that the command line asks for. CrewError, one line, where it cannot be had."""
    if args.scheduler is None:
        return Local(args.concurrency, processes)
    from engine.jobs.cluster import Cluster

    return Cluster(args.scheduler, tool)
