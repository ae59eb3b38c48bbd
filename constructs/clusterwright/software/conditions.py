"""The language that rules are written in: what must hold of the versions and of the nodes for a rule to fire.

A condition on a component that is not pinned does not hold: nothing is concluded from what is not known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from clusterwright.software.images import IMAGES, newest_kubernetes
from clusterwright.software.releases import bundle_of
from clusterwright.software.versions import is_older, is_same, version_key

if TYPE_CHECKING:
    from clusterwright.software.situations import Situation


class Condition(Protocol):
    """Something that holds in a situation, or does not."""

    @property
    def components(self) -> tuple[str, ...]:
        """The components that it is about."""
        ...

    def holds(self, situation: Situation) -> bool:
        """Whether it does."""
        ...


@dataclass(frozen=True, slots=True)
class _OnVersion:
    component: str
    version: str

    @property
    def components(self) -> tuple[str, ...]:
        return (self.component,)


@dataclass(frozen=True, slots=True)
class Below(_OnVersion):
    """A component is older than a version."""

    def holds(self, situation: Situation) -> bool:
        """Whether it is."""
        version = situation.versions.get(self.component)
        return version is not None and is_older(version, self.version)


@dataclass(frozen=True, slots=True)
class AtLeast(_OnVersion):
    """A component is at a version or newer."""

    def holds(self, situation: Situation) -> bool:
        """Whether it is."""
        version = situation.versions.get(self.component)
        return version is not None and not is_older(version, self.version)


@dataclass(frozen=True, slots=True)
class Equals(_OnVersion):
    """A component is exactly at a version."""

    def holds(self, situation: Situation) -> bool:
        """Whether it is."""
        version = situation.versions.get(self.component)
        return version is not None and is_same(version, self.version)


@dataclass(frozen=True, slots=True)
class OutsideSeries:
    """A component belongs to none of some series, such as ``2.30``."""

    component: str
    series: tuple[str, ...]

    @property
    def components(self) -> tuple[str, ...]:
        """The component."""
        return (self.component,)

    def holds(self, situation: Situation) -> bool:
        """Whether it does."""
        version = situation.versions.get(self.component)
        if version is None:
            return False
        key = version_key(version)
        return not any(key[: len(own)] == own for own in (version_key(each)[:-1] for each in self.series))


@dataclass(frozen=True, slots=True)
class Differs:
    """Two components have different versions."""

    one: str
    other: str

    @property
    def components(self) -> tuple[str, ...]:
        """Both."""
        return (self.one, self.other)

    def holds(self, situation: Situation) -> bool:
        """Whether they have."""
        one, other = situation.versions.get(self.one), situation.versions.get(self.other)
        return one is not None and other is not None and not is_same(one, other)


@dataclass(frozen=True, slots=True)
class DiffersFromBundle:
    """A component is not at the version that comes with a release which is known to bring one."""

    component: str
    bundle: str

    @property
    def components(self) -> tuple[str, ...]:
        """Both."""
        return (self.component, self.bundle)

    def holds(self, situation: Situation) -> bool:
        """Whether it is not."""
        release, version = situation.chosen.get(self.bundle), situation.chosen.get(self.component)
        if release is None or version is None:
            return False
        bundled = bundle_of(self.bundle, release).get(self.component)
        return bundled is not None and not is_same(version, bundled)


@dataclass(frozen=True, slots=True)
class OverridesImage:
    """A component is overridden with another version than the nodes' image brings."""

    component: str

    @property
    def components(self) -> tuple[str, ...]:
        """The component, and what pins an image."""
        return (self.component, *IMAGES.values())

    def holds(self, situation: Situation) -> bool:
        """Whether it is."""
        if situation.image is None or self.component not in situation.overridden:
            return False
        held = situation.image.versions.get(self.component)
        return held is not None and not is_same(held, situation.chosen[self.component])


@dataclass(frozen=True, slots=True)
class IsOverridden:
    """A component is overridden."""

    component: str

    @property
    def components(self) -> tuple[str, ...]:
        """The component."""
        return (self.component,)

    def holds(self, situation: Situation) -> bool:
        """Whether it is."""
        return self.component in situation.overridden


@dataclass(frozen=True, slots=True)
class NewerThanImage:
    """A component is newer than what the nodes' image brings."""

    component: str

    @property
    def components(self) -> tuple[str, ...]:
        """The component, and what pins an image."""
        return (self.component, *IMAGES.values())

    def holds(self, situation: Situation) -> bool:
        """Whether it is."""
        held = situation.image.versions.get(self.component) if situation.image is not None else None
        version = situation.chosen.get(self.component)
        return held is not None and version is not None and is_older(held, version)


