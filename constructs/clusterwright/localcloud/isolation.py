"""The user's own AWS settings, set aside: neither read nor passed on."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PREFIX = "AWS_"
NOWHERE = {"AWS_CONFIG_FILE": os.devnull, "AWS_SHARED_CREDENTIALS_FILE": os.devnull}
"""What keeps the AWS SDKs from looking into ``~/.aws``."""


@contextmanager
def own_settings_aside() -> Iterator[None]:
    """Take every ``AWS_`` variable out of this process meanwhile, and hide ``~/.aws``.

    moto makes boto3 sessions of its own, on import and when it first meets a service: they would read the
    user's profile, and fail on one that is not there.
    """
    own = {name: value for name, value in os.environ.items() if name.startswith(PREFIX)}
    for name in own:
        del os.environ[name]
    os.environ.update(NOWHERE)
    try:
        yield
    finally:
        for name in NOWHERE:
            os.environ.pop(name, None)
        os.environ.update(own)
