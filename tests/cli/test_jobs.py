"""A file gives the same results in a run over several files, in any order and with any number of processes, as alone."""

from __future__ import annotations

import json
import os
import random
from collections import deque

import pytest
from openclsp.cli import worker_processes
from openclsp.cli.command_error import CommandError
from openclsp.cli.input_check import InputChecker
from openclsp.cli.reusable_units import ReusableUnits
from openclsp.cli.worker_processes import TaskQueues, run_tasks

HEADER = """#ifdef WIDE
typedef long word_t;
#else
typedef int word_t;
#endif
typedef struct { SPACE word_t *at; global int *own; } node_t;
word_t walk(node_t *n) { n->at = n->own; return *n->at; }
static int first(global const int *p) { int *q = p; return *q; }
void wait(local int *l) { l[0] = 1; barrier(CLK_GLOBAL_MEM_FENCE); l[1] = l[0]; }
"""
KERNELS = {
    "a.cl": '#define SPACE global\n#include "nodes.h"\nkernel void a(global int *g) { node_t n; n.own = g; walk(&n); }\n',
    "b.cl": '#define SPACE local\n#include "nodes.h"\nkernel void b(global int *g, local int *l) { wait(l); local int *p = g; }\n',
    "c.cl": '#define WIDE\n#define SPACE global\n#include "nodes.h"\nkernel void c(global int *g) { *g = undefined_name(g); }\n',
    "d.cl": '#define SPACE\n#include "nodes.h"\nkernel void d(global int *g) { private int *p = g; *p = first(p); }\n',
    "e.cl": "kernel void a(global int *g) { int *p = g; node_t n; }\n",
    "f.cl": '#include "deep.h"\nkernel void f(global word_t *g, local int *l) { wait(l); g[0] = *l }\n',
}


@pytest.fixture
def kernels(write):
    write("nodes.h", HEADER)
    write("deep.h", '#define SPACE global\n#include "nodes.h"\n')
    for name, text in KERNELS.items():
        write(name, text)
    return list(KERNELS)


@pytest.fixture
def at_once(monkeypatch):
    """Starts the other processes after the first task, however short the run is."""
    monkeypatch.setattr(worker_processes, "ALONE_SECONDS", 0)


def found_in(ran, path: str) -> list[object]:
    return [each["diagnostics"] for each in json.loads(ran.out)["files"] if each["path"] == path]


@pytest.mark.parametrize("std", ["CL1.2", "CL2.0"])
def test_files_say_together_what_each_says_alone(openclsp, kernels, at_once, std):
    check = "check", "--format", "json", "--std", std
    alone = {name: found_in(openclsp(*check, name), name) for name in kernels}
    assert sum(map(any, alone.values())) >= 4
    one = openclsp(*check, "--jobs", "1", *kernels).out
    for seed, jobs in enumerate((1, 2, 5)):
        shuffled = random.Random(seed).sample(kernels, len(kernels))
        ran = openclsp(*check, "--jobs", str(jobs), *shuffled)
        assert {name: found_in(ran, name) for name in kernels} == alone
        assert openclsp(*check, "--jobs", str(jobs), *kernels).out == one


def test_kernels_and_options_come_from_any_process(openclsp, kernels, at_once):
    check = "check", "--kernels", "--show-options", "a.cl", "b.cl", "f.cl"
    assert openclsp(*check, "--jobs", "3").out == openclsp(*check, "--jobs", "1").out


def test_a_process_that_dies_costs_its_own_file(openclsp, kernels, at_once, monkeypatch):
    whole = openclsp("check", "--format", "json", "--jobs", "2", ".")
    parent, real = os.getpid(), InputChecker.check_program

    def fatal(checker, root):
        if root.path.endswith("c.cl") and os.getpid() != parent:
            os._exit(9)
        return real(checker, root)

    monkeypatch.setattr(InputChecker, "check_program", fatal)
    ran = openclsp("check", "--format", "json", "--jobs", "2", ".")
    assert ran.code == 2
    assert "c.cl was being checked when its process ended; it is not checked" in ran.err
    for name in kernels:
        assert found_in(ran, name) == ([] if name == "c.cl" else found_in(whole, name))


@pytest.mark.parametrize("jobs", ["0", "-1", "many", "1.5", ""])
def test_nonsense_is_refused(openclsp, kernels, jobs):
    ran = openclsp("check", "--jobs", jobs, ".")
    assert ran.code == 2
    assert "'--jobs'" in ran.err
    assert not ran.out


def run(task, count: int, jobs: int) -> list[object]:
    return list(run_tasks(task, count, jobs, begin=lambda number: None, lost=lambda number: ("lost", number)))


