"""Results side by side."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Mapping, Optional, Sequence, Union

import pandas as pd

from . import _core
from .files import write_text
from .result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Comparison", "compare"]


def compare(*results: Union[Result, Mapping[str, Result], Sequence[Result]]) -> Comparison:
    """Results side by side: ``compare(a, b)``, or with names of your own
    ``compare({"alpha 1/8": a, "alpha 1": b})``."""
    labels: Optional[list[str]] = None
    runs: list[Result] = []
    if len(results) == 1 and isinstance(results[0], Mapping):
        labels = [str(label) for label in results[0]]
        runs = list(results[0].values())
    elif len(results) == 1 and isinstance(results[0], Sequence):
        runs = list(results[0])
    else:
        runs = [result for result in results if isinstance(result, Result)]
        if len(runs) != len(results):
            raise TypeError("compare() takes results, one list of them or one dictionary")
    if not runs:
        raise ValueError("nothing to compare")
    for run in runs:
        if not isinstance(run, Result):
            raise TypeError(f"compare() takes results, not {type(run).__name__}")
    return Comparison(labels or _core.run_labels([run._core for run in runs]), runs)


class Comparison:
    """What :func:`compare` returns. ``table`` has one row per result."""

    def __init__(self, labels: Sequence[str], results: Sequence[Result]) -> None:
        self.labels = list(labels)
        self.results = list(results)

    @property
    def table(self) -> pd.DataFrame:
        """One row per result; units in the names of the columns."""
        rows = []
        for result in self.results:
            summary = result.summary
            flows = summary["flows"]["all"]
            totals = summary["totals"]
            bandwidth = [row["busbw_gbytes_per_s"] for row in summary["collectives"]]
            rows.append(
                {
                    "verdict": result.verdict,
                    "simulated_us": summary["simulated_us"],
                    "goodput_gbps": summary["goodput_gbps"],
                    "flows": flows["flows"],
                    "finished": flows["finished"],
                    "fct_p50_us": flows["fct_p50_us"],
                    "fct_p99_us": flows["fct_p99_us"],
                    "fct_max_us": flows["fct_max_us"],
                    "jain_index": flows["jain_index"],
                    "most_busbw_gbytes_per_s": max(bandwidth, default=None),
                    "pauses": totals["pauses"],
                    "credit_stalls": totals["credit_stalls"],
                    "ecn_marks": totals["ecn_marks"],
                    "drops": totals["drops_total"],
                    "fingerprint": result.fingerprint,
                }
            )
        index = pd.Index(self.labels, name="run")
        return pd.DataFrame(rows, index=index).dropna(axis="columns", how="all")

    def report(self, path: Union[str, os.PathLike[str]], title: str = "Comparison") -> Path:
        """Writes one report of all runs, an HTML file that needs no network; returns its path."""
        text = _core.report(title, [result._core for result in self.results])
        return write_text(Path(path), text)

    def plot(self, kind: Optional[str] = None, *, ax: Optional[Axes] = None) -> Figure:
        """The runs in one picture. ``kind``: "fct", "slowdown", "series" or "busbw"; None: those
        that there is something to show for."""
        from .plots import plot_comparison

        return plot_comparison(self, kind, ax)

    def __str__(self) -> str:
        return str(self.table.T.to_string())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from .html import table_html

        return table_html(self.table.T, index=True)
