// Windows that a measurement states, and what they make of a kernel.

#include "accuracy/stated_windows.h"

#include <gmock/gmock.h>

#include "accuracy/csv.h"
#include "accuracy/read_set.h"
#include "graph/text.h"

namespace tilewise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Workload Compiled(std::string_view text, std::vector<std::optional<PhysicalLayout>> layouts) {
  Workload workload;
  workload.graph = *ParseGraph(text);
  workload.compilation.emplace();
  workload.compilation->layouts = std::move(layouts);
  return workload;
}

PhysicalLayout RowMajor() { return {{1, 0}, {{8, 128}}, 0}; }

constexpr std::string_view kDot = R"(graph "g" {
  x = f32[64,4096] parameter()
  y = f32[4096,1024] parameter()
  z = f32[64,1024] dot(x, y), lhs_contract={1}, rhs_contract={0}
  output result z
})";

TEST(StatedWindows, AreReadByTheirNames) {
  const auto windows = ParseStatedWindows("kernel=4,1 output=16,32 input= iteration=");
  ASSERT_TRUE(windows.ok()) << windows.status();
  EXPECT_THAT(windows->kernel, ElementsAre(4, 1));
  EXPECT_THAT(windows->output, ElementsAre(16, 32));
  EXPECT_THAT(windows->input, IsEmpty());
}

TEST(StatedWindows, OtherTextIsAnError) {
  for (const char* text : {"output=0,1", "output=a", "tile=1", "output"}) {
    EXPECT_FALSE(ParseStatedWindows(text).ok()) << text;
  }
}

// 8 x 8 tiles of the result in windows of 4 x 2, 512 x 8 tiles of the kernel
// in windows of 128 rows.
TEST(StatedWindows, CutEachDimOfAProduct) {
  const auto cuts = CutsOf({.kernel = {128, 2}, .output = {4, 2}},
                           Compiled(kDot, {RowMajor(), RowMajor(), RowMajor()}));
  ASSERT_TRUE(cuts.ok()) << cuts.status();
  ASSERT_TRUE(cuts->has_value());
  EXPECT_EQ((*cuts)->m, 2);
  EXPECT_EQ((*cuts)->n, 4);
  EXPECT_EQ((*cuts)->k, 4);
}

TEST(StatedWindows, CountTilesInTheOrderOfMemory) {
  const PhysicalLayout transposed = {{0, 1}, {{8, 128}}, 0};
  const auto cuts = CutsOf({.kernel = {}, .output = {64, 1}},
                           Compiled(kDot, {RowMajor(), RowMajor(), transposed}));
  ASSERT_TRUE(cuts.ok() && cuts->has_value());
  EXPECT_EQ((*cuts)->m, 1);  // 64 rows in one tile of lanes
  EXPECT_EQ((*cuts)->n, 2);  // 128 tiles of 8 columns
}

TEST(StatedWindows, OfAnotherRankAreAnError) {
  const auto cuts = CutsOf({.kernel = {}, .output = {1, 2, 3}},
                           Compiled(kDot, {RowMajor(), RowMajor(), RowMajor()}));
  EXPECT_THAT(cuts.status().message(), HasSubstr("expected 2 dims"));
}

TEST(TileRuns, BelongToTheFileThatTheyAreNamedAfter) {
  const Csv csv = *Csv::Parse("folder/a.hlo.pb.runs.csv",
                              "run,is_default,error,execution_profile_fields,config\n"
                              "0,1,0,3=9;4=2500;5=2500,\"kernel= output=2,4 input= iteration=\"\n"
                              "1,0,0,3=9;4=3000;5=1,kernel= output= input= iteration=\n");
  const auto points = ReadTileRuns(csv, {});
  ASSERT_TRUE(points.ok()) << points.status();
  ASSERT_EQ(points->size(), 2u);
  EXPECT_EQ((*points)[0].spec, "a.hlo.pb");
  EXPECT_EQ((*points)[0].figure.value, 2.5);
  EXPECT_THAT((*points)[0].windows->output, ElementsAre(2, 4));
  EXPECT_THAT((*points)[1].not_simulated, HasSubstr("no windows"));
}

}  // namespace
}  // namespace tilewise
