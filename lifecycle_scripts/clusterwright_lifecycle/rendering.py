"""Rendering of the node scripts: strict Jinja2, one template and one context model a script."""

from __future__ import annotations

import shlex
from functools import cache
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusterwright_lifecycle.contexts import NodeContext, ScriptContext


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("clusterwright_lifecycle", ""),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701  shell and YAML, not HTML; contexts are typed
    )


def render(template: str, context: ScriptContext, **made: object) -> str:
    """Fill in one template.

    Args:
        template: Path of the template in this package, such as ``eks/boot.sh.j2``.
        context: Its inputs; a name that the template uses and the context lacks is an error.
        made: What was made from them first, such as a script that another one carries.
    """
    return _environment().get_template(template).render(context.model_dump(), **made)


def render_node_environment(node: NodeContext) -> str:
    """The file ``node.env`` of a bundle: one ``CW_NAME='value'`` a line, which the steps source.

    A claim is 1 or empty; a list is a line an entry, its parts set apart by ``|``.
    """
    variables = sorted((f"CW_{name}", shlex.quote(value)) for name, value in _node_variables(node).items())
    return _environment().get_template("node.env.j2").render(variables=variables)


# Fields that are written as they are: text, numbers and claims.
_PLAIN_FIELDS = (
    "cluster",
    "pool",
    "region",
    "orchestrator",
    "role",
    "instance_type",
    "accelerator",
    "accelerator_count",
    "accelerator_memory_mib",
    "gpu_product",
    "has_nvlink",
    "has_nvswitch",
    "has_imex",
    "efa_devices",
    "local_disks",
    "local_raid",
    "local_path",
    "software_set",
    "software_hash",
)


def _node_variables(node: NodeContext) -> dict[str, str]:
    plain = {name.upper(): _to_text(getattr(node, name)) for name in _PLAIN_FIELDS}
    versions = {
        f"VERSION_{component.upper().replace('-', '_')}": version
        for component, version in node.versions.items()
    }
    origins = {
        f"ORIGIN_{component.upper().replace('-', '_')}": origin
        for component, origin in node.origins.items()
        if component in node.versions
    }
    return {
        **plain,
        **versions,
        **origins,
        "OS": node.operating_system,
        "ARCH": node.architecture,
        "LOCAL_USES": " ".join(node.local_uses),
        "MIRROR_URL": node.mirror.url.rstrip("/") if node.mirror else "",
        "MIRROR_MANIFEST_SHA256": node.mirror.manifest_sha256 if node.mirror else "",
        "ENVIRONMENT": _to_lines(f"{name}={value}" for name, value in sorted(node.environment.items())),
        "MOUNTS": _to_lines(
            "|".join((each.kind, each.dns_name, each.export, each.path, _to_text(each.has_efa)))
            for each in node.mounts
        ),
        "USERS": _to_lines(f"{user.name}|{user.uid}" for user in node.users),
        "ARTIFACTS": _to_lines(
            "|".join((each.component, each.version, each.file, each.url, each.sha256 or ""))
            for each in node.artifacts
        ),
    }


def _to_text(value: object) -> str:
    if isinstance(value, bool):
        return "1" if value else ""
    return "" if value is None else str(value)


def _to_lines(entries: Iterable[str]) -> str:
    return "\n".join(entries)
