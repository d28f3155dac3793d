// C++ sources as syntax trees: what is recovered from, and what is said of it.

#include "frontend/cpp/translation_unit.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/cpp/headers.h"
#include "tests/support/temporary_folder.h"

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

TEST(TranslationUnit, LeavesBodiesOfLibrariesOut) {
  const auto unit = ParseTranslationUnit(
      "a.cc",
      "#include <vector>\n#include <algorithm>\nint f() { std::vector<int> v; return v[0]; }", {});
  ASSERT_TRUE(unit.ok());
  EXPECT_EQ(unit->errors, 0);
  int bodies = 0, own = 0;
  for (const clang::Decl* each : unit->tree->context().getTranslationUnitDecl()->decls()) {
    const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(each);
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(each)) {
      own += function->getNameAsString() == "f" && function->getBody() != nullptr ? 1 : 0;
    }
    if (space == nullptr) continue;
    for (const clang::Decl* inner : space->decls()) {
      const auto* made = llvm::dyn_cast<clang::FunctionTemplateDecl>(inner);
      if (made == nullptr || made->getNameAsString() != "sort") continue;
      bodies += made->getTemplatedDecl()->getBody() != nullptr ? 1 : 0;
    }
  }
  EXPECT_EQ(own, 1);
  EXPECT_EQ(bodies, 0);
}

TEST(TranslationUnit, TakesTheNearestDatabase) {
  const TemporaryFolder folder;
  folder.Write("compile_commands.json", "[{\"directory\": \"" + folder.path("") +
                                            "\", \"file\": \"a.cc\", \"command\": "
                                            "\"c++ -DN=3 -c a.cc\"}]");
  const auto unit = ParseTranslationUnit(folder.path("a.cc"), "int a = N;", {});
  ASSERT_TRUE(unit.ok());
  EXPECT_EQ(unit->errors, 0);
  EXPECT_EQ(unit->database, folder.path("compile_commands.json"));
}

TEST(TranslationUnit, IsReadAgainWhenAHeaderOfTheProjectOrAMissingOneChanges) {
  const TemporaryFolder folder;
  folder.Write("own.h", "int g();");
  const auto unit = ParseTranslationUnit(
      folder.path("a.cc"), "#include \"own.h\"\n#include <later.h>\n#include <vector>\n",
      {.flags = {"-I" + folder.path("include")}});
  ASSERT_TRUE(unit.ok());
  const std::vector<std::string> files = cpp::ConsultedFiles(*unit);
  EXPECT_THAT(files, testing::Contains(folder.path("own.h")));
  EXPECT_THAT(files, testing::Contains(testing::EndsWith("/later.h")));
  EXPECT_LT(files.size(), 40u);
}

}  // namespace
}  // namespace tilewise
