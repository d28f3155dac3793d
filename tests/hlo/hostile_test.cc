// Files that are cut off, nested, huge or of another kind: one message, soon.

#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/hlo/print.h"
#include "frontend/hlo/read_hlo.h"
#include "frontend/hlo/read_text.h"
#include "tests/hlo/describe.h"

namespace tilewise::hlo {
namespace {

using ::testing::HasSubstr;

std::string ErrorOf(std::string_view text) {
  const absl::StatusOr<std::vector<Module>> modules = ReadHloText(text);
  return modules.ok() ? "no error" : Message(modules.status());
}

std::string Repeat(std::string_view part, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += part;
  return text;
}

constexpr size_t kMany = 1'000'000;

constexpr std::string_view kModule = R"(HloModule m, is_scheduled=true
sum { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b) }
ENTRY %main (x: f32[8,4]) -> f32[8] {
  %x = f32[8,<=4]{1,0:T(8,128)} parameter(0), sharding={devices=[2,1]<=[2]}
  /* c */ %z = f32[] constant(0) // zero
  ROOT r = f32[8] reduce(%x, f32[] %z), dimensions={1}, to_apply=sum, metadata={op_name="a/b" source_line=3}
}
)";

TEST(HostileHloText, EndsAnywhereWithAMessage) {
  ASSERT_EQ(ErrorOf(kModule), "no error");
  const size_t last = kModule.rfind('}');
  const size_t first = kModule.find('\n');
  for (size_t size = 0; size <= last; ++size) {
    const std::string error = ErrorOf(kModule.substr(0, size));
    // What ends between computations is a module of less.
    const bool whole = error == "no error";
    EXPECT_TRUE(!whole || size > first) << size;
    if (!whole) {
      EXPECT_TRUE(error.starts_with("line ")) << error;
    }
  }
}

TEST(HostileHloText, SurvivesAnyByteChanged) {
  for (size_t at = 0; at < kModule.size(); ++at) {
    for (const char c : std::string("({[)]},=%\"/*-0x\n\0", 17)) {
      std::string changed(kModule);
      changed[at] = c;
      FuzzHloText(changed);
    }
  }
}

TEST(HostileHloText, NestingCostsNoStack) {
  for (const std::string_view open : {"(", "{", "[", "((f32[4]),"}) {
    const std::string many = Repeat(open, kMany / 5);
    for (const std::string_view before :
         {"", "HloModule m, a=", "e (p: ", "e { a = ", "e { a = f32[] add(",
          "e { a = f32[] constant(", "e { a = f32[] iota(), x=", "e { a = f32[] iota(), sharding=",
          "e { a = f32[] iota(), calls=", "e { a = f32[] iota(), replica_groups=",
          "e { a = f32[4]{0:T"}) {
      FuzzHloText(std::string(before) + many);
      (void)LooksLikeHloText({"x", std::string(before) + many});
    }
  }
  EXPECT_THAT(ErrorOf("e { a = " + Repeat("(", kMany)), HasSubstr("deep"));
  EXPECT_THAT(ErrorOf("e { a = f32[] add(" + Repeat("f32[] negate(", kMany)), HasSubstr("deep"));
  EXPECT_THAT(
      ErrorOf("e { a = f32[] call(), to_apply=" + Repeat("{ b = f32[] call(), to_apply=", kMany)),
      HasSubstr("deep"));
}

TEST(HostileHloText, LongChainsOfCallsAreRefused) {
  std::string text = "c0 { a = f32[] iota() }\n";
  for (int i = 1; i < 100'000; ++i) {
    text += fmt::format("c{} {{ a = f32[] call(), to_apply=c{} }}\n", i, i - 1);
  }
  EXPECT_THAT(ErrorOf(text), HasSubstr("more than 200 deep"));
}

TEST(HostileHloText, ManyOfEverythingIsRead) {
  std::string text = "ENTRY e {\n";
  for (size_t i = 0; i < 200'000; ++i) {
    text += fmt::format(" x{} = f32[] iota()\n", i);
  }
  text += " ROOT r = f32[] add(" + Repeat("x7, ", kMany) + "x7), dimensions={" +
          Repeat("1,", kMany) + "1}\n}";
  EXPECT_EQ(ErrorOf(text), "no error");
}

// Time that grows with the square of the size would take minutes.
TEST(HostileHloText, ManySmallComputationsAreReadInTime) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) {
    text += fmt::format("c{} {{ a = f32[] iota(), metadata={{}} }}\n", i);
  }
  EXPECT_EQ(ErrorOf(text), "no error");
  std::string same = "e {\n";
  for (int i = 0; i < 100'000; ++i) {
    same += fmt::format("{0}{1} = f32[] iota()\n", std::string(20, 'a'), i);
  }
  EXPECT_EQ(ErrorOf(same + "}"), "no error");
}

