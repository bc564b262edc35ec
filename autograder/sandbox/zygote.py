"""The zygote: imports the libraries once, then forks a worker for every request. Holds no secret, runs no learner byte.

It listens on control sockets, one for each lane of the grader. A request carries the limits as JSON and three
descriptors: where the worker reads questions, writes answers and prints. The reply carries the worker's pidfd; when the
worker ends, its status and processor time follow on the same socket.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import socket
import sys
from typing import Any

from autograder.sandbox import walls, worker

QUESTIONS, ANSWERS = 3, 4


def main() -> None:
    """Serve forks until every control socket is closed. Arguments: one JSON object with `sockets` and `libraries`."""
    setup = json.loads(sys.argv[1])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the grader decides when a run ends
    _load_libraries(setup["libraries"], setup["warm"])
    gc.collect()
    gc.freeze()
    lanes = [socket.socket(fileno=number) for number in setup["sockets"]]
    for lane in lanes:
        lane.sendall(b'{"event": "ready"}')
    _Zygote(lanes).serve()


def _load_libraries(libraries: list[str], warm: bool) -> None:
    if "numpy" in libraries:
        import numpy

        numpy.random.default_rng(0)
    if "torch" in libraries:
        import torch

        torch.set_num_threads(1)
        if warm:  # touch what a worker would otherwise import or build after every fork
            layer = torch.nn.Linear(2, 2)
            x = torch.ones(1, 2, 2, requires_grad=True)
            weights = torch.softmax(layer(x) @ layer(x).transpose(-2, -1), -1)
            torch.autograd.backward([weights], [torch.ones(1, 2, 2)])


class _Zygote:
    def __init__(self, lanes: list[socket.socket]) -> None:
        self.poller = select.poll()
        self.lanes = {lane.fileno(): lane for lane in lanes}
        self.workers: dict[int, tuple[int, socket.socket]] = {}
        for number in self.lanes:
            self.poller.register(number, select.POLLIN)

    def serve(self) -> None:
        while self.lanes:
            for number, _ in self.poller.poll():
                if number in self.lanes:
                    self._request(self.lanes[number])
                else:
                    self._ended(number)

    def _request(self, lane: socket.socket) -> None:
        message, descriptors, _, _ = socket.recv_fds(lane, 65536, 3)
        if not message:
            self.poller.unregister(lane)
            del self.lanes[lane.fileno()]
            lane.close()
            return
        pid = os.fork()
        if pid == 0:
            _become_worker(descriptors, json.loads(message))
        for descriptor in descriptors:
            os.close(descriptor)
        handle = os.pidfd_open(pid)
        self.workers[handle] = (pid, lane)
        self.poller.register(handle, select.POLLIN)
        socket.send_fds(lane, [json.dumps({"event": "forked", "pid": pid}).encode()], [handle])

    def _ended(self, handle: int) -> None:
        pid, lane = self.workers.pop(handle)
        self.poller.unregister(handle)
        os.close(handle)
        _, status, usage = os.wait4(pid, 0)
        event: dict[str, Any] = {"event": "ended", "pid": pid, "status": status}
        event["cpu"] = usage.ru_utime + usage.ru_stime
        with contextlib.suppress(OSError):  # the grader may have gone; so will we, at the next poll
            lane.sendall(json.dumps(event).encode())


def _become_worker(descriptors: list[int], limits: dict[str, int]) -> None:
    """In the fork: keep only the three pipes, put up the walls, answer until the grader hangs up. Never returns."""
    code = 99
    try:
        high = [os.dup2(number, 200 + i) for i, number in enumerate((*descriptors, os.open(os.devnull, os.O_RDONLY)))]
        questions, answers, prints, nothing = high
        for source, target in ((nothing, 0), (prints, 1), (prints, 2), (questions, QUESTIONS), (answers, ANSWERS)):
            os.dup2(source, target)
        os.closerange(5, 4096)
        os.chdir("/")
        walls.confine(limits)
        worker.serve(QUESTIONS, ANSWERS)
        code = 0
    finally:
        os._exit(code)


if __name__ == "__main__":
    main()
