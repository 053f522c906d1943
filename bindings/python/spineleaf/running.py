"""Runs, and how far they are."""

from __future__ import annotations

import operator
import sys
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Optional, Union

import numpy as np

from . import _core
from .errors import RunInterrupted
from .result import Result
from .scenario import Scenario, Source, load

__all__ = ["Progress", "ProgressOption", "Sample", "run"]

_MOST_SEED = 1 << 53
_MOST_THREADS = 1024


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    simulated_us: float
    share: float  #: of the planned bytes, 0 to 1
    wall_seconds: float
    eta_seconds: Optional[float]  #: None: not yet known


@dataclass(frozen=True)
class Sample:
    """The fabric at one instant: arrays with an element per row of ``Result.links``."""

    time_us: float
    queued: "np.ndarray[Any, Any]"  #: bytes that wait to leave, over all classes
    sent: "np.ndarray[Any, Any]"  #: bytes that have left since the start
    held: "np.ndarray[Any, Any]"  #: whether some class is paused, or waits for credits


ProgressOption = Union[None, bool, Callable[[Progress], None]]


def run(
    source: Source,
    sets: Optional[Mapping[str, Any]] = None,
    *,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    progress: ProgressOption = None,
    observer: Optional[Callable[[Sample], None]] = None,
) -> Result:
    """Runs a scenario (a file, a shipped one's name, a dictionary, or a loaded one) and returns
    what happened.

    ``seed`` (0 to 2^53) and ``threads`` (0 to 1024, 0 = one per core) stand instead of the
    scenario's own. ``progress``: None shows a bar in terminals and notebooks, True always, False
    never; a function is called about twice a second with a :class:`Progress`.

    ``observer`` is called with a :class:`Sample` every ``run.sample_every`` of simulated time,
    which must not be 0. It changes nothing; a run with it gives the result of one without.

    The interpreter goes on while a run does, so several may run in threads at once; each gives the
    result that it would give alone.

    Raises InputError where the scenario can't be run, RunInterrupted on Ctrl-C, and what
    ``progress`` and ``observer`` raise; the latter three have the partial ``result``."""
    scenario = source if isinstance(source, Scenario) and not sets else load(source, sets)
    chosen_seed = _whole(seed, "seed", _MOST_SEED)
    chosen_threads = _whole(threads, "threads", _MOST_THREADS)
    compiled = scenario._ready()
    if observer is not None and not callable(observer):
        raise TypeError(f"observer is a function, not {observer!r}")
    observe = None if observer is None else lambda *arrays: observer(Sample(*arrays))
    bar = _Bar(compiled.name or "run", progress)
    try:
        finished, raised = _core.run(compiled, chosen_seed, chosen_threads, bar.callback, observe)
    finally:
        bar.close()
    result = Result(finished)
    if raised is None:
        return result
    if isinstance(raised, KeyboardInterrupt):
        raise RunInterrupted(result) from None
    try:
        raised.result = result  # type: ignore[attr-defined]
    except AttributeError:  # An exception with slots has no room for it.
        pass
    raise raised


def _whole(value: Any, name: str, most: int) -> Optional[int]:
    if value is None:
        return None
    if isinstance(value, bool):
        raise TypeError(f"{name} is a whole number, not {value}")
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {value!r}") from None
    if not 0 <= number <= most:
        raise ValueError(f"{name} is from 0 to {most}, not {number}")
    return number


class _Bar:
    """A progress bar that appears with the first news of a run, so that short runs show none."""

    def __init__(self, name: str, option: ProgressOption) -> None:
        self._name = name
        self._bar: Any = None
        self.callback: Optional[Callable[[float, float, float, float], None]] = None
        if option is None:
            option = _in_notebook() or sys.stderr.isatty()
        if callable(option):
            told = option
            self.callback = lambda at, share, wall, eta: told(
                Progress(at, share, wall, None if eta < 0 else eta)
            )
        elif option is True:
            self.callback = self._show
        elif option is not False:
            raise TypeError(f"progress is None, True, False or a function, not {option!r}")

    def _show(self, at_us: float, share: float, wall: float, eta: float) -> None:
        if self._bar is None:
            self._bar = _tqdm_class()(
                total=1.0,
                desc=self._name,
                bar_format="{desc}: {percentage:3.0f} % |{bar}| {postfix} [{elapsed}<{remaining}]",
            )
        self._bar.n = share
        self._bar.set_postfix_str(f"{at_us / 1000:.3f} ms simulated")

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    running = shell.get_ipython() if shell is not None else None
    return running is not None and "IPKernelApp" in running.config


def _tqdm_class() -> Any:
    if _in_notebook():
        try:
            import ipywidgets  # noqa: F401
        except ImportError:
            pass
        else:
            from tqdm.notebook import tqdm as notebook_bar

            return notebook_bar
    from tqdm import tqdm

    return tqdm
