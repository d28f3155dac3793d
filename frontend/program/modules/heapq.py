"""Heaps in lists."""


def _up(heap, i):
    item = heap[i]
    while i > 0:
        parent = (i - 1) // 2
        if not item < heap[parent]:
            break
        heap[i] = heap[parent]
        i = parent
    heap[i] = item


def _down(heap, i):
    n = len(heap)
    item = heap[i]
    while True:
        child = 2 * i + 1
        if child >= n:
            break
        if child + 1 < n and heap[child + 1] < heap[child]:
            child += 1
        if not heap[child] < item:
            break
        heap[i] = heap[child]
        i = child
    heap[i] = item


def heappush(heap, item):
    heap.append(item)
    _up(heap, len(heap) - 1)


def heappop(heap):
    last = heap.pop()
    if not heap:
        return last
    first, heap[0] = heap[0], last
    _down(heap, 0)
    return first


def heapify(heap):
    for i in range(len(heap) // 2 - 1, -1, -1):
        _down(heap, i)


def heapreplace(heap, item):
    first, heap[0] = heap[0], item
    _down(heap, 0)
    return first


def heappushpop(heap, item):
    if heap and heap[0] < item:
        return heapreplace(heap, item)
    return item


def nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[:n]


def nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[:n]


def merge(*iterables, key=None, reverse=False):
    every = [value for iterable in iterables for value in iterable]
    return iter(sorted(every, key=key, reverse=reverse))
