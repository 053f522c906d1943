"""One scenario over a grid of values, on this machine or many."""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    as_completed,
)
from contextlib import contextmanager, suppress
from typing import Any, Optional

import pandas as pd

from .errors import InputError, Problem
from .running import Progress, _whole, run
from .scenario import Scenario, Source, load

__all__ = ["SweepInterrupted", "sweep"]

_MOST_POINTS = 1_000_000


class SweepInterrupted(KeyboardInterrupt):
    """Ctrl-C ended a sweep. ``table`` has the runs that were done."""

    def __init__(self, table: pd.DataFrame) -> None:
        self.table = table
        super().__init__(f"{len(table)} runs were done; the exception's .table has them")


def sweep(
    source: Source,
    grid: Mapping[str, Sequence[Any]],
    *,
    seeds: int = 1,
    sets: Optional[Mapping[str, Any]] = None,
    executor: Any = None,
    drop_invalid: bool = False,
) -> pd.DataFrame:
    """Runs a scenario at every point of a grid, ``{"ecn.kmin": ["100KB", "400KB"], "preset":
    ["roce-400g", "ib-ndr"]}``, each with ``seeds`` seeds from ``run.seed`` upward.

    Returns a table with a row per run: the grid's values, seed, verdict, message, fingerprint and
    the figures of ``spineleaf sweep``, units in their names. The figures do not depend on where the
    runs ran.

    ``executor``: None runs on this machine's cores, in threads. Any executor of concurrent.futures
    and a Dask ``Client`` will do. A run that failed has a row with verdict "failed" and the reason,
    one whose worker died twice the verdict "lost"; the others go on (a ProcessPoolExecutor, though,
    gives up all that it had not done).

    All points are checked before the first runs: InputError names those that can't be run, unless
    ``drop_invalid`` leaves them out. Ctrl-C raises SweepInterrupted with the runs that were
    done."""
    scenario = load(source, sets)
    axes = _axes(grid)
    count = _whole(seeds, "seeds", 100_000)
    if not count:
        raise ValueError("a sweep needs one seed at least")
    points, invalid = _points(scenario, axes)
    if invalid and not drop_invalid:
        raise InputError(invalid)
    if not points:
        raise InputError(invalid)
    first = scenario._compiled.seed
    jobs = [(point, values, first + i) for values, point in points for i in range(count)]
    table: dict[int, dict[str, Any]] = {}
    stop = threading.Event()
    with _workers(executor, stop) as (pool, own):
        futures: dict[Future[dict[str, Any]], int] = {}

        def start(number: int) -> Future[dict[str, Any]]:
            point, _, seed = jobs[number]
            arguments = (point, seed, stop) if own else (point, seed)
            future: Future[dict[str, Any]] = pool.submit(_run_point, *arguments)
            futures[future] = number
            return future

        try:
            for number in range(len(jobs)):
                start(number)
            lost: list[int] = []
            for future in as_completed(list(futures)):
                number = futures[future]
                row = _outcome(future)
                table[number] = row
                if row["verdict"] == "lost":
                    lost.append(number)
            # A worker that dies takes along what else it had. One at a time, a run that kills its
            # worker kills no other.
            for number in sorted(lost):
                with suppress(BrokenExecutor):  # It takes no more: the row stays as it is.
                    table[number] = _outcome(start(number))
        except KeyboardInterrupt:
            stop.set()
            for future in futures:
                future.cancel()
            raise SweepInterrupted(_frame(jobs, table)) from None
    return _frame(jobs, table)


def _axes(grid: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
    if not isinstance(grid, Mapping):
        raise TypeError(f"a grid is a dictionary of lists, not {type(grid).__name__}")
    axes: dict[str, list[Any]] = {}
    for key, values in grid.items():
        if isinstance(values, (str, bytes, Mapping)):
            raise TypeError(f"{key}: a list of values is expected, not {values!r}")
        try:
            axes[key] = list(values)
        except TypeError:
            raise TypeError(f"{key}: a list of values is expected, not {values!r}") from None
        if not axes[key]:
            raise ValueError(f"{key}: there are no values")
    size = 1
    for values in axes.values():
        size *= len(values)
    if size > _MOST_POINTS:
        raise ValueError(f"a grid of {size} points; at most {_MOST_POINTS} are taken")
    return axes


def _points(
    scenario: Scenario, axes: dict[str, list[Any]]
) -> tuple[list[tuple[dict[str, Any], Scenario]], list[Problem]]:
    """The points that can be run, and what is wrong with the others."""
    points = []
    invalid: list[Problem] = []
    for row in itertools.product(*axes.values()):
        values = dict(zip(axes, row))
        point = scenario.copy()
        try:
            point.set(values)
            point._ready()
            points.append((values, point))
        except InputError as error:
            invalid += error.errors
    return points, invalid[:100]


@contextmanager
def _workers(executor: Any, stop: threading.Event) -> Iterator[tuple[Executor, bool]]:
    """An executor, and whether it is of this process and our own."""
    if executor is None:
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            try:
                yield pool, True
            finally:
                stop.set()
    elif isinstance(executor, Executor):
        yield executor, False
    elif hasattr(executor, "get_executor"):
        # Equal runs of two sweeps are two runs: pure=False keeps Dask from taking them for one.
        yield executor.get_executor(pure=False), False
    else:
        raise TypeError(
            f"executor is one of concurrent.futures or a Dask Client, not {type(executor).__name__}"
        )


def _run_point(
    scenario: Scenario, seed: int, stop: Optional[threading.Event] = None
) -> dict[str, Any]:
    """One run as a row. Sent to workers: all that it takes and gives can be pickled."""

    def look(_: Progress) -> None:
        if stop is not None and stop.is_set():
            raise CancelledError("the sweep was stopped")

    try:
        result = run(scenario, seed=seed, threads=1, progress=look)
    except CancelledError:
        raise
    except Exception as error:
        return {"verdict": "failed", "message": f"{type(error).__name__}: {error}"}
    message = "" if result.ok else str(result.summary["outcome"]["text"])
    return {
        "verdict": result.verdict,
        "message": message,
        "fingerprint": result.fingerprint,
        **result._core.metrics(),
    }


def _outcome(future: Future[dict[str, Any]]) -> dict[str, Any]:
    """A run's row. What a worker, its pool or its network raises has taken the run along."""
    try:
        return future.result()
    except Exception as error:
        return {"verdict": "lost", "message": f"{type(error).__name__}: {error}"}


def _frame(
    jobs: Sequence[tuple[Scenario, Mapping[str, Any], int]], rows: Mapping[int, Mapping[str, Any]]
) -> pd.DataFrame:
    """One row per run that is done, in the order of the grid."""
    return pd.DataFrame(
        [{**jobs[number][1], "seed": jobs[number][2], **rows[number]} for number in sorted(rows)]
    )
