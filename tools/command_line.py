#!/usr/bin/env python3
"""The commands and options of coracle, as its own help states them; and pages that are written from them.

tools/command_line.py markdown PROGRAM    docs/command-line.md
tools/command_line.py man PROGRAM         the manual page coracle(1), in troff
"""
import re
import subprocess
import sys
from dataclasses import dataclass, field


@dataclass
class Option:
    flags: list  # ["-o", "--out"]; of a positional: its name
    argument: str  # "DIR", empty for a switch
    text: str
    required: bool = False
    repeats: bool = False

    def usage(self):
        """`-o, --out DIR`, as people write it."""
        return ", ".join(self.flags) + (f" {self.argument}" if self.argument else "")


@dataclass
class Command:
    name: str  # empty for the program itself
    about: str
    usage: str
    positionals: list = field(default_factory=list)
    options: list = field(default_factory=list)
    commands: list = field(default_factory=list)  # (name, about) of the program itself
    footer: str = ""

    def flags(self):
        return {flag for option in self.options for flag in option.flags}


def help_of(program, name=""):
    words = [program, "help", name] if name else [program, "--help"]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def entries(lines):
    """Rows of the help as [left, right]. The right side begins in column 30, perhaps one line below."""
    rows = []
    for line in lines:
        if not line.startswith("   "):
            fits = line[29:30] in ("", " ")
            rows.append([line[:30].strip(), line[30:].strip()] if fits else [line.strip(), ""])
        else:
            rows[-1][1] = (rows[-1][1] + " " + line.strip()).strip()
    return rows


def option_of(left, right):
    repeats = left.endswith(" ...")
    left = left.removesuffix(" ...")
    left = re.sub(r" Excludes: .*| Needs: .*", "", left)
    required = " REQUIRED" in left
    left = left.replace(" REQUIRED", "")
    flags, _, argument = left.partition(" ")
    argument = re.sub(r":(INT|UINT|FLOAT|POSITIVE|NONNEGATIVE)?( in \[.*\])?$", "", argument)
    return Option(flags.split(","), argument, right, required, repeats)


def read_command(program, name=""):
    about, *rest = help_of(program, name).splitlines()
    command = Command(name, about, "")
    section, lines = "", {}
    for line in rest:
        if line.startswith("Usage: "):
            command.usage = line.removeprefix("Usage: ")
        elif re.fullmatch(r"[A-Z][a-z]+:", line):
            section = line[:-1]
        elif line.startswith("Exit codes:") or section == "footer":
            section = "footer"
            command.footer += line + "\n"
        elif line.strip():
            lines.setdefault(section, []).append(line)
    command.positionals = [option_of(*row) for row in entries(lines.get("Positionals", []))]
    command.options = [option_of(*row) for row in entries(lines.get("Options", []))]
    command.commands = entries(lines.get("Subcommands", []))
    return command


def read_program(program):
    """The program itself and its commands."""
    top = read_command(program)
    return top, [read_command(program, name) for name, _ in top.commands]


def synopsis(command, code):
    """`coracle run SCENE [options]`, with code(text) around what is typed as it stands."""
    words = [code(f"coracle {command.name}")]
    words += [(p.argument or p.flags[0]) + (" ..." if p.repeats else "") for p in command.positionals if p.required]
    words += [f"[{p.argument or p.flags[0]}{' ...' if p.repeats else ''}]" for p in command.positionals if not p.required]
    words += [f"{o.flags[0]} {o.argument}" for o in command.options if o.required]
    if any(not o.required for o in command.options if "--help" not in o.flags):
        words.append("[options]")
    return " ".join(words)


def exit_codes(top):
    """(code, meaning) from the end of the help."""
    text = " ".join(top.footer.split()).removeprefix("Exit codes: ")
    return re.findall(r"(\d) (.*?)(?:;|\.)(?= \d |$)", text)


def markdown(program):
    top, commands = read_program(program)
    cell = lambda text: text.replace("|", "\\|").replace("<", "&lt;")
    out = ["# Command line", "",
           "Every command and option. This page is written from the program's own help: "
           "`tools/command_line.py markdown build/coracle`.",
           "A test compares the two.", "", top.about, "", "| command | |", "|--|--|"]
    out += [f"| [`{c.name}`](#{c.name}) | {cell(c.about)} |" for c in commands]
    out += ["", "`coracle --version` prints the version, `coracle help COMMAND` the options of a command."]
    for c in commands:
        out += ["", f"## {c.name}", "", cell(c.about) + ".", "", "```text", synopsis(c, str), "```"]
        rows = [("`" + (p.argument or p.flags[0]) + "`", p) for p in c.positionals]
        rows += [("`" + o.usage().replace("|", "\\|") + "`", o) for o in c.options if "--help" not in o.flags]
        if rows:
            out += ["", "| | |", "|--|--|"]
            out += [f"| {left} | {cell(o.text)} |" for left, o in rows]
    out += ["", "## Exit codes", "", "| code | |", "|--|--|"]
    out += [f"| {code} | {cell(text)} |" for code, text in exit_codes(top)]
    return "\n".join(out) + "\n"


def man(program):
    top, commands = read_program(program)
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
    esc = lambda text: re.sub(r"^([.'])", r"\\&\1", text.replace("\\", "\\e").replace("-", "\\-"))
    bold = lambda text: f"\\fB{esc(text)}\\fR"
    out = [f'.TH CORACLE 1 "" "coracle {version}" "User Commands"', ".SH NAME",
           "coracle \\- simulate fluids and deformable bodies together", ".SH SYNOPSIS",
           "\\fBcoracle\\fR \\fICOMMAND\\fR [\\fIoptions\\fR]", ".SH DESCRIPTION", esc(top.about),
           "A scene is a TOML file, or the name of a scene that ships with the program.",
           ".SH COMMANDS"]
    for c in commands:
        out += [f".SS {synopsis(c, esc)}", esc(c.about) + "."]
        rows = [(f"\\fI{esc(p.argument or p.flags[0])}\\fR", p) for p in c.positionals]
        rows += [(", ".join(bold(f) for f in o.flags) + (f" \\fI{esc(o.argument)}\\fR" if o.argument else ""), o)
                 for o in c.options if "--help" not in o.flags]
        for left, o in rows:
            out += [".TP", left, esc(o.text)]
    out += [".SH EXIT STATUS"]
    for code, text in exit_codes(top):
        out += [".TP", bold(code), esc(text)]
    out += [".SH EXAMPLE", ".nf", "coracle run dam_break \\-\\-preset quick \\-o runs/dam", "coracle info runs/dam",
            "coracle render runs/dam \\-o dam.png", ".fi"]
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("markdown", "man"):
        sys.exit(__doc__)
    print({"markdown": markdown, "man": man}[sys.argv[1]](sys.argv[2]), end="")
