"""Python as it is on Windows, as far as it matters here: imported by itself where this folder is on PYTHONPATH."""

import os
import signal
import socket
import sys

for name in ("fork", "forkpty", "pidfd_open", "pipe2", "geteuid", "getuid", "setsid", "getpgrp", "tcgetpgrp", "wait4"):
    delattr(os, name)
for name in ("AF_UNIX", "SOCK_SEQPACKET", "SO_PEERCRED", "send_fds", "recv_fds"):
    delattr(socket, name)
for name in ("pidfd_send_signal", "SIGXFSZ"):
    delattr(signal, name)
for name in ("fcntl", "grp", "pwd", "resource", "termios", "tty"):
    sys.modules[name] = None  # type: ignore[assignment]
