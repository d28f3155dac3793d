// What keeps a finding's name, and what changes it.

#include "lint/fingerprint.h"

#include <set>

#include <gtest/gtest.h>

namespace tilewise {
namespace {

Diagnostic At(const std::string& rule, const std::string& file, int line, int column = 1) {
  Diagnostic finding;
  finding.rule = rule;
  finding.location = {.file = file, .line = line, .column = column};
  return finding;
}

std::vector<std::string> Names(std::vector<Diagnostic> findings, const std::string& text = "",
                               const std::string& root = "/p") {
  const SourceFile file = {.path = "/p/t.py", .text = text};
  AddFingerprints(findings, std::span(&file, 1), root);
  std::vector<std::string> names;
  for (const Diagnostic& finding : findings) {
    names.push_back(finding.fingerprint);
  }
  return names;
}

TEST(Fingerprint, IsTheDocumentedHash) {
  // Values of Noll's reference.
  EXPECT_EQ(Fnv1a(""), 0xcbf29ce484222325u);
  EXPECT_EQ(Fnv1a("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(Fnv1a("foobar"), 0x85944171f73967e8u);
  const std::string name = Names({At("IP002", "/p/t.py", 1)}, "ds.batch(8)\n").front();
  EXPECT_EQ(name.size(), 16u);
  EXPECT_EQ(name.find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(Fingerprint, SurvivesMovedLinesBlanksAndComments) {
  const auto before = Names({At("IP002", "/p/t.py", 1)}, "ds.batch(8)\n");
  EXPECT_EQ(before,
            Names({At("IP002", "/p/t.py", 4, 3)}, "import x\n\n\n  ds.batch( 8 )  # new\n"));
  EXPECT_NE(before, Names({At("IP002", "/p/t.py", 1)}, "ds.batch(16)\n"));
  EXPECT_NE(before, Names({At("IP003", "/p/t.py", 1)}, "ds.batch(8)\n"));
}

TEST(Fingerprint, EqualsAreNumberedInTheOrderOfTheirPlaces) {
  const std::string text = "ds.batch(8)\nds.batch(8)\n";
  const auto forward = Names({At("IP002", "/p/t.py", 1), At("IP002", "/p/t.py", 2)}, text);
  const auto backward = Names({At("IP002", "/p/t.py", 2), At("IP002", "/p/t.py", 1)}, text);
  EXPECT_NE(forward[0], forward[1]);
  EXPECT_EQ(forward[0], backward[1]);
  EXPECT_EQ(forward[1], backward[0]);
}

TEST(Fingerprint, DoesNotDependOnWhereTheCheckoutIs) {
  const auto here = Names({At("IP002", "/p/t.py", 0)});
  EXPECT_EQ(here, Names({At("IP002", "/q/r/t.py", 0)}, "", "/q/r"));
  EXPECT_NE(here, Names({At("IP002", "/p/sub/t.py", 0)}));
}

TEST(Fingerprint, OpsKeepItWhenNeighboursAreRenamed) {
  const auto op = [](const std::string& line, const std::string& item = "") {
    Diagnostic finding = At("AL001", "/p/m.hlo", 0);
    finding.location.item = item;
    finding.op_line = OpLine{.text = line};
    return Names({finding});
  };
  const auto before = op("conv.1: f32[8,7] convolution(x, w)");
  EXPECT_EQ(before, op("conv.27: f32[8,7] convolution(renamed.3, w)"));
  EXPECT_NE(before, op("conv.1: f32[8,9] convolution(x, w)"));
  EXPECT_NE(before, op("conv.1: f32[8,7] dot(x, w)"));
  EXPECT_NE(op("a: f32[8] add(x, y)", "enc/add"), op("a: f32[8] add(x, y)", "dec/add"));
}

TEST(Fingerprint, OfASummaryStaysWhateverItStandsFor) {
  const std::vector<Diagnostic> before = {At("IP002", "/p/t.py", 7), At("IP002", "/p/u.py", 1)};
  const std::vector<Diagnostic> after = {At("IP002", "/p/t.py", 9)};
  const std::string name = SummaryFingerprint("IP002", before, "/p");
  EXPECT_EQ(name.size(), 16u);
  EXPECT_EQ(name, SummaryFingerprint("IP002", after, "/p"));
  EXPECT_NE(name, SummaryFingerprint("IP003", before, "/p"));
}

TEST(Fingerprint, SubjectIsForPeopleToo) {
  const SourceFile file = {.path = "/p/t.py", .text = "x\n  a = b( c )  # d\n"};
  EXPECT_EQ(SubjectOf(At("IP002", "/p/t.py", 2), std::span(&file, 1)), "a=b(c)");
  EXPECT_EQ(SubjectOf(At("IP002", "/p/t.py", 99), std::span(&file, 1)), "");
}

TEST(RelativePath, StaysAsItIsOutsideTheRoot) {
  EXPECT_EQ(RelativePath("/p/a/../b/t.py", "/p"), "b/t.py");
  EXPECT_EQ(RelativePath("/q/t.py", "/p"), "/q/t.py");
  EXPECT_EQ(RelativePath("zoo:resnet50", "/p"), "zoo:resnet50");
}

}  // namespace
}  // namespace tilewise
