"""The embedded AWS as a context manager: a server on loopback, and the way for tools to reach it."""

from __future__ import annotations

import logging
import os
import tempfile
from contextlib import ExitStack
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Self

from werkzeug.serving import BaseWSGIServer, make_server

from clusterwright.errors import LocalCloudError
from clusterwright.localcloud.account import ACCESS_KEY_ID, SECRET_ACCESS_KEY, Account
from clusterwright.localcloud.application import Application
from clusterwright.localcloud.cloudformation.service import CloudFormationService
from clusterwright.localcloud.isolation import NOWHERE, own_settings_aside
from clusterwright.localcloud.moto_state import empty_moto
from clusterwright.localcloud.services.ec2 import Ec2Service
from clusterwright.localcloud.services.eks import EksService
from clusterwright.localcloud.services.fsx import FsxService
from clusterwright.localcloud.services.s3express import S3ExpressService

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

    from clusterwright.localcloud.kubernetes.api import KubernetesApi
    from clusterwright.localcloud.services.ec2 import CapacityReservation

DEFAULT_ACCOUNT_ID = "123456789012"
POLL_SECONDS = 0.02
"""How often the server looks whether it should stop."""

KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "TERM", "NO_COLOR", "TMPDIR", "VIRTUAL_ENV", "SYSTEMROOT")
"""What a child process keeps of the user's environment. No variable that begins with AWS_ is among them."""


class LocalCloud:
    """An AWS account of its own on loopback, empty at the start and gone at the end.

    Two of them cannot run at once in one process: moto keeps its state in the process. While one runs, the
    process has none of the user's ``AWS_`` variables.

    Args:
        account_id: The account's id.
        region: The region that it serves.

    Example:
        >>> with LocalCloud(region="us-east-2") as cloud:
        ...     vpcs = cloud.client("ec2").describe_vpcs()
    """

    def __init__(self, account_id: str = DEFAULT_ACCOUNT_ID, region: str = "us-east-2") -> None:
        self._account_id = account_id
        self._region = region
        self._resources = ExitStack()
        self._account: Account | None = None
        self._ec2: Ec2Service | None = None
        self._home: Path | None = None

    def __enter__(self) -> Self:
        """Start the server.

        Raises:
            LocalCloudError: No loopback port can be had.
        """
        with ExitStack() as starting:
            starting.enter_context(own_settings_aside())
            starting.enter_context(empty_moto())
            home = starting.enter_context(tempfile.TemporaryDirectory(prefix="clusterwright-home-"))
            self._home = Path(home)
            server = self._listen()
            starting.callback(server.server_close)
            self._account = Account(self._account_id, self._region, f"http://127.0.0.1:{server.server_port}")
            self._ec2 = Ec2Service(self._account)
            server.app = Application(
                self._account,
                {
                    "cloudformation": CloudFormationService(self._account),
                    "ec2": self._ec2,
                    "eks": EksService(self._account),
                    "fsx": FsxService(self._account),
                    "s3express": S3ExpressService(self._account),
                },
            )
            thread = Thread(target=server.serve_forever, args=(POLL_SECONDS,), daemon=True, name="localcloud")
            thread.start()
            starting.callback(thread.join)
            starting.callback(server.shutdown)
            self._resources = starting.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Forget everything and stop the server."""
        self._resources.__exit__(kind, error, traceback)
        self._account = self._ec2 = self._home = None

    @property
    def account(self) -> Account:
        """The account.

        Raises:
            LocalCloudError: The embedded AWS does not run.
        """
        if self._account is None:
            raise LocalCloudError("the embedded AWS does not run: use it in a with statement")
        return self._account

    @property
    def endpoint(self) -> str:
        """Where every service answers, such as ``http://127.0.0.1:40123``."""
        return self.account.endpoint

    def client(self, service: str) -> Any:  # noqa: ANN401  boto3 makes clients at run time
        """A boto3 client of the embedded AWS."""
        return self.account.client(service)

    def kubernetes(self, cluster: str) -> KubernetesApi:
        """The recorded Kubernetes API of an EKS cluster, for example ``.list("PersistentVolume")``.

        Raises:
            LocalCloudError: There is no such cluster.
        """
        if cluster not in self.account.kubernetes:
            raise LocalCloudError(f"there is no cluster {cluster}")
        return self.account.kubernetes[cluster]

    def add_reservation(self, reservation: CapacityReservation) -> None:
        """Put a capacity reservation into the account, as if it had been bought."""
        self.account  # noqa: B018  raises unless it runs
        assert self._ec2 is not None  # noqa: S101  set together with the account
        self._ec2.add_reservation(reservation)

    def settings(self) -> dict[str, str]:
        """The variables that lead boto3, the AWS CLI and the CDK CLI to this account."""
        return {
            "AWS_ACCESS_KEY_ID": ACCESS_KEY_ID,
            "AWS_SECRET_ACCESS_KEY": SECRET_ACCESS_KEY,
            "AWS_REGION": self.account.region,
            "AWS_DEFAULT_REGION": self.account.region,
            "AWS_ENDPOINT_URL": self.endpoint,
        }

    def environment(self, parent: Mapping[str, str] | None = None) -> dict[str, str]:
        """The whole environment of a child process that talks to this account and to no other.

        Credentials, profiles and configuration of the user are neither passed on nor found: the home folder
        is a temporary one.

        Args:
            parent: The environment to take `KEPT_VARIABLES` from; this process's unless given.
        """
        assert self._home is not None, "the embedded AWS does not run"  # noqa: S101  a bug of the caller
        source = os.environ if parent is None else parent
        kept = {name: source[name] for name in KEPT_VARIABLES if name in source}
        return {
            **kept,
            **self.settings(),
            "HOME": str(self._home),
            "CDK_HOME": str(self._home / "cdk"),
            **NOWHERE,
            "AWS_EC2_METADATA_DISABLED": "true",
            "CDK_DISABLE_CLI_TELEMETRY": "true",
            "CDK_VALIDATION": "false",
            "NO_PROXY": "localhost,127.0.0.1",
            "JSII_RUNTIME_PACKAGE_CACHE_ROOT": _jsii_cache(source),
        }

    @staticmethod
    def _listen() -> BaseWSGIServer:
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        try:
            return make_server("127.0.0.1", 0, app=_starting, threaded=True)
        except OSError as error:
            raise LocalCloudError(f"the embedded AWS cannot listen on loopback: {error}") from error


def _starting(environ: object, start_response: Any) -> list[bytes]:  # noqa: ANN401  WSGI
    """Answer before the application is there; the port is known only once the server listens."""
    del environ
    start_response("503 Service Unavailable", [])
    return [b""]


def _jsii_cache(environment: Mapping[str, str]) -> str:
    """Where jsii keeps its unpacked packages: the user's cache, which is warm and holds nothing of AWS."""
    given = environment.get("JSII_RUNTIME_PACKAGE_CACHE_ROOT")
    cache = environment.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return given or str(Path(cache) / "aws" / "jsii" / "package-cache")
