name, n, pi = "conv", 42, 3.14159265
print(f"{name} {n} {pi}")
print(f"{name!r} {name!s:>8} {name:<8}|{name:^8}|{name:*>8}|{name:-^9}")
print(f"{n:d} {n:5d}|{n:<5}|{n:^5}|{n:05d}|{n:+d}|{n: d}|{n:x} {n:X} {n:#x} {n:b} {n:#b} {n:o} {n:#010b}")
print(f"{pi:.2f} {pi:8.3f}|{pi:<8.1f}|{pi:08.2f}|{pi:+.1f} {pi:e} {pi:.3e} {pi:g} {pi:.3g} {pi:.0f} {pi:10.4}|")
print(f"{1234567:,} {1234567.891:,.2f} {1234567:_} {0.256:.1%} {12:%}")
print(f"{{braces}} {{{n}}} {n}%")
print(f"{n=} {pi=:.2f} {name = } {n + 1=}")
width, prec = 10, 3
print(f"{pi:{width}.{prec}f}|{name:>{width}}|{n:{'>'}{6}}|")
print(f"{'nested ' + f'{n + 1}'} {[1, 2][0]} {dict(a=1)['a']} {(lambda x: x * 2)(4)} {n if n > 3 else 0}")
print(f"{1e10:g} {1e-5:g} {123456789.0:g} {100000.0:g} {1000000.0:g} {0.1 + 0.2:.17g} {1e100} {float('inf')} {float('nan'):.2f}")
print(f"{True} {None} {[1, 'a', None]} {(1,)} { {'k': 1.0} } {True:d} {True:>6}|{3:.1f} {3:e}")
print(f"multi {name}"
      f" line {n}" " plain")
print(rf"\d{n}" + fr"\{n}", F"{n}")
print(f"""{name}
{n:>6}""")


class P:
    def __format__(self, spec):
        return f"<{spec}>"

    def __str__(self):
        return "str"

    def __repr__(self):
        return "repr"


print(f"{P()} {P():abc} {P()!r} {P()!s} {P()!r:>6}")
print("{} {}".format(1, 2), "{1} {0} {1}".format("a", "b"), "{x:>5}|{y!r}".format(x=1, y="q"))
print("{0.real} {1[0]} {2[k]}".format(5, [7], {"k": 8}), "{:{w}}|".format(3, w=4), "{{}}".format(), "{:>{}}".format("r", 4))
print(format(3.5, ".2f"), format(255, "x"), format("s", ">3"), format(12), "%s" % (format(1e6, ",.0f"),))
print(f"{'é'!a} {'tab'!r} {chr(10)!r} {'it' + chr(39) + 's'!r}")
print(f"{-n:d} {-n:06d} {-pi:.1f} {n:=+6d} {-0.0:.1f} {1e22} {123456789012345680.0} {1e16} {0.0001} {0.00001}")
print("{a}{b}".format(**{"a": 1, "b": 2}), "{:,}".format(9999), "{:.3}".format("abcdef"), "{:5}|{:5}|".format("a", 1))
print("{a.b.c}".format_map({"a": type("T", (), {"b": type("U", (), {"c": 3})})}))
