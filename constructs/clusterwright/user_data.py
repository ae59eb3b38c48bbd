"""The user data of pools under EKS and PCS, or an error that says what is too much."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.errors import UserDataError
from clusterwright_lifecycle.contexts import EksNodeContext
from clusterwright_lifecycle.eks_user_data import UserDataSizeError, render_eks_user_data
from clusterwright_lifecycle.pcs_user_data import render_pcs_user_data

if TYPE_CHECKING:
    from clusterwright_lifecycle.contexts import BootContext


def fit_user_data(pool: str, context: EksNodeContext | BootContext) -> str:
    """The user data of a pool's nodes.

    Args:
        pool: Name of the pool.
        context: What its nodes need to know: under PCS, where their scripts are.

    Raises:
        UserDataError: It is larger than EC2 takes, which rules on single fields did not foresee.
    """
    try:
        if isinstance(context, EksNodeContext):
            return render_eks_user_data(context)
        return render_pcs_user_data(context)
    except UserDataSizeError as error:
        raise UserDataError(
            f"pool {pool}: {error}; shorten software.environment, or the names of the pool"
        ) from error
