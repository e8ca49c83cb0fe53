#!/usr/bin/env python3
"""`./solidus check docs`: compares the documentation with itself and with the code. It needs no build and no network.

- Every relative link leads to an existing file or folder, and its #fragment to a heading.
- Some page links to every page of docs/how-to, docs/explanation, docs/reference and docs/runbooks.
- Every test that docs/explanation/security.md names exists.
- Every property (`solidus.x.y`) that docs/how-to/harden.md names is one of the code's.
- The output of ./solidus size in docs/how-to/size-a-deployment.md is its real output (--write puts it there).
- Every block of Java is a part of a source file, which the comment above it names (--write puts it there), and a page shows every part
  that a source file marks.
- Every name in CamelCase between backticks or in a Mermaid diagram occurs in the code; a class may not be renamed in the code alone.
- No sequence diagram has a semicolon, because Mermaid ends a line there and then draws nothing.
- docs/how-to/write-a-wallet.md lists the public REST routes and the codes of refusals and errors of the code, with their status.
"""

import os
import re
import subprocess
import sys
import textwrap

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
LINK = re.compile(r"\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
# options of the JVM and placeholders, which the pages name and the code does not
OF_OTHERS = {"HeapDumpOnOutOfMemoryError", "TestName"}
wrong = []


def files(*patterns):
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split("\n")
    return sorted({f for f in listed if f and os.path.exists(os.path.join(ROOT, f))})


def read(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return file.read()


def write(name, text):
    with open(os.path.join(ROOT, name), "w", encoding="utf-8") as file:
        file.write(text)


def prose(text):
    """A page without fenced blocks."""
    return re.sub(r"(?ms)^ *```.*?^ *```", "", text)


def headings(text):
    """The fragments that lead to a page's headings."""
    names = {}
    found = set()
    for heading in re.findall(r"(?m)^#{1,6} +(.*)$", prose(text)):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")
        count = names.get(slug, 0)
        names[slug] = count + 1
        found.add(slug if count == 0 else f"{slug}-{count}")
    return found


def check_links(pages):
    linked = set()
    count = 0
    for page in pages:
        text = re.sub(r"`[^`\n]*`", "", prose(read(page)))
        for link in LINK.findall(text):
            if re.match(r"[a-z]+:", link):
                continue
            count += 1
            path, _, fragment = link.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if not os.path.exists(os.path.join(ROOT, target)):
                wrong.append(f"{page}: {link} leads nowhere")
            elif fragment and target.endswith(".md") and fragment not in headings(read(target)):
                wrong.append(f"{page}: {target} has no heading for #{fragment}")
            if target != page:
                linked.add(target)
    for page in pages:
        if re.match(r"docs/(how-to|explanation|reference|runbooks)/", page) and page not in linked:
            wrong.append(f"{page}: no page links to it")
    return count


def check_tests():
    go = {name for file in files("*_test.go") for name in re.findall(r"(?m)^func (Test\w+)\(", read(file))}
    java = {}
    for file in files("*Test.java"):
        java.setdefault(os.path.basename(file)[:-5], set()).update(re.findall(r"void (\w+)\(", read(file)))
    page = "docs/explanation/security.md"
    named = re.findall(r"`(Test[A-Z]\w+|\w+Test\.\w+)`", read(page))
    for name in named:
        owner, _, method = name.partition(".")
        if not (method in java.get(owner, ()) if method else name in go):
            wrong.append(f"{page}: there is no test {name}")
    return len(set(named))


def kebab(name):
    return re.sub(r"([A-Z])", r"-\1", name).lower()


def check_properties():
    known = set()
    for file in files("services/*.java"):
        text = read(file)
        for prefix in re.findall(r'@ConfigurationProperties\("(solidus[\w.\-]*)"\)', text):
            known.add(prefix)
            known.update(f"{prefix}.{kebab(name)}" for name in re.findall(r"[\w>\]] (\w+)(?=[,)])", text))
    page = "docs/how-to/harden.md"
    named = set(re.findall(r"`(solidus\.[a-z0-9.\-]*[a-z0-9])`", read(page)))
    for name in sorted(named):
        first = ".".join(name.split(".")[:3])
        if name not in known and first not in known:
            wrong.append(f"{page}: {name} is not a property of the code")
    return len(named)


def check_examples():
    page = "docs/how-to/size-a-deployment.md"
    shown = re.findall(r"(?ms)^\$ (\./solidus size[^\n]*)\n(.*?)^```", read(page))
    for command, output in shown:
        printed = subprocess.run(
            [sys.executable, "scripts/size.py", *command.split()[2:]],
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        if printed == output:
            continue
        if "--write" in sys.argv:
            write(page, read(page).replace(f"$ {command}\n{output}", f"$ {command}\n{printed}"))
        else:
            wrong.append(
                f"{page}: {command} has another output (scripts/check-docs.py --write puts it there):\n{printed}"
            )
    if not shown:
        wrong.append(f"{page}: shows no output of ./solidus size")
    return len(shown)


def parts(source):
    """The parts of a source file that pages show: name to text, without common indentation."""
    marked = re.findall(r"(?ms)^ *// doc: ([\w-]+)\n(.*?)^ *// end\n", read(source))
    return {name: textwrap.dedent(text) for name, text in marked}


def check_blocks(pages):
    shown = set()
    for page in pages:
        text = read(page)
        fresh = text
        for comment, block in re.findall(r"(?ms)^([^\n]*)\n```java\n(.*?)^```", text):
            named = re.fullmatch(r"<!-- (\S+)#([\w-]+) -->", comment)
            if not named or not os.path.exists(os.path.join(ROOT, named[1])):
                wrong.append(
                    f"{page}: a block of Java without a comment above it that names its source and part: {comment}"
                )
                continue
            source, name = named.groups()
            shown.add((source, name))
            part = parts(source).get(name)
            if part is None:
                wrong.append(f"{page}: {source} has no part {name}")
            elif part != block and "--write" in sys.argv:
                fresh = fresh.replace(f"{comment}\n```java\n{block}```", f"{comment}\n```java\n{part}```")
            elif part != block:
                wrong.append(f"{page}: {source}#{name} has another text (scripts/check-docs.py --write puts it there)")
        if fresh != text:
            write(page, fresh)
    marked = subprocess.run(
        ["git", "grep", "-lE", "^ *// doc: ", "--", "*.java"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split()
    for source in sorted({source for source, _ in shown} | set(marked)):
        for name in parts(source):
            if (source, name) not in shown:
                wrong.append(f"{source}: no page shows its part {name}")
    return len(shown)


def check_names(pages):
    """Old decisions keep the names of their time."""
    code = files(
        "*.java", "*.go", "*.proto", "*.py", "*.sh", "*.yaml", "*.tf", "*.js", "*.ts", "*.kt", "*.html", "*pom.xml"
    )
    known = set(re.findall(r"\w+", "\n".join(read(name) for name in code))) | OF_OTHERS
    for page in pages:
        if page.startswith("docs/adr/") or page == "CHANGELOG.md":
            continue
        text = read(page)
        shown = re.findall(r"`([^`\n]+)`", prose(text)) + re.findall(r"(?ms)^ *```mermaid$(.*?)^ *```", text)
        for name in sorted(set(re.findall(r"\b(?:[A-Z][a-z0-9]+){2,}\b", "\n".join(shown))) - known):
            wrong.append(f"{page}: the code has no name {name}")


def check_diagrams(pages):
    for page in pages:
        for diagram in re.findall(r"(?ms)^```mermaid\nsequenceDiagram\n(.*?)^```", read(page)):
            wrong.extend(
                f"{page}: a semicolon in a sequence diagram: {line.strip()}"
                for line in diagram.split("\n")
                if ";" in line
            )


def routes():
    """The public REST routes (/v1) of the controllers."""
    found = set()
    for file in files("services/*/*/src/main/*Controller.java"):
        text = read(file)
        base = re.search(r'(?m)^@RequestMapping\("([^"]*)"\)', text)
        for method, arguments in re.findall(r"(?m)^  @(Get|Post|Put|Delete)Mapping(?:\(([^)]*)\))?", text):
            path = re.search(r'"(/[^"]*)"', arguments)
            route = (base[1] if base else "") + (path[1] if path else "")
            if route.startswith("/v1"):
                found.add(f"{method.upper()} {route}")
    return found


def compare(page, what, shown, real):
    for line in sorted(real - shown):
        wrong.append(f"{page}: lacks {what} {line}")
    for line in sorted(shown - real):
        wrong.append(f"{page}: {what} {line} is not in the code")
    return len(real)


def check_wallet_page():
    page = "docs/how-to/write-a-wallet.md"
    text = read(page)
    count = compare(page, "route", set(re.findall(r"(?m)^\| `((?:GET|POST|PUT|DELETE) /[^`]*)`", text)), routes())
    refusals = re.findall(
        r'(?m)^  [A-Z_]+\("([a-z-]+)", (\d+), (true|false)\)',
        read("services/lib/protocol/src/main/java/io/solidus/protocol/RejectionCode.java"),
    )
    real = {f"{code} {status} {'yes' if again == 'true' else 'no'}" for code, status, again in refusals}
    rows = re.findall(r"(?m)^\| `([a-z-]+)` \| (\d+) \| (yes|no) \|", text)
    count += compare(page, "refusal", {" ".join(row) for row in rows}, real)
    library = read("services/wallet/sdk/src/main/java/io/solidus/wallet/error/WalletError.java")
    status = dict(re.findall(r"int (\w+) = (\d+);", library))
    real = {
        f"{code} exit {status[name]}"
        for code, name in re.findall(r'(?m)^  [A-Z_]+\("([a-z-]+)", Exit\.(\w+)\)', library)
    }
    rows = re.findall(r"(?m)^\| `([a-z-]+)` \| exit (\d+) \|", text)
    return count + compare(page, "error", {f"{code} exit {number}" for code, number in rows}, real)


def main():
    pages = files("*.md")
    check_names(pages)
    check_diagrams(pages)
    counts = {
        "pages": len(pages),
        "links": check_links(pages),
        "tests": check_tests(),
        "properties": check_properties(),
        "examples": check_examples(),
        "blocks of Java": check_blocks(pages),
        "routes and codes": check_wallet_page(),
    }
    for line in wrong:
        print(line, file=sys.stderr)
    if not wrong:
        print("docs:", ", ".join(f"{count} {what}" for what, count in counts.items()))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
