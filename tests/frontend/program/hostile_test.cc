// Programs that would crash a reader, hang it or fill the memory end with a word about why.

#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frontend/program/search.h"
#include "frontend/program/trace.h"

namespace tilewise::program {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

std::string Repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

class HostilePrints : public ProgramHost {
 public:
  using ProgramHost::ProgramHost;
  void Print(const std::string& text) override { printed += text; }
  std::string printed;
};

// What a program prints and the notes about it.
std::string Said(const std::string& text, const std::string& path = "train.py") {
  Trace trace("test");
  SearchOptions search;
  search.program = path;
  HostilePrints host(search, trace);
  py::Interpreter in(host, {.steps = 3'000'000, .bytes = int64_t{128} << 20});
  auto code = py::ParseCode(path, text);
  if (!code.ok()) return Message(code.status());
  py::Module* main = in.NewModule("__main__", py::Module::Origin::kUser);
  main->file = path;
  in.Guard([&] { in.Run(*main, **code); });
  for (const Diagnostic& note : in.notes()) host.printed += note.message + "\n";
  return host.printed;
}

TEST(HostileProgram, CallsThatLeaveNoFrameEnd) {
  EXPECT_THAT(Said("class A: pass\nA.__call__ = A()\nA()()\n"), HasSubstr("runs for too long"));
}

TEST(HostileProgram, GeneratorsWithinEachOtherEnd) {
  const std::string text = "def g(n):\n    yield n\n    yield from g(n + 1)\nfor x in g(0): pass\n";
  EXPECT_THAT(Said(text), HasSubstr("nested too deep"));
}

TEST(HostileProgram, AGeneratorThatYieldsWhenItIsLeftIsLeft) {
  const std::string text =
      "def g():\n    try: yield 1\n    finally:\n        while True: yield 2\n"
      "it = g()\nprint(next(it))\n";
  EXPECT_EQ(Said(text), "1\n");
}

TEST(HostileProgram, GeneratorsThatWaitWhenNoWorkIsLeftAreLeft) {
  const std::string waiting = R"(
def g():
    try:
        yield 1
        yield 2
    finally:
        for i in range(100): pass
waiting = [g() for i in range(20)]
for each in waiting: next(each)
def outer():
    for each in waiting: yield next(each)
    yield much(60)
def much(n): return much(n - 1) + much(n - 1) if n else 0
)";
  EXPECT_THAT(Said(waiting + "much(60)\n"), HasSubstr("it runs for too long"));
  EXPECT_THAT(Said(waiting + "print(list(outer()))\n"), HasSubstr("it runs for too long"));
}

TEST(HostileProgram, DeepCodeWithinAGeneratorIsAnErrorOfTheProgram) {
  const std::string text = "def f(n): return f(n + 1)\ndef g(): yield f(0)\nlist(g())\n";
  EXPECT_THAT(Said(text), HasSubstr("nested too deep"));
}

TEST(HostileProgram, TuplesThatHoldThemselvesManyTimesHaveAHash) {
  const std::string text = "x = ()\nfor i in range(64): x = (x, x)\nprint(hash(x))\n";
  EXPECT_THAT(Said(text), HasSubstr("runs for too long"));
  EXPECT_EQ(Said("print(hash((1, (2,))) == hash((1, (2,))), {(1, 2): 3}[(1, 2)])\n"), "True 3\n");
}

TEST(HostileProgram, ListsThatGrowByThemselvesEnd) {
  EXPECT_THAT(Said("x = [0]\nfor i in range(64): x.extend(x)\n"), HasSubstr("too long"));
  EXPECT_THAT(Said("x = [0]\nfor i in range(64): x = x + x\n"), HasSubstr("too long"));
  EXPECT_THAT(Said("x = 'a'\nfor i in range(64): x = x + x\n"), HasSubstr("too "));
  EXPECT_THAT(Said("d = {i: i for i in range(1000)}\nk = []\n"
                   "while True: k.append(dict(d))\n"),
              HasSubstr("it is left here"));
}

TEST(HostileProgram, IteratorsOfNativeFunctionsAreCounted) {
  EXPECT_THAT(Said("any(iter(int, 1))\n"), HasSubstr("runs for too long"));
  EXPECT_THAT(Said("all(range(1, 10**15))\n"), HasSubstr("runs for too long"));
}

TEST(HostileProgram, ContainersMayChangeWhileTheyAreCompared) {
  const std::string text =
      "class A:\n"
      "    def __init__(self, of): self.of = of\n"
      "    def __eq__(self, other):\n"
      "        self.of.clear()\n"
      "        return False\n"
      "    def __hash__(self): return 1\n"
      "    def __repr__(self):\n"
      "        self.of.clear()\n"
      "        return 'A'\n"
      "a = []\n"
      "a += [A(a)] * 40\n"
      "print(3 in a, a == [3] * 40, len(a))\n"
      "b = []\n"
      "b += [A(b)] * 40\n"
      "print(repr(b))\n"
      "d = {}\n"
      "for i in range(40): d[A(d)] = i\n"
      "print(len(d) < 40, repr(d) != '')\n";
  EXPECT_EQ(Said(text), "False False 0\n[A]\nTrue True\n");
}

