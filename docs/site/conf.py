"""Sphinx's settings: pages are staged by `keywright docs`, which calls Sphinx with this file."""

project = "Keywright"
author = "The Keywright authors"
extensions = ["myst_parser"]
root_doc = "index"
exclude_patterns = ["site/*"]
myst_heading_anchors = 6
myst_links_external_new_tab = False
nitpicky = True
smartquotes = False  # options begin with two hyphens
html_theme = "furo"
html_title = "Keywright"
html_favicon = "favicon.svg"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0f6f68", "color-brand-content": "#0f6f68"},
    "dark_css_variables": {"color-brand-primary": "#5fd0c5", "color-brand-content": "#5fd0c5"},
}
pygments_style = "friendly"
pygments_dark_style = "native"
