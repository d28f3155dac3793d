// Code that was written as bytes and read again is the code that was parsed.

#include "python/parsed_code.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tilewise::py {
namespace {

std::string Written(const std::string& text) {
  const auto code = ParseCode("module.py", text);
  EXPECT_TRUE(code.ok()) << code.status();
  absl::StatusOr<std::string> bytes = WriteCode(**code);
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  return *std::move(bytes);
}

// Lists have to be long to be taken for constants.
std::string ManyNumbers() {
  std::string text = "table = [";
  for (int i = 0; i < 5000; ++i) text += std::to_string(i) + ", 0.5, ";
  return text + "]\n";
}

TEST(ParsedCode, IsWrittenTheSameWhenItWasRead) {
  for (const std::string& text : {
           std::string(),
           std::string(
               "x = -9223372036854775807 + 2.5e300 - 0x7f\ny = b'a\\0b' 'c' if x else None\n"),
           std::string("def f(a, /, b: int = 3, *rest, key=..., **others) -> str:\n"
                       "  global x\n  x = [i async for i in a if i] or {1: 2, **b} and not {a}\n"
                       "  yield f'{a!r:>{b}} {x}'\n"),
           std::string("class A(B, metaclass=C):\n  __x = 1\n  @property\n  def y(self):\n"
                       "    return lambda: super().y[1:2, ..., ::3]\n"),
           std::string("from ..a.b import c as d, e\nimport os.path as p\nwith a as b, c: pass\n"
                       "try:\n  raise a from b\nexcept (X, Y) as e:\n  del e\nfinally:\n  pass\n"),
           std::string("match x:\n  case [1, *rest] | {'a': b} | P(c=2) as z if z: pass\n"),
           ManyNumbers(),
       }) {
    const std::string bytes = Written(text);
    const absl::StatusOr<std::string> again = WriteCode(*ReadCode(bytes));
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(*again, bytes) << text.substr(0, 80);
  }
}

TEST(ParsedCode, KeepsLinesNamesAndConstants) {
  const std::string bytes = Written("\nanswer = 'forty two'\n");
  const auto code = ReadCode(bytes);
  const Node& assignment = *code->body->list.at(0);
  EXPECT_EQ(assignment.kind, NodeKind::kAssign);
  EXPECT_EQ(assignment.line, 2);
  EXPECT_EQ(assignment.list.at(0)->name, SymbolOf("answer"));
  EXPECT_EQ(assignment.a->constant.as<Str>()->text, "forty two");
}

TEST(ParsedCode, IsReadOnceInAThread) {
  static const std::string bytes = Written("x = 1\n");
  EXPECT_EQ(CompiledCode(bytes), CompiledCode(bytes));
}

}  // namespace
}  // namespace tilewise::py
