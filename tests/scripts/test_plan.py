"""The table of steps, and the plan that each kind of node gets of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from scratch_nodes import NODES, make_context

from clusterwright_lifecycle import plan
from clusterwright_lifecycle.plan import STEPS, make_plan, write_plan

FOLDER = Path(plan.__file__).parent / "steps"
FIRST = "os-checks! quiet-updates boot-service environment"
NVIDIA = "nvidia-driver! fabric-manager!"
SLURM_GPU = (
    f"{FIRST} local-disks! {NVIDIA} cuda nccl efa aws-ofi-nccl gdrcopy! lustre-client! lustre-network! "
    "lustre-mounts! homes! container-toolkit enroot pyxis exporters hold-packages"
)
# What each kind of node runs, in order; a step with ! at every boot.
PLANS = {
    "eks worker": (
        f"os-checks! quiet-updates environment local-disks! {NVIDIA} efa container-toolkit hold-packages"
    ),
    "eks system": "os-checks! quiet-updates environment hold-packages",
    "hyperpod-eks worker": f"{FIRST} local-disks! {NVIDIA} efa container-toolkit hold-packages",
    "hyperpod-slurm controller": (
        f"{FIRST} homes! pyxis exporters hold-packages slurm-accounting! slurm-controller!"
    ),
    "hyperpod-slurm login": f"{FIRST} homes! enroot pyxis exporters hold-packages slurm-login!",
    "hyperpod-slurm compute": f"{SLURM_GPU} slurm-compute!",
    "pcs login": f"{FIRST} homes! enroot pyxis exporters hold-packages",
    "pcs compute": SLURM_GPU,
    "pcs compute, al2023": SLURM_GPU,
}


def names_of(text: str) -> list[str]:
    return [line.split("|")[0] for line in text.splitlines()]


def test_every_step_has_a_file_and_every_file_is_a_step() -> None:
    assert {step.name for step in STEPS} == {path.stem for path in FOLDER.glob("*.sh")}


def test_no_step_is_there_twice() -> None:
    names = [step.name for step in STEPS]
    assert len(names) == len(set(names))


def test_what_a_step_waits_for_stands_before_it() -> None:
    """So every dependency is known, and there is no circle."""
    seen: set[str] = set()
    for step in STEPS:
        assert set(step.after) <= seen, f"{step.name} waits for what does not stand before it"
        seen.add(step.name)


@pytest.mark.parametrize("name", NODES)
def test_plan_of_each_kind_of_node(name: str) -> None:
    steps = make_plan(make_context(**NODES[name]))
    found = " ".join(f"{step.name}{'!' if step.every_boot else ''}" for step in steps)
    assert found == f"{PLANS[name]} software-record verify!"


@pytest.mark.parametrize("name", NODES)
def test_a_plan_names_only_steps_that_it_has(name: str) -> None:
    steps = make_plan(make_context(**NODES[name]))
    seen: set[str] = set()
    for step in steps:
        assert set(step.after) <= seen
        assert step.after or step.name == "os-checks"
        seen.add(step.name)


def test_a_step_left_out_hands_on_what_it_waited_for() -> None:
    """Without a GPU, EFA waits for what the driver would have waited for."""
    node = make_context(accelerator=None, accelerator_count=0, efa_devices=1, has_nvswitch=False)
    (efa,) = (step for step in make_plan(node) if step.name == "efa")
    assert efa.after == ("quiet-updates",)


def test_what_another_step_waits_for_is_not_said_twice() -> None:
    (efa,) = (step for step in make_plan(make_context()) if step.name == "efa")
    assert efa.after == ("nvidia-driver",)


def test_verification_comes_last_of_all() -> None:
    steps = make_plan(make_context())
    waited_for: set[str] = set()
    for step in reversed(steps):
        if step.name == "verify" or step.name in waited_for:
            waited_for |= set(step.after)
    assert waited_for == {step.name for step in steps} - {"verify"}


def test_file_of_a_plan() -> None:
    node = make_context(**NODES["eks system"])
    assert write_plan(make_plan(node)) == (
        "os-checks||boot\n"
        "quiet-updates|os-checks|once\n"
        "environment|os-checks|once\n"
        "hold-packages|quiet-updates|once\n"
        "software-record|hold-packages|once\n"
        "verify|environment,software-record|boot\n"
    )


@pytest.mark.parametrize(
    ("changes", "step", "is_there"),
    [
        ({"has_imex": True, "has_nvswitch": False}, "imex", True),
        ({"has_imex": True, "has_nvswitch": False}, "fabric-manager", False),
        ({"accelerator": "neuron"}, "neuron", True),
        ({"accelerator": "neuron"}, "nvidia-driver", False),
        ({"efa_devices": 0}, "aws-ofi-nccl", False),
        ({"local_disks": 0}, "local-disks", False),
        ({"mounts": ()}, "lustre-client", False),
        ({"users": ()}, "users", False),
    ],
)
def test_steps_that_only_some_nodes_need(changes: dict[str, object], step: str, is_there: bool) -> None:
    assert (step in {each.name for each in make_plan(make_context(**changes))}) == is_there
