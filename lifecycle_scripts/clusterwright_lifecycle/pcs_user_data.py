"""The user data of PCS nodes: it puts a node's scripts in place, and runs them before Slurm starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright_lifecycle.eks_user_data import check_size, render_boot_script
from clusterwright_lifecycle.rendering import render

if TYPE_CHECKING:
    from clusterwright_lifecycle.contexts import BootContext


def render_pcs_user_data(boot: BootContext) -> str:
    """The user data of a PCS node: a MIME archive, as PCS wants it, which it adds its own parts to.

    Args:
        boot: Where the node gets its scripts from, and what of them is its own.

    Raises:
        UserDataSizeError: It is larger than EC2 takes.
    """
    script = render_boot_script("pcs/boot.sh.j2", boot)
    return check_size(render("pcs/user_data.mime.j2", boot, boot_script=script))
