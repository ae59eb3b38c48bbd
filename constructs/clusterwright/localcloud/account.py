"""The account of the embedded AWS: who it is, and clients that talk to nothing else."""

from __future__ import annotations

import os
from functools import cache
from threading import Lock, RLock
from typing import TYPE_CHECKING, Any

import boto3
import botocore.session
from botocore.config import Config

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.localcloud.kubernetes.api import KubernetesApi

ACCESS_KEY_ID = "embedded"
SECRET_ACCESS_KEY = "embedded"  # noqa: S105  the embedded AWS checks no signature

ISOLATED_SETTINGS: Mapping[str, tuple[None, None, str | None, None]] = {
    "profile": (None, None, None, None),
    "config_file": (None, None, os.devnull, None),
    "credentials_file": (None, None, os.devnull, None),
    "ca_bundle": (None, None, None, None),
}
"""botocore's settings that would read the user's environment or home, each with neither file nor variable."""


class Account:
    """An account in one region, reachable at one loopback address.

    Attributes:
        id: Twelve digits.
        region: The only region that the embedded AWS serves, such as ``us-east-2``.
        endpoint: URL of every service, such as ``http://127.0.0.1:40123``.
        kubernetes: The recorded Kubernetes API of each EKS cluster, by the cluster's name.
        lock: Held while CloudFormation changes a stack, so that two deployments do not interleave.
    """

    def __init__(self, account_id: str, region: str, endpoint: str) -> None:
        self.id = account_id
        self.region = region
        self.endpoint = endpoint
        self.kubernetes: dict[str, KubernetesApi] = {}
        self.lock = RLock()
        self._clients: dict[str, Any] = {}
        self._clients_lock = Lock()
        self._session: Any = _isolated_session(region)

    def client(self, service: str) -> Any:  # noqa: ANN401  boto3 makes clients at run time
        """The boto3 client of a service, made once; it reads nothing of the user's AWS settings."""
        with self._clients_lock:
            if service not in self._clients:
                self._clients[service] = self._session.client(
                    service, endpoint_url=self.endpoint, config=Config(retries={"total_max_attempts": 1})
                )
            return self._clients[service]

    def arn(self, service: str, resource: str, *, is_global: bool = False) -> str:
        """The ARN of a resource of this account, such as ``arn:aws:eks:us-east-2:…:cluster/atlas``."""
        return f"arn:aws:{service}:{'' if is_global else self.region}:{self.id}:{resource}"


@cache
def _isolated_session(region: str) -> boto3.session.Session:
    core = botocore.session.Session(session_vars=dict(ISOLATED_SETTINGS))
    core.set_credentials(ACCESS_KEY_ID, SECRET_ACCESS_KEY)
    return boto3.session.Session(botocore_session=core, region_name=region)
