"""Rendering of the node scripts: strict Jinja2, one template and one context model a script."""

from __future__ import annotations

from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from functools import cache
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined

if TYPE_CHECKING:
    from clusterwright_lifecycle.contexts import EksNodeContext, ScriptContext

BOUNDARY = "==clusterwright=="
"""A fixed MIME boundary, so that the same node always gets the same bytes."""


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
    """The user data of an EKS managed node: a MIME archive that holds nodeadm's NodeConfig."""
    archive = MIMEMultipart(boundary=BOUNDARY)
    part = MIMEText(render("eks/node_config.yaml.j2", context), "plain", "us-ascii")
    part.replace_header("Content-Type", "application/node.eks.aws")
    archive.attach(part)
    return archive.as_string()