TEST(HostileProgram, NumbersAtTheEndOfTheirRange) {
  const std::string text =
      "low = -2**62 * 2\n"
      "print(low // -1 > 0, low % -1, abs(low) > 0, -low > 0)\n"
      "print(len(range(low, 2**62, 2**60)), 5 in range(low, 2**62))\n"
      "print([1, 2, 3][low:2**62:2**62], 'abc'[::low], 1 << 63 > 0)\n"
      "for call in (lambda: int('1', 37), lambda: 1 << -1, lambda: chr(-1),\n"
      "             lambda: round(float('nan')), lambda: 'd%(' % {}, lambda: 'a'.rsplit('', 3),\n"
      "             lambda: str.upper(), lambda: list.__getitem__(3, 0)):\n"
      "    try: print(call())\n"
      "    except (ValueError, TypeError) as e: print(type(e).__name__)\n";
  EXPECT_EQ(Said(text), "True 0 True True\n12 True\n[1] c True\n" + Repeated("ValueError\n", 6) +
                            Repeated("TypeError\n", 2));
}

TEST(HostileProgram, TextsOfGivenWidthsAreNotMade) {
  const std::string text =
      "import _tilewise\n"
      "for t in ('a'.ljust(10**10), 'a'.zfill(10**10), '\\t'.expandtabs(10**10),\n"
      "          'aa'.replace('a', 'b' * 9000000).replace('b', 'c' * 9000000)):\n"
      "    print(_tilewise.is_unknown(t))\n";
  EXPECT_EQ(Said(text), Repeated("True\n", 4));
  EXPECT_EQ(Said("print('a'.ljust(3, '.') + 'b'.center(3) + '-7'.zfill(4))\n"), "a.. b -007\n");
}

TEST(HostileProgram, ManyBaseClassesAreAnErrorOfTheProgram) {
  EXPECT_THAT(Said("class A: pass\nx = A\nfor i in range(1000): x = type('X', (x,), {})\n"),
              HasSubstr("too many base classes"));
}

TEST(HostileProgram, ParenthesesWithinEachOtherAreReadOnce) {
  const std::string text = "print(" + Repeated("(", 200) + "1" + Repeated(")", 200) + ")\n";
  EXPECT_EQ(Said(text), "1\n");
}

TEST(HostileProgram, AStatementThatNeverEndsIsNoEndlessSearch) {
  EXPECT_THAT(Said("if\n" + Repeated("x = 1\n", 100000)), HasSubstr("cannot be parsed"));
}

TEST(HostileProgram, WhatIsTooDeepIsRefused) {
  EXPECT_THAT(Said("x = " + Repeated("(", 70000)), HasSubstr("too much is open"));
  EXPECT_THAT(Said("x = " + Repeated("f\"{", 70000)), HasSubstr("too much is open"));
  EXPECT_THAT(Said("x = " + Repeated("not ", 70000) + "1\n"), HasSubstr("nested more than"));
  EXPECT_THAT(Said(Repeated("if x\n", 40000)), HasSubstr("too much is open"));
  EXPECT_THAT(Said("if 0: pass\n" + Repeated("elif 0: pass\n", 3000)), HasSubstr("elif"));
  EXPECT_EQ(Said("if 0: pass\n" + Repeated("elif 0: pass\n", 500) + "else: print(1)\n"), "1\n");
}

// A folder that is removed with what is in it.
class HostileFiles : public testing::Test {
 protected:
  HostileFiles()
      : folder_(fs::temp_directory_path() /
                ("hostile" + std::to_string(getpid()) + "/a/b/project/src")) {
    fs::create_directories(folder_);
  }
  ~HostileFiles() override {
    std::error_code error;
    fs::remove_all(fs::temp_directory_path() / ("hostile" + std::to_string(getpid())), error);
  }
  static void Write(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }
  std::string Run(const std::string& text) { return Said(text, (folder_ / "train.py").string()); }
  fs::path folder_;
};

TEST_F(HostileFiles, FilesOutsideOfTheProjectAreNotRead) {
  const fs::path outside = folder_ / "../../../../secret.txt";
  Write(outside, "SECRET");
  Write(folder_ / "near.txt", "near");
  Write(folder_ / "../above.txt", "above");
  const std::string path = outside.lexically_normal().string();
  const std::string said = Run("import _python\nprint(_python.read_file('" + path +
                               "'), _python.read_file('../../../../secret.txt'))\n"
                               "print(_python.read_file('near.txt'))\n"
                               "print(_python.read_file('../above.txt'))\n");
  EXPECT_THAT(said, Not(HasSubstr("SECRET")));
  EXPECT_THAT(said, HasSubstr("None None\nnear\nabove\n"));
  EXPECT_THAT(said, HasSubstr("secret.txt lies outside of the project and is not read"));
}

TEST_F(HostileFiles, PipesAndDevicesAreNotWaitedFor) {
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  ASSERT_EQ(mkfifo((folder_ / "module.py").c_str(), 0600), 0);
  EXPECT_THAT(Run("import _python\nprint(_python.read_file('pipe'))\n"
                  "print(_python.read_file('/dev/zero'))\nimport module\n"),
              HasSubstr("None\nNone\n"));
}

}  // namespace
}  // namespace tilewise::program
