"""Rendering of the node scripts: strict Jinja2, one template and one context model a script."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined

if TYPE_CHECKING:
    from clusterwright_lifecycle.contexts import EksNodeContext, ScriptContext


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


def render(template: str, context: ScriptContext) -> str:
    """Fill in one template.

    Args:
        template: Path of the template in this package, such as ``eks/node_config.yaml.j2``.
        context: Its inputs; a name that the template uses and the context lacks is an error.
    """
    return _environment().get_template(template).render(context.model_dump())


def render_eks_user_data(context: EksNodeContext) -> str:
    """The user data of an EKS managed node: a MIME archive that holds nodeadm's NodeConfig.

    Its boundary is fixed, so that the same node always gets the same bytes.
    """
    return render("eks/user_data.mime.j2", context)
