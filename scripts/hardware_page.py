"""Write the tables of docs/reference/hardware.md from the catalogue and the overlay.

    python scripts/hardware_page.py

The page's own words stay; a table replaces what stands between ``<!-- NAME -->`` and ``<!-- /NAME -->``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from regenerate_hardware import read_overlay, write

from clusterwright.hardware import (
    InstanceSpec,
    find_instance_type,
    instance_types,
    lay_out_interfaces,
    summarize_interfaces,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "hardware.md"


def draw_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def draw_interfaces() -> str:
    """The layout of each family's types, sizes with the same one in one row."""
    rows: dict[tuple[str, ...], list[InstanceSpec]] = {}
    for spec in sorted(map(find_instance_type, instance_types()), key=lambda spec: spec.vcpus):
        cards, efas = str(len(spec.network_cards)), str(spec.max_efa_interfaces)
        layout = summarize_interfaces(lay_out_interfaces(spec))
        rows.setdefault((spec.name.partition(".")[0], cards, efas, f"`{layout}`"), []).append(spec)
    headings = ("family", "cards", "EFAs at most", "interfaces", "sizes, with Gbit/s of EFA")
    return draw_table(headings, [(*key, ", ".join(map(name_size, rows[key]))) for key in sorted(rows)])


def name_size(spec: InstanceSpec) -> str:
    """The size of a type and, in brackets, its EFA bandwidth."""
    size = spec.name.partition(".")[2]
    return f"{size} ({spec.efa_gbps:g})" if spec.is_efa_capable else size


def draw_notes() -> str:
    """What the overlay changes, and why."""
    rows = []
    for name in instance_types():
        for note in find_instance_type(name).notes:
            fields = ", ".join(f"`{field}`" for field in note.fields)
            source = f"[{note.source.title}]({note.source.url}), {note.source.date}"
            rows.append((name, fields, note.reason, source, "yes" if note.is_verified else "**no**"))
    return draw_table(("type", "fields", "reason", "source", "verified"), rows)


def draw_zones() -> str:
    """The zones that the overlay adds or restricts."""
    overlay = read_overlay()
    rows = []
    for zone_id, zone in overlay["zones"].items():
        sources = [overlay["sources"][key] for key in zone["sources"]]
        cited = "; ".join(f"[{source['title']}]({source['url']}), {source['date']}" for source in sources)
        rows.append((f"`{zone_id}`", zone["set"]["region"], zone["reason"], cited))
    return draw_table(("zone", "region", "reason", "source"), rows)


def draw_left_out() -> str:
    """Hardware that is talked of, but not in the catalogue."""
    overlay = read_overlay()
    return draw_table(
        ("hardware", "why not"),
        [(name, entry["reason"].strip()) for name, entry in overlay["left_out"].items()],
    )


TABLES = {
    "interfaces": draw_interfaces,
    "notes": draw_notes,
    "zones": draw_zones,
    "left out": draw_left_out,
}


def fill(page: str) -> str:
    """The page with its tables drawn anew.

    Raises:
        ValueError: The page lacks the place of a table.
    """
    for name, draw in TABLES.items():
        place = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        page, count = place.subn(lambda match, draw=draw: f"{match[1]}\n{draw()}\n\n{match[2]}", page)  # type: ignore[misc]  # mypy infers no default of a lambda
        if count != 1:
            raise ValueError(f"the page has {count} places for the table {name!r}")
    return page


if __name__ == "__main__":
    write(PAGE, fill(PAGE.read_text(encoding="utf-8")))
    print(f"wrote {PAGE}")
