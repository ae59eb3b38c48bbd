"""The inputs of each script: one model a template, and nothing else reaches it."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class ScriptContext(BaseModel):
    """What every script's inputs share: frozen, typed strictly, closed."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", defer_build=True)


class EksNodeContext(ScriptContext):
    """What an EKS node needs to know at its first boot.

    EKS adds the rest (cluster name, endpoint, certificate) to a managed node group's user data itself.
    """

    max_pods: int = Field(ge=1, le=1000, description="Pods that the kubelet accepts.")
    local_storage: Literal["RAID0", "Mount"] | None = Field(
        description="What becomes of the local NVMe disks: one striped volume, one mount each, or nothing."
    )
    local_storage_path: str | None = Field(
        default=None, description="Where they are mounted, as PATH/0 and so on; nodeadm chooses unless given."
    )
    has_containerd_on_local_storage: bool = Field(
        default=True, description="Whether container images and the logs of pods are kept on them."
    )
