"""Runs in threads, interrupted runs, progress."""

from __future__ import annotations

import _thread
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import spineleaf

#: Takes several seconds, so that there is time to look at it or to end it.
LONG = {"topology.hosts": 128, "workload.bytes": "256MiB"}


def test_runs_in_threads_are_those_of_one_thread():
    names = ["quickstart-incast-roce", "quickstart-incast-ndr", "quickstart-ring-roce"]
    jobs = [(name, seed) for name in names for seed in (1, 2, 3)]

    def fingerprint(job: tuple[str, int]) -> str:
        return spineleaf.run(job[0], seed=job[1]).fingerprint

    alone = [fingerprint(job) for job in jobs]
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(fingerprint, jobs)) == alone
    assert len(set(alone)) > 3


@pytest.mark.filterwarnings("ignore::spineleaf.InputWarning")
def test_one_scenario_in_several_threads_while_it_is_changed():
    scenario = spineleaf.load("quickstart-incast-roce")
    expected = {alpha: spineleaf.run("quickstart-incast-roce",
                                     {"pfc.alpha": alpha}).fingerprint
                for alpha in (0.01, 0.5)}  # fmt: skip
    scenario.set("pfc.alpha", 0.01)
    done = threading.Event()

    def change() -> None:
        while not done.is_set():
            for alpha in expected:
                scenario.set("pfc.alpha", alpha)

    changer = threading.Thread(target=change)
    changer.start()
    try:
        with ThreadPoolExecutor(4) as pool:
            found = set(pool.map(lambda _: scenario.run().fingerprint, range(12)))
    finally:
        done.set()
        changer.join()
    assert found <= set(expected.values())


@pytest.mark.parametrize("threads", [1, 2])
def test_an_observer_sees_what_the_result_tells_and_changes_nothing(threads):
    sets = {"run.sample_every": "2us"}
    alone = spineleaf.run("quickstart-incast-roce", sets)
    samples: list[spineleaf.Sample] = []
    seen = spineleaf.run("quickstart-incast-roce", sets, threads=threads, observer=samples.append)
    assert seen.fingerprint == alone.fingerprint
    assert [s.time_us for s in samples] == [2.0 * (i + 1) for i in range(len(samples))]
    assert all(len(s.queued) == len(s.sent) == len(s.held) == len(seen.links) for s in samples)
    series = seen.series.set_index("series")["value"]
    assert [s.queued.sum() for s in samples] == list(series["queued"])
    sent = [s.sent for s in samples] + [seen.links["wire_bytes"].to_numpy()]
    assert all((b >= a).all() for a, b in zip(sent, sent[1:]))
    assert any(s.held.any() for s in samples) == bool((series["paused_ports"] > 0).any())
    assert max(s.queued.max() for s in samples) > 0


def test_what_an_observer_raises_ends_the_run():
    def observer(sample: spineleaf.Sample) -> None:
        if sample.time_us > 20:
            raise RuntimeError("seen enough")

    with pytest.raises(RuntimeError, match="seen enough") as caught:
        spineleaf.run("quickstart-incast-roce", LONG | {"run.sample_every": "2us"},
                      observer=observer)  # fmt: skip
    assert caught.value.result.verdict == "incomplete"
    with pytest.raises(ValueError, match="sample_every, which is 0"):
        spineleaf.run("two-hosts-ndr", {"run.sample_every": "0us"}, observer=print)
    with pytest.raises(TypeError, match="observer is a function"):
        spineleaf.run("two-hosts-ndr", observer=3)


def test_threads_of_one_run_do_not_change_its_result():
    one = spineleaf.run("quickstart-permutation-roce", threads=1)
    two = spineleaf.run("quickstart-permutation-roce", threads=2)
    assert one.fingerprint == two.fingerprint


def test_the_interpreter_goes_on_during_a_run():
    counted = 0
    stop = threading.Event()

    def count() -> None:
        nonlocal counted
        while not stop.is_set():
            counted += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    seen = []
    with pytest.raises(RuntimeError):
        spineleaf.run("quickstart-incast-roce", LONG, progress=lambda p: _stop_after(seen, p, 1))
    stop.set()
    counter.join()
    assert counted > 20


def _stop_after(seen: list, progress: spineleaf.Progress, calls: int) -> None:
    seen.append(progress)
    if len(seen) >= calls:
        raise RuntimeError("enough")


def test_progress_is_told_and_what_it_raises_ends_the_run():
    seen: list[spineleaf.Progress] = []
    with pytest.raises(RuntimeError, match="enough") as raised:
        spineleaf.run("quickstart-incast-roce", LONG, progress=lambda p: _stop_after(seen, p, 2))
    assert len(seen) == 2
    assert 0 < seen[0].share < seen[1].share < 1
    assert 0 < seen[0].simulated_us < seen[1].simulated_us
    partial = raised.value.result
    assert (partial.verdict, partial.stop_reason) == ("incomplete", "interrupted")
    assert partial.simulated_us >= seen[1].simulated_us
    assert partial.totals["packets_delivered"] > 0
    assert partial.flows["received_us"].isna().any()


def test_ctrl_c_keeps_what_there_is():
    timer = threading.Timer(0.3, _thread.interrupt_main, [signal.SIGINT])
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt) as raised:
        spineleaf.run("quickstart-incast-roce", LONG)
    assert time.monotonic() - begin < 5
    assert isinstance(raised.value, spineleaf.RunInterrupted)
    assert raised.value.result.stop_reason == "interrupted"
    assert raised.value.result.totals["packets_delivered"] > 0
    # The next run is as whole as ever.
    assert spineleaf.run("two-hosts-roce").ok


def test_the_bar_says_how_far_a_run_is(capfd):
    timer = threading.Timer(1.3, _thread.interrupt_main, [signal.SIGINT])
    timer.start()
    with pytest.raises(spineleaf.RunInterrupted):
        spineleaf.run("quickstart-incast-roce", LONG, progress=True)
    shown = capfd.readouterr().err
    assert "incast 32:1" in shown and "ms simulated" in shown and "%" in shown


def test_short_runs_and_files_show_no_bar(capfd):
    spineleaf.run("two-hosts-roce", progress=True)
    assert capfd.readouterr().err == ""


def test_the_package_carries_its_own_data(tmp_path):
    """Away from the source tree, in an interpreter of its own."""
    code = (
        "import pathlib, spineleaf\n"
        "package = pathlib.Path(spineleaf.__file__).parent\n"
        "assert spineleaf.data_dir() == package / 'data', spineleaf.data_dir()\n"
        "assert 'site-packages' in str(package)\n"
        "print(spineleaf.run('two-hosts-ndr').fingerprint)\n"
    )
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], cwd=tmp_path, env=environment, text=True,
        capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == spineleaf.run("two-hosts-ndr").fingerprint
