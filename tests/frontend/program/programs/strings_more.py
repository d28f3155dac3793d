text = """
model:
  depth: 12
  name: vit
"""
out = {}
for line in text.strip().split("\n"):
    if line.endswith(":"):
        section = out.setdefault(line[:-1], {})
    else:
        k, _, v = line.strip().partition(": ")
        section[k] = int(v) if v.isdigit() else v
print(out)
name = "efficientnet_b0"
print(name.split("_"), name[-1].isdigit(), int(name[-1]), "".join(c for c in name if c not in "aeiou"), name.rsplit("_", 1)[0])
arch = "resnet50.a1_in1k"
print(arch.split(".", 1), *arch.partition("."), arch.replace(".", "_"), arch.find("."), arch[:arch.index(".")])
print("w{}_d{:02d}".format(1.5, 3), "%s/%s" % ("a", "b"), "/".join(["x"] * 3), "blocks.%d.attn" % 4)
print("a=1, b=2".split(", "), dict(p.split("=") for p in "a=1, b=2".split(", ")), [int(x) for x in "1 2 3".split()])
print("ABC".lower() == "abc", "x".join(["1"]), "tab\tsep".split("\t"), "multi  space".split(" "), "  lead".lstrip(), "trail  ".rstrip() + "|")
print("%-10s|%5s|" % ("left", "r"), "=" * 10, "-" * 3 + ">" , "abc"[1:] + "abc"[:1], "abc" * 0 == "")
print(sorted("The quick brown".split(), key=str.lower), "".join(sorted("hello")), "".join(reversed("abc")), "hello".count("l"))
print("snake_case_name".title().replace("_", ""), "".join(w.capitalize() for w in "to_camel".split("_")), "CamelCase".swapcase())
print(str(3) + "x" + str(4.5), repr("it's"), repr('say "hi"'), repr("both ' and \""), repr("uni é"), "\\n", len("\\n"), '\'', "\"")
print("é" == "\u00e9", "\101", "a\
b", "nul\0".encode(), r"raw\t", b"\x00\xff", "€".encode("utf8"), "abc".encode("ascii").hex())
key = "layers.0.blocks.1.attn.qkv.weight"
parts = key.split(".")
print(parts[0], [p for p in parts if p.isdigit()], ".".join(parts[:-1]), key.endswith("weight"), key.startswith(("head", "layers")))
print("3x3".split("x"), tuple(map(int, "224x224".split("x"))), "a,b;c".replace(";", ",").split(","), "x" in "xyz", "" in "abc")
print("{:<10}{:>10}".format("Layer", "Params"), f"{'total':<8}{1234:>8,}", "|".join(f"{i:3d}" for i in range(3)), "%6.2fM" % (25557032 / 1e6))
print("a" "b" f"{1}" 'c', "line1\nline2".count("\n"), "x".center(5).replace(" ", "."), "A".isupper(), "aB".islower(), "1.5".replace(".", "").isdigit())
def parse(v):
    for kind in (int, float):
        try:
            return kind(v)
        except ValueError:
            pass
    return {"true": True, "false": False, "none": None}.get(v.lower(), v)
print([parse(v) for v in ["1", "2.5", "True", "none", "abc", "1e-3", "-4"]])
print("abc".__contains__("b"), "abc".__len__(), "abc".__getitem__(1), str.lower("ABC"), max("abc", "abd"), "a".__add__("b"))
print("Ünïcode".lower(), "ß".upper(), "ABC".isascii(), "①".isdigit(), "x".isprintable(), "a b".istitle(), "A B".istitle())
