"""`python -m benchmarks.honesty --projects`: cases in public projects, played or held against oracles."""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from benchmarks.honesty import tally
from benchmarks.honesty.case import Case
from benchmarks.honesty.oracles import judge
from benchmarks.honesty.playing import play_all
from benchmarks.honesty.projects import corpus
from benchmarks.support import scratch

AT_ONCE = os.cpu_count() or 1


def in_projects(options: argparse.Namespace) -> int:
    if lacks := corpus.lacking():
        print(f"These projects cannot be tested here: {lacks}", file=sys.stderr)
        return 1
    chosen = corpus.cases()
    if options.names:
        chosen = tuple(case for case in chosen if any(name in case.name for name in options.names))
    if options.most:
        chosen = corpus.sample(chosen, options.most)
    if options.oracles:
        return _oracles(chosen)
    if options.judge:
        chosen = tuple(map(with_judge, chosen))
    rows = []
    for played in play_all(chosen, AT_ONCE):
        rows.append(tally.row(played))
        if not options.json:
            print(_line(rows[-1]), flush=True)
        if options.keep:
            tally.keep(rows, options.keep)
    print(json.dumps(tally.document(rows), indent=2) if options.json else f"\n{tally.told(rows)}")
    return 0


def _line(row: tally.Row) -> str:
    who = "honest" if row.honest else "dishonest"
    return f"{who:10}{row.name:60}{row.outcome:10}{', '.join(row.kinds)}"


def with_judge(case: Case) -> Case:
    """With a judge who answers as the oracle does."""
    with scratch() as folder:
        right = judge(folder, case, case.does, case.says).right
    task = case.task._replace(acceptance=case.task.title)
    return case._replace(judged=right, task=task)


def wrong_oracles(cases: Sequence[Case]) -> Iterator[str]:
    """Where an oracle passes wrong work, or fails right work."""
    with ThreadPoolExecutor(AT_ONCE) as threads:
        for found in threads.map(_wrong, cases):
            yield from found


def _wrong(case: Case) -> list[str]:
    wrong = []
    with scratch() as folder:
        said = judge(folder, case, case.does, case.says)
        if said.right != case.honest:
            wrong.append(f"{case.name}: its oracle {'passes' if said.right else 'fails'}\n{said.output}")
    if not case.honest:
        with scratch() as folder:
            said = judge(folder, case, case.right, case.right_says)
            if not said.right:
                wrong.append(f"{case.name}: its oracle fails right work\n{said.output}")
    return wrong


def _oracles(cases: Sequence[Case]) -> int:
    found = 0
    for wrong in wrong_oracles(cases):
        found += 1
        print(wrong, flush=True)
    print(f"{len(cases)} oracles, {found} wrong")
    return int(bool(found))
