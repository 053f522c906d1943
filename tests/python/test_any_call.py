"""Whatever is handed over: a clear Python error or an answer, never a crash, a hang or an error of
the binding's own ("incompatible function arguments" says nothing to a user).

SPINELEAF_FULL=1 tries for minutes instead of seconds."""

from __future__ import annotations

import json
import os
import warnings

import numpy as np
import pandas as pd
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import spineleaf

EXAMPLES = 1000 if os.environ.get("SPINELEAF_FULL") else 60
tries = settings(
    max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
REFUSALS = (spineleaf.InputError, TypeError, ValueError, KeyError, AttributeError, IndexError)

STAR = spineleaf.load(
    {
        "name": "star",
        "preset": "roce-400g",
        "topology": {"kind": "single_switch", "hosts": 4},
        "workload": {"kind": "incast", "senders": 3, "bytes": "4KiB"},
        "run": {"event_budget": 20000},
    }
)
FINGERPRINT = STAR.run().fingerprint
KEYS = sorted(STAR.resolved["key"].str.replace("[0]", "", regex=False))

anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.binary(max_size=10)
    | st.complex_numbers()
    | st.sampled_from([object(), object, np.float32("nan"), np.int64(3), np.zeros(3), pd.NA, ...]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=8) | st.integers(), inner, max_size=4)
        | st.tuples(inner)
    ),
    max_leaves=8,
)
values = anything | st.sampled_from(
    ["0B", "1B", "-1B", "4KiB", "1ps", "1s", "100Gbps", "1e400", "", "true", "99999999999GiB"]
)


def refused(call) -> bool:
    """Whether the call raises what a user can read. Anything else fails the test."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            call()
    except REFUSALS as error:
        assert "incompatible" not in str(error), error
        assert "unable to" not in str(error).lower(), error
        return True
    return False


@tries
@given(st.text(max_size=30) | st.sampled_from(KEYS) | anything, values)
def test_any_key_and_value(key, value):
    scenario = STAR.copy()
    if refused(lambda: scenario.set(key, value)):
        assert scenario.plain() == STAR.plain()
        assert scenario.lock_text == STAR.lock_text


@tries
@given(st.sampled_from(KEYS), st.sampled_from(KEYS), values, values)
def test_what_is_accepted_runs(first, second, one, two):
    scenario = STAR.copy()
    if refused(lambda: scenario.set({first: one, second: two})):
        return
    scenario.set({"run.event_budget": 20000, "run.memory_budget": "1GiB"})
    if scenario._compiled.estimate[0] < 1e6:
        refused(lambda: scenario.run(progress=False).flows)


@tries
@given(anything)
def test_any_source(source):
    refused(lambda: spineleaf.load(source))
    refused(lambda: spineleaf.loads(source))
    refused(lambda: spineleaf.explain(source))


@tries
@given(st.dictionaries(st.sampled_from([*STAR, "pfc", "faults", "expect"]), values))
def test_any_dictionary(sections):
    refused(lambda: spineleaf.load({**STAR.plain(), **sections}))


@tries
@given(st.binary(max_size=200), st.integers(0, 400), st.integers(0, 30))
def test_any_bytes(noise, at, cut):
    text = json.dumps(STAR.plain()).encode()
    refused(lambda: spineleaf.loads(text[:at] + noise + text[at + cut :]))


@tries
@given(anything, anything, anything)
def test_any_way_to_run(seed, threads, progress):
    if not callable(progress):
        refused(lambda: STAR.run(seed=seed, threads=threads, progress=progress))


@tries
@given(
    st.dictionaries(
        st.sampled_from(["from", "to", "size_bytes", "start_us", "rate_gbps", "traffic_class"])
        | st.text(max_size=5),
        st.lists(anything | st.sampled_from(["host0", "host1", 0, 1, 100]), max_size=3),
    )
    | anything,
    anything,
)
def test_any_flows(table, name):
    scenario = STAR.copy()
    if refused(lambda: scenario.add_flows(table, name)):
        assert scenario.run().fingerprint == FINGERPRINT


@tries
@given(anything)
def test_any_use_of_a_result(argument):
    result = RESULT
    refused(lambda: result.rows(argument))
    refused(lambda: result.plot(argument) if argument is not None else None)
    refused(lambda: result.save("unused", format=argument))
    refused(lambda: spineleaf.compare(argument))
    refused(lambda: spineleaf.custom_topology(argument))
    refused(lambda: result.topology.svg(argument))


RESULT = STAR.run()
