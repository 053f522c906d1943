"""Scenarios: read, looked at like a dictionary, changed, run."""

from __future__ import annotations

import difflib
import json
import math
import os
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Optional, Union

import numpy as np
import pandas as pd

from . import _core, library
from .errors import InputError, InputWarning, Problem, from_core, problem, require
from .flows import FlowTable, Table, flow_table
from .graphs import custom_topology

if TYPE_CHECKING:
    from .result import Result
    from .running import ProgressOption, Sample
    from .topology import Topology

__all__ = ["Items", "Scenario", "Section", "Source", "load", "loads"]

#: What :func:`load` takes.
Source = Union[str, "os.PathLike[str]", Mapping[str, Any], "Scenario"]


def load(source: Source, sets: Optional[Mapping[str, Any]] = None) -> Scenario:
    """Reads a scenario: a file, the name of a shipped scenario, or a dictionary.

    ``sets`` are keys over it, as ``{"pfc.alpha": 0.5, "topology.hosts": 64}``.

    Raises InputError with every problem of the scenario at once."""
    if isinstance(source, Scenario):
        scenario = source.copy()
    elif isinstance(source, Mapping):
        scenario = Scenario._from_dict(source)
    elif isinstance(source, (str, os.PathLike)):
        path = _find(os.fspath(source))
        text, rows = _core.file_bytes(os.fsencode(path))
        require(from_core(rows))
        shown = os.fsencode(path).decode("utf-8", "replace")
        scenario = Scenario._from_text(text, shown, None)
    else:
        raise TypeError(f"load() takes a file, a name or a dictionary, not {type(source).__name__}")
    scenario._change(_sets(sets or {}))
    return scenario


def loads(text: Union[str, bytes], sets: Optional[Mapping[str, Any]] = None) -> Scenario:
    """Reads a scenario from JSON text. Raises InputError as :func:`load` does; its lines and
    columns are those of the text."""
    if not isinstance(text, (str, bytes)):
        raise TypeError(f"loads() takes text, not {type(text).__name__}")
    encoded = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    scenario = Scenario._from_text(encoded, "<text>", None)
    scenario._change(_sets(sets or {}))
    return scenario


def _find(name: str) -> str:
    """The file that `name` means: itself, or the shipped scenario of that name."""
    try:
        if os.path.exists(name):
            return name
    except ValueError:  # It holds a NUL.
        pass
    stem = name[:-5] if name.endswith(".json") else name
    shipped = library.scenarios()
    if stem in shipped:
        return str(library.data_dir() / "scenarios" / "library" / f"{stem}.json")
    near = difflib.get_close_matches(Path(stem).name, shipped, 1)
    hint = f'Did you mean "{near[0]}"? ' if near else ""
    hint += "scenarios() lists what is shipped."
    raise InputError(
        [problem("there is no such file and no such shipped scenario", file=name, hint=hint)]
    )


def _plain(value: Any, path: str) -> Any:
    """A value as JSON has it. numpy's numbers are numbers; what is none of JSON's kinds, and NaN,
    is refused."""
    if isinstance(value, (Section, Items)):
        return value.plain()
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        raise InputError(
            [problem(f"{value} is not a number", file="set()", path=path, expected="a finite one")]
        )
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"{path}: keys of a scenario are text, not {key!r}")
        return {key: _plain(item, f"{path}.{key}" if path else key) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(item, f"{path}[{row}]") for row, item in enumerate(value)]
    raise TypeError(
        f"{path or 'a scenario'}: {type(value).__name__} can't be part of a scenario; expected "
        'text with a unit such as "4MiB", a number, true or false, a list or a dictionary'
    )


def _json(value: Any, path: str) -> str:
    return json.dumps(_plain(value, path), ensure_ascii=True, allow_nan=False)


