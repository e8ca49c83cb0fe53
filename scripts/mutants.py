#!/usr/bin/env python3
"""Removes the guards of scripts/guards.toml from the production code, one at a time, and expects a test to fail.

./solidus mutants --help
"""

import argparse
import contextlib
import fnmatch
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
import xml.etree.ElementTree
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "scripts" / "guards.toml"
RECORD = ROOT / "docs" / "benchmarks" / "guards.json"  # the results that the repository keeps
CIRCUITS = ROOT / "prover-native" / "circuits"
CLASS_PATH = "target/mutants.classpath"  # written by Maven in each module whose tests are named
RESULTS = ("killed", "ran too long", "survived", "did not compile", "not tried")
NOTICED = ("killed", "ran too long")
STOP_SECONDS = 30
SLOWER = 10  # a test may take so many times as long with a mutant as without


@dataclass(frozen=True)
class Guard:
    """One guard. Without it, which is with `put` where `find` was, one of `tests` has to fail."""

    name: str
    file: str
    find: str
    tests: tuple[tuple[str, str], ...]  # folder of a module, class or class#method
    put: str = ""
    few: bool = False  # one of those that CI tries

    def digest(self):
        """Of the entry, its source file and its test classes: a result holds for what has the same digest."""
        parts = [self.file, self.find, self.put, (ROOT / self.file).read_text()]
        for folder, test in self.tests:
            parts += [folder, test, test_file(folder, test).read_text()]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def fail(text):
    print(f"mutants: {text}", file=sys.stderr)
    sys.exit(1)


def modules():
    """The folders of all Maven modules, by their last part."""
    return {
        folder.rsplit("/", 1)[-1]: folder
        for folder in re.findall(r"<module>(.*)</module>", (ROOT / "pom.xml").read_text())
    }


def read_list(path=LIST):
    """The guards, and what is wrong with the list."""
    folders = modules()
    guards, wrong = [], []
    for entry in tomllib.loads(path.read_text())["guard"]:
        name = entry["name"]
        tests = []
        for test in entry.pop("tests"):
            module, _, selected = test.partition(" ")
            if module not in folders:
                wrong.append(f"{name}: there is no module '{module}'")
            elif not is_test(folders[module], selected):
                wrong.append(f"{name}: {folders[module]} has no test '{selected}'")
            else:
                tests.append((folders[module], selected))
        guard = Guard(tests=tuple(tests), **entry)
        if any(guard.name == other.name for other in guards):
            wrong.append(f"{name}: another guard has the same name")
        source = ROOT / guard.file
        count = source.read_text().count(guard.find) if source.is_file() else -1
        if count != 1:
            found = "there is no such file" if count < 0 else f"the text is there {count} times and not once"
            wrong.append(f"{name}: the list is stale: {guard.file}: {found}:\n{guard.find}")
        elif guard.find == guard.put or not guard.find.strip():
            wrong.append(f"{name}: it removes nothing")
        if not tests:
            wrong.append(f"{name}: it names no test")
        guards.append(guard)
    return guards, wrong


def is_test(folder, selected):
    """Whether a module has a test class, or class#method without parameters."""
    method = selected.partition("#")[2]
    file = test_file(folder, selected)
    return file and (not method or re.search(rf"\bvoid {re.escape(method)}\(\)", file.read_text()))


def test_file(folder, selected):
    """The source of a test class, or of class#method; None unless there is exactly one."""
    files = list((ROOT / folder / "src/test/java").rglob(f"{selected.partition('#')[0]}.java"))
    return files[0] if len(files) == 1 else None


def class_name(folder, selected):
    return ".".join(test_file(folder, selected).relative_to(ROOT / folder / "src/test/java").with_suffix("").parts)


