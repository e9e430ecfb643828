"""How every tool runs its jobs: in threads or processes of this machine, or on Dask workers.

    with open_executor(args, "sssnake tool", processes=True) as executor:
        for job, result in executor.in_order(function, jobs): ...

`function` is defined at the top level of a module, jobs and results are plain values, and every random number
is seeded by the job. So the results are the same on any number of workers, wherever they run.
"""

from argparse import ArgumentParser, Namespace

from sssnake.engine.common.arguments import positive
from sssnake.engine.jobs.base import ExecutorError, JobExecutor
from sssnake.engine.jobs.local import LocalExecutor

__all__ = ["ExecutorError", "JobExecutor", "LocalExecutor", "add_executor_arguments", "open_executor"]


def add_executor_arguments(parser: ArgumentParser, what: str, default: int = 1) -> None:
    """Add the options `--concurrency` and `--scheduler`; `what` names the jobs."""
    add = parser.add_argument
    at_a_time = f"{what} at a time (default {default})"
    add("--concurrency", type=positive, default=default, metavar="N", help=at_a_time)
    add("--scheduler", metavar="tcp://HOST:8786", help="run them on the workers of a Dask scheduler")


def open_executor(args: Namespace, tool: str, *, processes: bool = False) -> JobExecutor:
    """The executor that the command line names; `processes`: not threads. ExecutorError if there is none."""
    if args.scheduler is None:
        return LocalExecutor(args.concurrency, processes=processes)
    from sssnake.engine.jobs.cluster import DaskExecutor

    return DaskExecutor(args.scheduler, tool)
