"""Spineleaf: a packet-level simulator of GPU-cluster fabrics.

>>> import spineleaf
>>> result = spineleaf.load("quickstart-incast-roce").run()
>>> result.flows["fct_us"].max()  # doctest: +SKIP
>>> result.plot().savefig("incast.png")  # doctest: +SKIP
"""

from __future__ import annotations

from pathlib import Path as _Path

from . import _core

_data = _Path(__file__).resolve().parent / "data"
if _data.is_dir():
    _core.set_data_dir(str(_data))

from .comparing import Comparison, compare  # noqa: E402
from .errors import InputError, InputWarning, Problem, RunInterrupted  # noqa: E402
from .graphs import custom_topology  # noqa: E402
from .library import data_dir, explain, scenarios, schema  # noqa: E402
from .readers import (  # noqa: E402
    read_nccl_sweep,
    read_ns3_config,
    read_ns3_flows,
    read_ns3_pauses,
    read_ns3_series,
    read_ns3_topology,
)
from .result import Result  # noqa: E402
from .running import Progress, Sample, run  # noqa: E402
from .scenario import Items, Scenario, Section, load, loads  # noqa: E402
from .sweeping import SweepInterrupted, sweep  # noqa: E402
from .topology import BufferCycles, Topology, check_deadlock, topology  # noqa: E402

__version__ = _core.version()

__all__ = [
    "BufferCycles",
    "Comparison",
    "InputError",
    "InputWarning",
    "Items",
    "Problem",
    "Progress",
    "Result",
    "RunInterrupted",
    "Sample",
    "Scenario",
    "Section",
    "SweepInterrupted",
    "Topology",
    "check_deadlock",
    "compare",
    "custom_topology",
    "data_dir",
    "explain",
    "load",
    "loads",
    "read_nccl_sweep",
    "read_ns3_config",
    "read_ns3_flows",
    "read_ns3_pauses",
    "read_ns3_series",
    "read_ns3_topology",
    "run",
    "scenarios",
    "schema",
    "sweep",
    "topology",
]
