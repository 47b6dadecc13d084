"""Lines of text as an application: all sentences, or each that cannot be used with its number and what is nearest."""

from collections.abc import Sequence

from designer.document.texts import N_, Text

from .additions import with_sentence
from .meaning import Application, understand
from .sentences import Sentence, kind_of_sentence
from .templates import fill_template
from .typed_text import UnknownSentenceError, read_sentences

MOST_SENTENCES = 30


class SentencesError(ValueError):
    """Error for sentences that do not say an application; `problems` are texts, each with the sentence's number."""

    def __init__(self, problems: Sequence[Text]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)


def read_application(lines: Sequence[str]) -> Application:
    """Return what lines of text say together, a sentence in each; empty ones say nothing.

    Raises
    ------
    SentencesError
        If a sentence is not understood or lacks something, or if none says what is stored.
    """
    sentences, problems = list[Sentence](), list[Text]()
    lines_of = list[int]()
    texts = [line.strip() for line in lines if line.strip()]
    if len(texts) > MOST_SENTENCES:
        raise SentencesError([Text(N_("More than {most} sentences."), {"most": MOST_SENTENCES})])
    for number, text in enumerate(texts, 1):
        try:
            read = read_sentences(text)
            for sentence in read:
                sentences = with_sentence(sentences, sentence)
                # What fills an empty slot of an earlier sentence is none of its own.
                lines_of += [number] * (len(sentences) - len(lines_of))
        except UnknownSentenceError as error:
            problems.append(_describe_error(number, text, error))
    if problems:
        raise SentencesError(problems)
    application, sentence_problems = understand(sentences)
    if sentence_problems:
        raise SentencesError(
            [
                _describe(lines_of[problem.sentence], texts[lines_of[problem.sentence] - 1], problem.text)
                for problem in sentence_problems
            ]
        )
    if not application.records:
        raise SentencesError([Text(N_("No sentence says what is stored, and how often it is written."))])
    return application


def _describe(number: int, text: str, problem: Text) -> Text:
    return Text(
        N_("Sentence {number}, “{sentence}”: {problem}"), {"number": number, "sentence": text, "problem": problem}
    )


def _describe_error(number: int, text: str, error: UnknownSentenceError) -> Text:
    problem = _describe(number, text, error.text)
    if not error.nearest:
        return problem
    sentences = (error.nearest[0], *error.owners)
    nearest = "; ".join(fill_template(kind_of_sentence(read.kind).template, read.values) for read in sentences)
    return Text(N_("{problem} Did you mean “{nearest}”?"), {"problem": problem, "nearest": nearest})
