"""The Python in the documents works as it stands there, block after block."""

from __future__ import annotations

import re

import pytest

DOCUMENTS = ["README.md", "docs/python.md"]


def blocks(text: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_blocks_work(name, root, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = blocks((root / name).read_text())
    assert code
    names: dict = {"__name__": "document"}
    for block in code:
        exec(compile(block, name, "exec"), names)
    assert (tmp_path / "incast.png").stat().st_size > 10_000


def test_no_document_is_left_out(root):
    files = [root / "README.md", *root.glob("docs/**/*.md")]
    found = {str(path.relative_to(root)) for path in files if blocks(path.read_text())}
    assert found == set(DOCUMENTS)


def test_a_picture_takes_less_than_ten_lines(root):
    assert blocks((root / "README.md").read_text())[0].count("\n") < 10
