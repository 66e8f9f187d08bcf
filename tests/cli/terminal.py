"""A pseudo-terminal for commands."""

import os
import subprocess
import sys

import pytest

CHANGES_LOOKS = {"COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"}
HIDE_CURSOR, SHOW_CURSOR = "\x1b[?25l", "\x1b[?25h"

needs_terminal = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")


def on_terminal(columns, command, stdout=None):
    """What a command shows on a terminal of this width, and what goes to the pipe, if there is one."""
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in CHANGES_LOOKS}
    environment["TERM"] = "xterm-256color"
    process = subprocess.Popen(command, stdin=theirs, stdout=stdout or theirs, stderr=theirs, env=environment)
    os.close(theirs)
    shown = b""
    while chunk := _read(ours):
        shown += chunk
    os.close(ours)
    output, _ = process.communicate(timeout=300)
    return shown.decode(), (output or b"").decode()


def _read(terminal):
    try:
        return os.read(terminal, 65536)
    except OSError:  # how Linux says that the other side is gone
        return b""
