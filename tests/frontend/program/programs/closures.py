def counter(start=0):
    n = start

    def step(by=1):
        nonlocal n
        n += by
        return n

    def read():
        return n
    return step, read


step, read = counter(10)
print(step(), step(5), read())
step2, read2 = counter()
step2()
print(read(), read2())
late = [lambda: i for i in range(3)]
early = [lambda i=i: i for i in range(3)]
print([g() for g in late], [g() for g in early])
total = 0


def add(x):
    global total
    total += x
    return total


add(3)
add(4)
print(total)


def make_global():
    global created
    created = "yes"


make_global()
print(created)


def outer():
    x = "outer"

    def middle():
        def inner():
            nonlocal x
            x = "changed"
            return x
        y = inner()
        return y + x
    return middle() + x


print(outer())


def unbound():
    try:
        print(value)
    except UnboundLocalError as e:
        print("unbound")
    value = 1
    return value


print(unbound())
try:
    undefined_name
except NameError as e:
    print(e)


def compose(*fs):
    def run(x):
        for g in reversed(fs):
            x = g(x)
        return x
    return run


print(compose(lambda x: x + 1, lambda x: x * 2)(5))


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print([fib(i) for i in range(12)])


def cell():
    fs = []
    for i in range(3):
        def g():
            return i * 10
        fs.append(g)
    i = 7
    return [g() for g in fs]


print(cell())


def shadow(list):
    len = 3
    return list, len


print(shadow(1), list((1, 2)), len("abc"))


def delete():
    a = 1
    del a
    try:
        a
    except NameError:
        return "gone"


print(delete())
