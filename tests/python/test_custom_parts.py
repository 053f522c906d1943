"""Parts that come from Python: lists of flows, fabrics as graphs."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest

import spineleaf

FABRIC = {
    "name": "star",
    "preset": "roce-400g",
    "topology": {"kind": "single_switch", "hosts": 4},
}
ROWS = [
    {"from": "host0", "to": "host3", "bytes": "64KiB"},
    {"from": "host1", "to": "host3", "bytes": "128KiB", "start": "2us"},
    {"from": "host2", "to": "host0", "bytes": "1KiB", "start": "500ns", "rate": "100Gbps"},
]
TABLE = pd.DataFrame(
    {
        "from": ["host0", "host1", "host2"],
        "to": ["host3", "host3", "host0"],
        "size_bytes": [65536, 131072, 1024],
        "start_us": [0.0, 2.0, 0.5],
        "rate_gbps": [0, 0, 100],
    }
)


def as_numpy() -> np.ndarray:
    rows = np.zeros(3, dtype=[(name, "O" if name in ("from", "to") else "f8") for name in TABLE])
    for name in TABLE:
        rows[name] = TABLE[name]
    return rows


@pytest.mark.parametrize(
    "table",
    [TABLE, TABLE.to_dict("list"), TABLE.to_dict("records"), as_numpy(),
     TABLE.assign(**{"from": [0, 1, 2], "to": [3, 3, 0]})],
)  # fmt: skip
def test_flows_from_a_table_are_those_of_the_file(table):
    written = spineleaf.run({**FABRIC, "workload": {"kind": "flows", "flows": ROWS}})
    scenario = spineleaf.load(FABRIC).add_flows(table)
    result = scenario.run()
    assert result.fingerprint == written.fingerprint
    assert spineleaf.loads(result.lock_text).run().fingerprint == written.fingerprint
    assert pickle.loads(pickle.dumps(scenario)).run().fingerprint == written.fingerprint
    pd.testing.assert_frame_equal(result.flows, written.flows)


def test_flows_stand_beside_the_scenario_s_own():
    scenario = spineleaf.load(FABRIC, {"workload": {"kind": "permutation", "bytes": "4KiB"}})
    scenario.add_flows(TABLE, name="mine").add_flows(TABLE[:1], name="more")
    assert scenario.run().flows.groupby("job", observed=True).size().to_dict() == {
        "permutation": 4,
        "mine": 3,
        "more": 1,
    }


def test_many_flows_are_taken_and_given_back_fast():
    import time

    count = 200_000
    hosts = np.arange(count) % 64
    table = pd.DataFrame({"from": hosts, "to": (hosts + 1) % 64, "size_bytes": 100})
    begin = time.process_time()
    scenario = spineleaf.load({**FABRIC, "topology": {"kind": "single_switch", "hosts": 64}})
    scenario.add_flows(table)
    assert time.process_time() - begin < 5
    result = scenario.run()
    begin = time.process_time()
    assert result.flows["fct_us"].notna().all() and len(result.flows) == count
    assert time.process_time() - begin < 1


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"size_bytes": [0, 1, 1]}, spineleaf.InputError, "size_bytes[0]: 0 does not fit"),
        ({"size_bytes": [1, -5, 1]}, spineleaf.InputError, "size_bytes[1]: -5 does not fit"),
        ({"size_bytes": [1, 1.5, 1]}, spineleaf.InputError, "a whole number"),
        ({"size_bytes": [1, np.nan, 1]}, spineleaf.InputError, "size_bytes[1]: nan"),
        ({"size_bytes": [1, 2e30, 1]}, spineleaf.InputError, "size_bytes[1]"),
        ({"size_bytes": ["1KiB"] * 3}, spineleaf.InputError, "expected numbers"),
        ({"size_bytes": [True] * 3}, spineleaf.InputError, "expected numbers"),
        ({"size_bytes": pd.array([1, None, 2], dtype="Int64")}, spineleaf.InputError, "[1]"),
        ({"start_us": [0, -1, 0]}, spineleaf.InputError, "start_us[1]"),
        ({"start_us": [0, np.inf, 0]}, spineleaf.InputError, "start_us[1]"),
        ({"rate_gbps": [0, 0, 1e30]}, spineleaf.InputError, "rate_gbps[2]"),
        ({"traffic_class": [0, 0, 900]}, spineleaf.InputError, "flows[2].class"),
        ({"to": ["host0"] * 3}, spineleaf.InputError, "is the sending host itself"),
        ({"to": ["host99"] * 3}, spineleaf.InputError, "host99"),
        ({"to": [None] * 3}, spineleaf.InputError, "to[0]: None is no host"),
        ({"to": [10**30] * 3}, spineleaf.InputError, "to[0]"),
        ({"sizes": [1, 2, 3]}, spineleaf.InputError, 'no column "sizes"'),
    ],
)
def test_flows_that_do_not_fit_name_column_and_row(change, error, says):
    scenario = spineleaf.load(FABRIC)
    with pytest.raises(error) as raised:
        scenario.add_flows(TABLE.assign(**change))
    assert says in str(raised.value)
    with pytest.raises(spineleaf.InputError, match="workload: is missing"):
        scenario.run()


def test_tables_that_are_none():
    scenario = spineleaf.load(FABRIC)
    with pytest.raises(spineleaf.InputError, match="size_bytes"):
        scenario.add_flows(TABLE[["from", "to"]])
    with pytest.raises(spineleaf.InputError, match="no flows"):
        scenario.add_flows(TABLE[:0])
    for table in (3, "text", None):
        with pytest.raises((TypeError, spineleaf.InputError)):
            scenario.add_flows(table)
    with pytest.raises(TypeError, match="name"):
        scenario.add_flows(TABLE, name=3)


def test_a_fabric_from_networkx():
    import networkx as nx

    graph = nx.Graph()
    for leaf in range(2):
        graph.add_edge(f"leaf{leaf}", "spine", rate="800Gbps", length="20m")
        for host in range(2):
            graph.add_edge(f"h{leaf}{host}", f"leaf{leaf}", rate_gbps=400, length="3m")
    scenario = spineleaf.load({**FABRIC, "workload": {"kind": "permutation", "bytes": "64KiB"}})
    scenario.set_topology(graph)
    fabric = scenario.topology()
    assert fabric.audit["hosts"] == 4 and fabric.audit["switches"] == 3
    assert sorted(fabric.cables["rate_gbps"]) == [400] * 4 + [800] * 2
    assert scenario.run().ok


def test_a_fabric_goes_to_networkx_and_back():
    scenario = spineleaf.load("rail-optimised")
    before = scenario.topology()
    again = spineleaf.load({"topology": spineleaf.custom_topology(before.to_networkx())}).topology()
    for column in ("name", "kind", "tier", "ports"):
        assert sorted(again.nodes[column]) == sorted(before.nodes[column])
    assert sorted(again.cables["rate_gbps"]) == sorted(before.cables["rate_gbps"])
    assert sorted(again.cables["propagation_us"]) == sorted(before.cables["propagation_us"])
    assert again.audit["bisection_gbps"] == before.audit["bisection_gbps"]


def test_graphs_that_are_no_fabric():
    import networkx as nx

    with pytest.raises(TypeError, match="networkx graph"):
        spineleaf.custom_topology([1, 2])
    with pytest.raises(TypeError, match="undirected"):
        spineleaf.custom_topology(nx.DiGraph([("a", "b")]))
    with pytest.raises(spineleaf.InputError, match="edge a - b: rate is missing") as raised:
        spineleaf.custom_topology(nx.Graph([("a", "b"), ("b", "c")]))
    assert len(raised.value.problems) == 4
    with pytest.raises(spineleaf.InputError, match="same name"):
        spineleaf.custom_topology(nx.Graph([(1, "1")]))
    graph = nx.Graph()
    graph.add_edge("a", "b", rate="400Gbsp", length="3m")
    with pytest.raises(spineleaf.InputError, match="400Gbsp"):
        spineleaf.load(FABRIC).set_topology(graph)
