// Folders of compiler dumps: names, shapes of parameters, counts of variants.

#include "frontend/files/xla_dump.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/files/shape_variants.h"
#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string NameParts(std::string_view file) {
  const auto name = ParseDumpName(file);
  if (!name) return "none";
  return fmt::format("{} {} {} {}", name->number, name->function,
                     name->stage == DumpStage::kBeforeOptimizations ? "before" : "after",
                     name->text ? "text" : "binary");
}

TEST(DumpNames, AreNumberFunctionStageAndKind) {
  EXPECT_EQ(NameParts("module_0001.jit_step.before_optimizations.txt"),
            "0001 jit_step before text");
  EXPECT_EQ(NameParts("module_0027.SyncTensorsGraph.9.before_optimizations.txt"),
            "0027 SyncTensorsGraph.9 before text");
  EXPECT_EQ(NameParts("module_0001.jit_step.tpu_after_optimizations.hlo.pb"),
            "0001 jit_step after binary");
  EXPECT_EQ(NameParts("module_3.jit_f.sm_8.0_gpu_after_optimizations.txt"), "3 jit_f after text");
  EXPECT_EQ(NameParts("1690.module_0001.jit_f.cpu_after_optimizations.pb"),
            "0001 jit_f after binary");
}

TEST(DumpNames, OthersAreNoModules) {
  for (const char* name : {"module_0001.jit_f.cpu_after_optimizations-buffer-assignment.txt",
                           "module_0001.jit_f.ir-with-opt.ll", "module_x.jit_f.txt",
                           "module_0001.jit_f.0003.cse.after_dce.txt", "readme.txt", "module_",
                           "module_0001.before_optimizations.txt"}) {
    EXPECT_EQ(NameParts(name), "none") << name;
  }
}

TEST(EntryShapes, AreThoseOfTheFirstLineWithoutLayouts) {
  EXPECT_THAT(EntryShapes("HloModule jit_f, entry_computation_layout={(f32[8,4]{1,0:T(8,128)}, "
                          "/*index=1*/s32[], (f32[2]{0}, pred[]))->f32[8]{0}}\n\nENTRY main"),
              ElementsAre("f32[8,4]", "s32[]", "(f32[2],pred[])"));
  EXPECT_THAT(EntryShapes("HloModule f, entry_computation_layout={()->f32[]}"), IsEmpty());
  EXPECT_THAT(EntryShapes("HloModule f\n"), IsEmpty());
  EXPECT_THAT(EntryShapes("HloModule f, entry_computation_layout={(f32[8"), IsEmpty());
}

std::string Module(const std::string& name, int rows, const char* layout) {
  const std::string shape = fmt::format("f32[{},128]{}", rows, layout);
  return fmt::format(
      "HloModule {0}, entry_computation_layout={{({1})->{1}}}\n\n"
      "ENTRY main {{\n  x = {1} parameter(0)\n  ROOT y = {1} add(x, x)\n}}\n",
      name, shape);
}

TEST(XlaDump, CountsVariantsAndReadsTheLargestModule) {
  const TemporaryFolder folder;
  for (const int rows : {8, 16, 24}) {
    folder.Write(fmt::format("module_{:04}.jit_f.before_optimizations.txt", rows),
                 Module("jit_f", rows, "{1,0}"));
  }
  folder.Write("module_0030.jit_step.before_optimizations.txt",
               Module("jit_step", 32, "{1,0}") + std::string(1000, '\n'));
  folder.Write("module_0030.jit_step.tpu_after_optimizations.txt",
               Module("jit_step", 32, "{1,0:T(8,128)}"));
  folder.Write("module_0030.jit_step.after_optimizations-buffer-assignment.txt",
               "BufferAssignment:\n");
  const InputFile file = {folder.path(""), {}};
  ASSERT_TRUE(LooksLikeXlaDump(file));
  const auto read = LoadFiles({folder.path("")}, {});
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->format, "xla-dump");
  EXPECT_THAT(read->name, HasSubstr("tpu_after_optimizations.txt"));
  ASSERT_TRUE(read->graph.has_value());
  ASSERT_EQ(read->recompiled.size(), 1u);
  EXPECT_EQ(read->recompiled[0].name, "jit_f");
  EXPECT_EQ(read->recompiled[0].shapes, 3);
  EXPECT_THAT(read->recompiled[0].differences,
              ElementsAre("parameter 0: f32[8,128], f32[16,128], f32[24,128]"));
}

TEST(XlaDump, AfterOptimisationOfAnotherDeviceIsLeft) {
  const TemporaryFolder folder;
  folder.Write("module_0001.jit_f.before_optimizations.txt", Module("jit_f", 8, "{1,0}"));
  folder.Write("module_0001.jit_f.cpu_after_optimizations.txt", Module("jit_f", 8, "{1,0}"));
  const auto read = LoadFiles({folder.path("")}, {});
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_THAT(read->name, HasSubstr("before_optimizations.txt"));
}

TEST(XlaDump, AFolderWithoutModulesIsNone) {
  const TemporaryFolder folder;
  folder.Write("notes.txt", "x");
  EXPECT_FALSE(LooksLikeXlaDump({folder.path(""), {}}));
}

}  // namespace
}  // namespace tilewise
