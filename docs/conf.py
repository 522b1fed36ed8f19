"""How the pages in this folder become a site: `make docs`, then open build/docs/index.html."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent / "_ext")]

from grader import __version__  # noqa: E402  (after the path)

project = "transformer-grader"
author = "the transformer-grader contributors"
version = release = __version__

extensions = ["myst_parser", "sphinx_click", "configuration", "diagnoses", "navigation", "access"]
exclude_patterns = ["_ext"]
source_suffix = {".md": "markdown"}
default_role = "code"  # docstrings of commands are written as in Markdown: one backtick

myst_heading_anchors = 3  # links to headings work here as they do on the forge
myst_links_external_new_tab = False

html_theme = "furo"
html_title = "transformer-grader"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
html_theme_options = {"top_of_page_buttons": []}
