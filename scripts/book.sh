#!/usr/bin/env bash
# Builds the documents as a book, build/book/html/index.html, with a reference of all scenario keys and
# a page on how far to trust the figures, both written by the command, which must have been built. Any warning of Sphinx fails it.

source "$(dirname "$0")/lib.sh"

want_packages "${PYTHON_PACKAGES[@]}"
python_venv book "$(python_requirements docs)"
rm -rf build/book
mkdir -p build/book/source
cp -r docs/*.md docs/adr docs/book/conf.py docs/book/index.rst build/book/source/
cp README.md build/book/source/start.md
sed -i -e '1s|.*|# Start|' -e 's|](docs/images/|](images/|' -e 's|](docs/|](|g' build/book/source/start.md
cp -r docs/images build/book/source/
python3 docs/book/write_reference.py build/release/spineleaf >build/book/source/reference.md
python3 docs/book/write_trust.py build/release/spineleaf >build/book/source/trust.md
build/venv/book/bin/python -m sphinx -q -W --keep-going build/book/source build/book/html
say "build/book/html/index.html"
