"""Asks chess programs and libraries what they read, write and do; writes docs/develop/compatibility.md.

    python tests/measure/compatibility.py [--folder DIR] [--only WORD]

Needs the network, node, root for Debian's packages, and half an hour. What cannot be had is left out, with a
line that says so. Answers are those of the pinned versions of programs.py; SSSnake's own are tested by
tests/project/test_compatibility.py.
"""

import argparse
import datetime
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.constants import ROOT

from measure import programs, questions, runner_questions
from measure.questions import Question

TARGET = ROOT / "docs" / "develop" / "compatibility.md"
SUBJECTS = {
    "Positions, moves, games": questions.GAMES,
    "Books": questions.BOOKS,
    "Engines": questions.ENGINES,
    "Match runners": runner_questions.QUESTIONS,
}
HEAD = """# What other programs read, write and do

Asked on {day} by `python tests/measure/compatibility.py`, which writes this page; not a part of the tests.
`tests/project/test_compatibility.py` holds SSSnake to its column. "Refused" is an error that the program
raises. Who is not named has nothing of the kind.

Versions: {versions}.
"""


def answers(question: Question, everything: list[Any]) -> dict[str, list[str]]:
    """Each answer to a question, with the programs that give it."""
    found: dict[str, list[str]] = {}
    for program in everything:
        try:
            answer = question.ask(program)
        except Exception as error:  # one program's trouble must not cost the others' answers
            answer = None
            print(f"compatibility: {program.name}: {question.title}: {error!r}"[:200], file=sys.stderr)
        if answer is not None:
            found.setdefault(answer, []).append(program.name)
    return found


def row(question: Question, everything: list[Any]) -> str:
    """A question, what programs answer, those that answer alike together, and SSSnake's answer."""
    cells = [f"{answer}: {', '.join(names)}" for answer, names in answers(question, everything).items()]
    return f"| **{question.title}.** {question.text} | {';<br>'.join(cells)} | {question.ours} |"


def table(subject: str, chosen: list[Question], everything: list[Any]) -> list[str]:
    """The table of a subject."""
    head = [f"## {subject}", "", "| question | answers | SSSnake |", "|---|---|---|"]
    return [*head, *(row(question, everything) for question in chosen), ""]


def main() -> None:
    """Ask everything and write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir(), "sssnake-compatibility"))
    parser.add_argument("--only", default="", help="questions whose title has this word; print them")
    args = parser.parse_args()
    everything = programs.install(args.folder)
    versions = ", ".join(f"{program.name} {program.version}" for program in everything)
    lines = [HEAD.format(day=datetime.date.today().isoformat(), versions=versions)]  # the day where it runs
    for subject, asked in SUBJECTS.items():
        chosen = [question for question in asked if args.only.lower() in question.title.lower()]
        lines += table(subject, chosen, everything) if chosen else []
    text = "\n".join(lines)
    if args.only:
        print(text)
    else:
        TARGET.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
