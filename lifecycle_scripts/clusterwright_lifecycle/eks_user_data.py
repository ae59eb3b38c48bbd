"""The user data of EKS nodes: nodeadm's NodeConfig, and the script that puts a node's scripts in place."""

from __future__ import annotations

import hashlib
from importlib import resources
from typing import TYPE_CHECKING

from clusterwright_lifecycle.rendering import render

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusterwright_lifecycle.contexts import BootContext, EksNodeContext

USER_DATA_BYTES = 16_384
"""Most that EC2 takes, before it is encoded (EC2 user guide, "Run commands when you launch an instance")."""


class UserDataSizeError(ValueError):
    """User data is larger than EC2 takes."""


def render_eks_user_data(context: EksNodeContext) -> str:
    """The user data of an EKS managed node: a MIME archive, which EKS adds its own part to.

    Its boundary is fixed, so that the same node always gets the same bytes.

    Raises:
        UserDataSizeError: It is larger than EC2 takes.
    """
    boot_script = render_boot_script("eks/boot.sh.j2", context.boot) if context.boot else ""
    text = render("eks/user_data.mime.j2", context, boot_script=boot_script)
    return check_size(text)


def check_size(text: str) -> str:
    """User data, if EC2 takes it.

    Raises:
        UserDataSizeError: It is larger than EC2 takes.
    """
    size = len(text.encode())
    if size > USER_DATA_BYTES:
        raise UserDataSizeError(f"the user data has {size} bytes, and EC2 takes {USER_DATA_BYTES}")
    return text


def render_boot_script(template: str, boot: BootContext) -> str:
    """The script of user data that puts a node's scripts in place.

    Args:
        template: Path of its template.
        boot: Where the scripts are, and what of them is the pool's own.
    """
    prepare = resources.files("clusterwright_lifecycle") / "eks" / "prepare.sh"
    files = {"prepare.sh": prepare.read_text(encoding="utf-8")}
    files |= {f"own/{name}": text for name, text in sorted(boot.own.items())}
    return render(
        template,
        boot,
        files=[(name, text.removesuffix("\n")) for name, text in files.items()],
        mark=_make_mark(files.values()),
    )


def _make_mark(texts: Iterable[str]) -> str:
    """The line that ends each file: made from what they hold, so that none of them can hold it."""
    return f"END_{hashlib.sha256(chr(0).join(texts).encode()).hexdigest()[:32]}"
