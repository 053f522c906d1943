"""What is shipped: scenarios, explanations of every key, the schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from . import _core
from .errors import InputError, problem

__all__ = ["data_dir", "explain", "scenarios", "schema"]


def data_dir() -> Path:
    """The folder of the shipped scenarios, catalogs and measurements. The environment variable
    ``SPINELEAF_DATA_DIR`` sets another one."""
    return Path(_core.data_dir())


def scenarios() -> list[str]:
    """Names of the shipped scenarios, for :func:`spineleaf.load`."""
    return sorted(path.stem for path in (data_dir() / "scenarios" / "library").glob("*.json"))


def explain(key: str = "") -> str:
    """Meaning, unit, default, range and source of a key (``pfc.alpha``), section, kind or preset;
    of nothing: a list of what there is.

    Raises InputError for a key that does not exist, with the nearest one."""
    if not isinstance(key, str):
        raise TypeError(f"a key is text such as 'pfc.alpha', not {type(key).__name__}")
    text, found = _core.explain(key.encode("utf-8", "replace"))
    if not found:
        raise InputError([problem(text.strip(), file="explain()")])
    return text


def schema() -> dict[str, Any]:
    """The scenario format as JSON Schema, draft 2020-12."""
    loaded: dict[str, Any] = json.loads(_core.schema_text())
    return loaded
