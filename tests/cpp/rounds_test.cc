// How often loops of C++ run, and what calls that no header declares leave of a number.

#include <gmock/gmock.h>

#include "tests/cpp/model_reading.h"

namespace tilewise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// The rounds of the loops of main(), in order; -1: not known.
std::vector<int64_t> RoundsIn(const std::string& statements) {
  absl::StatusOr<Workload> workload = ReadCpp(
      "a.cc", std::string(kTorch) + "int main(int argc, char** argv) {\n" + statements + "}\n", {});
  std::vector<int64_t> rounds;
  if (!workload.ok()) return rounds;
  for (const SourceContext& each : workload->facts.contexts) {
    if (each.kind != ContextKind::kFor) continue;
    const SourceCall* over = each.call < 0 ? nullptr : &workload->facts.calls[each.call];
    rounds.push_back(over == nullptr ? -1 : over->arguments[0].sizes[0]);
  }
  return rounds;
}

TEST(CppRounds, LoopsCountUpAndDownAndFromBothSides) {
  EXPECT_THAT(RoundsIn("for (int i = 0; i < 4; ++i) {}\nfor (int i{8}; i >= 1; i -= 2) {}\n"
                       "for (int i = 0; 5 > i; i = i + 2) {}\nfor (int i = 0; 6 != i; i++) {}\n"),
              ElementsAre(4, 4, 3, 6));
}

TEST(CppRounds, ALoopThatMovesItsCounterIsNotCounted) {
  EXPECT_THAT(RoundsIn("for (int i = 0; i < 4; ++i) { i -= argc; }\n"
                       "for (int i = 0; i < argc; ++i) {}\n"
                       "int n = 3;\nread_settings(n);\nfor (int i = 0; i < n; ++i) {}\n"),
              ElementsAre(-1, -1, -1));
}

// A model of `layers` products of matrices; `statements` may set that number.
Workload ReadLayers(const std::string& statements) {
  return Read(std::string(kTorch) + "#include <cstdlib>\nint main(int argc, char** argv) {\n" +
              "  int layers = 3;\n" + statements + R"(
  auto w = torch::randn({8, 8}, torch::requires_grad());
  torch::optim::SGD optimizer({w}, 0.1);
  for (int step = 0; step < 100; ++step) {
    auto x = torch::randn({4, 8});
    for (int i = 0; i < layers; ++i) x = torch::relu(torch::mm(x, w));
    x.mean().backward();
    optimizer.step();
  }
}
)");
}

TEST(CppRounds, ALoopOfAModelRepeatsItsBody) {
  const Workload w = ReadLayers("");
  EXPECT_EQ(CountOf(w, OpKind::kDot), 3);
  EXPECT_THAT(w.lower_bound, IsEmpty());
}

TEST(CppRounds, ALoopOfAModelWhoseRoundsAreNotKnownSaysSo) {
  const Workload w = ReadLayers("  layers = atoi(argv[1]);");
  EXPECT_EQ(CountOf(w, OpKind::kDot), 1);
  EXPECT_THAT(w.lower_bound, HasSubstr("at line 10, one round of this loop is counted"));
}

TEST(CppRounds, ACallThatNoHeaderDeclaresMaySetANumber) {
  for (const char* each :
       {"read_settings(layers);", "Unknown settings; settings.read(layers);",
        "Unknown settings(argv[1], layers);", "Args::parse(argc, argv).add(\"n\", layers);\n",
        "auto file = open_settings(); file >> layers;"}) {
    EXPECT_THAT(ReadLayers(each).lower_bound, HasSubstr("maybe sets")) << each;
  }
}

TEST(CppRounds, ACallThatPrintsOrCopiesLeavesANumberAlone) {
  for (const char* each :
       {"log_info(\"layers\", layers);", "CHECK_EQ(layers, 3);", "show(layers + 1);",
        "const int more = layers; read_settings(more);", "read_settings(int(layers));"}) {
    const Workload w = ReadLayers(each);
    EXPECT_EQ(CountOf(w, OpKind::kDot), 3) << each;
    EXPECT_THAT(Notes(w), Not(HasSubstr("lower bound"))) << each;
  }
}

}  // namespace
}  // namespace tilewise
