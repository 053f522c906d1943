"""What notebooks show. Colours follow the notebook's own, light or dark."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import pandas as pd

if TYPE_CHECKING:
    from .result import Result
    from .scenario import Scenario
    from .topology import Topology

__all__ = ["result_card", "scenario_card", "table_html", "topology_card"]

_GOOD, _BAD = "#2e7d32", "#c62828"
_MOST_ROWS = 20


def _number(value: Any) -> str:
    return f"{value:,.4g}" if isinstance(value, float) else str(value)


def table_html(table: pd.DataFrame, *, index: bool = False) -> str:
    """A table with numbers of four digits; long ones end with how many rows are left."""
    shown = table.head(_MOST_ROWS)
    text = str(
        shown.map(_number).to_html(index=index, border=0, na_rep="", notebook=False, escape=True)
    )
    left = len(table) - len(shown)
    return text + (f"<p>{left} more rows</p>" if left > 0 else "")


def _card(title: str, note: str, *parts: str) -> str:
    return (
        f'<div style="line-height:1.4"><div><b>{escape(title)}</b> {note}</div>'
        + "".join(parts)
        + "</div>"
    )


def result_card(result: Result) -> str:
    """Verdict, what ran, completion times and bandwidth, the counters that are not zero."""
    summary = result.summary
    colour = _GOOD if result.ok else _BAD
    verdict = escape(result.verdict.replace("_", " "))
    badge = (
        f'<span style="background:{colour};color:#fff;padding:0 .5em;border-radius:.3em">'
        f"{verdict}</span>"
    )
    parts = [
        f"<div>{escape(summary['outcome']['text'])}</div>",
        f"<div>{escape(summary['fabric'])}, seed {result.seed}, "
        f"{result.simulated_us:,.6g} us simulated, goodput {summary['goodput_gbps']:,.4g} Gb/s, "
        f"fingerprint <code>{result.fingerprint}</code></div>",
    ]
    if summary["flows"]["jobs"]:
        columns = ["job", "flows", "finished", "fct_p50_us", "fct_p99_us", "fct_max_us",
                   "goodput_gbps", "jain_index"]  # fmt: skip
        parts.append(table_html(result.fct[columns]))
    if summary["collectives"]:
        columns = ["job", "collective", "protocol", "ranks", "size_bytes", "time_mean_us",
                   "algbw_gbytes_per_s", "busbw_gbytes_per_s"]  # fmt: skip
        parts.append(table_html(result.bandwidth[columns]))
    counters = result.totals[result.totals != 0]
    parts.append(
        "<div>" + ", ".join(f"{escape(str(k))} {v:,}" for k, v in counters.items()) + "</div>"
    )
    parts += [f"<div>warning: {escape(warning)}</div>" for warning in result.warnings]
    return _card(result.name or "run", badge, *parts)


def scenario_card(scenario: Scenario) -> str:
    """The keys that are written, as JSON."""
    import json

    text = escape(json.dumps(scenario.plain(), indent=2))
    note = escape(str(scenario.plain().get("description", "")))
    return _card(str(scenario.plain().get("name", "scenario")), note, f"<pre>{text}</pre>")


def topology_card(topology: Topology) -> str:
    """The drawing, with the audit below."""
    audit = topology.audit
    facts = (
        f"{audit['hosts']} hosts, {audit['switches']} switches, {audit['cables']} cables, "
        f"bisection {audit['bisection_gbps']:,.0f} Gb/s"
    )
    findings = [f"<div>{escape(finding)}</div>" for finding in topology.findings]
    return _card(
        topology.name, escape(facts), topology.svg(), table_html(topology.tiers), *findings
    )
