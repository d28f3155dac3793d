print("%d %i %s %r" % (1, 2.7, "s", "r"))
print("%5d|%-5d|%05d|%+d|% d" % (42, 42, 42, 42, 42))
print("%.2f %8.3f|%-8.1f|%e %.1e %g %g" % (3.14159, 3.14159, 3.14159, 12345.678, 12345.678, 0.0001, 1e10))
print("%x %X %#x %o %c %c" % (255, 255, 255, 8, "z", 65))
print("%s" % [1, 2], "%s" % None, "%s %s" % ("a", (1, 2)), "%s" % (("t",),))
print("%(name)s has %(n)03d" % {"name": "x", "n": 7})
print("100%% %s" % "sure", "%10s|%-10s|%.2s" % ("right", "left", "cut"))
print("%*d|%-*s|%.*f" % (6, 42, 5, "ab", 2, 3.14159))
print("%s" % True, "%d" % True, "%s" % 1.0, "%s" % 1e20, "%r" % "q'q")
a = "step %d"
a %= 3
print(a)
try:
    "%d" % "x"
except TypeError:
    print("TypeError")
try:
    "%s %s" % (1,)
except TypeError as e:
    print(e)
try:
    "%s" % (1, 2)
except TypeError as e:
    print(e)
print("layer%d.%s.%s" % (3, "attn", "weight"), "%5.1f%%" % 99.5, "%s" % {"a": 1})
