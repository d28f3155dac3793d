d = {"b": 1, "a": 2}
d["c"] = 3
d["b"] = 10
print(d, len(d), list(d), list(d.keys()), list(d.values()), list(d.items()), "a" in d, 2 in d.values())
print(d.get("zz"), d.get("zz", 0), d.get("a", 0), d.setdefault("n", []), d.setdefault("a", 99))
d["n"].append(1)
print(d, d.pop("n"), d.pop("nope", None), d.popitem(), d)
d.update({"x": 1}, y=2)
d.update([("z", 3)])
print(d, {**d, "x": 9}, d | {"q": 1}, dict(d, w=0), dict([("k", 1)]), dict(a=1), dict())
d |= {"r": 5}
del d["b"]
print(d, d == dict(reversed(list(d.items()))), {"a": 1} != {"a": 2}, {} == {}, bool({}))
for k, v in d.items():
    print(k, v, end="; ")
print()
for k in list(d):
    if d[k] > 2:
        del d[k]
print(d, sorted(d), max(d, key=d.get), min(d.values()), sum(d.values()))
print(dict.fromkeys(["a", "b"]), dict.fromkeys("ab", 0), {1: "int", 1.0: "float", True: "bool"}, {(1, 2): "t", None: "n", 3.5: "f", "s": "s"})
nested = {"model": {"layers": [{"n": 1}, {"n": 2}]}}
nested["model"]["layers"][1]["n"] += 5
print(nested, nested["model"]["layers"][-1]["n"])
e = d.copy()
e["new"] = 1
print("new" in d, e, list(reversed(e)), next(iter(e)), list(e.items())[0])
try:
    d["missing"]
except KeyError as err:
    print("KeyError", err, err.args)
try:
    {}[[1]]
except TypeError as err:
    print("TypeError", err)
try:
    {}.popitem()
except KeyError as err:
    print("empty")
print(d.keys() & {"a", "zz"}, d.keys() - {"a"} <= {"x", "y"}, d.items() == {"a": 2, "x": 1, "y": 2}.items())
print({k: v for k, v in sorted({"b": 1, "a": 2}.items(), key=lambda kv: kv[1])}, {v: k for k, v in {"a": 1}.items()})


class Default(dict):
    def __missing__(self, key):
        self[key] = value = key * 2
        return value


m = Default(z=1)
print(m["ab"], m, m.get("q"), "q" in m)
counts = {}
for ch in "mississippi":
    counts[ch] = counts.get(ch, 0) + 1
print(counts, sorted(counts.items(), key=lambda kv: (-kv[1], kv[0])))
d.clear()
print(d, isinstance(d, dict), type(d) == dict, repr({"a": {"b": ["c"]}}), str({1: 'a"b', 2: "it's"}))
merged = {}
for part in ({"a": 1}, {"b": 2}, {"a": 3}):
    merged.update(part)
print(merged, dict(**merged, c=4), dict(zip(merged, range(5))), list(merged.items()) + [("e", 0)])
