"""What every section of cluster.yaml shares: strictness, and a word on what a change costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    from pydantic import GetJsonSchemaHandler
    from pydantic_core import CoreSchema


class UnknownValueError(Exception):
    """A field is read of which the file does not say rightly what it holds; see `config.partial`."""


class Section(BaseModel):
    """A section of cluster.yaml: frozen, strictly typed, and closed to unknown fields."""

    model_config = ConfigDict(
        frozen=True,
        strict=True,
        extra="forbid",
        validate_default=True,
        defer_build=True,  # only the whole is validated, so only the whole needs a validator
    )

    if not TYPE_CHECKING:  # a type checker is to take every field for one that is there

        def __getattr__(self, name: str) -> Any:  # noqa: ANN401  any field's type
            """Python asks here for what is not there: a field only where the section is a partial one."""
            if name in type(self).model_fields:
                raise UnknownValueError(f"{type(self).__name__}.{name} is not known")
            return super().__getattr__(name)


@dataclass(frozen=True, slots=True)
class OnChange:
    """What changing a field does to a running cluster; shown in the reference and in the JSON Schema."""

    effect: str

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        schema = handler(core)
        schema["x-on-change"] = self.effect
        return schema


NO_INTERRUPTION = OnChange("no interruption")
REPLACES_NODES = OnChange("replaces nodes")
REPLACES_CLUSTER = OnChange("replaces the cluster")
LOSES_DATA = OnChange("loses data")
"""AWS answers with a new, empty bucket or file system, or refuses: move the data to a second one instead."""
