"""User data that EC2 would refuse is an error that says what to shorten."""

from __future__ import annotations

import pytest

from clusterwright.errors import UserDataError
from clusterwright.user_data import fit_user_data
from clusterwright_lifecycle.contexts import BootContext, EksNodeContext


def make_context(text: str) -> EksNodeContext:
    boot = BootContext(
        region="us-east-2", archive_url="s3://a/b", archive_sha256="0" * 64, own={"node.env": text}
    )
    return EksNodeContext(max_pods=110, local_storage=None, boot=boot)


def test_what_fits_is_rendered() -> None:
    assert "CW_POOL=train" in fit_user_data("train", make_context("CW_POOL=train\n"))


def test_what_does_not_fit_names_the_pool_and_the_field() -> None:
    with pytest.raises(
        UserDataError, match=r"pool train: the user data has \d+ bytes, .*software\.environment"
    ):
        fit_user_data("train", make_context("x" * 16_384))
