#!/usr/bin/env python3
"""What the documentation says of itself and of the code, without a build and without a network:

- every relative link leads to a file or folder that is there, and its #fragment to a heading;
- every page of docs/how-to, docs/explanation, docs/reference and docs/runbooks is linked from some page;
- every test that docs/explanation/security.md names exists;
- every property (`solidus.x.y`) that docs/how-to/harden.md names is one of the code's;
- what docs/how-to/size-a-deployment.md shows of scripts/size.py is what it prints (--write: put it there).
"""
import os
import re
import subprocess
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
LINK = re.compile(r"\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
wrong = []


def files(*patterns):
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns], check=True, capture_output=True, text=True
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
    """The fragments that a page's headings have."""
    names = {}
    found = set()
    for title in re.findall(r"(?m)^#{1,6} +(.*)$", prose(text)):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
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
            wrong.append(f"{page}: {name} is no property of the code's")
    return len(named)


def check_examples():
    page = "docs/how-to/size-a-deployment.md"
    shown = re.findall(r"(?ms)^\$ (scripts/size\.py[^\n]*)\n(.*?)^```", read(page))
    for command, output in shown:
        printed = subprocess.run([sys.executable, *command.split()], cwd=ROOT, check=True, capture_output=True, text=True).stdout
        if printed == output:
            continue
        if "--write" in sys.argv:
            write(page, read(page).replace(f"$ {command}\n{output}", f"$ {command}\n{printed}"))
        else:
            wrong.append(f"{page}: {command} prints something else (scripts/check-docs.py --write puts it there):\n{printed}")
    if not shown:
        wrong.append(f"{page}: shows no output of scripts/size.py")
    return len(shown)


def main():
    pages = files("*.md")
    counts = (len(pages), check_links(pages), check_tests(), check_properties(), check_examples())
    for line in wrong:
        print(line, file=sys.stderr)
    if not wrong:
        print("docs: %d pages, %d links, %d tests, %d properties, %d examples" % counts)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
