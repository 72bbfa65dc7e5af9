# Sphinx reads this in the folder that capi/docs/site put together.
import os

project = "libtensordict"
author = "the authors of libtensordict"
copyright = "the authors of libtensordict, MIT licence"
release = version = os.environ.get("TD_SITE_VERSION", "")
extensions = ["myst_parser"]
myst_enable_extensions = ["fieldlist", "colon_fence"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = f"libtensordict {version}"
html_static_path = ["_static"]
html_js_files = ["names.js"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
primary_domain = highlight_language = "c"
c_id_attributes = ["TD_NOEXCEPT", "TD_API"]
nitpicky = True
# Types of C itself, and td_bool, a uint8_t.
nitpick_ignore = [("c:identifier", name) for name in (
    "size_t", "int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t", "uintptr_t", "td_bool")]
