"""Results: tables, views, files, pictures, notebooks."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import pytest

import spineleaf


@pytest.fixture(scope="module")
def incast() -> spineleaf.Result:
    return spineleaf.run("quickstart-incast-roce")


@pytest.fixture(scope="module")
def ring() -> spineleaf.Result:
    return spineleaf.run("quickstart-ring-roce")


def test_rows_look_into_the_run_without_a_copy(incast):
    first, second = incast.rows("flows"), incast.rows("flows")
    assert np.shares_memory(first, second)
    assert not first.flags.owndata
    with pytest.raises(ValueError, match="read-only"):
        first["size_bytes"][0] = 0
    expected = (first["received_ps"] - first["start_ps"]) / 1e6
    np.testing.assert_array_equal(incast.flows["fct_us"], expected)
    with pytest.raises(ValueError, match="no table 'flow'"):
        incast.rows("flow")


def test_views_outlive_their_result():
    result = spineleaf.run("two-hosts-roce")
    rows = result.rows("flows")
    expected = rows.copy()
    result.close()
    del result
    spineleaf.run("two-hosts-ndr")
    np.testing.assert_array_equal(rows, expected)


def test_a_closed_result_says_so():
    with spineleaf.run("two-hosts-roce") as result:
        flows = result.flows
    assert len(flows) > 0
    for use in (lambda: result.flows, lambda: result.summary, lambda: result.fingerprint,
                lambda: result.rows("flows"), lambda: result.save("x"), lambda: str(result),
                lambda: result.plot(), lambda: spineleaf.compare(result)):  # fmt: skip
        with pytest.raises(ValueError, match="this result is closed"):
            use()
    assert repr(result) == "<Result: closed>"


def test_words_and_counters(incast):
    assert incast.ok
    assert (incast.verdict, incast.stop_reason) == ("ok", "finished")
    assert incast.name.startswith("incast 32:1")
    assert incast.totals["packets_sent"] == 8192
    assert incast.fct.loc[0, "flows"] == 32
    assert incast.not_modelled
    assert "OK: all work done" in str(incast)


def test_parquet_holds_the_same_tables(incast, tmp_path):
    incast.save(tmp_path / "deep" / "folder", format="parquet")
    for table in ("flows", "collectives", "links", "port_classes", "series", "waits"):
        read = pd.read_parquet(tmp_path / "deep" / "folder" / f"{table}.parquet")
        pd.testing.assert_frame_equal(
            read.astype({"job": str}) if "job" in read else read,
            getattr(incast, table).astype({"job": str} if "job" in read else {}),
            check_dtype=False,
        )
    files = sorted(path.name for path in (tmp_path / "deep" / "folder").iterdir())
    assert files == ["collectives.parquet", "flows.parquet", "links.parquet",
                     "port_classes.parquet", "report.html", "scenario.lock.json",
                     "series.parquet", "summary.json", "waits.parquet"]  # fmt: skip


def test_what_can_t_be_written_is_an_os_error(incast, tmp_path):
    (tmp_path / "file").write_text("")
    for format in ("csv", "parquet"):
        with pytest.raises(OSError, match="file"):
            incast.save(tmp_path / "file" / "folder", format=format)
    with pytest.raises(OSError, match="file"):
        incast.report(tmp_path / "file" / "report.html")
    with pytest.raises(ValueError, match="csv"):
        incast.save(tmp_path, format="excel")


@pytest.mark.parametrize("kind", [None, "fct", "queues", "links", "series"])
def test_pictures_of_flows(incast, kind, tmp_path):
    figure = incast.plot(kind)
    assert len(figure.axes) == (4 if kind is None else 1)
    for axes in figure.axes:
        assert axes.lines or axes.patches
        assert axes.get_title() and axes.get_xlabel()
    figure.savefig(tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 5000


def test_a_picture_shows_the_numbers(incast, ring):
    x, y = incast.plot("fct").axes[0].lines[0].get_data()
    np.testing.assert_array_equal(x, np.sort(incast.flows["fct_us"]))
    assert y[-1] == 1
    x, y = ring.plot("busbw").axes[0].lines[0].get_data()
    np.testing.assert_array_equal(y, ring.bandwidth["busbw_gbytes_per_s"])


def test_pictures_go_into_axes_of_one_s_own(incast):
    from matplotlib.figure import Figure

    axes = Figure().add_subplot()
    assert incast.plot("fct", ax=axes) is axes.figure
    assert axes.lines
    with pytest.raises(ValueError, match="say which picture"):
        incast.plot(ax=axes)


def test_pictures_that_there_are_not(incast):
    with pytest.raises(ValueError, match="there are fct, slowdown"):
        incast.plot("heat")
    with pytest.raises(ValueError, match="nothing to show as 'busbw'"):
        incast.plot("busbw")


def test_results_side_by_side(incast, tmp_path):
    other = spineleaf.run("quickstart-incast-ndr")
    both = spineleaf.compare(incast, other)
    assert list(both.table.index) == ["RoCEv2 (PFC)", "InfiniBand (credits)"]
    assert both.table.loc["RoCEv2 (PFC)", "fct_max_us"] == incast.flows["fct_us"].max()
    assert len(both.plot("fct").axes[0].lines) == 2
    named = spineleaf.compare({"a": incast, "b": other})
    assert named.labels == ["a", "b"]
    page = both.report(tmp_path / "both.html").read_text()
    assert "InfiniBand" in page and "RoCEv2" in page
    assert "fingerprint" in str(both)


def test_notebooks_show_a_card(incast, ring):
    from IPython.core.formatters import DisplayFormatter

    formatter = DisplayFormatter()
    for shown in (incast, ring, spineleaf.compare(incast, ring), incast.topology,
                  spineleaf.load("quickstart-incast-roce")):  # fmt: skip
        data, _ = formatter.format(shown)
        assert "<" in data["text/html"]
    data, _ = formatter.format(incast.plot("fct"))
    assert data["image/png"]


def test_markup_in_names_is_text():
    scenario = spineleaf.load("two-hosts-roce", {"name": "<script>x</script>"})
    assert "<script>" not in scenario._repr_html_()
    assert "<script>" not in scenario.run()._repr_html_()


def test_a_topology_has_tables(incast):
    fabric = incast.topology
    assert (fabric.nodes["kind"] == "host").sum() == 128
    assert set(fabric.cables["a"]) | set(fabric.cables["b"]) == set(fabric.nodes["name"])
    assert len(fabric.endpoints) == 128
    names = fabric.endpoints["host"].to_numpy()[incast.flows["to_endpoint"]]
    assert set(names) == {"host0"}
    load = incast.links.groupby("cable")["utilisation"].max()
    assert fabric.svg(load) != fabric.svg()
    with pytest.raises(ValueError, match="each of the 256 cables"):
        fabric.svg([0.5])
    with pytest.raises(ValueError, match="no numbers"):
        fabric.svg(np.full(256, np.nan))


def test_a_topology_becomes_a_networkx_graph(incast):
    import networkx as nx

    graph = incast.topology.to_networkx()
    assert graph.number_of_nodes() == 140 and graph.number_of_edges() == 256
    assert nx.is_connected(graph)
    assert graph.nodes["leaf0"]["tier"] == 1


def test_buffer_cycles():
    assert not spineleaf.check_deadlock("quickstart-incast-roce")
    cycles = spineleaf.check_deadlock("pfc-deadlock-ring")
    assert cycles and "sw0" in str(cycles)
    result = spineleaf.run("pfc-deadlock-ring")
    assert result.summary["outcome"]["deadlock"]
    assert result.waits["on_cycle"].any()


def test_readers(root):
    data = root / "validation" / "data"
    sweep = spineleaf.read_nccl_sweep(data / "nccl" / "sweeps" / "h100-2n-ibndr-b-ring.csv")
    assert sweep.attrs["ranks"] == 16 and (sweep["time_us"] > 0).all()
    ns3 = data / "ns3"
    flows = spineleaf.read_ns3_flows(ns3 / "incast8_100g_1MB_fct.csv")
    assert len(flows) == 8 and (flows["fct_us"] > 0).all()
    assert len(spineleaf.read_ns3_topology(ns3 / "topo_star9_100g.csv")) == 9
    assert "CC_MODE" in spineleaf.read_ns3_config(ns3 / "incast8_100g_1MB_config.csv")
    assert set(spineleaf.read_ns3_pauses(ns3 / "incast16_100g_1MB_pfc_events.csv")["pause"]) == {
        True,
        False,
    }
    series = spineleaf.read_ns3_series(ns3 / "incast8_100g_1MB_series_5us.csv")
    assert [c for c in series if c.startswith("goodput_gbps_")] == [
        f"goodput_gbps_{i}" for i in range(8)
    ]


def test_a_file_that_is_none_of_them_is_refused(root):
    for read in (spineleaf.read_nccl_sweep, spineleaf.read_ns3_flows, spineleaf.read_ns3_series,
                 spineleaf.read_ns3_topology, spineleaf.read_ns3_pauses,
                 spineleaf.read_ns3_config):  # fmt: skip
        with pytest.raises(spineleaf.InputError) as raised:
            read(root / "LICENSE")
        assert raised.value.file.endswith("LICENSE") and raised.value.line > 0
        with pytest.raises(spineleaf.InputError, match="can't be opened"):
            read(root / "no-such-file.csv")


def test_explanations_and_schema():
    assert "dynamic" in spineleaf.explain("pfc.alpha").lower()
    assert "topology" in spineleaf.schema()["properties"]


def test_importing_draws_in_no_plotting():
    import subprocess

    code = (
        "import sys, spineleaf; assert not {'matplotlib', 'networkx', 'IPython'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
