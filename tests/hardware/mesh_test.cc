// Meshes as text, and where their axes lie on the torus.

#include "hardware/mesh.h"

#include <set>

#include <gtest/gtest.h>

#include "hardware/torus.h"

namespace tilewise {
namespace {

std::string ErrorOf(std::string_view text) {
  const auto mesh = ParseMesh(text);
  return mesh.ok() ? FormatMesh(*mesh) : Message(mesh.status());
}

TEST(ParseMesh, ReadsAxesInAnyOrder) {
  EXPECT_EQ(*ParseMesh("data=8"), (Mesh{.data = 8}));
  EXPECT_EQ(*ParseMesh("tensor=4,data=16,fsdp=48"), (Mesh{.data = 16, .fsdp = 48, .tensor = 4}));
  EXPECT_EQ(*ParseMesh("fsdp=64,expert=4"), (Mesh{.fsdp = 64, .expert = 4}));
  EXPECT_EQ(*ParseMesh("stage=4,microbatches=16"), (Mesh{.stage = 4, .microbatches = 16}));
  EXPECT_EQ(*ParseMesh("fsdp=64"), (Mesh{.data = 0, .fsdp = 64}));
  EXPECT_EQ(*ParseMesh(""), Mesh{});
}

TEST(ParseMesh, SaysWhatItExpects) {
  EXPECT_EQ(ErrorOf("dp=8"),
            "found mesh axis 'dp', expected data, stage, fsdp, expert, context, tensor, "
            "microbatches or repeats");
  EXPECT_EQ(ErrorOf("data"), "found 'data' in a mesh, expected AXIS=CORES");
  EXPECT_EQ(ErrorOf("data=0"), "found mesh axis data of '0' cores, expected 1 to 65536");
  EXPECT_EQ(ErrorOf("data=2x"), "found mesh axis data of '2x' cores, expected 1 to 65536");
  EXPECT_EQ(ErrorOf("data=2,data=2"), "found mesh axis data twice, expected it once");
  EXPECT_EQ(ErrorOf("data=2,"), "found a mesh that ends in ',', expected AXIS=CORES");
}

TEST(FillMesh, GivesDataTheCoresThatAreLeft) {
  EXPECT_EQ(FillMesh({.fsdp = 4, .tensor = 2}, 32)->data, 4);
  EXPECT_EQ(Message(FillMesh({.data = 3, .tensor = 2}, 8).status()),
            "found mesh data=3,tensor=2 on 8 cores, expected a product of 8");
  EXPECT_EQ(Message(FillMesh({.tensor = 8, .slices = 2}, 8).status()),
            "found 2 slices, expected a divisor of the 1 cores on data, "
            "stage and fsdp");
  EXPECT_EQ(Message(FillMesh({.stage = 4, .microbatches = 6}, 8).status()),
            "found 6 microbatches, expected a multiple of the 4 stages");
}

TEST(FormatMesh, NamesTheAxesThatAreUsed) {
  EXPECT_EQ(FormatMesh({.data = 2, .fsdp = 1, .tensor = 4}), "data=2,tensor=4");
  EXPECT_EQ(FormatMesh({.data = 1}), "data=1");
  EXPECT_EQ(FormatMesh({.data = 2, .stage = 4, .microbatches = 8, .repeats = 2}),
            "data=2,stage=4,microbatches=8,repeats=2");
  EXPECT_EQ(ParseMesh("stage=4,repeats=2")->repeats, 2);
  EXPECT_EQ(Message(FillMesh({.repeats = 2}, 8).status()),
            "found 2 repeats without stages, expected mesh axis stage");
  EXPECT_EQ(FormatMesh({.fsdp = 64, .expert = 4}), "fsdp=64,expert=4");
}

TEST(Covers, LooksAtWholeNames) {
  EXPECT_EQ(JoinAxes({MeshAxis::kFsdp, MeshAxis::kExpert}), "fsdp+expert");
  EXPECT_TRUE(Covers("fsdp+expert", MeshAxis::kExpert));
  EXPECT_TRUE(Covers("data", MeshAxis::kData));
  EXPECT_FALSE(Covers("data+fsdp", MeshAxis::kExpert));
  EXPECT_FALSE(Covers("", MeshAxis::kData));
}

Target TargetOf(std::string_view chip, const Mesh& mesh) {
  const auto target = MakeTarget(chip, 0, "", mesh);
  EXPECT_TRUE(target.ok()) << target.status();
  return target.ok() ? *target : Target();
}

TEST(MakeTarget, TakesItsCoresFromTheMesh) {
  const Target target = TargetOf("v5p", {.data = 2, .fsdp = 8, .tensor = 4});
  EXPECT_EQ(target.cores, 64);
  EXPECT_EQ(target.batch_shards(), 16);
  EXPECT_NE(target.description().find("mesh data=2,fsdp=8,tensor=4"), std::string::npos);
  EXPECT_FALSE(MakeTarget("v5p", 32, "", {.data = 2, .fsdp = 8}).ok());
}

TEST(MakeTarget, RefusesASliceLargerThanAPod) {
  EXPECT_TRUE(MakeTarget("v5e", 256, "").ok());
  EXPECT_FALSE(MakeTarget("v5e", 512, "").ok());
  EXPECT_TRUE(MakeTarget("v5e", 512, "", {.slices = 2}).ok());
}

TEST(FindGroup, GivesWholeTorusAxesToTheMeshAxesThatFit) {
  const Target target = TargetOf("v5p", {.fsdp = 64, .tensor = 8});  // 8x8x8
  const CoreGroup tensor = FindGroup(target, "tensor");
  ASSERT_EQ(tensor.spans.size(), 1u);
  EXPECT_EQ(tensor.spans[0].length, 8);
  EXPECT_TRUE(tensor.spans[0].closed);
  EXPECT_EQ(tensor.links(target.chip), 2);
  const CoreGroup fsdp = FindGroup(target, "fsdp");
  EXPECT_EQ(fsdp.chips(), 64);
  EXPECT_EQ(fsdp.links(target.chip), 4);
  EXPECT_EQ(fsdp.hops(), 8);
  std::set<size_t> axes = {tensor.spans[0].axis};
  for (const TorusSpan& span : fsdp.spans) axes.insert(span.axis);
  EXPECT_EQ(axes.size(), 3u);
}

TEST(FindGroup, SharesTheLinksOfAnAxisThatTwoMeshAxesSplit) {
  const Target target = TargetOf("v5e", {.fsdp = 64, .tensor = 4});  // 16x16
  const CoreGroup tensor = FindGroup(target, "tensor");
  EXPECT_EQ(tensor.links(target.chip), 1);  // four neighbours in a row
  EXPECT_EQ(tensor.hops(), 3);
  const CoreGroup fsdp = FindGroup(target, "fsdp");
  EXPECT_EQ(fsdp.chips(), 64);
  EXPECT_EQ(fsdp.links(target.chip), 2 + 2.0 / 4);
  const CoreGroup all = FindGroup(target, "");
  EXPECT_EQ(all.chips(), 256);
  EXPECT_EQ(all.links(target.chip), 4);
}

// Squares of four chips, each linked to two others; 8 x 8 such squares.
TEST(FindGroup, GivesExpertsASquare) {
  const Target target = TargetOf("v6e", {.fsdp = 64, .expert = 4});  // 16x16
  const CoreGroup expert = FindGroup(target, "expert");
  ASSERT_EQ(expert.spans.size(), 2u);
  EXPECT_EQ(expert.spans[0].length, 2);
  EXPECT_EQ(expert.spans[1].length, 2);
  EXPECT_EQ(expert.hops(), 2);
  const CoreGroup fsdp = FindGroup(target, "fsdp");
  EXPECT_EQ(fsdp.chips(), 64);
  EXPECT_EQ(fsdp.links(target.chip), 2);  // shared by the cores of a square
  EXPECT_EQ(FindGroup(target, "fsdp+expert").links(target.chip), 4);
  const Target oblong = TargetOf("v6e", {.fsdp = 32, .expert = 8});
  EXPECT_EQ(FindGroup(oblong, "expert").hops(), 3 + 1);
}

TEST(FindGroup, TakesTheCoresOfAChipFirst) {
  const Target target = TargetOf("v3", {.data = 4, .tensor = 2});
  const CoreGroup tensor = FindGroup(target, "tensor");
  EXPECT_EQ(tensor.cores_on_chip, 2);
  EXPECT_EQ(tensor.chips(), 1);
  const CoreGroup data = FindGroup(target, "data");
  EXPECT_EQ(data.groups_on_chip, 2);
  EXPECT_EQ(data.chips(), 4);
  EXPECT_EQ(data.links(target.chip), 1);  // two open axes for two groups
}

TEST(FindGroup, PutsSlicesOnDataThenOnFsdp) {
  const Target data = TargetOf("v6e", {.data = 8, .fsdp = 64, .slices = 4});
  EXPECT_EQ(FindGroup(data, "data").slices, 4);
  EXPECT_EQ(FindGroup(data, "fsdp").slices, 1);
  EXPECT_EQ(FindGroup(data, "data").chips(), 2);
  const Target fsdp = TargetOf("v6e", {.fsdp = 512, .slices = 2});
  EXPECT_EQ(FindGroup(fsdp, "fsdp").slices, 2);
  EXPECT_EQ(FindGroup(fsdp, "fsdp").cores(), 512);
}

TEST(FindGroup, CoversTheMeshForAnyProduct) {
  for (const std::string& chip : ChipNames()) {
    for (const int64_t tensor : {1, 2, 4, 8}) {
      for (const int64_t fsdp : {1, 2, 16}) {
        for (const int64_t expert : {1, 3, 4}) {
          if (expert > 1 && tensor > 2) continue;  // more than a pod
          const Target target =
              TargetOf(chip, {.data = 2, .fsdp = fsdp, .tensor = tensor, .expert = expert});
          const auto cores = [&](std::string_view axes) { return FindGroup(target, axes).cores(); };
          EXPECT_EQ(cores("tensor"), tensor) << chip;
          EXPECT_EQ(cores("fsdp"), fsdp) << chip;
          EXPECT_EQ(cores("expert"), expert) << chip;
          EXPECT_EQ(cores("data+fsdp"), 2 * fsdp) << chip;
          EXPECT_EQ(cores("fsdp+expert"), fsdp * expert) << chip;
          EXPECT_EQ(cores(""), target.cores) << chip;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tilewise
