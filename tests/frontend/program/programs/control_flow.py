for i in range(10):
    if i == 2:
        continue
    if i == 5:
        break
    print(i, end=" ")
else:
    print("no break")
print()
for i in range(2):
    pass
else:
    print("finished", i)
n = 0
while n < 5:
    n += 1
    if n == 3:
        continue
    if n == 10:
        break
else:
    print("while else", n)
while True:
    n -= 1
    if not n:
        break
print(n)


def find(rows, want):
    for r, row in enumerate(rows):
        for c, v in enumerate(row):
            if v == want:
                return r, c
    return None


print(find([[1, 2], [3, 4]], 3), find([[1]], 9))


def grade(x):
    if x > 90:
        return "A"
    elif x > 80:
        return "B"
    elif x > 70:
        pass
    else:
        return "F"
    return "C"


print([grade(x) for x in (95, 85, 75, 10)])
for i in []:
    print("never")
else:
    print("empty else")
x = 5
assert x == 5, "not printed"
try:
    assert x == 6, f"x is {x}"
except AssertionError as e:
    print("AssertionError", e)
print("in" if 1 < x <= 5 else "out", x is not None, x is None, not x == 5, 3 not in [1, 2])
items = [1, 2, 3, 4, 5, 6]
for item in items[:]:
    if item % 2:
        items.remove(item)
print(items)
for a in range(3):
    for b in range(3):
        if b == 1:
            break
    else:
        print("unreached")
    if a == 1:
        break
else:
    print("unreached")
print(a, b)


def hanoi(n, a="A", b="B", c="C"):
    return 0 if n == 0 else hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a)


print(hanoi(8))
if True: print("one line")
for q in range(3): x += q; x -= 1
print(x); print("semi")
pass
... 
def stub(): ...
print(stub(), ...)
i = 0
while i < 3: i += 1
else: print("short else", i)
print([i for i in range(20) if i % 3 == 0 and not i % 2 or i == 7])
del i
print("i" in globals())
