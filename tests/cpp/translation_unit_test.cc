// C++ sources as syntax trees: what is recovered from, and what is said of it.

#include "frontend/cpp/translation_unit.h"

#include <cstdlib>
#include <filesystem>
#include <string>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <fmt/format.h>
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

TEST(TranslationUnit, MacrosWithoutEndUseUpABudget) {
  std::string text = "#define A0 1+1\n";
  for (int i = 1; i < 40; ++i) text += fmt::format("#define A{} A{}+A{}\n", i, i - 1, i - 1);
  const auto unit = ParseTranslationUnit("a.cc", text + "int x = A39;\n", {});
  ASSERT_FALSE(unit.ok());
  EXPECT_THAT(std::string(unit.status().message()), testing::StartsWith("a.cc: Clang "));
}

TEST(TranslationUnit, TakesTheFlagsOfTheCompiler) {
  const auto unit = ParseTranslationUnit("a.cc", "int a = N;\nauto f(auto x) { return x; }",
                                         {.flags = {"-DN=3", "-std=c++20"}});
  ASSERT_TRUE(unit.ok());
  EXPECT_EQ(unit->errors, 0);
}

std::string DatabaseFor(const std::string& source, const std::string& flags) {
  return "[{\"directory\": \"/\", \"file\": \"" + source + "\", \"command\": \"clang++ " + flags +
         " -c " + source + "\"}]";
}

TEST(TranslationUnit, TakesTheFlagsOfTheDatabaseThatIsGiven) {
  const TemporaryFolder folder;
  const std::string source = folder.path("a.cc");
  std::filesystem::create_directories(folder.path("out"));
  folder.Write("out/compile_commands.json", DatabaseFor(source, "-DN=3"));
  const auto unit =
      ParseTranslationUnit(source, "int a = N;", {.compilation_database = folder.path("out")});
  ASSERT_TRUE(unit.ok()) << unit.status();
  EXPECT_EQ(unit->errors, 0);
  EXPECT_EQ(unit->database, folder.path("out/compile_commands.json"));
  const auto none = ParseTranslationUnit(source, "int a;", {.compilation_database = "/no/such"});
  EXPECT_THAT(Message(none.status()), testing::StartsWith("-p /no/such: expected a folder"));
}

TEST(TranslationUnit, FindsADatabaseAboveTheSource) {
  const TemporaryFolder folder;
  const std::string source = folder.path("src/deep/a.cc");
  std::filesystem::create_directories(folder.path("src/deep"));
  std::filesystem::create_directories(folder.path("build"));
  folder.Write("build/compile_commands.json", DatabaseFor(source, "-DN=3"));
  EXPECT_EQ(ParseTranslationUnit(source, "int a = N;", {})->errors, 0);
  folder.Write("src/compile_commands.json", DatabaseFor(source, "-DM=3"));
  const auto nearer = ParseTranslationUnit(source, "int a = M;", {});
  EXPECT_EQ(nearer->errors, 0);
  EXPECT_EQ(nearer->database, folder.path("src/compile_commands.json"));
}

TEST(TranslationUnit, HeadersHaveTheFlagsOfASourceOfTheDatabase) {
  const TemporaryFolder folder;
  const std::string source = folder.path("src/net.cc");
  std::filesystem::create_directories(folder.path("src"));
  folder.Write("compile_commands.json", DatabaseFor(source, "-DN=3"));
  const auto header = ParseTranslationUnit(folder.path("src/net.h"), "int a = N;", {});
  ASSERT_TRUE(header.ok()) << header.status();
  EXPECT_EQ(header->errors, 0);
  EXPECT_EQ(ParseTranslationUnit(folder.path("src/other.cc"), "int a = N;", {})->errors, 1);
}

