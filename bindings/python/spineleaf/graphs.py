"""Fabrics that come as networkx graphs."""

from __future__ import annotations

from typing import Any

from .errors import InputError, Problem, problem

__all__ = ["custom_topology"]

_NODE_KEYS = ("tier", "plane", "group", "radix")
_EDGE_KEYS = ("rate", "length", "latency", "count", "cage", "up")


def custom_topology(graph: Any) -> dict[str, Any]:
    """The section ``topology`` of a scenario from a networkx graph.

    A node is a host or a switch by its attribute ``kind``; without one, nodes with a single edge
    are hosts. An edge is a full-duplex cable and needs ``rate`` ("400Gbps", or ``rate_gbps`` as a
    number) and ``length`` ("3m") or ``latency`` ("500ns", or ``propagation_us``). Further
    attributes of the scenario format are taken: of nodes tier, plane, group, radix, of edges count,
    cage, up. A multigraph's parallel edges are parallel cables.

    Raises TypeError for what is no undirected networkx graph, InputError for nodes and edges that
    lack something. Ports are numbered in the order of the edges."""
    for method in ("nodes", "edges", "is_directed", "degree"):
        if not hasattr(graph, method):
            raise TypeError(f"a networkx graph is expected, not {type(graph).__name__}")
    if graph.is_directed():
        raise TypeError("cables are full duplex: an undirected graph is expected")
    problems: list[Problem] = []
    names = {node: str(node) for node in graph.nodes}
    if len(set(names.values())) < len(names):
        raise InputError([_problem("two nodes have the same name as text", "")])
    nodes = [
        {
            "name": names[node],
            "kind": about.get("kind") or ("host" if graph.degree(node) == 1 else "switch"),
            **{key: about[key] for key in _NODE_KEYS if about.get(key)},
        }
        for node, about in graph.nodes(data=True)
    ]
    links = []
    for a, b, about in graph.edges(data=True):
        place = f"edge {names[a]} - {names[b]}"
        link = {"a": names[a], "b": names[b]}
        link.update({key: about[key] for key in _EDGE_KEYS if about.get(key) is not None})
        if "rate" not in link and "rate_gbps" in about:
            link["rate"] = f"{about['rate_gbps']!s}Gbps"
        if "length" not in link and "latency" not in link and "propagation_us" in about:
            link["latency"] = f"{round(about['propagation_us'] * 1e6)}ps"
        if "rate" not in link:
            problems.append(_problem("rate is missing", place, 'such as "400Gbps"'))
        if "length" not in link and "latency" not in link:
            problems.append(_problem("length is missing", place, 'such as "3m"'))
        links.append(link)
    if problems:
        raise InputError(problems[:100])
    return {"kind": "custom", "nodes": nodes, "links": links}


def _problem(what: str, path: str, expected: str = "") -> Problem:
    return problem(what, file="networkx", path=path, expected=expected)
