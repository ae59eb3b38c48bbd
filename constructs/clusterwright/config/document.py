"""YAML text → plain data, with the place of every key and value.

PyYAML's C parser reads the text. Composing and building are bounded here, since a few hundred bytes of YAML
can otherwise nest until the interpreter crashes, or expand by aliases to gigabytes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from yaml._yaml import CParser
from yaml.composer import Composer
from yaml.constructor import SafeConstructor
from yaml.error import MarkedYAMLError, YAMLError
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from yaml.resolver import Resolver

from clusterwright.config.complaints import Complaint
from clusterwright.config.source_map import START, Path, Place, SourceMap, clamp, dotted, split_lines

if TYPE_CHECKING:
    from yaml._yaml import Mark as ParserMark
    from yaml.error import Mark as PurePythonMark

    Mark = ParserMark | PurePythonMark

DEPTH_LIMIT = 20
"""Deepest nesting that is read; the schema itself is six deep."""

VALUE_LIMIT = 50_000
"""Most values that are read, aliases counted out; the largest allowed cluster has some thousands."""

_TAG = "tag:yaml.org,2002:"
_KINDS = {MappingNode: "a mapping", SequenceNode: "a list", ScalarNode: "a single value"}
_CONSTRUCTOR = SafeConstructor()
_SCALARS = {
    _TAG + "null": SafeConstructor.construct_yaml_null,
    _TAG + "bool": SafeConstructor.construct_yaml_bool,
    _TAG + "int": SafeConstructor.construct_yaml_int,
    _TAG + "float": SafeConstructor.construct_yaml_float,
    _TAG + "str": SafeConstructor.construct_yaml_str,
    _TAG + "timestamp": SafeConstructor.construct_yaml_timestamp,
}
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What YAML 1.1 does not allow in a text."""

_SYNTAX_HINTS = (
    ("mapping values are not allowed", "put text that has a colon in quotes, and check the indentation"),
    (
        "cannot start any token",
        "put text that begins with such a character in quotes; indent with spaces, not tabs",
    ),
    ("did not find expected key", "check the indentation of this line and the lines above"),
    ("could not find expected ':'", "a key ends with a colon and a space"),
    ("unexpected end of stream", "a quote that opens somewhere above is not closed"),
    ("while parsing a flow", "a bracket or a brace that opens above is not closed, or a comma is missing"),
    (
        "undefined alias",
        "an alias repeats what an anchor (&name) marked before it; put the text in quotes if it is none",
    ),
)


@dataclass(slots=True)
class Document:
    """A YAML file as data.

    Attributes:
        data: The top-level mapping, or None where the file holds none.
        source_map: Where everything is written.
        complaints: What is wrong with the file as YAML.
    """

    data: dict[str, Any] | None = None
    source_map: SourceMap = field(default_factory=SourceMap)
    complaints: list[Complaint] = field(default_factory=list)


def parse_document(text: str) -> Document:
    """Read one YAML document whose top is a mapping; whatever is wrong becomes a complaint."""
    document = Document()
    try:
        root = _compose(text, document)
        if isinstance(root, MappingNode):
            document.data = _Builder(document).build_mapping(root, (), 0)
        else:
            document.complaints.insert(0, _explain_top(root))
    except _RefusedYamlError as error:
        document.complaints.append(error.complaint)
    except MarkedYAMLError as error:
        document.complaints.append(_explain_syntax(error, text))
    except YAMLError:
        document.complaints.append(_explain_characters(text))
    return document


class _RefusedYamlError(Exception):
    """YAML that is legal but not read here."""

    def __init__(self, message: str, mark: Mark, hint: str) -> None:
        self.complaint = Complaint("CFG006", message, place=_place(mark), hint=hint)
        super().__init__(message)


class _Composer(Composer, CParser, Resolver):
    """PyYAML's composer over its C parser, with a bound on nesting."""

    def __init__(self, text: str) -> None:
        CParser.__init__(self, text)
        Composer.__init__(self)
        Resolver.__init__(self)
        self._depth = 0

    def compose_node(self, parent: Node | None, index: Any) -> Node | None:  # noqa: ANN401  PyYAML's signature
        _require_shallow(self._depth, self.next_mark())
        self._depth += 1
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node

    def next_mark(self) -> Mark:
        """Where the next event begins."""
        event: Any = self.peek_event()  # the stubs allow None, which is only behind the end of the stream
        mark: Mark = event.start_mark
        return mark


def _compose(text: str, document: Document) -> Node | None:
    """The first document's tree, or None; a second one is complained about."""
    composer = _Composer(text)
    root = composer.get_node() if composer.check_node() else None
    if composer.check_node():
        place = _place(composer.next_mark())
        hint = "keep one cluster a file; remove the line with ---"
        document.complaints.append(
            Complaint("CFG005", "a second YAML document begins here", (), hint, place=place)
        )
    return root


