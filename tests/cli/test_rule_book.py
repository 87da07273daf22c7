"""`explain` and `rules`."""

from __future__ import annotations

import json

from openclsp.rules.runner.rule_registry import CODES, CONCEPTS


def test_every_rule_is_listed(openclsp):
    ran = openclsp("rules", "--format", "json")
    assert ran.code == 0
    document = json.loads(ran.out)
    assert set(document) == {"version", "rules"}
    assert document["version"] == 1
    assert [rule["code"] for rule in document["rules"]] == list(CODES)
    for rule in document["rules"]:
        assert set(rule) == {"code", "title", "severity", "severities", "off", "dialects", "clause", "clang"}
        assert rule["severity"] in ("error", "warning", "information", "hint")
        assert rule["severity"] == rule["severities"][0]
        assert rule["title"]
        assert rule["clause"]
        assert rule["dialects"]
        assert all(isinstance(name, str) for name in (*rule["clang"], *rule["dialects"]))


def test_every_rule_is_explained(openclsp):
    for code in CODES:
        ran = openclsp("explain", code)
        assert ran.code == 0
        assert ran.out.startswith(f"# {code}: ")


def test_the_list_for_reading_names_every_rule(openclsp):
    lines = openclsp("rules").out.splitlines()
    assert [line.split()[0] for line in lines] == list(CODES)


def test_concept_pages_are_explained_and_listed_apart(openclsp):
    lines = openclsp("rules", "--concepts").out.splitlines()
    assert [line.split()[0] for line in lines] == list(CONCEPTS)
    document = json.loads(openclsp("rules", "--concepts", "--format", "json").out)
    assert [each["name"] for each in document["concepts"]] == list(CONCEPTS)
    for name in CONCEPTS:
        assert openclsp("explain", name).out.startswith(f"# {name}: ")
    assert not set(CONCEPTS) & set(CODES)
