# A generator that handles errors is asked, and thrown at, from calls of other depths.
def numbers():
    n = 0
    while True:
        try:
            yield n
        except ValueError as error:
            print("handled", error, n)
        n += 1


def deeper(depth, function):
    return function() if depth == 0 else deeper(depth - 1, function)


items = numbers()
print(deeper(9, lambda: next(items)))
print(next(items))
print(items.throw(ValueError("at the top")))
print(deeper(5, lambda: items.throw(ValueError("five calls down"))))
print(deeper(2, lambda: next(items)), next(items))
print(items.throw(ValueError("at the top again")))


class Kept:
    def __init__(self, items):
        self.items = items

    def __enter__(self):
        return deeper(3, lambda: next(self.items))

    def __exit__(self, kind, error, trace):
        if error is not None:
            self.items.throw(error)
        return True


with Kept(numbers()) as first:
    print(first)
    deeper(6, lambda: [].index(1))
print("done", deeper(1, lambda: next(items)))
