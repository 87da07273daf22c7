"""Recognising source files by name and by content."""

from __future__ import annotations

import pytest
from openclsp.workspace.source_detection import has_source_file_name, looks_like_opencl

from ..fuzz.test_growth import MOST, calls_of

SECRETS = [
    "API_KEY=sk-0123456789\nSECRET=abc\n",
    "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUA\nNhAAAA+/==\n-----END-----\n",
    '{"password": "hunter2", "pins": [1, 2]}',
    "password: hunter2\nuser: me\n",
    "hunter2\n",
    "hunter2;\n",
    "PASSWORD=hunter2;\n",
    'password = "hunter2";\nuser = "root";\n',
    "root:x:0:0:root:/root:/bin/bash\n",
    "[remote]\n\turl = https://me:hunter2@host\n",
    "127.0.0.1 localhost\n::1 ip6-localhost\n",
    "machine host login me password hunter2\n",
    "PATH=/bin\0HOME=/root\0",
    "# define your key here\nKEY=1\n",
    "export A=b\n",
    "<a>b</a>",
    "3.14159\n",
    "",
]
SOURCES = [
    "typedef float real;\nfloat f(float x) { return x; }\n",
    "#define TILE 16\n",
    "// sizes\n#ifndef A\n#define A 1\n#endif\n",
    "kernel void k(global int *p) { int x = ; }",
    "struct pair { int a, b; };\nconstant int table[] = {1, 2};\n",
    "static inline REAL g(REAL x) { return x; }\n",
]


@pytest.mark.parametrize("text", SECRETS)
def test_secrets_do_not_look_like_opencl(text: str) -> None:
    assert not looks_like_opencl(text.encode())


@pytest.mark.parametrize("text", SOURCES)
def test_sources_look_like_opencl(text: str) -> None:
    assert looks_like_opencl(text.encode())


def test_names() -> None:
    for name in ("a.h", "A.CL", "b.cl.h", "t.inc", "x.def", "a.cl_hpp"):
        assert has_source_file_name(f"/ws/{name}"), name
    for name in ("id_rsa", ".env", "notes.txt", "cl", "a.h.bak", "config"):
        assert not has_source_file_name(f"/ws/{name}"), name


@pytest.mark.parametrize("part", ["for (;", "}", "{", "/* ", "#define \\\n", '"', "a "])
def test_a_judgement_takes_work_in_proportion_to_the_text(part: str) -> None:
    once, twice = (
        calls_of(lambda count=count: looks_like_opencl(part.encode() * count)) for count in (1_000, 2_000)
    )
    assert twice <= MOST * once
