"""Python and the command give the same fingerprint and the same numbers, and write the same files,
for every shipped scenario."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import spineleaf

TABLES = ("flows", "collectives", "links", "port_classes", "series", "waits")


def without_timing(summary: dict) -> dict:
    return {key: value for key, value in summary.items() if key != "timing"}


def assert_same_table(ours: pd.DataFrame, file: Path, table: str) -> None:
    """Every cell is the same, numbers to the last bit."""
    theirs = pd.read_csv(file, dtype=str, keep_default_na=False)
    assert list(ours.columns) == list(theirs.columns), table
    assert len(ours) == len(theirs), table
    for column in ours.columns:
        if pd.api.types.is_numeric_dtype(ours[column]):
            numbers = [float(cell or "nan") for cell in theirs[column]]
            np.testing.assert_array_equal(ours[column].astype(float), numbers, f"{table}.{column}")
        else:
            assert list(ours[column].astype(str)) == list(theirs[column]), f"{table}.{column}"


@pytest.mark.filterwarnings("ignore::spineleaf.InputWarning")
@pytest.mark.parametrize("name", spineleaf.scenarios())
def test_every_shipped_scenario(name, command, root, tmp_path):
    own_data, command_data = (str(folder).encode() for folder in (spineleaf.data_dir(), root))
    done = command("run", name, "--out", tmp_path / "command", "--quiet")
    summary = json.loads((tmp_path / "command" / "summary.json").read_text())
    result = spineleaf.run(name)
    assert result.fingerprint == summary["fingerprint"]
    assert without_timing(result.summary) == without_timing(summary)
    assert result.ok == (done.returncode == 0)
    for table in TABLES:
        assert_same_table(getattr(result, table), tmp_path / "command" / f"{table}.csv", table)
    result.save(tmp_path / "python")
    for file in (tmp_path / "command").iterdir():
        if file.name != "summary.json":  # It tells what the run cost.
            # The lock file and the report name the files that were read: each its own copy.
            ours = (tmp_path / "python" / file.name).read_bytes()
            same = ours.replace(own_data, command_data) == file.read_bytes()
            assert same, file.name  # To show where they differ would take minutes.


def test_the_lock_file_runs_the_same():
    result = spineleaf.run("quickstart-incast-roce", {"pfc.alpha": 0.5}, seed=7)
    again = spineleaf.loads(result.lock_text).run()
    assert again.fingerprint == result.fingerprint
    assert again.seed == 7


def test_sets_are_those_of_the_command(command, tmp_path):
    command("run", "quickstart-incast-roce", "--set", "pfc.alpha=0.03", "--set",
            "workload.senders=7", "--seed", 3, "--out", tmp_path)  # fmt: skip
    result = spineleaf.run(
        "quickstart-incast-roce", {"pfc.alpha": 0.03, "workload.senders": 7}, seed=3
    )
    assert result.fingerprint == json.loads((tmp_path / "summary.json").read_text())["fingerprint"]


def test_a_topology_is_that_of_the_command(command, tmp_path):
    done = command("topology", "rail-optimised", "--svg", tmp_path / "command.svg")
    fabric = spineleaf.topology("rail-optimised")
    audit = fabric.audit
    assert f"{audit['hosts']} hosts, {audit['switches']} switches" in done.stdout
    assert f"bisection: {audit['bisection_gbps']:.0f} Gb/s" in done.stdout
    scenario = spineleaf.load("rail-optimised")
    assert fabric.svg(title=scenario.name) == (tmp_path / "command.svg").read_text()


def test_a_mistake_is_told_in_the_words_of_the_command(command, tmp_path):
    file = tmp_path / "bad.json"
    file.write_text('{\n  "topology": {"kind": "fat_tre", "hosts": 3},\n  "pfc": {"alpa": 1}\n}\n')
    done = command("run", file)
    with pytest.raises(spineleaf.InputError) as raised:
        spineleaf.run(str(file))
    assert raised.value.file == str(file)
    assert (raised.value.line, raised.value.column) == (2, 24)
    assert raised.value.hint == 'Did you mean "fat_tree"?'
    # The reader stops at the missing workload only when it is to run; the rest is the same.
    for line in str(raised.value).splitlines():
        assert line in done.stderr