def _is_unicode(text: str) -> bool:
    """Half a surrogate pair is no character."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _sets(sets: Mapping[str, Any]) -> list[tuple[str, str]]:
    pairs = []
    for path, value in sets.items():
        if not isinstance(path, str):
            raise TypeError(f'keys are text such as "pfc.alpha", not {path!r}')
        if not _is_unicode(path):
            raise InputError([problem(f"{path!r} is no path to a key", file="set()")])
        pairs.append((path, _json(value, path)))
    return pairs


class _Node:
    """A place in a scenario: its keys as written, below them what the run will use."""

    __slots__ = ("_path", "_scenario")

    _path: str
    _scenario: Scenario

    def __init__(self, scenario: Scenario, path: str) -> None:
        object.__setattr__(self, "_scenario", scenario)
        object.__setattr__(self, "_path", path)

    def plain(self) -> Any:
        """The value as dictionaries, lists, text and numbers of its own: a copy."""
        return self._scenario._written(self._path)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._path!r}, {self.plain() or {}!r})"

    def __eq__(self, other: object) -> bool:
        return bool(self.plain() == (other.plain() if isinstance(other, _Node) else other))

    __hash__ = None  # type: ignore[assignment]


class Section(_Node, Mapping[str, Any]):
    """A section of a scenario, such as ``scenario.pfc``.

    Iterating shows the keys that are written. Reading a key that is not written gives the value
    that the run will use: the preset's, or the default."""

    __slots__ = ()

    def __getitem__(self, key: str) -> Any:
        return self._scenario._get(self._path, key)

    def __setitem__(self, key: str, value: Any) -> None:
        self._scenario.set(_join(self._path, key), value)

    def __getattr__(self, key: str) -> Any:
        if key.startswith("_"):
            raise AttributeError(key)
        try:
            return self[key]
        except KeyError as error:
            raise AttributeError(*error.args) from None

    def __setattr__(self, key: str, value: Any) -> None:
        self[key] = value

    def __iter__(self) -> Iterator[str]:
        return iter(self.plain() or {})

    def __len__(self) -> int:
        return len(self.plain() or {})

    def __contains__(self, key: object) -> bool:
        return key in (self.plain() or {})

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._scenario._known(self._path)]


class Items(_Node, Sequence[Any]):
    """A list in a scenario, such as ``scenario.workload`` where there are several."""

    __slots__ = ()

    def __getitem__(self, row: Any) -> Any:
        if isinstance(row, slice):
            return [self[i] for i in range(*row.indices(len(self)))]
        return self._scenario._wrap(f"{self._path}[{self._row(row)}]")

    def __setitem__(self, row: int, value: Any) -> None:
        self._scenario.set(f"{self._path}[{self._row(row)}]", value)

    def _row(self, row: int) -> int:
        size = len(self)
        if not -size <= row < size:
            raise IndexError(f"{self._path} has {size} elements")
        return row % size

    def __len__(self) -> int:
        return len(self.plain())


class RunSection(Section):
    """Section ``run``: ``scenario.run.deadline`` is a key, ``scenario.run()`` runs."""

    __slots__ = ()

    def __call__(
        self,
        *,
        seed: Optional[int] = None,
        threads: Optional[int] = None,
        progress: ProgressOption = None,
        observer: Optional[Callable[[Sample], None]] = None,
    ) -> Result:
        """Runs the scenario; see :func:`spineleaf.run`."""
        from .running import run

        return run(self._scenario, seed=seed, threads=threads, progress=progress, observer=observer)


class TopologySection(Section):
    """Section ``topology``: ``scenario.topology.hosts`` is a key, ``scenario.topology()`` builds
    the fabric."""

    __slots__ = ()

    def __call__(self) -> Topology:
        """The fabric; see :func:`spineleaf.topology`."""
        from .topology import topology

        return topology(self._scenario)


def _join(path: str, key: str) -> str:
    if not isinstance(key, str):
        raise TypeError(f"keys are text, not {key!r}")
    return f"{path}.{key}" if path else key


