"""How a process of ours starts and ends: exit codes, and what makes a short one fast."""

from __future__ import annotations

import gc
import sys
from types import ModuleType

EXIT_ERRORS = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130


def start_fast() -> None:
    """Spare a process of a second what only a long one gains from: together a tenth of its time.

    Imports allocate a great deal and free next to nothing, so garbage is looked for rarely. And pydantic does
    not search for plugins: that loads `importlib.metadata`, and with it much of the standard library.
    Should pydantic keep its loader elsewhere one day, this does nothing, and test_import_cost.py tells.
    """
    gc.set_threshold(100_000, 50, 50)
    loader = ModuleType("pydantic.plugin._loader")
    vars(loader)["get_plugins"] = tuple
    sys.modules.setdefault(loader.__name__, loader)
