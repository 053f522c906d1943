"""Lists of flows that come as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union

import numpy as np
import numpy.typing as npt
import pandas as pd

from . import _core
from .errors import InputError, problem

__all__ = ["FlowTable", "flow_table"]

_MOST_INT = np.iinfo(np.int64).max


@dataclass(frozen=True)
class FlowTable:
    """A checked list of flows, in the simulator's units."""

    name: str
    sources: list[str]
    targets: list[str]
    bytes: npt.NDArray[np.int64]
    start_ps: npt.NDArray[np.int64]
    bits_per_second: npt.NDArray[np.int64]
    traffic_class: npt.NDArray[np.int32]

    def core(self) -> _core.FlowList:
        """As the C++ side takes it."""
        return _core.FlowList(
            self.name,
            self.sources,
            self.targets,
            self.bytes,
            self.start_ps,
            self.bits_per_second,
            self.traffic_class,
        )


Table = Union[pd.DataFrame, Mapping[str, Any], npt.NDArray[np.void], Sequence[Mapping[str, Any]]]


def flow_table(table: Table, name: str) -> FlowTable:
    """Checks the columns of a table of flows; see Scenario.add_flows."""
    if not isinstance(name, str):
        raise TypeError(f"the name of a list of flows is text, not {type(name).__name__}")
    try:
        frame = table if isinstance(table, pd.DataFrame) else pd.DataFrame(table)
    except (TypeError, ValueError) as error:
        raise TypeError(f"flows come as a table with named columns: {error}") from None
    known = ["from", "to", "size_bytes", "start_us", "rate_gbps", "traffic_class"]
    unknown = [str(column) for column in frame.columns if column not in known]
    missing = [column for column in known[:3] if column not in frame.columns]
    problems = [
        problem(
            f'there is no column "{column}"', file="add_flows()", expected="one of those known",
            hint=f"Known are {', '.join(known)}.",
        )
        for column in unknown
    ]  # fmt: skip
    problems += [
        problem(f'the column "{column}" is missing', file="add_flows()") for column in missing
    ]
    if problems:
        raise InputError(problems)
    if frame.empty:
        raise InputError([problem("there are no flows", file="add_flows()")])
    return FlowTable(
        name,
        _hosts(frame, "from"),
        _hosts(frame, "to"),
        _numbers(frame, "size_bytes", 1, None, 1),
        _numbers(frame, "start_us", 0, 0, 1e6),
        _numbers(frame, "rate_gbps", 0, 0, 1e9),
        _numbers(frame, "traffic_class", -1, -1, 1).astype(np.int32),
    )


def _hosts(frame: pd.DataFrame, column: str) -> list[str]:
    """Names of hosts; a whole number n is hostn, as the builders name them."""
    values = frame[column]
    if pd.api.types.is_integer_dtype(values.dtype):
        return [f"host{number}" for number in values.tolist()]
    names = values.tolist()
    for row, name in enumerate(names):
        if not isinstance(name, str):
            raise _bad(column, row, f"{name!r} is no host", 'a name such as "host3", or a number')
    return names


def _numbers(
    frame: pd.DataFrame, column: str, least: int, missing: Any, scale: float
) -> npt.NDArray[np.int64]:
    """A column in the simulator's units, times `scale`, rounded to whole numbers."""
    if column not in frame.columns:
        return np.full(len(frame), missing, dtype=np.int64)
    values = frame[column]
    if pd.api.types.is_bool_dtype(values.dtype) or not pd.api.types.is_numeric_dtype(values.dtype):
        raise InputError(
            [problem(f"holds {values.dtype}", file="add_flows()", path=column, expected="numbers")]
        )
    if pd.api.types.is_integer_dtype(values.dtype) and scale == 1 and not values.hasnans:
        whole = values.to_numpy()
        _check(column, whole < least, whole, f"{least} or more")
        _check(column, whole > _MOST_INT, whole, "a smaller number")
        return whole.astype(np.int64)
    scaled = values.to_numpy(dtype=float, na_value=np.nan) * scale
    _check(column, ~np.isfinite(scaled), scaled, "a number in every row")
    _check(column, scaled < least, scaled / scale, f"{least} or more")
    _check(column, scaled >= 2.0**63, scaled / scale, "a smaller number")
    if scale == 1:
        _check(column, scaled != np.rint(scaled), scaled, "a whole number")
    return np.rint(scaled).astype(np.int64)


def _check(column: str, wrong: npt.NDArray[Any], values: npt.NDArray[Any], expected: str) -> None:
    if wrong.any():
        row = int(np.argmax(wrong))
        raise _bad(column, row, f"{values[row]} does not fit", expected)


def _bad(column: str, row: int, what: str, expected: str) -> InputError:
    path = f"{column}[{row}]"
    return InputError([problem(what, file="add_flows()", path=path, expected=expected)])
