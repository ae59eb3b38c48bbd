"""Rendering of node scripts."""

from __future__ import annotations

from email import message_from_string

import pytest
import yaml
from jinja2 import UndefinedError
from pydantic import ValidationError

from clusterwright_lifecycle.contexts import EksNodeContext, ScriptContext
from clusterwright_lifecycle.eks_user_data import render_eks_user_data
from clusterwright_lifecycle.rendering import render


def node_config(context: EksNodeContext) -> dict[str, object]:
    archive = message_from_string(render_eks_user_data(context))
    (part,) = archive.get_payload()  # type: ignore[misc]  a multipart message's payload is a list
    assert part.get_content_type() == "application/node.eks.aws"  # type: ignore[union-attr]  and holds messages
    config: dict[str, object] = yaml.safe_load(part.get_payload())  # type: ignore[union-attr]
    return config


def test_user_data_is_a_mime_archive_with_a_node_config() -> None:
    assert node_config(EksNodeContext(max_pods=250, local_storage="RAID0")) == {
        "apiVersion": "node.eks.aws/v1alpha1",
        "kind": "NodeConfig",
        "spec": {
            "instance": {"localStorage": {"strategy": "RAID0"}},
            "kubelet": {"config": {"maxPods": 250}},
        },
    }


def test_node_without_nvme_has_no_storage_to_stripe() -> None:
    config = node_config(EksNodeContext(max_pods=110, local_storage=None))
    assert config["spec"] == {"kubelet": {"config": {"maxPods": 110}}}


def test_local_disks_can_be_kept_apart_and_for_jobs_alone() -> None:
    context = EksNodeContext(
        max_pods=110,
        local_storage="Mount",
        local_storage_path="/scratch",
        has_containerd_on_local_storage=False,
    )
    assert node_config(context)["spec"]["instance"] == {  # type: ignore[index]  a mapping
        "localStorage": {
            "strategy": "Mount",
            "mountPath": "/scratch",
            "disabledMounts": ["Containerd", "PodLogs"],
        }
    }


def test_the_same_inputs_give_the_same_bytes() -> None:
    context = EksNodeContext(max_pods=110, local_storage="RAID0")
    assert render_eks_user_data(context) == render_eks_user_data(context)


def test_a_name_that_the_context_lacks_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="local_storage"):
        render("eks/user_data.mime.j2", ScriptContext())


@pytest.mark.parametrize("wrong", [{"max_pods": 0}, {"max_pods": "110"}, {"surplus": 1}])
def test_contexts_refuse_what_they_do_not_know(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        EksNodeContext.model_validate({"max_pods": 110, "local_storage": "RAID0"} | wrong)
