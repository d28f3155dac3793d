x = list(range(10))
print(x[2:5], x[:3], x[7:], x[-3:], x[:-7], x[::3], x[1::4], x[::-1], x[8:2:-2], x[-2:-5:-1], x[5:5], x[20:], x[-20:2], x[::-4])
s = slice(1, 8, 2)
print(x[s], s.start, s.stop, s.step, s.indices(6), x[slice(None)], x[slice(3)], "hello"[slice(-3, None)])
t = tuple(x)
print(t[1:3], "abcdef"[1:-1], "abcdef"[::-2], b"abcdef"[2:4], range(20)[2:12:3], t[::-1][0])
x[2:4] = []
print(x)
x[1:1] = ["i", "j"]
print(x)
x[-1:] = [99, 100]
print(x)
x[::3] = "w" * len(x[::3])
print(x)
del x[::2]
print(x)
del x[1:]
print(x)
try:
    x[::2] = [1, 2, 3]
except ValueError as e:
    print("ValueError")


class Show:
    def __getitem__(self, k):
        return k

    def __setitem__(self, k, v):
        print("set", k, v)


g = Show()
print(g[1], g[1:2], g[:], g[::2], g[1, 2], g[1:2, ::3], g[...], g[..., 0], g[None, :], g[()], g[-1:], g["k"], g[[1, 2]], g[:, :, 1:])
g[0] = 1
g[1:2, ...] = "v"
g[0] = g["q"] = 3
i = 3
y = [1, 2, 3, 4]
print(y[i - 1], y[-i], y[:i][-1], y[len(y) // 2:], y[:len(y) // 2], y[i % 2:], y[not 0])
first, rest = y[0], y[1:]
print(first, rest, y[-1:] + y[:-1], [y[i:i + 2] for i in range(0, len(y), 2)], y[:2] == [1, 2], y[:None], y[None:2])
m = [[1, 2, 3], [4, 5, 6]]
print(m[1][::-1], [r[0] for r in m], m[0][1:] + m[1][:1], m[-1][-1], [row[::2] for row in m])
