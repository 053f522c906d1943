"""Settings of the book; scripts/book.sh calls Sphinx with them."""

project = "Spineleaf"
extensions = ["myst_parser"]
html_theme = "furo"
html_title = "Spineleaf"
myst_heading_anchors = 3
# Links into the source tree stay as they are written; they lead nowhere in the book.
suppress_warnings = ["myst.xref_missing"]