def _value(text: str) -> Any:
    """A resolved value: a number where it is one, else text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


class Scenario(Section):
    """A scenario: like a dictionary, with keys as attributes, checked at each change.

    ``scenario.pfc.alpha = 0.5``, ``scenario["pfc"]["alpha"] = 0.5`` and
    ``scenario.set("pfc.alpha", 0.5)`` are the same. A change that does not fit raises InputError
    and leaves the scenario as it was; several that only fit together go into one ``set``.

    A run takes the scenario as it is when it starts: changing it then does no harm."""

    __slots__ = (
        "_compiled",
        "_file",
        "_flows",
        "_lock",
        "_overrides",
        "_problems",
        "_resolved",
        "_shown_as",
        "_text",
        "_tree",
    )

    _compiled: _core.CompiledScenario
    _problems: list[Problem]

    def __init__(self, content: Mapping[str, Any]) -> None:
        """A scenario from a dictionary."""
        if not isinstance(content, Mapping):
            raise TypeError(f"a scenario is a dictionary, not {type(content).__name__}")
        self._begin(json.dumps(_plain(content, ""), indent=2).encode(), "<dict>", "<dict>")

    def _begin(self, text: bytes, file: str, shown_as: Optional[str]) -> None:
        keep = object.__setattr__
        keep(self, "_scenario", self)
        keep(self, "_path", "")
        keep(self, "_lock", threading.RLock())
        keep(self, "_text", text)
        keep(self, "_file", file)
        keep(self, "_shown_as", shown_as)
        keep(self, "_overrides", [])
        keep(self, "_flows", [])
        self._compile([], [])

    @classmethod
    def _from_text(cls, text: bytes, file: str, shown_as: Optional[str]) -> Scenario:
        scenario = cls.__new__(cls)
        scenario._begin(text, file, shown_as)
        return scenario

    @classmethod
    def _from_dict(cls, content: Mapping[str, Any]) -> Scenario:
        return cls(content)

    def _read(
        self,
        overrides: Sequence[tuple[str, str]],
        flows: Sequence[FlowTable],
        workload_required: bool,
    ) -> _core.CompiledScenario:
        compiled, rows = _core.read(
            self._text,
            self._file,
            list(overrides),
            [one.core() for one in flows],
            workload_required,
        )
        problems = from_core(rows, self._shown_as)
        require(problems)
        for one in problems:
            if one.severity == "warning":
                warnings.warn(str(one), InputWarning, stacklevel=5)
        object.__setattr__(self, "_problems", problems)
        assert compiled is not None
        return compiled

    def _compile(self, overrides: list[tuple[str, str]], flows: list[FlowTable]) -> None:
        compiled = self._read(overrides, flows, False)
        keep = object.__setattr__
        keep(self, "_compiled", compiled)
        keep(self, "_overrides", overrides)
        keep(self, "_flows", flows)
        keep(self, "_tree", _core.tree(self._text, overrides))
        keep(self, "_resolved", {key: value for key, value, _ in compiled.resolved()})

    def _change(self, sets: list[tuple[str, str]]) -> None:
        if not sets:
            return
        with self._lock:
            paths = {path for path, _ in sets}
            kept = [pair for pair in self._overrides if pair[0] not in paths]
            self._compile(kept + sets, self._flows)

    def set(self, key: Union[str, Mapping[str, Any]], value: Any = ...) -> Scenario:
        """Sets a key, ``set("pfc.alpha", 0.5)``, or several at once,
        ``set({"topology.kind": "single_switch", "topology.hosts": 4})``. Returns the scenario.

        Raises InputError where the scenario would not be valid; it then stays as it was."""
        if isinstance(key, Mapping):
            if value is not ...:
                raise TypeError("set() takes a key and a value, or a dictionary alone")
            self._change(_sets(key))
        elif isinstance(key, str):
            if value is ...:
                raise TypeError(f"set({key!r}, ...) needs a value")
            self._change(_sets({key: value}))
        else:
            raise TypeError(f"a key is text such as 'pfc.alpha', not {type(key).__name__}")
        return self

    def add_flows(self, table: Table, name: str = "flows") -> Scenario:
        """Adds a list of flows as a workload, beside what the scenario has. Returns the scenario.

        ``table`` is a DataFrame, a numpy array with named fields, or a dictionary of columns:
        ``from`` and ``to`` (names such as "host3", "host3:1" for its NIC 1, or numbers of hosts),
        ``size_bytes``; optional ``start_us`` (0), ``rate_gbps`` (0 = line rate) and
        ``traffic_class`` (-1 = the data class). A million flows are fine.

        Raises InputError that names column and row; the scenario then stays as it was."""
        added = flow_table(table, name)
        with self._lock:
            self._compile(list(self._overrides), [*self._flows, added])
        return self

    def set_topology(self, graph: Any) -> Scenario:
        """Takes the fabric from a networkx graph: see :func:`spineleaf.custom_topology`. Returns
        the scenario."""
        return self.set("topology", custom_topology(graph))

    def _ready(self) -> _core.CompiledScenario:
        """What runs. Raises InputError where there is no workload."""
        with self._lock:
            if self._compiled.workloads == 0:
                self._read(self._overrides, self._flows, True)
            return self._compiled

    def copy(self) -> Scenario:
        """A scenario of its own with the same content."""
        with self._lock:
            other = type(self).__new__(type(self))
            for name in self.__slots__:
                object.__setattr__(other, name, getattr(self, name))
            object.__setattr__(other, "_scenario", other)
            object.__setattr__(other, "_path", "")
            object.__setattr__(other, "_lock", threading.RLock())
            return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Scenario:
        return self.copy()

    @property
    def run(self) -> RunSection:
        """Section ``run``; called, it runs the scenario."""
        return RunSection(self, "run")

    @property
    def topology(self) -> TopologySection:
        """Section ``topology``; called, it builds the fabric."""
        return TopologySection(self, "topology")

    @property
    def problems(self) -> list[Problem]:
        """What is doubtful or worth a note about the scenario, none of it an error."""
        return list(self._problems)

    @property
    def resolved(self) -> pd.DataFrame:
        """Every key with the value that the run will use and where that comes from."""
        return pd.DataFrame(self._compiled.resolved(), columns=["key", "value", "origin"])

    @property
    def lock_text(self) -> str:
        """The scenario with every default resolved: reading it gives the same run, bit for bit."""
        return self._compiled.lock_text()

    def _written(self, path: str) -> Any:
        node = _core.tree(self._text, self._overrides)
        for step in _steps(path):
            node = _step(node, step)
        return node

    def _wrap(self, path: str) -> Any:
        node = self._tree
        for step in _steps(path):
            node = _step(node, step)
        if isinstance(node, dict):
            if path == "run":
                return self.run
            return self.topology if path == "topology" else Section(self, path)
        return Items(self, path) if isinstance(node, list) else node

    def _get(self, path: str, key: str) -> Any:
        full = _join(path, key)
        wrapped = self._wrap(full)
        if wrapped is not None:
            return wrapped
        # Before a key of the only workload stands its number in the resolved values.
        for name in (full, full.replace("workload.", "workload[0].", 1)):
            if name in self._resolved:
                return _value(self._resolved[name])
        if any(name.startswith(f"{full}.") for name in self._resolved):
            return Section(self, full)
        near = difflib.get_close_matches(full, self._resolved, 1)
        raise KeyError(f"no key {full}" + (f"; did you mean {near[0]}?" if near else ""))

    def _known(self, path: str) -> list[str]:
        prefix = f"{path}." if path else ""
        names = {key[len(prefix) :].split(".")[0] for key in self._resolved
                 if key.startswith(prefix)}  # fmt: skip
        return sorted(name for name in names if name.isidentifier())

    def __repr__(self) -> str:
        return f"<Scenario {self._compiled.name or self._file!r}: {', '.join(self)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (
            _revive,
            (self._text, self._file, self._shown_as, list(self._overrides), list(self._flows)),
        )

    def _repr_html_(self) -> str:
        from .html import scenario_card

        return scenario_card(self)


def _revive(
    text: bytes,
    file: str,
    shown_as: Optional[str],
    overrides: list[tuple[str, str]],
    flows: list[FlowTable],
) -> Scenario:
    scenario = Scenario._from_text(text, file, shown_as)
    scenario._compile(overrides, flows)
    return scenario


def _steps(path: str) -> list[Union[str, int]]:
    """ "workload[1].bytes" is workload, 1, bytes."""
    steps: list[Union[str, int]] = []
    for part in path.split(".") if path else []:
        name, *rows = part.replace("]", "").split("[")
        steps.append(name)
        steps.extend(int(row) for row in rows)
    return steps


def _step(node: Any, step: Union[str, int]) -> Any:
    """One step down; None where there is nothing. The only element of a list may go unnamed, and
    a single object may be named as element 0."""
    if isinstance(step, int):
        if isinstance(node, list):
            return node[step] if step < len(node) else None
        return node if step == 0 else None
    if isinstance(node, list) and len(node) == 1:
        node = node[0]
    return node.get(step) if isinstance(node, dict) else None
