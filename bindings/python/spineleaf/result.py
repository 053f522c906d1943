"""What a run leaves behind, as tables."""

from __future__ import annotations

import json
import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Optional, Union

import numpy as np
import numpy.typing as npt
import pandas as pd

from . import _core
from .files import write_text
from .topology import Topology

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Result"]

_TABLES = ("flows", "collectives", "links", "port_classes", "series", "waits")


def _us(picoseconds: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Microseconds; an instant that was never reached, -1, is NaN."""
    return np.where(picoseconds < 0, np.nan, picoseconds / 1e6)


def _between(start: npt.NDArray[Any], end: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    return np.where((start < 0) | (end < 0), np.int64(-1), end - start)


def _per(amount: npt.NDArray[Any], picoseconds: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(picoseconds <= 0, np.nan, amount / picoseconds)


class Result:
    """A finished run. Tables are pandas DataFrames with the columns of the CSV files that the
    command writes, units in their names; what was never reached is NaN.

    Tables are made when first asked for. :meth:`rows` gives the numbers below them as numpy views,
    without a copy. Made by :func:`spineleaf.run`."""

    def __init__(self, finished: _core.FinishedRun) -> None:
        self._run: Optional[_core.FinishedRun] = finished

    @property
    def _core(self) -> _core.FinishedRun:
        if self._run is None:
            raise ValueError("this result is closed")
        return self._run

    def close(self) -> None:
        """Lets go of the run's memory. Tables that were taken stay; asking for more raises
        ValueError."""
        self._run = None
        for name in [name for name in self.__dict__ if name != "_run"]:
            del self.__dict__[name]

    def __enter__(self) -> Result:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What happened, in a word.

    @cached_property
    def summary(self) -> dict[str, Any]:
        """Everything that is one number or one word: the content of ``summary.json``."""
        loaded: dict[str, Any] = json.loads(self._core.summary_json())
        return loaded

    @property
    def name(self) -> str:
        """The scenario's name."""
        return str(self.summary["name"])

    @property
    def verdict(self) -> str:
        """ "ok", "as_expected", "physics_alarm", "budget_exceeded", "incomplete" or "invalid"."""
        return str(self.summary["outcome"]["verdict"])

    @property
    def ok(self) -> bool:
        """Whether the command would have ended with 0: fine, or as the scenario expected."""
        return int(self.summary["outcome"]["exit_code"]) == 0

    @property
    def stop_reason(self) -> str:
        """ "finished", "deadline", "no_progress", "stuck", "event_budget", "interrupted" or
        "invariant_broken"."""
        return str(self.summary["outcome"]["stop_reason"])

    @property
    def fingerprint(self) -> str:
        """16 hexadecimal digits over everything that happened: equal for equal runs."""
        return self._core.fingerprint

    @property
    def seed(self) -> int:
        """The seed that ran."""
        return int(self.summary["seed"])

    @property
    def simulated_us(self) -> float:
        """Simulated time in microseconds."""
        return float(self.summary["simulated_us"])

    @property
    def warnings(self) -> list[str]:
        """What the run warns of."""
        return list(self.summary["warnings"])

    @property
    def not_modelled(self) -> list[str]:
        """What this run leaves out."""
        return list(self.summary["not_modelled"])

    @property
    def lock_text(self) -> str:
        """The scenario with every default resolved: :func:`spineleaf.loads` of it runs the same."""
        return self._core.lock_text()

    # Tables.

    def rows(self, table: str) -> npt.NDArray[np.void]:
        """The numbers of "flows", "collectives", "links", "port_classes" or "waits" as a
        structured numpy array that looks into the run's own memory: read-only, nothing is copied.
        Times are whole picoseconds, -1 = never."""
        views: dict[str, Callable[[], npt.NDArray[np.void]]] = {
            "flows": self._core.flows,
            "collectives": self._core.collectives,
            "links": self._core.links,
            "port_classes": self._core.port_classes,
            "waits": self._core.waits,
        }
        if table not in views:
            raise ValueError(f"no table {table!r}; there are {', '.join(views)}")
        return views[table]()

    def _jobs(self, numbers: npt.NDArray[Any]) -> pd.Categorical:
        names = list(self._core.job_names)
        for job in range(len(names), int(numbers.max(initial=0)) + 1):
            names.append(f"job {job}")
        codes, kept = pd.factorize(pd.Index(names), sort=False)
        return pd.Categorical.from_codes(codes[numbers], categories=kept)

    @cached_property
    def flows(self) -> pd.DataFrame:
        """One row per flow. ``fct_us`` runs from posting to the receiver's last byte,
        ``acked_fct_us`` to the sender's last acknowledgement."""
        rows = self._core.flows()
        start, received, acked = rows["start_ps"], rows["received_ps"], rows["acked_ps"]
        fct = _between(start, received)
        columns = {name: rows[name] for name in ("flow", "from_endpoint", "to_endpoint",
                                                 "traffic_class", "size_bytes")}  # fmt: skip
        return pd.DataFrame(
            {
                "job": self._jobs(rows["job"]),
                **columns,
                "start_us": _us(start),
                "received_us": _us(received),
                "acked_us": _us(acked),
                "fct_us": _us(fct),
                "acked_fct_us": _us(_between(start, acked)),
                "goodput_gbps": _per(rows["size_bytes"].astype(float) * 8000, fct),
            }
        )

    @cached_property
    def collectives(self) -> pd.DataFrame:
        """One row per job and iteration; sizes and bandwidths as nccl-tests counts them."""
        rows = self._core.collectives()
        texts = self._core.text_columns()
        time = _between(rows["start_ps"], rows["end_ps"])
        algbw = _per(rows["size_bytes"].astype(float) * 1000, time)
        factors = [
            _core.busbw_factor(name, int(ranks))
            for name, ranks in zip(texts["collective"], rows["ranks"])
        ]
        return pd.DataFrame(
            {
                "job": self._jobs(rows["job"]),
                "iteration": rows["iteration"],
                "collective": texts["collective"],
                "algorithm": texts["algorithm"],
                "protocol": texts["protocol"],
                "channels": rows["channels"],
                "ranks": rows["ranks"],
                "size_bytes": rows["size_bytes"],
                "start_us": _us(rows["start_ps"]),
                "end_us": _us(rows["end_ps"]),
                "time_us": _us(time),
                "algbw_gbytes_per_s": algbw,
                "busbw_gbytes_per_s": algbw * np.array(factors, dtype=float),
            }
        )

    @cached_property
    def links(self) -> pd.DataFrame:
        """One row per directed link."""
        rows = self._core.links()
        texts = self._core.text_columns()
        causes = _core.drop_causes()
        return pd.DataFrame(
            {
                "from": texts["from"],
                "from_port": rows["from_port"],
                "to": texts["to"],
                "to_port": rows["to_port"],
                "tier": rows["tier"],
                "cable": rows["cable"],
                "rate_gbps": rows["rate_bps"] / 1e9,
                "packets": rows["packets"],
                "wire_bytes": rows["wire_bytes"],
                "control_bytes": rows["control_bytes"],
                "utilisation": rows["utilisation"],
                **{f"drops_{cause}": rows["drops"][:, i] for i, cause in enumerate(causes)},
            }
        )

    @cached_property
    def port_classes(self) -> pd.DataFrame:
        """One row per port and class that saw traffic, marks, pauses or stalls."""
        rows = self._core.port_classes()
        counts = ("packets", "ecn_marks", "pauses_sent", "pauses_received", "credit_stalls",
                  "max_queue_bytes", "max_ingress_bytes")  # fmt: skip
        busy = np.zeros(len(rows), dtype=bool)
        for name in counts:
            busy |= rows[name] != 0
        nodes = np.array(self._core.text_columns()["node"], dtype=object)[busy]
        rows = rows[busy]
        return pd.DataFrame(
            {
                "node": nodes,
                "port": rows["port"],
                "traffic_class": rows["traffic_class"],
                "packets": rows["packets"],
                "ecn_marks": rows["ecn_marks"],
                "max_queue_bytes": rows["max_queue_bytes"],
                "max_queue_at_us": _us(rows["max_queue_at_ps"]),
                "pauses_sent": rows["pauses_sent"],
                "pauses_received": rows["pauses_received"],
                "paused_us": _us(rows["paused_ps"]),
                "credit_stalls": rows["credit_stalls"],
                "credit_stalled_us": _us(rows["credit_stalled_ps"]),
                "max_ingress_bytes": rows["max_ingress_bytes"],
            }
        )

    @cached_property
    def series(self) -> pd.DataFrame:
        """Time series in long form: series, unit, at_us, value. Empty unless the scenario sets
        ``run.sample_every``."""
        parts = self._core.series()
        return pd.DataFrame(
            {
                "series": np.repeat([name for name, _, _ in parts], [len(p) for *_, p in parts]),
                "unit": np.repeat([unit for _, unit, _ in parts], [len(p) for *_, p in parts]),
                "at_us": np.concatenate([_us(p["at_ps"]) for *_, p in parts] or [np.empty(0)]),
                "value": np.concatenate([p["value"] for *_, p in parts] or [np.empty(0)]),
            }
        )

    @cached_property
    def waits(self) -> pd.DataFrame:
        """Who waited for whom when the run was found without progress; empty otherwise."""
        rows = self._core.waits()
        texts = self._core.text_columns()
        return pd.DataFrame(
            {
                "waiting": texts["waiting"],
                "waits_for": texts["waits_for"],
                "reason": texts["reason"],
                "queued_bytes": rows["queued_bytes"],
                "on_cycle": rows["on_cycle"],
            }
        )

    @property
    def fct(self) -> pd.DataFrame:
        """Flow completion times job by job: percentiles (nearest rank), goodput, fairness."""
        return pd.DataFrame(self.summary["flows"]["jobs"])

    @property
    def bandwidth(self) -> pd.DataFrame:
        """Mean time and bandwidth of each collective and size, as nccl-tests reports them."""
        return pd.DataFrame(self.summary["collectives"])

    @property
    def totals(self) -> pd.Series[Any]:
        """Counters of the whole run; drops by cause."""
        totals = dict(self.summary["totals"])
        for cause, count in totals.pop("drops").items():
            totals[f"drops_{cause}"] = count
        return pd.Series(totals, name=self.name)

    @cached_property
    def topology(self) -> Topology:
        """The fabric that ran."""
        return Topology(self._core.scenario())

    # Files and pictures.

    def save(self, folder: Union[str, os.PathLike[str]], format: str = "csv") -> Path:
        """Writes summary, lock file, report and all tables into ``folder``, which is made where
        it is missing. ``format``: "csv", the same files as ``spineleaf run --out``, or "parquet".
        Returns the folder. Raises OSError where it can't be written."""
        path = Path(folder)
        if format == "csv":
            problems = self._core.save(os.fsencode(path))
            if problems:
                raise OSError("\n".join(problems))
        elif format == "parquet":
            _need("pyarrow", "save(format='parquet')", "parquet")
            path.mkdir(parents=True, exist_ok=True)
            write_text(path / "scenario.lock.json", self.lock_text)
            for table in _TABLES:
                partial = path / f"{table}.parquet.partial-{os.getpid()}"
                getattr(self, table).to_parquet(partial, engine="pyarrow", index=False)
                partial.replace(path / f"{table}.parquet")
            self.report(path / "report.html")
            write_text(path / "summary.json", self._core.summary_json())
        else:
            raise ValueError(f'format is "csv" or "parquet", not {format!r}')
        return path

    def report(self, path: Union[str, os.PathLike[str]]) -> Path:
        """Writes the report, one HTML file that needs no network, and returns its path."""
        return write_text(Path(path), _core.report(self.name, [self._core]))

    def plot(self, kind: Optional[str] = None, *, ax: Optional[Axes] = None) -> Figure:
        """A picture of the run, as a matplotlib figure.

        ``kind``: "fct" (share of flows finished over completion time), "slowdown" (completion time
        over size), "queues" (the deepest queues), "pauses" (the longest held ports), "links" (load
        of the links), "series" (what was sampled over time), "busbw" (bandwidth of collectives
        over size). None: those that this run has something to show for. ``ax`` draws into axes
        of your own."""
        from .plots import plot

        return plot(self, kind, ax)

    def __repr__(self) -> str:
        if self._run is None:
            return "<Result: closed>"
        return f"<Result {self.name!r}: {self.verdict}, fingerprint {self.fingerprint}>"

    def __str__(self) -> str:
        text = self._core.verdict_block()
        if len(self._core.flows()):
            text += "\n" + _core.fct_table([self._core])
        return text.rstrip("\n")

    def _repr_html_(self) -> str:
        from .html import result_card

        return result_card(self)


def _need(module: str, what: str, extra: str) -> None:
    try:
        __import__(module)
    except ImportError:
        raise ImportError(f"{what} needs {module}: pip install 'spineleaf[{extra}]'") from None
