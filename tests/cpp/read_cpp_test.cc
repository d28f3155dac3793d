// C++ sources: which op calls are seen, under which name, at which place.

#include "frontend/cpp/read_cpp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tilewise {
namespace {

std::vector<std::string> Calls(const std::string& text) {
  std::vector<std::string> calls;
  const absl::StatusOr<Workload> workload = ReadCpp({"a.cc", text}, {});
  for (const SourceCall& call : workload->facts.calls) {
    calls.push_back(call.name + "@" + FormatLocation(call.location));
  }
  return calls;
}

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ReadCpp, FindsOpsByTheirFullName) {
  EXPECT_THAT(Calls("auto t =\n  tensorflow::ops::Tile(scope, x, m);"),
              ElementsAre("tensorflow.tile@a.cc:2:3"));
}

TEST(ReadCpp, FollowsUsingNamespaceAndAliases) {
  EXPECT_THAT(Calls("using namespace tensorflow::ops;\nMaxPool p(s, x);"),
              ElementsAre("tensorflow.nn.max_pool@a.cc:2:1"));
  EXPECT_THAT(Calls("namespace ops = tensorflow::ops;\nops::Conv2D(s);"),
              ElementsAre("tensorflow.nn.conv2d@a.cc:2:1"));
}

TEST(ReadCpp, IgnoresCommentsStringsAndOtherNamespaces) {
  EXPECT_THAT(Calls("// tensorflow::ops::Tile(x)\n"
                    "auto s = \"tensorflow::ops::Tile(x)\";\n"
                    "mine::Tile(x); Tile(x);"),
              IsEmpty());
}

TEST(ReadCpp, SurvivesUnfinishedText) {
  EXPECT_THAT(Calls("tensorflow::ops::Tile( \"abc"), ElementsAre("tensorflow.tile@a.cc:1:1"));
  EXPECT_THAT(Calls("namespace"), IsEmpty());
  EXPECT_THAT(Calls("using namespace"), IsEmpty());
}

// What names are compared with does not grow with the namespaces of the file.
TEST(ReadCpp, ReadsManyNamespacesWithinEachOther) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "namespace n" + std::to_string(i) + " { ";
  text += "namespace tensorflow { auto t = ops::Tile(s, x, m); }";
  EXPECT_THAT(Calls(text), ElementsAre(testing::StartsWith("tensorflow.tile@a.cc:1:")));
}

TEST(ReadCpp, RefusesSourcesLargerThanPeopleWrite) {
  const std::string text((size_t{8} << 20) + 1, ' ');
  EXPECT_THAT(Message(ReadCpp({"a.cc", text}, {}).status()), testing::HasSubstr("at most 8388608"));
}

}  // namespace
}  // namespace tilewise
