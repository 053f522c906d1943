"""What can go wrong, and how it is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, Optional, Sequence

if TYPE_CHECKING:
    from .result import Result

__all__ = ["InputError", "InputWarning", "Problem", "RunInterrupted"]


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with an input.

    ``line`` and ``column`` count from 1, columns in bytes; both are 0 where the value did not come
    from a file. ``str(problem)`` is the line that the command prints.
    """

    severity: str  #: "error", "warning" or "note"
    file: str
    line: int
    column: int
    path: str  #: the key, such as ``links[12].rate``; empty where the text itself is broken
    what: str
    expected: str
    hint: str
    budget: bool  #: valid, but over the memory or time allowed
    text: str

    def __str__(self) -> str:
        return self.text


class InputError(ValueError):
    """An input that can't be used, with all of its problems at once.

    ``file``, ``line``, ``column``, ``path`` and ``hint`` are those of the first error.
    """

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = list(problems)
        self.errors = [p for p in self.problems if p.severity == "error"]
        first = (self.errors or self.problems)[0]
        self.file = first.file
        self.line = first.line
        self.column = first.column
        self.path = first.path
        self.hint = first.hint
        super().__init__("\n".join(str(p) for p in self.problems))

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.problems,))


class InputWarning(UserWarning):
    """Something in an input that is allowed but probably not meant."""


class RunInterrupted(KeyboardInterrupt):
    """Ctrl-C, or a notebook's stop button, ended a run. ``result`` has what there was until then.

    In a notebook the exception is ``sys.last_value``.
    """

    def __init__(self, result: Result) -> None:
        self.result = result
        super().__init__(
            f"stopped at {result.simulated_us:g} us of simulated time; "
            "the exception's .result has what there was until then"
        )


def problem(what: str, *, file: str, path: str = "", expected: str = "", hint: str = "") -> Problem:
    """A problem found in Python, in the same words as those of the readers."""
    text = f"{file}: " + (f"{path}: " if path else "") + what
    text += f"; expected {expected}" if expected else ""
    text += "" if text.endswith(("?", ".")) else "."
    text += f" {hint}" if hint else ""
    return Problem("error", file, 0, 0, path, what, expected, hint, False, text)


def from_core(rows: Iterable[tuple[Any, ...]], source: Optional[str] = None) -> list[Problem]:
    """Problems of the C++ side. ``source`` replaces the file of a text that no file holds, where
    line and column would mean nothing."""
    problems = []
    for row in rows:
        severity, file, line, column, path, what, expected, hint, budget, text = row
        name = "set()" if file == "--set" else source if source is not None else file
        if name == source or name != file:
            place = f"{file}:{line}:{column}" if line > 0 else file
            text = name + text[len(place) :]
            line = column = 0
        problems.append(
            Problem(severity, name, line, column, path, what, expected, hint, budget, text)
        )
    return problems


def require(problems: Sequence[Problem]) -> None:
    """Raises InputError where a problem is an error."""
    if any(p.severity == "error" for p in problems):
        raise InputError(problems)
