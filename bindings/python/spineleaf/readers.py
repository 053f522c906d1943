"""Readers of measurements and of other simulators' files, as tables.

All raise InputError with file, line and column of every problem; what is only doubtful is an
InputWarning. Facts about a whole file are in the table's ``attrs``."""

from __future__ import annotations

import os
import warnings
from typing import Any, Union

import pandas as pd

from . import _core
from .errors import InputWarning, from_core, require

__all__ = [
    "read_nccl_sweep",
    "read_ns3_config",
    "read_ns3_flows",
    "read_ns3_pauses",
    "read_ns3_series",
    "read_ns3_topology",
]

Path = Union[str, "os.PathLike[str]"]


def _check(rows: list[tuple[Any, ...]]) -> None:
    problems = from_core(rows)
    require(problems)
    for problem in problems:
        warnings.warn(str(problem), InputWarning, stacklevel=3)


def read_nccl_sweep(path: Path) -> pd.DataFrame:
    """A measured sweep of nccl-tests in the CSV form of ``validation/data/nccl``: bytes, place
    ("in" or "out"), time in microseconds, bandwidths in GB/s. ``attrs``: collective, ranks, gpu,
    nic, fabric, source and so on."""
    rows, about, problems = _core.read_nccl_sweep(os.fsencode(path))
    _check(problems)
    table = pd.DataFrame(
        rows, columns=["size_bytes", "place", "time_us", "algbw_gbytes_per_s", "busbw_gbytes_per_s"]
    )
    table.attrs.update(about)
    return table


def read_ns3_config(path: Path) -> dict[str, str]:
    """Configuration of a run of the HPCC ns-3 simulator, key by key as written."""
    config, problems = _core.read_ns3_config(os.fsencode(path))
    _check(problems)
    return config


def read_ns3_topology(path: Path) -> pd.DataFrame:
    """Links of the HPCC ns-3 simulator: node numbers, rate, one-way delay."""
    rows, problems = _core.read_ns3_topology(os.fsencode(path))
    _check(problems)
    return pd.DataFrame(rows, columns=["a", "b", "rate_gbps", "delay_us"])


def read_ns3_flows(path: Path) -> pd.DataFrame:
    """Flows of the HPCC ns-3 simulator. ``fct_us`` runs to the sender's last acknowledgement;
    ``ideal_us`` is NaN, and ``path`` empty, where the file does not tell."""
    rows, problems = _core.read_ns3_flows(os.fsencode(path))
    _check(problems)
    names = ["variant", "from", "to", "source_port", "size_bytes", "start_us", "fct_us",
             "ideal_us", "path"]  # fmt: skip
    table = pd.DataFrame(rows, columns=names)
    return table.astype({"ideal_us": float})


def read_ns3_pauses(path: Path) -> pd.DataFrame:
    """Pause and resume frames of the HPCC ns-3 simulator, as their receivers saw them."""
    rows, problems = _core.read_ns3_pauses(os.fsencode(path))
    _check(problems)
    return pd.DataFrame(rows, columns=["at_us", "node", "node_is_switch", "interface", "pause"])


def read_ns3_series(path: Path) -> pd.DataFrame:
    """Samples of the bottleneck port of the HPCC ns-3 simulator; one column of goodput in Gb/s for
    each source."""
    rows, problems = _core.read_ns3_series(os.fsencode(path))
    _check(problems)
    names = ["at_us", "largest_queue_bytes", "last_queue_bytes", "packets", "marked"]
    table = pd.DataFrame([row[:-1] for row in rows], columns=names)
    goodput = pd.DataFrame([row[-1] for row in rows], index=table.index)
    return table.join(goodput.rename(columns="goodput_gbps_{}".format))
