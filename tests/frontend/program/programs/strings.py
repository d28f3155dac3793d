s = "Hello, World"
print(s.lower(), s.upper(), s.swapcase(), s.title(), "abc def".capitalize(), "a b".casefold())
print(s.find("o"), s.rfind("o"), s.find("zz"), s.index("W"), s.count("l"), s.count("l", 4), s.find("o", 5))
print(s.startswith("Hell"), s.endswith(("x", "ld")), s.startswith("World", 7), s.replace("l", "L"), s.replace("l", "L", 2))
print(s.split(", "), "a,b,,c".split(","), " a  b ".split(), "a,b,c".split(",", 1), "a,b,c".rsplit(",", 1), "".split(), "".split(","))
print("a.b.c".partition("."), "a.b.c".rpartition("."), "abc".partition("x"), "x\ny\r\nz\n".splitlines())
print("  pad ".strip() + "|", "xxabxx".strip("x"), "xxabxx".lstrip("x"), "xxabxx".rstrip("x"), "-".join(["a", "b"]), "".join("abc"))
print("7".zfill(3), "-7".zfill(4), "ab".ljust(5, ".") + "|", "ab".rjust(5) + "|", "ab".center(6, "*"), "a\tb".expandtabs(4))
print("abc".isalpha(), "a1".isalnum(), "12".isdigit(), "12".isnumeric(), " ".isspace(), "Ab".islower(), "AB".isupper(), "2".isupper(), "a2".islower(), "-".islower(), "a_b".isidentifier(), "".isdigit())
print(s[0], s[-1], s[2:5], s[:3], s[-3:], s[::2], s[::-1], s[5:2], s[10:100], s[-100:3])
print("ab" * 3, 3 * "-", "a" + "b", "ell" in s, "z" not in s, len(s), min("hello"), max("hello"), sorted("banana"))
print("a" < "b", "a" < "B", "abc" < "abd", "" < "a", "a" == "a", "Z" < "a", "10" < "9")
print(ord("a"), chr(97), "\x41\u00e9\t|\\", r"\n", len("\n"), len(r"\n"), 'a"b', "a'b", repr("a'b"), repr('a"b'), repr("\n\t\\\x00"))
print("con" "cat", ("long "
                    "text"), """triple "quoted" text""", '''a
b''')
print("prefix_name".removeprefix("prefix_"), "name.py".removesuffix(".py"), "abc".removeprefix("x"))
print(str(1), str(1.0), str(None), str(True), str([1, "a"]), str("x"), str(b"x"), str(), repr("x"))
print("abc".translate(str.maketrans("ab", "xy")), "abc".translate({ord("c"): None, 97: "AA"}))
print(b"abc"[0], b"abc"[1:], len(b"abc"), b"a" + b"b", b"abc".decode(), "é".encode("utf-8"), list(b"ab"), bytes([65, 66]), b"x" == b"x")
print([c for c in "héllo"], len("héllo"), "héllo"[1], "héllo".upper(), "日本"[::-1])
print("a-b_c".replace("-", "_").split("_"), "x=1;y=2".split(";")[1].split("="), "{}".join("ab"))
lines = "one\ntwo\n\nthree"
print([line for line in lines.split("\n") if line], lines.splitlines(True))
print("abc".index("c"), "%s" % "abc".find(""), "aaa".count("aa"), "aaa".count(""), "abc".replace("", "-"))
try:
    "abc".index("z")
except ValueError as e:
    print("ValueError", e)
try:
    "abc"[5]
except IndexError as e:
    print(e)
try:
    "a" + 1
except TypeError as e:
    print("TypeError", e)
s += "!"
print(s, id(s) == id(s), hash("a") == hash("a"), "A" "B".lower(), s.__class__.__name__, s.__len__())
