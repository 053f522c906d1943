from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMAND = Path(os.environ.get("SPINELEAF_COMMAND", ROOT / "build" / "release" / "spineleaf"))


@pytest.fixture(scope="session")
def root() -> Path:
    """The project."""
    return ROOT


@pytest.fixture(scope="session")
def command():
    """Runs the command with arguments; it must have been built."""
    assert COMMAND.exists(), f"{COMMAND} is not built: run scripts/test.sh"

    def call(*arguments: object) -> subprocess.CompletedProcess[str]:
        line = [str(COMMAND), *map(str, arguments)]
        return subprocess.run(line, capture_output=True, text=True, check=False)

    return call
