# Names of a call live on in what the call made: functions, generators, comprehensions.


def counter(start):
    count = start

    def up(by=1):
        nonlocal count
        count += by
        return count
    return up


first, second = counter(1), counter(10)
print(first(), second(), first(5), second())


def pairs(n):
    for i in range(n):
        other = i * i
        yield i, other


one, two = pairs(3), pairs(3)
print(next(one), next(two), next(one), list(two), list(one))


def depth(n):
    here = [n]
    if n:
        here += depth(n - 1)
    return here


print(depth(4))


def lazily(values):
    scale = 3
    return (scale * v for v in values)


def table():
    sums = {k: [j + k for j in range(k)] for k in range(4)}
    return [lambda x, k=k: x * k for k in range(3)], sums


made = lazily([1, 2])
functions, rows = table()
print(list(made), [f(2) for f in functions], rows)


class Held:
    def __init__(self, name):
        self.say = lambda: name


def fails(n):
    kept = n
    if n == 0:
        raise ValueError(kept)
    try:
        return fails(n - 1)
    except ValueError as error:
        return kept, error.args


held = [Held(n) for n in "ab"]
print(fails(2), [h.say() for h in held])


def outer():
    value = 1

    def middle():
        def inner():
            return value
        return inner
    return middle()


get = outer()
counter(7), depth(2)
word = "abc"
print(get(), word[1] is word[1], [c for c in "aba"])