TEST(TranslationUnit, LooksForMissingHeadersInTheCheckout) {
  const TemporaryFolder folder;
  const std::string source = folder.path("app/src/a.cc");
  std::filesystem::create_directories(folder.path("app/src"));
  std::filesystem::create_directories(folder.path("libs/core/net"));
  folder.Write("libs/core/net/size.h", "constexpr int kSize = 3;\n");
  const std::string text = "#include \"net/size.h\"\nint a = kSize;";
  const auto without = ParseTranslationUnit(source, text, {});
  ASSERT_TRUE(without.ok());
  EXPECT_THAT(without->missing_headers, testing::ElementsAre("net/size.h"));
  std::filesystem::create_directories(folder.path(".git"));
  const auto within = ParseTranslationUnit(source, text, {});
  ASSERT_TRUE(within.ok());
  EXPECT_THAT(within->missing_headers, testing::IsEmpty());
  EXPECT_EQ(within->errors, 0);
}

TEST(TranslationUnit, LeavesTheStandardLibraryItsTimeWhereAProjectHasATimeHeader) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path(".git"));
  std::filesystem::create_directories(folder.path("app"));
  std::filesystem::create_directories(folder.path("core"));
  folder.Write("core/time.h", "struct Stopwatch {};\n");
  folder.Write("core/size.h", "#include \"time.h\"\nconstexpr int kSize = 3;\n");
  const auto unit = ParseTranslationUnit(folder.path("app/a.cc"),
                                         "#include <ctime>\n#include \"size.h\"\n"
                                         "Stopwatch watch;\nstd::time_t now = std::time(nullptr);\n"
                                         "int a = kSize;\n",
                                         {});
  ASSERT_TRUE(unit.ok());
  EXPECT_THAT(unit->missing_headers, testing::IsEmpty());
  EXPECT_EQ(unit->errors, 0);
}

TEST(TranslationUnit, PrefersFlagsToADatabaseThatNobodyNamed) {
  const TemporaryFolder folder;
  const std::string source = folder.path("a.cc");
  folder.Write("compile_commands.json", DatabaseFor(source, "-DN=3"));
  EXPECT_EQ(ParseTranslationUnit(source, "int a = M;", {.flags = {"-DM=1"}})->errors, 0);
  EXPECT_EQ(ParseTranslationUnit(source, "int a = N;", {.flags = {"-DM=1"}})->errors, 1);
}

TEST(TranslationUnit, PassesOverADatabaseThatItFoundAndCannotRead) {
  const TemporaryFolder folder;
  folder.Write("compile_commands.json", "[{");
  EXPECT_TRUE(ParseTranslationUnit(folder.path("a.cc"), "int a;", {}).ok());
}

