"""Pictures of results with matplotlib."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Callable, Optional, Sequence

import numpy as np

from .result import Result, _need

_need("matplotlib", "plot()", "plot")

from matplotlib.axes import Axes  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

if TYPE_CHECKING:
    from .comparing import Comparison

__all__ = ["RunFigure", "plot", "plot_comparison"]

#: Results with the labels that the legend gives them; one alone has none.
Runs = Sequence[tuple[str, Result]]
_MOST_BARS = 12


class RunFigure(Figure):
    """A figure that belongs to nobody's pyplot: notebooks show it once, threads may make many."""

    def _repr_png_(self) -> bytes:
        data = BytesIO()
        self.savefig(data, format="png", bbox_inches="tight")
        return data.getvalue()


def plot(result: Result, kind: Optional[str], ax: Optional[Axes]) -> Figure:
    """See Result.plot."""
    return _draw([("", result)], kind, ax, result.name, _PANELS)


def plot_comparison(comparison: Comparison, kind: Optional[str], ax: Optional[Axes]) -> Figure:
    """See Comparison.plot."""
    runs = list(zip(comparison.labels, comparison.results))
    several = {name: _PANELS[name] for name in ("fct", "slowdown", "series", "busbw")}
    return _draw(runs, kind, ax, "", several)


def _draw(
    runs: Runs, kind: Optional[str], ax: Optional[Axes], title: str, panels: dict[str, _Panel]
) -> Figure:
    if kind is not None and kind not in panels:
        raise ValueError(f"no picture {kind!r}; there are {', '.join(panels)}")
    if ax is not None and kind is None:
        raise ValueError("with axes of your own, say which picture: " + ", ".join(panels))
    if kind is not None:
        has, draw = panels[kind]
        if not has(runs):
            raise ValueError(f"this run has nothing to show as {kind!r}")
        chosen = [draw]
    else:
        chosen = [draw for has, draw in panels.values() if has(runs)]
    if not chosen:
        raise ValueError("this run has nothing to show: no flow and no collective")
    if ax is not None:
        chosen[0](ax, runs)
        figure = ax.figure
        assert isinstance(figure, Figure)
        return figure
    columns = min(len(chosen), 2)
    lines = -(-len(chosen) // columns)
    picture = RunFigure(figsize=(6.0 * columns, 3.6 * lines + 0.3), layout="constrained")
    for place, draw in enumerate(chosen):
        draw(picture.add_subplot(lines, columns, place + 1), runs)
    if title:
        picture.suptitle(title)
    return picture


def _finish(ax: Axes, title: str, x: str, y: str, legend: bool) -> None:
    ax.set_title(title)
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.grid(alpha=0.3)
    if legend:
        ax.legend(fontsize="small")


def _fct(ax: Axes, runs: Runs) -> None:
    legend = False
    for label, result in runs:
        for job, flows in result.flows.groupby("job", observed=True):
            times = np.sort(flows["fct_us"].dropna().to_numpy())
            share = np.arange(1, len(times) + 1) / max(len(flows), 1)
            name = ", ".join(text for text in (label, str(job)) if text)
            ax.step(times, share, where="post", label=name)
            legend = True
    ax.set_ylim(0, 1.02)
    _finish(ax, "Flow completion time", "us", "share of flows finished", legend)


def _slowdown(ax: Axes, runs: Runs) -> None:
    for label, result in runs:
        flows = result.flows
        ax.plot(flows["size_bytes"], flows["fct_us"], ".", alpha=0.6, label=label)
    ax.set_xscale("log", base=2)
    ax.set_yscale("log")
    _finish(ax, "Completion time by size", "bytes", "us", len(runs) > 1)


def _busbw(ax: Axes, runs: Runs) -> None:
    for label, result in runs:
        table = result.bandwidth
        for name, rows in table.groupby("collective"):
            text = ", ".join(part for part in (label, str(name)) if part)
            ax.plot(rows["size_bytes"], rows["busbw_gbytes_per_s"], "o-", label=text)
    ax.set_xscale("log", base=2)
    ax.set_ylim(bottom=0)
    _finish(ax, "Bus bandwidth", "bytes", "GB/s", True)


def _series(ax: Axes, runs: Runs) -> None:
    for label, result in runs:
        queued = result.series[result.series["series"] == "queued"]
        ax.plot(queued["at_us"], queued["value"] / 1e3, label=label)
    _finish(ax, "Queued in the whole fabric", "us", "kB", len(runs) > 1)


def _bars(ax: Axes, result: Result, column: str, scale: float, title: str, unit: str) -> None:
    most = result.port_classes.nlargest(_MOST_BARS, column)[::-1]
    names = [
        f"{row['node']}:{row['port']} class {row['traffic_class']}"
        for row in most.to_dict("records")
    ]
    ax.barh(names, most[column].to_numpy() / scale)
    ax.tick_params(axis="y", labelsize="small")
    _finish(ax, title, unit, "", False)


def _queues(ax: Axes, runs: Runs) -> None:
    _bars(ax, runs[0][1], "max_queue_bytes", 1e3, "Deepest queues", "kB")


def _pauses(ax: Axes, runs: Runs) -> None:
    result = runs[0][1]
    column = "paused_us" if _any(result, "paused_us") else "credit_stalled_us"
    held = "paused" if column == "paused_us" else "without credits"
    _bars(ax, result, column, 1, f"Ports longest {held}", "us")


def _links(ax: Axes, runs: Runs) -> None:
    links = runs[0][1].links
    for tier, rows in links.groupby("tier"):
        load = np.sort(rows["utilisation"].to_numpy())[::-1] * 100
        ax.plot(np.linspace(0, 100, len(load)), load, label=f"tier {tier}")
    ax.set_ylim(0, 105)
    _finish(ax, "Load of links, busiest first", "% of the tier's links", "% of the rate", True)


def _any(result: Result, column: str) -> bool:
    return bool((result.port_classes[column] > 0).any())


def _has_flows(runs: Runs) -> bool:
    return any(bool(result.flows["fct_us"].notna().any()) for _, result in runs)


def _has_sizes(runs: Runs) -> bool:
    return _has_flows(runs) and any(result.flows["size_bytes"].nunique() > 1 for _, result in runs)


def _has_busbw(runs: Runs) -> bool:
    return any(bool((result.collectives["time_us"] > 0).any()) for _, result in runs)


def _has_series(runs: Runs) -> bool:
    return any(len(result.series) > 0 for _, result in runs)


def _has_queues(runs: Runs) -> bool:
    return _any(runs[0][1], "max_queue_bytes")


def _has_pauses(runs: Runs) -> bool:
    return _any(runs[0][1], "paused_us") or _any(runs[0][1], "credit_stalled_us")


def _has_links(runs: Runs) -> bool:
    return bool((runs[0][1].links["packets"] > 0).any())


_Panel = tuple[Callable[[Runs], bool], Callable[[Axes, Runs], None]]
_PANELS: dict[str, _Panel] = {
    "fct": (_has_flows, _fct),
    "slowdown": (_has_sizes, _slowdown),
    "busbw": (_has_busbw, _busbw),
    "series": (_has_series, _series),
    "queues": (_has_queues, _queues),
    "pauses": (_has_pauses, _pauses),
    "links": (_has_links, _links),
}
