"""Work on several lanes of workers at once, with results in the order of the work."""

from __future__ import annotations

import ctypes
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from socket import socket
from typing import TypeVar

Item = TypeVar("Item")
Done = TypeVar("Done")
#: Options of mallopt.
_ARENAS, _MAPPED_FROM = -8, -3


def spread(
    work: Callable[[Item, socket | None], Done],
    items: Iterable[Item],
    lanes: Sequence[socket | None],
    abort: Callable[[], None] = lambda: None,
) -> Iterator[Done]:
    """Do the work on all lanes at once, a few items ahead; what is done comes in the order of the items.

    `abort` is called when something goes wrong, so that nobody waits for work that nobody wants any more.
    """
    _keep_heap_small()
    free: SimpleQueue[socket | None] = SimpleQueue()
    for lane in lanes:
        free.put(lane)

    def on_a_free_lane(item: Item) -> Done:
        lane = free.get()
        try:
            return work(item, lane)
        finally:
            free.put(lane)

    waiting: deque[Future[Done]] = deque()
    pool = ThreadPoolExecutor(len(lanes))
    try:
        for item in items:
            waiting.append(pool.submit(on_a_free_lane, item))
            if len(waiting) > 2 * len(lanes):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BaseException:
        abort()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _keep_heap_small() -> None:
    """Let the threads to come allocate from one heap, and give large blocks back to the system when they are freed.

    Otherwise each thread keeps what it once needed, and a large class takes more memory than a small one.
    """
    if os.name == "posix" and (mallopt := getattr(ctypes.CDLL(None), "mallopt", None)):
        mallopt(_ARENAS, 1)
        mallopt(_MAPPED_FROM, 128 << 10)  # as malloc starts with; said aloud, it stays