TEST(TranslationUnit, WritesNoFileThatADatabaseNames) {
  const TemporaryFolder folder;
  const std::string source = folder.path("a.cc");
  const std::string said = folder.path("said");
  folder.Write(
      "compile_commands.json",
      DatabaseFor(source, "--serialize-diagnostics " + said + " -MJ " + said +
                              " -Xclang -diagnostic-log-file -Xclang " + said + " -o " + said));
  EXPECT_TRUE(ParseTranslationUnit(source, "int a = b;", {}).ok());
  EXPECT_FALSE(std::filesystem::exists(said));
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

std::string Refused(const std::string& text) {
  const auto unit = ParseTranslationUnit("a.cc", text, {});
  return unit.ok() ? "" : Message(unit.status());
}

std::string Repeated(int count, const std::string& text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

TEST(TranslationUnit, RefusesWhatNestsTooDeepToBeWalked) {
  EXPECT_THAT(Refused("int x;\nint a = x" + Repeated(20'000, "+x") + ";"),
              testing::StartsWith("a.cc:2: what stands here nests too deep"));
  EXPECT_EQ(Refused("int x;\nint a = x" + Repeated(500, "+x") + ";"), "");
}

// In a process of its own, as only so many sources may leave their memory behind in one.
TEST(TranslationUnit, BoundsWhatArgumentsOfMacrosExpandTo) {
  const std::string text =
      "#define E(x) x x\nint main() {" + Repeated(40, "E(") + ";" + Repeated(40, ")") + "}";
  const auto refuses = [&] { return Refused(text).find("Clang found") != std::string::npos; };
  EXPECT_EXIT(std::exit(refuses() ? 0 : 1), testing::ExitedWithCode(0), "");
}

TEST(TranslationUnit, LeavesEndlessConstantsAndTemplatesToClang) {
  EXPECT_EQ(Refused("constexpr long f() { long s = 0; for (;;) s += 1; return s; }\n"
                    "constexpr long v = f();\n"),
            "");
  EXPECT_EQ(Refused("template <int N> struct A { A<N + 1> a; };\nA<0> x;\n"), "");
}

TEST(TranslationUnit, ReadsWhatIsStrange) {
  EXPECT_EQ(Refused("#pragma clang __debug crash\n#pragma clang __debug overflow_stack\nint a;\n"),
            "");
  EXPECT_EQ(Refused("#include \"/dev/zero\"\n#include \"/dev/stdin\"\nint a;\n"), "");
  EXPECT_EQ(Refused("// caf\xe9\nconst char* s = \"\xff\xfe\";\nint " + Repeated(300'000, "a") +
                    " = " + Repeated(100'000, "9") + ";\n"),
            "");
  EXPECT_EQ(Refused("int main() {\n  int a = 0;\n" + Repeated(200'000, "  a += 1;\n") + "}\n"), "");
  const auto unit = ParseTranslationUnit("a.cc", Repeated(3, "#include \"a.h\"\n"), {});
  ASSERT_TRUE(unit.ok());
  EXPECT_EQ(unit->missing_headers.size(), 1u);
}

TEST(TranslationUnit, TakesTheStandardThatCMakeAsksFor) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path(".git"));
  std::filesystem::create_directories(folder.path("src"));
  const std::string text = "int twice(int x) { return x + x; }\n";
  const auto standard = [&] {
    const auto unit = ParseTranslationUnit(folder.path("src/a.cc"), text, {});
    return unit.ok() ? unit->tree->context().getLangOpts().CPlusPlus20 : -1;
  };
  EXPECT_EQ(standard(), 0);
  folder.Write("CMakeLists.txt", "project(a)\nset(CMAKE_CXX_STANDARD 20)\n");
  EXPECT_EQ(standard(), 1);
}

TEST(TranslationUnit, LeavesBodiesOfLibrariesOut) {
  const auto unit = ParseTranslationUnit(
      "a.cc",
      "#include <vector>\n#include <algorithm>\nint f() { std::vector<int> v; return v[0]; }",
      {.flags = {"-std=c++17"}});  // later ones may need the bodies of constexpr functions
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

TEST(TranslationUnit, DeclaresALibraryForHeadersOfItThatAreNotKnownByName) {
  const auto unit = ParseTranslationUnit("a.cpp",
                                         "#include <torch/nn/modules/linear.h>\n"
                                         "torch::nn::Linear made() { return {8, 4}; }\n",
                                         {});
  ASSERT_TRUE(unit.ok()) << unit.status();
  EXPECT_THAT(unit->stand_ins, testing::Contains("torch/nn/modules/linear.h"));
  EXPECT_TRUE(unit->missing_headers.empty());
}

TEST(TranslationUnit, TakesParametersOfTypeAutoAsGccDoes) {
  const std::string text = "int twice(auto x) { return 2 * x; }\nint four = twice(2);\n";
  const auto unit = ParseTranslationUnit("/tmp/a.cpp", text, {});
  ASSERT_TRUE(unit.ok()) << unit.status();
  EXPECT_EQ(unit->errors, 0) << unit->first_error;
  const auto told = ParseTranslationUnit("/tmp/a.cpp", text, {.flags = {"-std=c++17"}});
  ASSERT_TRUE(told.ok());
  EXPECT_GT(told->errors, 0);
}

}  // namespace
}  // namespace tilewise
