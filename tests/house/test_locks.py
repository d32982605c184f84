"""The lock files: one set of pins, for every machine that Pilewatch runs on."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ("requirements.lock", "requirements-test.lock")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def pins(name: str) -> dict[str, list[Requirement]]:
    """The pinned requirements of a lock file by package."""
    found: dict[str, list[Requirement]] = {}
    text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ")
    for line in text.splitlines():
        requirement = Requirement(line.split(" --hash")[0].strip())
        found.setdefault(canonicalize_name(requirement.name), []).append(requirement)
    return found


def applies(requirement: Requirement, python: str, machine: str) -> bool:
    place = {
        "python_version": python,
        "python_full_version": f"{python}.1",
        "platform_machine": machine,
        "sys_platform": "linux",
        "platform_system": "Linux",
        "platform_python_implementation": "CPython",
    }
    return requirement.marker is None or requirement.marker.evaluate(place)


@pytest.mark.parametrize("name", LOCKS)
def test_every_pin_is_exact_and_hashed_and_names_no_host(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert not re.search(r"https?:|index-url|find-links|file:|@", text)
    entries = re.split(r"\n(?=\S)", text.strip())
    assert len(entries) > 15
    for entry in entries:
        assert re.match(r"[a-z0-9][a-z0-9.-]*==[\w.]+", entry), entry[:80]
        assert "--hash=sha256:" in entry, entry[:80]


@pytest.mark.parametrize("name", LOCKS)
@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_each_package_has_one_version_on_each_machine(name: str, python: str, machine: str) -> None:
    chosen = {
        package: [str(r.specifier) for r in several if applies(r, python, machine)]
        for package, several in pins(name).items()
    }
    assert {p: v for p, v in chosen.items() if len(v) > 1} == {}
    assert len(chosen["numpy"]) == 1


def test_one_environment_serves_both() -> None:
    runtime, test = ({str(r) for several in pins(name).values() for r in several} for name in LOCKS)
    assert runtime <= test


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("requirements.lock", PROJECT["dependencies"]),
        (
            "requirements-test.lock",
            PROJECT["dependencies"] + PROJECT["optional-dependencies"]["test"],
        ),
    ],
)
def test_the_lock_answers_what_the_project_asks_for(name: str, wanted: list[str]) -> None:
    locked = pins(name)
    for requirement in map(Requirement, wanted):
        for pin in locked[canonicalize_name(requirement.name)]:
            version = str(pin.specifier).removeprefix("==")
            assert requirement.specifier.contains(version), f"{pin} against {requirement}"


@pytest.mark.parametrize("package", ["torch", "onnx", "picamera2", "lgpio", "opencv-python"])
def test_what_must_stay_out_of_the_locks(package: str) -> None:
    assert all(package not in pins(name) for name in LOCKS)


def test_the_illegal_instruction_is_kept_out() -> None:
    asked = next(r for r in map(Requirement, PROJECT["dependencies"]) if r.name == "onnxruntime")
    assert not asked.specifier.contains("1.21.0")
