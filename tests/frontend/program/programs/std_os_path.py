import os
import os.path as osp
from os.path import join
from pathlib import Path

print(join("a", "b", "c.txt"), osp.join("a/", "b"), os.path.join("a", "/b"), osp.join("a", ""), os.path.basename("x/y.pt"), os.path.dirname("x/y/z.pt"), osp.split("a/b/c"), osp.splitext("m/ckpt.tar.gz"), osp.splitext(".hidden"))
print(osp.normpath("a/./b/../c//d"), osp.isabs("/a"), osp.isabs("a"), osp.relpath("/a/b/c", "/a/d"), osp.commonprefix(["abc", "abd"]), os.sep, os.linesep == "\n", osp.normpath(""), osp.split("/"))
print(osp.basename("a/b/"), osp.dirname("file"), osp.splitext("noext"), osp.expanduser("x"), osp.exists("/definitely/not/here"), os.path.isdir("/definitely/not"), osp.commonpath(["/a/b", "/a/c"]))
print(os.environ.get("SURELY_NOT_SET"), os.environ.get("SURELY_NOT_SET", "d"), "SURELY_NOT_SET" in os.environ, os.getenv("SURELY_NOT_SET", 5), int(os.environ.get("RANK", -1)))
os.environ["MINE"] = "1"
print(os.environ["MINE"], os.getenv("MINE"), os.environ.setdefault("MINE", "2"), os.environ.pop("MINE"))
p = Path("data") / "train" / "img.tar.gz"
print(p, p.name, p.stem, p.suffix, p.suffixes, p.parent, p.parent.parent, p.parts, str(p), repr(p), p.with_suffix(".zip"), p.with_name("x.py"))
print(Path("/a/b") / "c", Path("a").joinpath("b", "c"), Path("/a").is_absolute(), Path("a/b/c").relative_to("a"), Path("a//b/./c"), Path("."), Path("a") == Path("a/"), {Path("k"): 1}[Path("k")], Path("x") / Path("/y"), "r" / Path("z"))
print(os.fspath(p), f"{p}", [str(x) for x in sorted([Path("b"), Path("a")])], p.as_posix(), Path("a.b/c").suffix, Path("nope_at_all").exists(), isinstance(p, Path), [str(q) for q in p.parents], Path("a/b/c.py").match("*.py"))
print(join("ckpt", f"epoch_{3:03d}.pt"), osp.splitext(osp.basename("/x/y/model.pth"))[0], "%s/%s" % (Path("a"), "b"), Path("x").with_suffix(".y").name)
here = Path(__file__).resolve()
print(here.name, here.parent.name == "lang_tests", osp.basename(os.path.abspath(__file__)), Path(__file__).exists(), os.path.isfile(__file__), len(Path(__file__).read_text()) > 100, osp.basename(osp.dirname(osp.abspath(__file__))))
