"""The types that tensordict_plugin.h repeats from tensordict/types.h, so that a plugin needs one header only."""
import re

BLOCK = re.compile(r"/\* \[shared types begin\] \*/\n.*?/\* \[shared types end\] \*/\n", re.S)


def emit(_api, root):
    """The plugin header as it is, with the block of types as it stands in the chapter."""
    types = (root / "capi/include/tensordict/types.h").read_text(encoding="utf-8")
    block = BLOCK.search(types).group(0)
    return BLOCK.sub(lambda _: block, (root / "plugins/tensordict_plugin.h").read_text(encoding="utf-8"), count=1)
