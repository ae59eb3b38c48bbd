"""The user data of EKS nodes: nodeadm's NodeConfig, and the script that puts a node's scripts in place."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

from clusterwright_lifecycle.rendering import render

if TYPE_CHECKING:
    from clusterwright_lifecycle.contexts import BootContext, EksNodeContext

USER_DATA_BYTES = 16_384
"""Most that EC2 takes, before it is encoded (EC2 user guide, "Run commands when you launch an instance")."""

_MARK = "END_OF_CLUSTERWRIGHT_FILE"


def render_eks_user_data(context: EksNodeContext) -> str:
    """The user data of an EKS managed node: a MIME archive, which EKS adds its own part to.

    Its boundary is fixed, so that the same node always gets the same bytes.

    Raises:
        ValueError: It is larger than EC2 takes.
    """
    boot_script = render_boot_script("eks/boot.sh.j2", context.boot) if context.boot else ""
    text = render("eks/user_data.mime.j2", context, boot_script=boot_script)
    return check_size(text)


def check_size(text: str) -> str:
    """User data, if EC2 takes it.

    Raises:
        ValueError: It is larger than EC2 takes.
    """
    size = len(text.encode())
    if size > USER_DATA_BYTES:
        raise ValueError(f"the user data has {size} bytes, and EC2 takes {USER_DATA_BYTES}")
    return text


def render_boot_script(template: str, boot: BootContext) -> str:
    """The script of user data that puts a node's scripts in place.

    Args:
        template: Path of its template.
        boot: Where the scripts are, and what of them is the pool's own.

    Raises:
        ValueError: A file holds the line that ends it.
    """
    prepare = resources.files("clusterwright_lifecycle") / "eks" / "prepare.sh"
    files = {"prepare.sh": prepare.read_text(encoding="utf-8")}
    files |= {f"own/{name}": text for name, text in sorted(boot.own.items())}
    clash = [name for name, text in files.items() if _MARK in text]
    if clash:
        raise ValueError(f"{clash[0]} holds the line that ends it in the user data: {_MARK}")
    return render(
        template,
        boot,
        files=[(name, text.removesuffix("\n")) for name, text in files.items()],
        mark=_MARK,
    )
