"""Kubernetes' own schema of each kind, from the snapshot that kubernetes-validate ships."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable

SCHEMAS: Traversable = files("kubernetes_validate") / "kubernetes-json-schema"


def manifest_problems(version: str, manifest: Mapping[str, Any], *, is_strict: bool = True) -> list[str]:
    """What a Kubernetes server refuses in a manifest by its schema, one line each.

    Args:
        version: Kubernetes' version, such as ``1.34``.
        manifest: The manifest.
        is_strict: Whether unknown fields are refused, as kubectl's validation does.
    """
    api_version, kind = manifest.get("apiVersion"), manifest.get("kind")
    if not isinstance(api_version, str) or not isinstance(kind, str):
        return ["apiVersion and kind must be set"]
    validator = _validator(_folder(version, is_strict=is_strict), _file_name(api_version, kind))
    if validator is None:
        return [f'no matches for kind "{kind}" in version "{api_version}" of Kubernetes {version}']
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(manifest)]


def _folder(version: str, *, is_strict: bool) -> str:
    return f"v{version}.0-local{'-strict' if is_strict else ''}"


def _file_name(api_version: str, kind: str) -> str:
    """The file of a kind, such as ``storageclass-storage-v1.json`` of ``storage.k8s.io/v1``."""
    group, _, version = api_version.rpartition("/")
    parts = [kind.lower(), *filter(None, [group.partition(".")[0]]), version]
    return f"{'-'.join(parts)}.json"


@cache
def _validator(folder: str, file_name: str) -> Any | None:  # noqa: ANN401  of jsonschema
    file = SCHEMAS / folder / file_name
    if not file.is_file():
        return None
    return Draft202012Validator(json.loads(file.read_text("utf-8")), registry=_definitions(folder))


@cache
def _definitions(folder: str) -> Registry[Any]:
    contents = json.loads((SCHEMAS / folder / "_definitions.json").read_text("utf-8"))
    return Resource.from_contents(contents) @ Registry()
