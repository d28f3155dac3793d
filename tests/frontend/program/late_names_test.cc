// Names of tilewise's own modules get their values when they are first asked for, and are then
// what they would be had the whole module run.

#include "python/late_names.h"

#include <map>
#include <string>

#include <gmock/gmock.h>

#include "python/interpreter.h"

namespace tilewise::py {
namespace {

// Modules of its own, by name.
class OwnModules : public Host {
 public:
  explicit OwnModules(std::map<std::string, std::string> texts) : texts_(std::move(texts)) {}
  std::optional<ModuleSource> FindModule(const std::string& dotted, const std::vector<std::string>&,
                                         bool) override {
    const auto found = texts_.find(dotted);
    if (found == texts_.end()) return std::nullopt;
    return ModuleSource{.origin = Module::Origin::kOwn,
                        .file = "<" + dotted + ">",
                        .text = found->second,
                        .package = texts_.lower_bound(dotted + ".") != texts_.end(),
                        .folder = dotted};
  }
  void Print(const std::string& text) override { printed += text; }
  std::string printed;

 private:
  std::map<std::string, std::string> texts_;
};

// What `program` prints, and its notes.
std::string Printed(std::map<std::string, std::string> modules, const std::string& program) {
  OwnModules host(std::move(modules));
  Interpreter in(host);
  const auto code = ParseCode("program.py", program);
  Module* main = in.NewModule("__main__", Module::Origin::kUser);
  main->file = "program.py";
  in.Guard([&] { in.Run(*main, **code); });
  for (const Diagnostic& note : in.notes()) host.printed += note.message + "\n";
  return host.printed;
}

constexpr char kTold[] =
    "def told(name, value):\n"
    "    print('making', name)\n"
    "    return value\n";

TEST(LateNames, DefinitionsRunWhenTheirNamesAreAskedFor) {
  const std::string text =
      std::string(kTold) + "print('loaded')\nx = told('x', 1)\ny = told('y', 2)\n";
  EXPECT_EQ(Printed({{"m", text}}, "import m\nprint(m.y, m.y)\n"), "loaded\nmaking y\n2 2\n");
  EXPECT_EQ(Printed({{"m", text}}, "import m\nm.x = 3\nprint(m.x)\n"), "loaded\n3\n");
  EXPECT_EQ(Printed({{"m", text}, {"n", "import m\nfrom m import y\n"}},
                    "import n\nprint('before')\nprint(n.y)\n"),
            "before\nloaded\nmaking y\n2\n");
}

TEST(LateNames, WhatGoesThroughAModuleFindsAll) {
  const std::string text = "import m2\nx, y = 1, 2\ndef f(): pass\nclass A: pass\n";
  const std::map<std::string, std::string> modules = {{"m", text}, {"m2", ""}};
  EXPECT_EQ(Printed(modules, "import m\nprint(sorted(n for n in vars(m) if n[0] != '_'))\n"),
            "['A', 'f', 'm2', 'x', 'y']\n");
  EXPECT_EQ(Printed(modules, "from m import *\nprint(x + y, A.__name__)\n"), "3 A\n");
  EXPECT_EQ(Printed(modules, "import m\ndel m.x\nprint(hasattr(m, 'x'), hasattr(m, 'y'))\n"),
            "False True\n");
}

TEST(LateNames, AClassIsWholeWhenItIsAskedFor) {
  const std::string text =
      "class A:\n    made = 'in the class'\n"
      "for name in ('x', 'y'):\n    setattr(A, name, name * 2)\n"
      "A.z = A.y + 'z'\n"
      "table = {'a': 1}\n"
      "table.update({'b': 2})\n"
      "table['c'] = 3\n";
  EXPECT_EQ(Printed({{"m", text}}, "from m import A, table\nprint(A.x, A.z, table)\n"),
            "xx yyz {'a': 1, 'b': 2, 'c': 3}\n");
}

TEST(LateNames, WhatCompletesADefinitionMayAskForWhatIsMadeOfIt) {
  const std::string text = "class A: pass\nroot = A()\nA.root = root\nA.more = 2\n";
  const std::string last = "print(A.root is root, A.more)\n";
  EXPECT_EQ(Printed({{"m", text}}, "from m import root, A\n" + last), "True 2\n");
  EXPECT_EQ(Printed({{"m", text}}, "from m import A, root\n" + last), "True 2\n");
}

TEST(LateNames, ABuiltinMeansItselfUntilTheModuleGivesItsNameAnotherValue) {
  const std::string text = "plain = max(1, 2)\ndef max(*args): return 'own'\nown = max(1, 2)\n";
  EXPECT_EQ(Printed({{"m", text}}, "import m\nprint(m.own, m.plain, m.max(1))\n"), "own 2 own\n");
}

TEST(LateNames, NamesThatAreBoundTwiceGetTheirValuesInOrder) {
  const std::string text = "x = 1\ny = x\nx = 2\nfrom other import *\ndef z(): return 'own'\n";
  EXPECT_EQ(Printed({{"m", text}, {"other", "z = 0\nw = 4\n"}},
                    "import m\nprint(m.x, m.y, m.z(), m.w)\n"),
            "2 2 own 4\n");
}

TEST(LateNames, ADefinitionThatFailsFailsEachTime) {
  EXPECT_EQ(Printed({{"m", "x = 1 / 0\n"}},
                    "import m\nfor i in range(2):\n    try:\n        m.x\n"
                    "    except ZeroDivisionError:\n        print('failed')\n"),
            "failed\nfailed\n");
}

TEST(LateNames, WhatABranchAsksForStaysWhenTheBranchIsTakenBack) {
  const std::string text = std::string(kTold) + "class A: n = told('A', 1)\n";
  EXPECT_THAT(Printed({{"m", text}},
                      "import m, absent\nif absent.flag:\n    m.other = 1\n    a = m.A\n"
                      "else:\n    a = m.A\nprint(a is m.A)\n"),
              testing::HasSubstr("making A\nTrue\n"));
}

TEST(LateNames, AGeneratorMayAskForMuch) {
  std::string text = "class A0: pass\n";
  for (int i = 1; i < 200; ++i) {
    text += "class A" + std::to_string(i) + "(A" + std::to_string(i - 1) + "): pass\n";
  }
  EXPECT_EQ(
      Printed({{"m", text}}, "import m\ndef g():\n    yield m.A199.__name__\nprint(next(g()))\n"),
      "A199\n");
}

}  // namespace
}  // namespace tilewise::py
