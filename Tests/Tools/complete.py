#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Types a line and the TAB key into a shell on its own terminal, and waits for names.

usage: complete.py SHELL FOLDER LINE NAME...
FOLDER contains bin/ for the PATH, and the output of `gesturectl --generate-completion-script` under the names
that an installation uses. Prints the content of the terminal. The exit status is 0 if every NAME was shown.
"""
import os
import pty
import re
import select
import sys
import time

PATIENCE = 20.0
PROMPT = "ready>"

shell, folder, line, *names = sys.argv[1:]

COMMANDS = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
# The setup contains the prompt in two parts, so that its echo is not mistaken for a prompt.
SETUP = {
    "bash": f". {folder}/gesturectl; bind 'set show-all-if-ambiguous on'; PS1='rea''dy>'",
    "zsh": f"fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -d {folder}/dump; PS1='rea''dy>'",
    "fish": f"source {folder}/gesturectl.fish; function fish_prompt; printf 'rea''dy>'; end",
}


def without_controls(text):
    """The text without control sequences."""
    return re.sub(r"\x1b(\[[0-9;?<>=]*[ -/]*[@-~]|\][^\x07]*\x07|[()][A-Z0-9]|[=>78M])|[\x07\x08\r]", "", text)


def main():
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(
            PATH=folder + "/bin:/usr/bin:/bin", TERM="xterm", COLUMNS="200", HOME=folder, INPUTRC="/dev/null"
        )
        os.execvp(COMMANDS[shell][0], COMMANDS[shell])
    seen = ""
    deadline = time.monotonic() + PATIENCE

    def read_until(is_enough):
        nonlocal seen
        while not is_enough():
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([terminal], [], [], left)[0]:
                return False
            try:
                seen += os.read(terminal, 65536).decode(errors="replace")
            except OSError:
                return False
        return True

    os.write(terminal, (SETUP[shell] + "\n").encode())
    ready = read_until(lambda: PROMPT in without_controls(seen))
    start = len(seen)
    # The shell may query its terminal for some time, so wait for the prompt before typing.
    os.write(terminal, (line + "\t").encode())
    found = ready and read_until(lambda: all(name in without_controls(seen[start:]) for name in names))
    print(without_controls(seen[start:] if ready else seen))
    os.kill(child, 9)
    os.waitpid(child, 0)
    return 0 if found else 1


sys.exit(main())