@dataclass(frozen=True, slots=True)
class ImageTooOldForKubernetes:
    """The release of the image was built before the cluster's Kubernetes version."""

    image: str

    @property
    def components(self) -> tuple[str, ...]:
        """What pins the image."""
        return (self.image,)

    def holds(self, situation: Situation) -> bool:
        """Whether it was."""
        image, kubernetes = situation.image, situation.target.kubernetes
        if image is None or image.image != self.image or not kubernetes:
            return False
        return is_older(newest_kubernetes(image), kubernetes)


@dataclass(frozen=True, slots=True)
class _OnNodes:
    components = ()  # it is about the nodes, not about a version


@dataclass(frozen=True, slots=True)
class OnAccelerator(_OnNodes):
    """The nodes have one of some accelerators, in EC2's words."""

    names: tuple[str, ...]

    def holds(self, situation: Situation) -> bool:
        """Whether they have."""
        return situation.target.accelerator in self.names


@dataclass(frozen=True, slots=True)
class OnVendor(_OnNodes):
    """The nodes have accelerators of a vendor."""

    vendor: str

    def holds(self, situation: Situation) -> bool:
        """Whether they have."""
        return situation.target.vendor == self.vendor


@dataclass(frozen=True, slots=True)
class OnCapability(_OnNodes):
    """The GPUs have one of some compute capabilities."""

    capabilities: tuple[str, ...]

    def holds(self, situation: Situation) -> bool:
        """Whether they have."""
        return situation.target.compute_capability in self.capabilities


@dataclass(frozen=True, slots=True)
class OnFamily(_OnNodes):
    """The nodes are of one of some instance families."""

    families: tuple[str, ...]

    def holds(self, situation: Situation) -> bool:
        """Whether they are."""
        return situation.target.family in self.families


@dataclass(frozen=True, slots=True)
class OnArchitecture(_OnNodes):
    """The nodes' processors have an architecture."""

    architecture: str

    def holds(self, situation: Situation) -> bool:
        """Whether they have."""
        return situation.target.architecture == self.architecture


@dataclass(frozen=True, slots=True)
class OnOrchestrator(_OnNodes):
    """The cluster has one of some orchestrators."""

    kinds: tuple[str, ...]

    def holds(self, situation: Situation) -> bool:
        """Whether it has."""
        return situation.target.orchestrator in self.kinds


@dataclass(frozen=True, slots=True)
class OnSystem(_OnNodes):
    """The nodes run one of some operating systems."""

    systems: tuple[str, ...]

    def holds(self, situation: Situation) -> bool:
        """Whether they do."""
        return situation.target.operating_system in self.systems


@dataclass(frozen=True, slots=True)
class OnKernel(_OnNodes):
    """The nodes' kernel is at least one version and older than another."""

    oldest: str
    before: str

    def holds(self, situation: Situation) -> bool:
        """Whether it is; not where it is not known."""
        kernel = situation.target.kernel or (situation.image.kernel if situation.image else "")
        return bool(kernel) and not is_older(kernel, self.oldest) and is_older(kernel, self.before)


@dataclass(frozen=True, slots=True)
class WithEfa(_OnNodes):
    """The nodes have EFA devices."""

    def holds(self, situation: Situation) -> bool:
        """Whether they have."""
        return situation.target.has_efa


class _Combination:
    """Several conditions."""

    __slots__ = ("conditions",)

    def __init__(self, *conditions: Condition) -> None:
        self.conditions = conditions

    @property
    def components(self) -> tuple[str, ...]:
        """Those of all conditions, each once."""
        return tuple(dict.fromkeys(each for condition in self.conditions for each in condition.components))


class AllOf(_Combination):
    """Each of some conditions holds."""

    __slots__ = ()

    def holds(self, situation: Situation) -> bool:
        """Whether each does."""
        return all(condition.holds(situation) for condition in self.conditions)


class AnyOf(_Combination):
    """At least one of some conditions holds."""

    __slots__ = ()

    def holds(self, situation: Situation) -> bool:
        """Whether one does."""
        return any(condition.holds(situation) for condition in self.conditions)


class Not(_Combination):
    """None of some conditions holds."""

    __slots__ = ()

    def holds(self, situation: Situation) -> bool:
        """Whether none does."""
        return not any(condition.holds(situation) for condition in self.conditions)
