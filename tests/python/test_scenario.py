"""Scenarios: read, looked at, changed, refused."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import spineleaf

STAR = {
    "name": "star",
    "preset": "roce-400g",
    "topology": {"kind": "single_switch", "hosts": 4},
    "workload": {"kind": "incast", "senders": 3, "bytes": "64KiB"},
}


def test_it_reads_like_a_dictionary_and_by_attribute():
    scenario = spineleaf.load(STAR)
    assert list(scenario) == ["name", "preset", "topology", "workload"]
    assert scenario["topology"]["hosts"] == scenario.topology.hosts == 4
    assert scenario.topology == {"kind": "single_switch", "hosts": 4}
    assert scenario.plain() == STAR
    assert dict(scenario.workload) == STAR["workload"]
    assert "pfc" not in scenario


def test_what_is_not_written_has_the_value_that_will_run():
    scenario = spineleaf.load(STAR)
    resolved = scenario.resolved.set_index("key")
    assert str(scenario.pfc.alpha) == resolved.loc["pfc.alpha", "value"]
    assert scenario.workload.start == "0ns"
    assert scenario.run.seed == 1
    assert "alpha" not in scenario.pfc


@pytest.mark.parametrize(
    "change",
    [
        lambda s: s.set("pfc.alpha", 0.5),
        lambda s: setattr(s.pfc, "alpha", 0.5),
        lambda s: s["pfc"].__setitem__("alpha", 0.5),
        lambda s: s.set({"pfc.alpha": np.float64(0.5)}),
        lambda s: setattr(s, "pfc", {"alpha": 0.5}),
    ],
)
def test_all_ways_to_change_are_the_same(change):
    scenario = spineleaf.load(STAR)
    change(scenario)
    assert scenario.pfc.alpha == 0.5
    assert scenario.plain() == {**STAR, "pfc": {"alpha": 0.5}}
    assert scenario.run().fingerprint == spineleaf.run(STAR, {"pfc.alpha": 0.5}).fingerprint


def test_lists_are_changed_in_place():
    scenario = spineleaf.load({**STAR, "workload": [STAR["workload"], STAR["workload"]]})
    scenario.workload[1]["bytes"] = "1KiB"
    assert [one.bytes for one in scenario.workload] == ["64KiB", "1KiB"]
    assert sorted(scenario.run().flows["size_bytes"].unique()) == [1024, 65536]
    with pytest.raises(IndexError):
        scenario.workload[2]


def test_changes_that_fit_only_together():
    scenario = spineleaf.load(STAR)
    with pytest.raises(spineleaf.InputError):
        scenario.set("topology.kind", "custom")
    assert scenario.topology.kind == "single_switch"
    link = {"a": "a", "b": "b", "rate": "100Gbps", "length": "3m"}
    nodes = [{"name": "a", "kind": "host"}, {"name": "b", "kind": "host"}]
    custom = {"kind": "custom", "nodes": nodes, "links": [link]}
    scenario.set({"topology": custom, "workload": {"kind": "permutation", "bytes": "1KiB"}})
    assert scenario.topology().audit["hosts"] == 2
    assert scenario.run().ok


def test_a_change_that_is_refused_leaves_everything_as_it_was():
    scenario = spineleaf.load(STAR)
    before = scenario.run().fingerprint
    with pytest.raises(spineleaf.InputError) as raised:
        scenario.pfc.alpa = 1
    assert raised.value.file == "set()"
    assert raised.value.path == "pfc.alpa"
    assert raised.value.hint == 'Did you mean "alpha"?'
    assert scenario.plain() == STAR
    assert scenario.run().fingerprint == before


def test_all_problems_come_at_once_with_their_places(tmp_path):
    file = tmp_path / "bad.json"
    file.write_text(
        '{\n  "topology": {"kind": "single_switch", "hosts": 4},\n'
        '  "pfc": {"alpa": 1},\n  "ecn": {"kmin": "400"}\n}\n'
    )
    with pytest.raises(spineleaf.InputError) as raised:
        spineleaf.load(file)
    places = [(p.path, p.line, p.column) for p in raised.value.problems]
    assert places == [("pfc.alpa", 3, 11), ("ecn.kmin", 4, 19)]
    assert str(raised.value).count("\n") == 1


def test_a_dictionary_has_keys_but_no_places():
    with pytest.raises(spineleaf.InputError) as raised:
        spineleaf.load({**STAR, "pfc": {"alpa": 1}})
    assert (raised.value.file, raised.value.line, raised.value.column) == ("<dict>", 0, 0)
    assert str(raised.value).startswith('<dict>: pfc.alpa: "alpa" is no key')


def test_errors_survive_pickling():
    with pytest.raises(spineleaf.InputError) as raised:
        spineleaf.load({**STAR, "pfc": {"alpa": 1}})
    again = pickle.loads(pickle.dumps(raised.value))
    assert again.problems == raised.value.problems


def test_names_that_are_near():
    with pytest.raises(spineleaf.InputError, match="quickstart-incast-roce"):
        spineleaf.load("quickstart-incst-roce")
    with pytest.raises(AttributeError, match="did you mean pfc.alpha"):
        spineleaf.load(STAR).pfc.alpa  # noqa: B018
    with pytest.raises(KeyError):
        spineleaf.load(STAR)["pfc"]["alpa"]
    with pytest.raises(spineleaf.InputError, match='Did you mean "pfc.alpha"'):
        spineleaf.explain("pfc.alpa")


def test_copies_go_their_own_ways():
    scenario = spineleaf.load(STAR, {"pfc.alpha": 0.5})
    for other in (scenario.copy(), copy.deepcopy(scenario), pickle.loads(pickle.dumps(scenario))):
        assert other.plain() == scenario.plain()
        other.pfc.alpha = 0.25
        assert scenario.pfc.alpha == 0.5


def test_a_fabric_needs_no_workload_but_a_run_does():
    fabric = {key: value for key, value in STAR.items() if key != "workload"}
    assert spineleaf.topology(fabric).audit["hosts"] == 4
    with pytest.raises(spineleaf.InputError, match="workload: is missing"):
        spineleaf.run(fabric)


def test_warnings_are_python_warnings():
    with pytest.warns(spineleaf.InputWarning, match="run.time_budget"):
        spineleaf.load("quickstart-incast-roce", {"workload.bytes": "100GiB"})


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: spineleaf.load(3), TypeError, "a file, a name or a dictionary, not int"),
        (lambda: spineleaf.loads(3), TypeError, "text, not int"),
        (lambda: spineleaf.loads(b"\xff\x00{"), spineleaf.InputError, ""),
        (lambda: spineleaf.loads(""), spineleaf.InputError, ""),
        (lambda: spineleaf.load({"a": object()}), TypeError, "object can't be part"),
        (lambda: spineleaf.load({1: 2}), TypeError, "keys of a scenario are text"),
        (lambda: spineleaf.load(STAR, {"pfc.alpha": float("nan")}), spineleaf.InputError, "nan"),
        (lambda: spineleaf.load(STAR, {"pfc.alpha": np.inf}), spineleaf.InputError, "inf"),
        (lambda: spineleaf.load(STAR, {3: 2}), TypeError, "keys are text"),
        (lambda: spineleaf.load(STAR).set("pfc.alpha"), TypeError, "needs a value"),
        (lambda: spineleaf.load(STAR).set(3, 4), TypeError, "a key is text"),
        (lambda: spineleaf.load(STAR).set("", 4), spineleaf.InputError, "no path"),
        (lambda: spineleaf.load(STAR).set("a[", 4), spineleaf.InputError, "no path"),
        (lambda: spineleaf.run(STAR, seed=-1), ValueError, "seed is from 0"),
        (lambda: spineleaf.run(STAR, seed=1.5), TypeError, "seed is a whole number"),
        (lambda: spineleaf.run(STAR, seed=True), TypeError, "seed is a whole number"),
        (lambda: spineleaf.run(STAR, seed=1 << 70), ValueError, "seed is from 0"),
        (lambda: spineleaf.run(STAR, threads=5000), ValueError, "threads is from 0"),
        (lambda: spineleaf.run(STAR, progress=3), TypeError, "progress is None"),
        (lambda: spineleaf.compare(), ValueError, "nothing to compare"),
        (lambda: spineleaf.compare(3), TypeError, "takes results"),
        (lambda: spineleaf.compare([3]), TypeError, "takes results, not int"),
    ],
)
def test_bad_calls_say_what_is_wrong(call, error, says):
    with pytest.raises(error) as raised:
        call()
    assert says in str(raised.value)
