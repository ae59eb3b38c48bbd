"""The ``orchestrator`` section: what schedules the work.

Most files name ``eks``, and `clusterwright validate` runs in an editor's save hook. So the models of the
other kinds are loaded once a file names one, rather than built for every file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import InitErrorDetails, PydanticKnownError, core_schema

from clusterwright.config.base import NO_INTERRUPTION, REPLACES_CLUSTER, REPLACES_NODES, Section
from clusterwright.config.fields import Cidr, Items, KubernetesVersion, RoleArn

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic_core import CoreSchema

    from clusterwright.config.hyperpod import HyperPodEksConfig
    from clusterwright.config.slurm_orchestrators import HyperPodSlurmConfig, PcsConfig

EKS_VERSIONS = ("1.30", "1.31", "1.32", "1.33", "1.34", "1.35", "1.36")
"""Kubernetes versions with an EKS AL2023 image, oldest first (awslabs/amazon-eks-ami, August 2026)."""

KINDS = ("eks", "hyperpod-eks", "hyperpod-slurm", "pcs")
"""What `orchestrator.kind` may be."""

SLURM_KINDS = ("hyperpod-slurm", "pcs")
"""Those that run Slurm; the others run Kubernetes."""


class KubernetesOrchestrator(Section):
    """What the orchestrators share that run Kubernetes on EKS."""

    kind: Annotated[str, REPLACES_CLUSTER] = Field(description="Which orchestrator runs the work.")
    version: Annotated[KubernetesVersion, REPLACES_NODES] = Field(
        default=EKS_VERSIONS[-1],
        description="Kubernetes version, in quotes. The newest that this release knows, unless you pin one. "
        "EKS upgrades one minor version at a time and never downgrades; nodes follow, a tenth at a time.",
    )
    endpoint: Annotated[Literal["private", "public", "both"], NO_INTERRUPTION] = Field(
        default="private",
        description="Where the Kubernetes API answers. Only inside the VPC, unless you open it.",
    )
    public_access_cidrs: Annotated[Items[Cidr], NO_INTERRUPTION] = Field(
        default=(), description="Who may reach a public endpoint; needed when there is one."
    )
    admins: Annotated[Items[RoleArn], NO_INTERRUPTION] = Field(
        default=(),
        description="IAM roles or users that administer the cluster. Nobody else can, not even its creator.",
    )


class EksConfig(KubernetesOrchestrator):
    """Amazon EKS with managed node groups, one a pool."""

    kind: Annotated[Literal["eks"], REPLACES_CLUSTER] = Field(description="Which orchestrator runs the work.")
    autoscaler: Annotated[Literal["none"], NO_INTERRUPTION] = Field(
        default="none",
        description="What adds and removes nodes. Nothing does: pools keep the size that you write.",
    )


class AnyOrchestrator:
    """A field's type: the section of the kind that the data names."""

    @classmethod
    def alternatives(cls) -> tuple[type[Section], ...]:
        """The sections, in the order of `KINDS`."""
        from clusterwright.config.hyperpod import HyperPodEksConfig  # noqa: PLC0415  see the module's docstring
        from clusterwright.config.slurm_orchestrators import (  # noqa: PLC0415  see the module's docstring
            HyperPodSlurmConfig,
            PcsConfig,
        )

        return EksConfig, HyperPodEksConfig, HyperPodSlurmConfig, PcsConfig

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        del source
        return core_schema.no_info_wrap_validator_function(
            _validate,
            handler(EksConfig),
            serialization=core_schema.plain_serializer_function_ser_schema(Section.model_dump),
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        del core
        tagged = {str(kind): model for kind, model in zip(KINDS, cls.alternatives(), strict=True)}
        choices = {kind: TypeAdapter(model).core_schema for kind, model in tagged.items()}
        return handler(core_schema.tagged_union_schema(choices, discriminator="kind"))


def _validate(data: Any, validate_eks: core_schema.ValidatorFunctionWrapHandler) -> Any:  # noqa: ANN401  as given
    """Hand the data to the section that it names; pydantic's own words where it names none."""
    if not isinstance(data, dict):
        is_other = isinstance(data, Section) and isinstance(data, AnyOrchestrator.alternatives())
        return data if is_other else validate_eks(data)
    if "kind" not in data:
        missing = InitErrorDetails(type="missing", loc=("kind",), input=data)
        raise ValidationError.from_exception_data("orchestrator", [missing])
    kind = data["kind"]
    if kind == "eks":
        return validate_eks(data)
    if kind not in KINDS:
        expected = ", ".join(f"'{each}'" for each in KINDS)
        context = {"discriminator": "'kind'", "tag": str(kind), "expected_tags": expected}
        raise PydanticKnownError("union_tag_invalid", context)
    return AnyOrchestrator.alternatives()[KINDS.index(kind)].model_validate(data)


if TYPE_CHECKING:
    OrchestratorConfig: TypeAlias = EksConfig | HyperPodEksConfig | HyperPodSlurmConfig | PcsConfig
else:
    OrchestratorConfig = AnyOrchestrator
