"""Arguments and options that several commands take."""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import Any

import click

cluster_file = click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
"""The cluster.yaml; loading reports what is wrong with the path."""

cdk_args = click.argument("cdk_args", metavar="[-- CDK ARGS]", nargs=-1, type=click.UNPROCESSED)
"""Everything after ``--``, handed to the CDK CLI as it is."""


class FiniteFloat(click.FloatRange):
    """A number within bounds that is neither infinite nor no number at all."""

    def convert(  # click hands over what was typed, and defaults
        self,
        value: Any,  # noqa: ANN401  as click declares it
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> float:
        """The number, or click's own complaint."""
        number: float = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{value} is no finite number", param, ctx)
        return number
