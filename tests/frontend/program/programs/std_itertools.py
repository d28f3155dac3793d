import itertools
from itertools import accumulate, chain, combinations, count, cycle, groupby, islice, pairwise, permutations, product, repeat, starmap, takewhile, tee, zip_longest

print(list(chain([1, 2], "ab", (3,))), list(chain.from_iterable([[1], [2, 3]])), list(chain()), list(itertools.chain(*[[1], [2]])))
print(list(islice(count(), 5)), list(islice(count(10, 5), 3)), list(islice("abcdef", 2, None)), list(islice("abcdef", 1, 5, 2)), list(islice(range(3), 0)), list(islice([1], 9)))
print(list(accumulate([1, 2, 3, 4])), list(accumulate([3, 1, 2], max)), list(accumulate([1, 2], initial=10)), list(accumulate([])))
print(list(product([1, 2], "ab")), list(product([0, 1], repeat=2)), len(list(product(range(3), range(4)))), list(product()), list(product([], [1])))
print(list(permutations([1, 2, 3], 2)), list(combinations("abcd", 2)), list(itertools.combinations_with_replacement("ab", 2)), len(list(permutations(range(4)))))
print([(k, list(g)) for k, g in groupby("aaabbc")], [(k, len(list(g))) for k, g in groupby([1, 3, 2, 4, 5], key=lambda x: x % 2)])
print(list(zip_longest([1, 2, 3], "ab", fillvalue="-")), list(zip_longest([1], [2, 3])), list(repeat("x", 3)), list(zip(repeat(0), "ab")))
c = cycle([1, 2])
print([next(c) for _ in range(5)], list(takewhile(lambda x: x < 3, count())), list(itertools.dropwhile(lambda x: x < 3, [1, 2, 3, 1])))
a, b = tee([1, 2, 3])
print(list(a), list(b), list(pairwise([1, 2, 3])), list(starmap(pow, [(2, 3), (3, 2)])), list(itertools.filterfalse(lambda x: x % 2, range(5))), list(itertools.compress("abc", [1, 0, 1])))
it = iter(range(10))
print(list(islice(it, 3)), list(islice(it, 2)), next(it), list(it))


def batches(data, n):
    it = iter(data)
    while batch := list(islice(it, n)):
        yield batch


print(list(batches(range(7), 3)), next(chain([5], [6])), sum(chain([1], [2])), max(itertools.chain.from_iterable([[1, 9], [4]])))
grid = {"lr": [0.1, 0.01], "wd": [0, 1]}
for values in product(*grid.values()):
    print(dict(zip(grid, values)))
loader = cycle(["b0", "b1", "b2"])
print([(step, next(loader)) for step in range(4)], [i for i in islice(cycle("ab"), 5)])
print(list(map(lambda p: p[0], groupby(sorted("banana")))), dict(zip("abc", count(1))), [x for x, _ in zip(count(), "ab")], list(enumerate(chain("a", "b"))))