@pytest.mark.parametrize(("count", "jobs"), [(0, 2), (1, 2), (2, 2), (3, 2), (50, 1), (50, 4)])
def test_results_are_in_order(at_once, count, jobs):
    assert run(lambda number: number * number, count, jobs) == [number * number for number in range(count)]


@pytest.mark.parametrize("jobs", [2, 3, 8])
@pytest.mark.parametrize("count", [2, 3, 17, 90])
@pytest.mark.parametrize("slow", [0, 1])
def test_each_task_is_taken_once(count, jobs, slow):
    """The process `slow` takes one chunk while the others take ten."""
    queues = TaskQueues(1, count, jobs)
    taken = []
    while queues:
        for number in range(jobs):
            for _ in range(1 if number == slow else 10):
                taken += queues.take(number)
    assert sorted(taken) == list(range(1, count))
    assert not any(queues.take(number) for number in range(jobs))


def test_a_process_takes_neighbours_and_then_helps_the_others():
    queues = TaskQueues(1, 41, 2)
    assert list(queues.take(0)) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert list(queues.take(1)) == [21, 22, 23, 24, 25, 26, 27, 28]
    queues.give_back(1, deque([27, 28]))
    assert list(queues.take(1)) == [27, 28, 29, 30, 31, 32, 33]
    own = [list(queues.take(0)) for _ in range(5)]
    assert own == [[9, 10, 11, 12, 13, 14], [15, 16, 17], [18, 19], [20], [37, 38]]


def test_every_process_may_die(at_once):
    parent = os.getpid()

    def fatal(number: int) -> object:
        if os.getpid() != parent:
            os._exit(1)
        return number

    assert run(fatal, 9, 3) == [0, *(("lost", number) for number in range(1, 9))]


def test_the_first_error_ends_the_run(at_once):
    def failing(number: int) -> int:
        if number in (3, 6):
            raise CommandError(f"task {number}")
        return number

    with pytest.raises(CommandError, match="task 3"):
        run(failing, 9, 3)


def test_macros_that_differ_before_a_header(openclsp, write, at_once):
    write("nodes.h", HEADER)
    spaces = "global", "local", "", "global", "local", "constant"
    for number, space in enumerate(spaces):
        text = f'#define SPACE {space}\n#include "nodes.h"\nkernel void k(global int *g) {{ node_t n; global word_t *p = n.at; }}\n'
        write(f"{number}.cl", text)
    names = [f"{number}.cl" for number in range(len(spaces))]
    check = "check", "--format", "json", "--std", "CL1.2"
    alone = {name: found_in(openclsp(*check, name), name) for name in names}
    assert [bool(alone[name][0]) for name in names] == [False, True, True, False, True, True]
    for jobs in ("1", "3"):
        ran = openclsp(*check, "--jobs", jobs, *names)
        assert {name: found_in(ran, name) for name in names} == alone


def test_a_header_that_changes_during_a_run(openclsp, write, monkeypatch):
    """Each file is checked with the content that the header has then."""
    good, bad = "typedef global int *ptr_t;\n", "typedef local int *ptr_t;\n"
    write("place.h", good)
    names = [f"{number}.cl" for number in range(4)]
    for name in names:
        write(name, '#include "place.h"\nkernel void k(global int *g) { ptr_t p = g; }\n')
    checked = []
    real = InputChecker.check_program

    def changing(checker, root):
        write("place.h", bad if len(checked) in (1, 2) else good)
        checked.append(root.path)
        return real(checker, root)

    monkeypatch.setattr(InputChecker, "check_program", changing)
    ran = openclsp("check", "--format", "json", "--jobs", "1", "--std", "CL1.2", *names)
    assert ran.code == 1
    assert [bool(found_in(ran, name)[0]) for name in names] == [False, True, True, False]


def test_many_files_cost_their_own_tokens(openclsp, write, monkeypatch):
    """A run over many small kernels analyses each of them, and their header once."""
    write(
        "many.h", "".join(f"static int f{number}(int n) {{ return n + {number}; }}\n" for number in range(50))
    )
    for number in range(60):
        write(
            f"{number:02}.cl",
            f'#include "many.h"\nkernel void k(global int *g) {{ *g = f{number % 50}(1); }}\n',
        )
    made = []
    real = ReusableUnits.give_back

    def give_back(units, unit):
        made.append(unit)
        real(units, unit)

    monkeypatch.setattr(ReusableUnits, "give_back", give_back)
    report = json.loads(openclsp("check", "--format", "json", "--jobs", "1", ".").out)
    assert len(report["files"]) >= 60
    assert len(set(map(id, made))) == 1
    assert made[0].database.computed["body findings"] == 50 + 60
