"""Sweeps: the figures of the command, wherever they run; a worker that dies costs its own run."""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

import spineleaf

GRID = {"workload.senders": [4, 8], "pfc.alpha": [0.125, 0.5]}
NAME = "quickstart-incast-roce"


@pytest.fixture(scope="module")
def local() -> pd.DataFrame:
    return spineleaf.sweep(NAME, GRID, seeds=2)


def test_the_figures_are_those_of_the_command(local, command, tmp_path):
    done = command("sweep", NAME, "--grid", "workload.senders=4,8", "pfc.alpha=0.125,0.5",
                   "--seeds", 2, "--out", tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    theirs = pd.read_csv(tmp_path / "results.csv").sort_values(
        ["workload.senders", "pfc.alpha", "seed"], ignore_index=True
    )
    assert list(local["fingerprint"]) == list(theirs["fingerprint"])
    figures = [column for column in local if column in theirs and column.endswith(("_us", "_gbps"))]
    assert len(figures) > 4
    for column in figures:
        np.testing.assert_array_equal(local[column], theirs[column])


def test_rows_stand_in_the_order_of_the_grid(local):
    assert list(local["workload.senders"]) == [4] * 4 + [8] * 4
    assert list(local["seed"]) == [1, 2] * 4
    assert (local["verdict"] == "ok").all()
    one = spineleaf.run(NAME, {"workload.senders": 8, "pfc.alpha": 0.5}, seed=2)
    assert local["fingerprint"].iloc[-1] == one.fingerprint


@pytest.mark.parametrize("kind", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_any_executor_gives_the_same(kind, local):
    with kind(2) as executor:
        pd.testing.assert_frame_equal(
            spineleaf.sweep(NAME, GRID, seeds=2, executor=executor), local
        )


class Deadly(Executor):
    """Kills the worker of the runs with one seed."""

    def __init__(self, inner: Executor, seed: int) -> None:
        self.inner, self.seed = inner, seed

    def submit(self, function, scenario, seed) -> Future:
        if seed == self.seed:
            return self.inner.submit(os._exit, 1)
        return self.inner.submit(function, scenario, seed)


def test_dask_gives_the_same_and_a_dead_worker_costs_its_own_runs(local):
    import dask
    from distributed import Client, LocalCluster

    with dask.config.set({"distributed.scheduler.allowed-failures": 0}), LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs="CRITICAL"
    ) as cluster, Client(cluster) as client:  # fmt: skip
        pd.testing.assert_frame_equal(spineleaf.sweep(NAME, GRID, seeds=2, executor=client), local)
        deadly = Deadly(client.get_executor(pure=False), seed=2)
        left = spineleaf.sweep(NAME, {"pfc.alpha": [0.5]}, seeds=3, executor=deadly)
    assert list(left["verdict"]) == ["ok", "lost", "ok"]
    assert left.loc[left["seed"] == 2, "message"].str.contains("Killed").all()


def test_points_that_can_t_be_run_are_named_or_left_out():
    grid = {"workload.senders": [4, 4000]}
    with pytest.raises(spineleaf.InputError, match="senders"):
        spineleaf.sweep(NAME, grid)
    assert list(spineleaf.sweep(NAME, grid, drop_invalid=True)["workload.senders"]) == [4]
    with pytest.raises(spineleaf.InputError, match='Did you mean "alpha"'):
        spineleaf.sweep(NAME, {"pfc.alpa": [1]}, drop_invalid=True)


def test_ctrl_c_keeps_the_runs_that_are_done():
    # A true signal: what waits for a lock is not woken by interrupt_main().
    timer = threading.Timer(3, signal.pthread_kill, [threading.main_thread().ident, signal.SIGINT])
    timer.start()
    with pytest.raises(spineleaf.SweepInterrupted) as raised:
        spineleaf.sweep(NAME, {"workload.bytes": ["1KiB", "16GiB"]})
    assert list(raised.value.table["workload.bytes"]) == ["1KiB"]


@pytest.mark.parametrize(
    ("grid", "options", "error", "says"),
    [
        (3, {}, TypeError, "dictionary of lists"),
        ({"pfc.alpha": 3}, {}, TypeError, "a list of values"),
        ({"pfc.alpha": "0.5"}, {}, TypeError, "a list of values"),
        ({"pfc.alpha": []}, {}, ValueError, "no values"),
        ({"pfc.alpha": range(2000), "ecn.pmax": range(2000)}, {}, ValueError, "4000000 points"),
        ({"pfc.alpha": [0.5]}, {"seeds": 0}, ValueError, "one seed"),
        ({"pfc.alpha": [0.5]}, {"executor": 3}, TypeError, "executor is one of"),
    ],
)
def test_bad_calls_say_what_is_wrong(grid, options, error, says):
    with pytest.raises(error, match=says):
        spineleaf.sweep(NAME, grid, **options)
