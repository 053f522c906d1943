"""The fabric of a scenario, before a packet is sent."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

import numpy as np
import pandas as pd

from . import _core
from .files import write_text

if TYPE_CHECKING:
    import networkx

    from .scenario import Source

__all__ = ["BufferCycles", "Topology", "check_deadlock", "topology"]


def topology(source: Source, sets: Optional[Mapping[str, Any]] = None) -> Topology:
    """The fabric of a scenario; a workload is not needed. Raises InputError."""
    from .scenario import load

    return Topology(load(source, sets)._compiled)


def check_deadlock(source: Source, sets: Optional[Mapping[str, Any]] = None) -> BufferCycles:
    """Whether the buffers of a scenario's fabric can wait for each other in a circle, over its
    routes and pinned paths. Without such a cycle a lossless fabric can't deadlock; with one it may.
    Source: Dally and Seitz, IEEE Transactions on Computers C-36(5), 1987. Raises InputError."""
    return topology(source, sets).check_deadlock()


@dataclass(frozen=True)
class BufferCycles:
    """The answer of :func:`check_deadlock`; true where there is a cycle."""

    has_cycle: bool
    channels_in_cycles: int  #: directed links on some cycle
    findings: list[str] = field(default_factory=list)  #: one a cycle, naming its links

    def __bool__(self) -> bool:
        return self.has_cycle

    def __str__(self) -> str:
        if not self.has_cycle:
            return "no cycle: these routes can't deadlock"
        return "\n".join(self.findings)


class Topology:
    """Nodes, cables and endpoints as tables; what the fabric is worth; a drawing."""

    def __init__(self, compiled: _core.CompiledScenario) -> None:
        self._compiled = compiled

    @property
    def name(self) -> str:
        """The topology's name."""
        return _core.topology_name(self._compiled)

    @cached_property
    def nodes(self) -> pd.DataFrame:
        """One row per host and switch: name, kind, tier (0 host, 1 leaf, 2 spine, 3 core), plane,
        group, ports."""
        rows = _core.nodes(self._compiled)
        return pd.DataFrame(
            {
                "name": _core.node_names(self._compiled),
                "kind": pd.Categorical.from_codes(
                    rows["kind"], categories=pd.Index(["host", "switch"])
                ),
                **{key: rows[key] for key in ("tier", "plane", "group", "ports", "radix")},
            }
        )

    @cached_property
    def cables(self) -> pd.DataFrame:
        """One row per cable, full duplex: its ends, rate, one-way propagation, whether it is up at
        the start."""
        rows = _core.cables(self._compiled)
        names = self.nodes["name"].to_numpy()
        return pd.DataFrame(
            {
                "a": names[rows["a"]],
                "a_port": rows["a_port"],
                "b": names[rows["b"]],
                "b_port": rows["b_port"],
                "tier": rows["tier"],
                "rate_gbps": rows["rate_bps"] / 1e9,
                "propagation_us": rows["propagation_ps"] / 1e6,
                "up": rows["up"],
            }
        )

    @cached_property
    def endpoints(self) -> pd.DataFrame:
        """One row per port of a NIC: host, number of the NIC in it, port of the host. Results count
        endpoints in this order."""
        rows = _core.endpoints(self._compiled)
        names = self.nodes["name"].to_numpy()
        return pd.DataFrame({"host": names[rows["host"]], "nic": rows["nic"], "port": rows["port"]})

    @cached_property
    def audit(self) -> dict[str, Any]:
        """Counts, connectedness and bisection, as ``spineleaf topology`` prints them. The bisection
        is in Gb/s one way; its ratio is to what half of the hosts can send."""
        return _core.audit(self._compiled)

    @property
    def tiers(self) -> pd.DataFrame:
        """Switches, cables, capacity in Gb/s and oversubscription, tier by tier."""
        return pd.DataFrame(self.audit["tiers"])

    @property
    def findings(self) -> list[str]:
        """What the audit found wrong or remarkable."""
        return [f"{severity}: {text}" for severity, text in self.audit["findings"]]

    def check_deadlock(self) -> BufferCycles:
        """See :func:`spineleaf.check_deadlock`."""
        has_cycle, channels, findings = _core.buffer_cycles(self._compiled)
        return BufferCycles(has_cycle, channels, [text for _, text in findings])

    def svg(self, utilisation: Optional[Sequence[float]] = None, *, title: str = "") -> str:
        """A drawing. ``utilisation``, 0 to 1 for each cable in order, colours the lines; a result's
        is ``result.links.groupby("cable")["utilisation"].max()``."""
        if not isinstance(title, str):
            raise TypeError(f"a title is text, not {type(title).__name__}")
        loads = np.asarray([] if utilisation is None else utilisation, dtype=float)
        if utilisation is not None and loads.shape != (len(self.cables),):
            raise ValueError(
                f"utilisation is one number for each of the {len(self.cables)} cables, not an "
                f"array of shape {loads.shape}"
            )
        if not np.isfinite(loads).all():
            raise ValueError("utilisation has values that are no numbers")
        return _core.topology_svg(self._compiled, title, loads.tolist())

    def save(self, path: Union[str, os.PathLike[str]]) -> Path:
        """Writes the drawing as SVG and returns its path."""
        return write_text(Path(path), self.svg())

    def to_networkx(self) -> networkx.MultiGraph[str]:
        """A networkx graph with the tables' columns as attributes; parallel cables are parallel
        edges."""
        from .result import _need

        _need("networkx", "to_networkx()", "networkx")
        import networkx as nx

        graph: networkx.MultiGraph[str] = nx.MultiGraph(name=self.name)
        for node in self.nodes.to_dict("records"):
            graph.add_node(node.pop("name"), **{str(key): value for key, value in node.items()})
        for cable in self.cables.to_dict("records"):
            graph.add_edge(
                cable.pop("a"), cable.pop("b"), **{str(key): value for key, value in cable.items()}
            )
        return graph

    def __repr__(self) -> str:
        audit = self.audit
        return (
            f"<Topology {self.name!r}: {audit['hosts']} hosts, {audit['switches']} switches, "
            f"{audit['cables']} cables>"
        )

    def _repr_html_(self) -> str:
        from .html import topology_card

        return topology_card(self)