class Tree:
    """The compiled tree, copied: the developer may go on editing and building."""

    def __init__(self, work, folders, console):
        self.work = work
        self.console = console
        self.copies = {}
        self.paths = {folder: self.class_path(folder) for folder in folders}
        options = re.search(r"<argLine>(.*)</argLine>", (ROOT / "pom.xml").read_text())
        self.options = options.group(1).split()

    def class_path(self, folder):
        own = [str(ROOT / folder / "target/test-classes"), str(ROOT / folder / "target/classes")]
        return [self.copy(part) for part in own + (ROOT / folder / CLASS_PATH).read_text().strip().split(":")]

    def copy(self, part):
        if not os.path.isdir(part):
            return part
        if part not in self.copies:
            to = self.work / "classes" / str(len(self.copies))
            shutil.copytree(part, to)
            self.copies[part] = str(to)
        return self.copies[part]

    def compile(self, guard, to):
        """Puts the file without its guard into the folder `to`. Returns what the compiler says against it."""
        source = ROOT / guard.file
        text = source.read_text().replace(guard.find, guard.put)
        kind, _, inside = guard.file.partition("/src/main/")[2].partition("/")
        if kind == "resources":
            (to / inside).parent.mkdir(parents=True)
            (to / inside).write_text(text)
            return ""
        changed = to / "sources" / source.name
        changed.parent.mkdir()
        changed.write_text(text)
        path = self.paths[guard.tests[0][0]]
        release = re.search(r"<maven.compiler.release>(.*)<", (ROOT / "pom.xml").read_text()).group(1)
        command = [java("javac"), "--release", release, "-parameters", "-proc:none", "-implicit:none", "-nowarn"]
        done = subprocess.run(
            [*command, "-sourcepath", "", "-cp", ":".join(path), "-d", str(to), str(changed)],
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stderr if done.returncode else ""

    def test(self, folder, test, before, deadline, log, reports=None):
        """Runs a test with the folders `before` in front of its class path: 0 when it passes, 1 when it fails, None when it takes too long."""
        method = test.partition("#")[2]
        full = class_name(folder, test)
        selected = ["--select-method", f"{full}#{method}"] if method else ["--select-class", full]
        template = f"-Dsolidus.postgres.template={self.work / 'postgres'}"  # of the databases of all these tests
        command = [java("java"), *self.options, template, "-cp", ":".join([*before, *self.paths[folder], self.console])]
        command += ["org.junit.platform.console.ConsoleLauncher", "execute", "--fail-fast", "--fail-if-no-tests"]
        command += ["--disable-banner", "--details=tree", "--disable-ansi-colors", *selected]
        command += [f"--reports-dir={reports}"] if reports else []
        with open(log, "a", encoding="utf-8") as out:
            process = subprocess.Popen(
                command, cwd=ROOT / folder, stdout=out, stderr=out, stdin=subprocess.DEVNULL, start_new_session=True
            )
            try:
                return process.wait(deadline)
            except subprocess.TimeoutExpired:
                return None
            finally:
                end(process)


def java(program):
    return str(Path(os.environ["JAVA_HOME"]) / "bin" / program)


def end(process):
    """Ends what a test process started, a database for example."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, how)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(STOP_SECONDS)


class Deadlines:
    """The longest time of each test. It has to pass without a mutant: otherwise every mutant would look killed."""

    def __init__(self, tree, least, logs):
        self.tree = tree
        self.least = least
        self.logs = logs
        self.longest = {}

    def of(self, folder, test):
        """Seconds; None for a test that fails although no guard is removed."""
        if (folder, test) not in self.longest:
            start = time.monotonic()
            passed = self.tree.test(folder, test, [], None, self.logs / f"unmutated-{test}.log") == 0
            seconds = time.monotonic() - start
            print(
                f"           {'passes' if passed else 'FAILS'} {seconds:.0f} s  {folder} {test}, no guard removed",
                flush=True,
            )
            self.longest[folder, test] = self.least + SLOWER * seconds if passed else None
        return self.longest[folder, test]


def try_guard(tree, guard, deadlines, log):
    """The result, the test and the method that noticed."""
    longest = [deadlines.of(*test) for test in guard.tests]
    if None in longest:
        return "not tried", None, None
    with tempfile.TemporaryDirectory(dir=tree.work) as scratch:
        errors = tree.compile(guard, Path(scratch))
        if errors:
            log.write_text(errors)
            return "did not compile", None, None
        for (folder, test), limit in zip(guard.tests, longest, strict=True):
            reports = Path(scratch) / "reports"
            status = tree.test(folder, test, [scratch], limit, log, reports)
            if status is None:
                return "ran too long", test, None
            if status == 1:
                return "killed", test, failed_in(reports)
            if status != 0:
                fail(f"{guard.name}: the tests did not run; see {log}")
    return "survived", None, None


def failed_in(reports):
    """The test method that failed; None where the whole class did."""
    for report in reports.glob("TEST-*.xml"):
        for case in xml.etree.ElementTree.parse(report).iter("testcase"):
            if case.find("failure") is not None or case.find("error") is not None:
                return case.get("name").partition("(")[0]
    return None


class Results:
    """The results of guards, kept in a file if there is one. Those of guards that changed since are not read."""

    def __init__(self, file, guards):
        self.file = Path(file) if file else None
        digests = {guard.name: guard.digest() for guard in guards}
        kept = json.loads(self.file.read_text()) if self.file and self.file.is_file() else {}
        self.rows = {row["name"]: row for row in kept.get("guards", []) if digests.get(row["name"]) == row["digest"]}
        code = circuits_digest()
        self.circuits = {name: score for name, score in kept.get("circuits", {}).items() if score["digest"] == code}
        self.order = list(digests)

    def counts(self):
        rows = self.rows.values()
        return {result: sum(row["result"] == result for row in rows) for result in RESULTS}

    def write(self):
        if self.file:
            rows = [self.rows[name] for name in self.order if name in self.rows]
            report = {"counts": self.counts(), "circuits": self.circuits, "guards": rows}
            self.file.write_text(json.dumps(report, indent=1) + "\n")


def circuits(only):
    """The circuits whose definitions the tests in Go mutate."""
    found = {path.parent.name for path in CIRCUITS.glob("*/*_test.go") if "func TestMutationScore(" in path.read_text()}
    return [name for name in sorted(found) if wanted(f"circuit: {name}", only)]


def circuits_digest():
    """Of all Go code beside the circuits: their gadgets are in other packages."""
    digest = hashlib.sha256()
    for path in sorted(CIRCUITS.parent.rglob("*.go")):
        digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def try_circuit(name, log):
    """Leaves out each assertion of a circuit once: prover-native/circuits/internal/statementtest."""
    command = [
        os.environ["GO"],
        "test",
        f"./circuits/{name}",
        "-run",
        "^TestMutationScore$",
        "-v",
        "-count=1",
        "-timeout=60m",
    ]
    done = subprocess.run(command, cwd=ROOT / "prover-native", capture_output=True, text=True, check=False)
    log.write_text(done.stdout + done.stderr)
    score = re.search(r"(\d+) of (\d+) mutants killed", done.stdout)
    if not score:
        fail(f"circuit {name}: no score; see {log}")
    killed, tried = map(int, score.groups())
    return {
        "killed": killed,
        "survived": tried - killed,
        "passed": done.returncode == 0,
        "digest": circuits_digest(),
    }


def wanted(name, only):
    return not only or only.lower() in name.lower() or fnmatch.fnmatch(name.lower(), only.lower())


def run(options, guards, results):
    """Tries the guards that have no result yet."""
    work = Path(tempfile.mkdtemp(prefix="solidus-mutants-"))
    logs = Path(options.logs)
    shutil.rmtree(logs, ignore_errors=True)
    logs.mkdir(parents=True)
    wanted_names = {guard.name for guard in guards}
    guards = [guard for guard in guards if options.again or guard.name not in results.rows]
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--abbrev=12"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.strip()
    try:
        if guards:
            tree = Tree(work, {folder for guard in guards for folder, _ in guard.tests}, options.console)
            deadlines = Deadlines(tree, options.deadline, logs)
            print(f"mutants: {len(guards)} of {len(wanted_names)} guards have no result yet", flush=True)
        for number, guard in enumerate(guards, 1):
            start = time.monotonic()
            log = logs / f"{number}.log"
            result, test, method = try_guard(tree, guard, deadlines, log)
            row = {"name": guard.name, "result": result, "test": test, "method": method}
            row |= {"seconds": round(time.monotonic() - start), "commit": commit, "digest": guard.digest()}
            if result == "not tried":
                results.rows.pop(guard.name, None)
            else:
                results.rows[guard.name] = row
            results.write()
            say = f" ({test}: {method})" if test else f" (see {log})"
            print(f"  {number:3}/{len(guards)}  {result:15} {row['seconds']:4} s  {guard.name}{say}", flush=True)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    noticed = [name for name in wanted_names if name in results.rows and results.rows[name]["result"] in NOTICED]
    passed = len(noticed) == len(wanted_names)
    for name in [] if options.few else circuits(options.only):
        if options.again or name not in results.circuits:
            results.circuits[name] = try_circuit(name, logs / f"circuit-{name}.log") | {"commit": commit}
            results.write()
        score = results.circuits[name]
        passed &= score["passed"]
        print(f"  circuit {name}: {score['killed']} of {score['killed'] + score['survived']} killed", flush=True)
    if wanted_names:
        print(f"mutants: {len(noticed)} of {len(wanted_names)} guards noticed", flush=True)
    return passed


def main():
    parser = argparse.ArgumentParser(prog="./solidus mutants")
    parser.add_argument("action", choices=["check", "modules", "run"])
    parser.add_argument("--only", default="")
    parser.add_argument("--few", action="store_true")
    parser.add_argument("--json")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--deadline", type=int, default=60)
    parser.add_argument("--console")
    parser.add_argument("--logs", default=str(ROOT / "target" / "mutants"))
    options = parser.parse_args()
    guards, wrong = read_list()
    if wrong:
        fail("\n".join(wrong))
    if options.action == "check":
        recorded = Results(RECORD, guards)
        noticed = sum(recorded.counts()[result] for result in NOTICED)
        print(
            f"mutants: {len(guards)} guards, each in the source once; {noticed} of them noticed as they are now: {RECORD.name}"
        )
        return
    results = Results(options.json, guards)
    guards = [guard for guard in guards if wanted(guard.name, options.only) and (guard.few or not options.few)]
    if not guards and not circuits(options.only):
        fail(f"no guard and no circuit matches '{options.only}'")
    if options.action == "modules":
        print(",".join(sorted({folder for guard in guards for folder, _ in guard.tests})))
    elif not run(options, guards, results):
        sys.exit(1)


if __name__ == "__main__":
    main()