class _Builder:
    """Builds data from nodes and notes where everything is written."""

    def __init__(self, document: Document) -> None:
        self._complaints = document.complaints
        self._source_map = document.source_map
        self._values = 0

    def build_mapping(self, node: MappingNode, path: Path, depth: int) -> dict[str, Any]:
        """A mapping; wrong keys are complained about and left out."""
        mapping: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not self._accepts_key(key_node, path, mapping):
                continue
            here = (*path, key_node.value)
            self._source_map.keys[here] = _place(key_node.start_mark)
            mapping[key_node.value] = self._build(value_node, here, depth + 1)
        return mapping

    def _build(self, node: Node, path: Path, depth: int) -> Any:  # noqa: ANN401  any YAML value
        self._values += 1
        _require_shallow(depth, node.start_mark)
        if self._values > VALUE_LIMIT:
            hint = "aliases (*name) repeat all that their anchor holds; write less"
            raise _RefusedYamlError(f"the file holds more than {VALUE_LIMIT} values", node.start_mark, hint)
        self._source_map.values[path] = _place(node.start_mark)
        if isinstance(node, MappingNode) and node.tag == _TAG + "map":
            return self.build_mapping(node, path, depth)
        if isinstance(node, SequenceNode) and node.tag == _TAG + "seq":
            return [self._build(each, (*path, at), depth + 1) for at, each in enumerate(node.value)]
        return self._build_scalar(node, path)

    def _build_scalar(self, node: Node, path: Path) -> Any:  # noqa: ANN401  any YAML value
        construct = _SCALARS.get(node.tag)
        if construct is None or not isinstance(node, ScalarNode):
            tag = node.tag.replace(_TAG, "!!")
            raise _RefusedYamlError(
                f"the YAML tag {tag} is not understood", node.start_mark, "remove the tag"
            )
        if not node.style:
            self._source_map.unquoted[path] = node.value
        try:
            return construct(_CONSTRUCTOR, node)
        except (ValueError, TypeError, KeyError, OverflowError, AttributeError, YAMLError):
            return node.value  # looks like a number or a time and is none: the field's own check says so

    def _accepts_key(self, node: Node, path: Path, mapping: dict[str, Any]) -> bool:
        if not isinstance(node, ScalarNode) or node.tag == _TAG + "merge":
            self._complain(
                "CFG006",
                node,
                path,
                "merge keys and keys that are no single value are not read here",
                "write the fields out",
            )
        elif node.tag != _TAG + "str":
            self._complain(
                "CFG004",
                node,
                path,
                f"the key {node.value or '(nothing)'} is not text for YAML",
                f'put it in quotes: "{node.value}":',
            )
        elif node.value in mapping:
            first = self._source_map.keys[*path, node.value].line
            self._complain(
                "CFG003",
                node,
                (*path, node.value),
                f"{dotted((*path, node.value))} is given twice; the first is on line {first}",
                "keep one of them",
            )
        else:
            return True
        return False

    def _complain(self, code: str, node: Node, path: Path, message: str, hint: str) -> None:
        self._complaints.append(Complaint(code, message, path, hint, place=_place(node.start_mark)))


def _require_shallow(depth: int, mark: Mark) -> None:
    if depth > DEPTH_LIMIT:
        hint = "a cluster.yaml is far flatter; an alias inside of its own anchor nests without end"
        raise _RefusedYamlError(f"the file nests more than {DEPTH_LIMIT} deep", mark, hint)


def _place(mark: Mark) -> Place:
    return Place(mark.line + 1, mark.column + 1)


def _explain_top(root: Node | None) -> Complaint:
    if root is None:
        hint = "`clusterwright init` writes one to begin with"
        return Complaint("CFG002", "the file is empty", hint=hint, place=START)
    message = f"the file holds {_KINDS[type(root)]}, not a mapping of fields"
    return Complaint("CFG002", message, hint="begin with `version: 1`", place=_place(root.start_mark))


def _explain_syntax(error: MarkedYAMLError, text: str) -> Complaint:
    problem = " ".join(each for each in (error.problem, error.context) if each)
    hint = next((hint for words, hint in _SYNTAX_HINTS if words in problem), "")
    mark = error.problem_mark or error.context_mark
    lines = split_lines(text)
    place = clamp(_place(mark), lines) if mark else START
    if lines[place.line - 1][place.column - 1 :].startswith("\t") or "tab character" in problem:
        problem, hint = "a tab stands where it may not", "indent with spaces"
    return Complaint("CFG001", f"this is not YAML: {problem}", hint=hint, place=place)


def _explain_characters(text: str) -> Complaint:
    """PyYAML says of a control character only at which byte it is."""
    found = _UNPRINTABLE.search(text)
    before = split_lines(text[: found.start()] if found else "")
    name = f"the character U+{ord(found.group()):04X}" if found else "a character"
    message = f"this is not YAML: {name} is not allowed in it"
    return Complaint("CFG001", message, hint="remove it", place=Place(len(before), len(before[-1]) + 1))
