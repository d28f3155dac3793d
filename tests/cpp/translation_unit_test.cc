// C++ sources as syntax trees: what is recovered from, and what is said of it.

#include "frontend/cpp/translation_unit.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tilewise {
namespace {

TEST(TranslationUnit, IsWholeWithoutNotesWhereAllIsThere) {
  const auto unit = ParseTranslationUnit("a.cc", "#include <vector>\nstd::vector<int> v;", {});
  ASSERT_TRUE(unit.ok());
  EXPECT_EQ(unit->missing_headers, std::vector<std::string>{});
  EXPECT_EQ(DescribeRecovery(*unit), "");
}

TEST(TranslationUnit, NamesMissingHeadersAndReadsOn) {
  const auto unit =
      ParseTranslationUnit("a.cc", "#include <no/such.h>\n#include \"b.h\"\nint f() { g(); }", {});
  ASSERT_TRUE(unit.ok());
  EXPECT_THAT(unit->missing_headers, testing::ElementsAre("no/such.h", "b.h"));
  EXPECT_EQ(unit->first_error, "a.cc:3: use of undeclared identifier 'g'");
  EXPECT_THAT(
      DescribeRecovery(*unit),
      testing::HasSubstr("2 headers were not found: no/such.h, b.h; Clang reports 1 error"));
}

TEST(TranslationUnit, TakesTheFlagsOfTheCompiler) {
  const auto unit = ParseTranslationUnit("a.cc", "int a = N;\nauto f(auto x) { return x; }",
                                         {.flags = {"-DN=3", "-std=c++20"}});
  ASSERT_TRUE(unit.ok());
  EXPECT_EQ(unit->errors, 0);
}

TEST(TranslationUnit, ReadsAStandInWhereTheHeaderIsMissing) {
  const auto unit = ParseTranslationUnit("a.cc", "#include <torch/torch.h>\n", {});
  ASSERT_TRUE(unit.ok());
  EXPECT_THAT(unit->stand_ins, testing::Contains("torch/torch.h"));
  EXPECT_THAT(DescribeRecovery(*unit), testing::HasSubstr("short declarations"));
}

TEST(TranslationUnit, SurvivesDeepNesting) {
  const auto unit = ParseTranslationUnit("a.cc", "int a = " + std::string(100'000, '(') + "1;", {});
  EXPECT_TRUE(unit.ok() || Message(unit.status()).starts_with("a.cc: Clang could not parse"));
}

}  // namespace
}  // namespace tilewise
