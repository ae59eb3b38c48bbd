"""The inputs of each script: one model a template, and nothing else reaches it."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class ScriptContext(BaseModel):
    """What every script's inputs share: frozen, typed strictly, closed."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class EksNodeContext(ScriptContext):
    """What an EKS node needs to know at its first boot.

    EKS adds the rest (cluster name, endpoint, certificate) to a managed node group's user data itself.
    """

    max_pods: int = Field(ge=1, le=1000, description="Pods that the kubelet accepts.")
    has_local_nvme: bool = Field(description="Whether to stripe the local NVMe disks into one RAID 0 volume.")
