"""The one file that goes to nodes: the modules of this package, one after the other.

On a node there is no package to import from, and one file can be copied by hand. So each module's own imports
go to the top, those of one another go, and the rest stays as it is written.
"""

from __future__ import annotations

import ast
from functools import cache
from importlib import resources

MODULES = ("node", "versions", "checks", "program")
"""In the order in which they need each other; the last one's docstring is the file's."""

PACKAGE = "clusterwright_lifecycle"

_Import = ast.Import | ast.ImportFrom


@cache
def assemble() -> str:
    """The text of ``verify_node.py``."""
    folder = resources.files(f"{PACKAGE}.verify")
    texts = [folder.joinpath(f"{name}.py").read_text(encoding="utf-8") for name in MODULES]
    parsed = [split(text) for text in texts]
    docstring = ast.get_docstring(ast.parse(texts[-1]), clean=False)
    head = f'#!/usr/bin/env python3\n"""{docstring}"""\n\nfrom __future__ import annotations\n\n'
    imports = merge([node for nodes, _ in parsed for node in nodes])
    return head + "\n".join(imports) + "\n\n" + "\n\n".join(body for _, body in parsed)


def split(text: str) -> tuple[list[_Import], str]:
    """A module's imports from the standard library, and what follows its imports.

    Annotations are never evaluated, so what is imported for them alone is left out.
    """
    head = [node for node in ast.parse(text).body if is_head(node)]
    kept = [node for node in head if isinstance(node, _Import) and is_kept(node)]
    last = head[-1].end_lineno or 0
    return kept, "".join(text.splitlines(keepends=True)[last:]).strip("\n") + "\n"


def is_head(node: ast.stmt) -> bool:
    """Whether a statement imports something, perhaps for type checkers alone."""
    is_for_types = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    return is_for_types or isinstance(node, _Import)


def is_kept(node: _Import) -> bool:
    """Whether an import is of the standard library, and needed when the file runs."""
    if isinstance(node, ast.Import):
        return True
    return node.module != "__future__" and not (node.module or "").startswith(PACKAGE)


def merge(imports: list[_Import]) -> list[str]:
    """The import statements, each name once, sorted."""
    modules = {alias.name for node in imports if isinstance(node, ast.Import) for alias in node.names}
    names: dict[str, set[str]] = {}
    for node in imports:
        if isinstance(node, ast.ImportFrom):
            names.setdefault(node.module or "", set()).update(alias.name for alias in node.names)
    names.get("typing", set()).discard("TYPE_CHECKING")
    plain = [f"import {module}" for module in sorted(modules)]
    return plain + [
        f"from {module} import {', '.join(sorted(each))}" for module, each in sorted(names.items())
    ]
