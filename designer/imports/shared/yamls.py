"""YAML as the tools print it: plain data, without aliases, of a size that its slow parser reads in seconds."""

from typing import Any

from designer.document.texts import N_, build_text
from designer.document.validation_errors import InvalidDocumentError, Problem

MOST_YAML_BYTES = 100_000


def documents(text: str) -> list[Any]:
    """Return the YAML documents of a text, which are separated by lines of three hyphens.

    Raises
    ------
    InvalidDocumentError
        If the text is not YAML, or too large, with its line.
    """
    import yaml

    if len(text) > MOST_YAML_BYTES:
        message = N_("larger than {most} kB")
        raise InvalidDocumentError([Problem((), build_text(message, most=MOST_YAML_BYTES // 1_000))])
    try:
        # Before it is built: aliases of aliases make a few lines into gigabytes ("billion laughs"), also with the safe
        # loader.
        for token in yaml.scan(text, Loader=yaml.SafeLoader):
            if isinstance(token, yaml.AliasToken):
                message = N_("aliases are not supported")
                raise InvalidDocumentError([Problem((), build_text(message), token.start_mark.line + 1)])
        return list(yaml.load_all(text, Loader=_loader_with_tags()))
    except InvalidDocumentError:
        raise
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error)
        line = mark.line + 1 if mark else None
        raise InvalidDocumentError(
            [Problem((), build_text(N_("invalid YAML: {problem}"), problem=problem), line)]
        ) from None
    except (ValueError, RecursionError, OverflowError) as error:
        raise InvalidDocumentError(
            [Problem((), build_text(N_("invalid YAML: {problem}"), problem=str(error)[:200]))]
        ) from None


def _loader_with_tags() -> Any:
    """Return a safe loader that reads a tag of an application, such as CloudFormation's `!Ref`, as a mapping of it."""
    import yaml

    class Loader(yaml.SafeLoader):
        pass

    def build(loader: Any, suffix: str, node: yaml.Node) -> Any:
        if isinstance(node, yaml.ScalarNode):
            return {suffix: node.value}
        if isinstance(node, yaml.SequenceNode):
            return {suffix: loader.construct_sequence(node, deep=True)}
        return {suffix: loader.construct_mapping(node, deep=True)}

    Loader.add_multi_constructor("!", build)
    return Loader
