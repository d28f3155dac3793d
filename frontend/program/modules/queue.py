"""Queues of one thread."""


class Empty(Exception):
    pass


class Full(Exception):
    pass


class _Waits(Empty):
    """Nothing comes any more: a thread that waits for it goes no further."""


class Queue:
    def __init__(self, maxsize=0):
        self.maxsize = maxsize
        self._items = []

    def put(self, item, block=True, timeout=None):
        self._items.append(item)

    def get(self, block=True, timeout=None):
        if not self._items:
            raise _Waits() if block and timeout is None else Empty()
        return self._take()

    def _take(self):
        return self._items.pop(0)

    put_nowait = put

    def get_nowait(self):
        return self.get(False)

    def qsize(self):
        return len(self._items)

    def empty(self):
        return not self._items

    def full(self):
        return 0 < self.maxsize <= len(self._items)

    def task_done(self):
        pass

    def join(self):
        pass

    def close(self):
        pass


SimpleQueue = JoinableQueue = Queue


class LifoQueue(Queue):
    def _take(self):
        return self._items.pop()


class PriorityQueue(Queue):
    def _take(self):
        self._items.sort()
        return self._items.pop(0)
