"""The book builds without a warning and has every key of a scenario."""

from __future__ import annotations

import re
import subprocess

import spineleaf


def test_the_book_builds_and_has_every_key(root):
    done = subprocess.run(
        [root / "scripts" / "book.sh"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    html = root / "build" / "book" / "html"
    page = (html / "reference.html").read_text()
    keys = {
        f"{section}.{key}"
        for section, of in spineleaf.schema()["properties"].items()
        for key in of.get("properties", {})
    }
    assert len(keys) > 100
    missing = [key for key in keys if f"<h3>{key}<" not in page]
    assert not missing
    assert ">topology fat_tree<" in page and ">workload incast<" in page
    assert "Choudhury" in page  # sources are told
    trust = (html / "trust.html").read_text()
    for verb in ("nccl", "sharp", "infiniband", "roce"):
        assert f"spineleaf validate {verb}" in trust
    assert re.search(r"<td[^>]*><p>all of them</p></td>\s*<td[^>]*><p>[\d.]+ / [\d.]+ %", trust)
    assert len(re.findall(r"<tr ", trust)) > 20
    assert "does not hold" not in trust
    index = (html / "index.html").read_text()
    for path in (root / "docs").glob("*.md"):
        assert f'href="{path.stem}.html"' in index, f"{path.name} is in no part of the book"
    assert re.search(r"<title>Spineleaf", index)