TEST(HostileHloText, IsNotTakenFromOtherFormats) {
  const std::vector<std::string_view> others = {
      "",
      "\n",
      "import tensorflow as tf\nx = f(3)\n",
      "x = f32[2,3]\n",
      "x = (f32[2], g)\n",
      "def f(x):\n  return {1: 2}\n",
      "node {\n  name: \"x\"\n  op: \"Const\"\n}\n",
      "library {\n  function {\n  }\n}\n",
      "module @m {\n  func.func @main(%arg0: tensor<f32>) -> tensor<f32> {\n",
      "module {\n  %0 = stablehlo.add %arg0, %arg0 : tensor<f32>\n}\n",
      "#map = affine_map<(d0) -> (d0)>\nmodule {\n}\n",
      "func.func @main(%arg0: tensor<f32>) {\n  return\n}\n",
      "%0 = \"mhlo.add\"(%a, %b) : (tensor<f32>) -> tensor<f32>\n",
      "{\"class_name\": \"Sequential\"}\n",
      "graph \"g\" {\n  x = f32[2] parameter()\n}\n",
      "// C++\nint main() { int a = f32[2]; }\n",
      "struct point { float x = 0; };\n",
      "namespace x {\nint add(int a, int b) { return a + b; }\n}\n",
      "runtime:\n  distribution_strategy: tpu\n",
      "HloModuleProto",
      "run,tile_m,tile_n\n1,2,3\n",
  };
  for (const std::string_view other : others) {
    EXPECT_FALSE(LooksLikeHloText({"x", other})) << other;
    EXPECT_FALSE(LooksLikeHloProto({"x", other})) << other;
    EXPECT_FALSE(LooksLikeHloTextproto({"x", other})) << other;
  }
}

TEST(HostileHloText, IsKnownInEveryForm) {
  const std::vector<std::string_view> forms = {
      "HloModule m\n",
      "// RUN: x\n\n/* y */ HloModule jit_f, is_scheduled=true\n",
      "ENTRY %main (a: f32[8]) -> f32[8] {\n  %a = f32[8] parameter(0)",
      "ENTRY main {\n ROOT a = (f32[8]{0:T(128)}, s32[]) parameter(0)",
      "%sum (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n",
      "sum {\n  a = f32[] parameter(0)\n",
      "%f = f32[4]{0} fusion(f32[4]{0} %p), kind=kLoop\n",
      "ROOT c = bf16[2,2] constant({{1,2},{3,4}})\n",
  };
  for (const std::string_view form : forms) {
    EXPECT_TRUE(LooksLikeHloText({"x", form})) << form;
    EXPECT_FALSE(LooksLikeHloProto({"x", form})) << form;
    EXPECT_FALSE(LooksLikeHloTextproto({"x", form})) << form;
  }
}

std::string FileText(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(HloCorpus, EveryModulePrintsToAnEqualOne) {
  const std::filesystem::path corpus =
      std::filesystem::path(TILEWISE_SOURCE_DIR) / "../shared/corpus";
  if (!std::filesystem::exists(corpus)) GTEST_SKIP() << "no " << corpus;
  for (const std::string folder : {"hlo_text", "hlo_proto", "hlo_textproto"}) {
    for (const auto& entry : std::filesystem::directory_iterator(corpus / folder)) {
      if (entry.path().extension() == ".csv") continue;
      SCOPED_TRACE(entry.path().string());
      const std::string bytes = FileText(entry.path());
      const InputFile file{entry.path().string(), bytes};
      EXPECT_EQ(LooksLikeHloText(file), folder == "hlo_text");
      EXPECT_EQ(LooksLikeHloProto(file), folder == "hlo_proto");
      EXPECT_EQ(LooksLikeHloTextproto(file), folder == "hlo_textproto");
      const absl::StatusOr<std::vector<Module>> modules = ReadModules(file);
      ASSERT_TRUE(modules.ok()) << modules.status();
      for (const Module& module : *modules) {
        const std::string printed = PrintModule(module);
        absl::StatusOr<std::vector<Module>> again = ReadHloText(printed);
        ASSERT_TRUE(again.ok()) << again.status();
        again->front().name = module.name;  // may be empty
        if (bytes.size() < 10'000) {
          EXPECT_EQ(Describe(module), Describe(again->front()));
        } else {
          EXPECT_TRUE(Describe(module) == Describe(again->front()));
        }
      }
    }
  }
}

}  // namespace
}  // namespace tilewise::hlo
