// Modules that no compiler makes: every instruction with operands and results
// that are none of its, and calls that grow without end. A graph or a message
// comes out, never more.

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/hlo/build_graph.h"
#include "frontend/hlo/read_text.h"

namespace tilewise::hlo {
namespace {

HloShape Array(std::vector<int64_t> dims, DType dtype = DType::kF32) {
  HloShape shape;
  shape.dtype = dtype;
  shape.dims = std::move(dims);
  return shape;
}

HloShape Tuple(std::vector<HloShape> elements) {
  HloShape shape;
  shape.kind = HloShape::Kind::kTuple;
  shape.elements = std::move(elements);
  return shape;
}

std::vector<HloShape> Shapes() {
  return {Array({}),
          Array({4, 4}, DType::kS32),
          Array({2, 4, 4, 4}),
          Array({0, 4}),
          Array({-1, 4}),
          Array({4}, DType::kC64),
          Tuple({Array({4}), Tuple({Array({4, 4})})})};
}

std::vector<HloShape> Results() {
  return {Array({}, DType::kPred), Array({4, 4}), Array({2, 4, 4, 4}), Tuple({}),
          Tuple({Array({0}), Array({4})})};
}

// Attributes of several kinds of instructions at once; `size` scales them.
void AddExtras(Instruction& instruction, int64_t size) {
  InstructionExtras& extras = instruction.Extras();
  extras.window.assign(2, {size, size, -size, size, size, size, true});
  extras.slice->starts = extras.slice->limits = extras.slice->strides = {size, -size, size};
  extras.pad->low = extras.pad->high = {-size, size};
  extras.conv->input_spatial = {1, size};
  extras.conv->kernel_spatial = {-size, 1};
  extras.conv->output_spatial = {1, 2};
  instruction.dot->lhs_contract = {size};
  instruction.dot->rhs_contract = {-size};
  extras.gather->offset_dims = {-1, size};
  extras.gather->start_dims = {0};
  extras.gather->collapsed_dims = {0};
  extras.gather->slice_sizes = {size};
  extras.devices->source_target = {{size, -size}};
  extras.feature_index = size;
  extras.k = size;
  extras.trip_count = size;
  instruction.dims = {size, -size};
  instruction.index = size;
}

constexpr auto kTargets = std::to_array<std::string_view>(
    {"Sharding", "TopK", "__cublas$gemm", "__cudnn$convForward", "__cudnn$convBackwardInput",
     "__cudnn$convBackwardFilter", "__onednn$matmul", "te_fused_attn_forward_ffi",
     "te_fused_attn_backward_ffi", "mhlo.dynamic_broadcast_in_dim", "mhlo.real_dynamic_slice",
     "CreateBuffer", "tilewise.softmax", "other"});

Instruction Make(Opcode opcode, HloShape shape, std::vector<int32_t> operands) {
  Instruction instruction;
  instruction.name = "i";
  instruction.opcode = opcode;
  instruction.shape = std::move(shape);
  instruction.operands = std::move(operands);
  return instruction;
}

// An entry of `count` parameters of `shape` and the instruction `opcode` of
// result `result`, which calls a computation of two parameters.
Module ModuleOf(Opcode opcode, const HloShape& shape, const HloShape& result, int32_t count,
                int64_t size) {
  Module module;
  module.name = "m";
  module.computations.resize(2);
  std::vector<int32_t> operands;
  for (int32_t i = 0; i < count; ++i) {
    for (Computation& computation : module.computations) {
      computation.instructions.push_back(Make(Opcode::kParameter, shape, {}));
      computation.instructions.back().index = i;
    }
    operands.push_back(i);
  }
  Computation& entry = module.computations[0];
  entry.instructions.push_back(Make(opcode, result, operands));
  entry.root = count;
  if (count == 0) {
    module.computations[1].instructions.push_back(Make(Opcode::kConstant, shape, {}));
  }
  if (size >= 0) {
    AddExtras(entry.instructions.back(), size);
    entry.instructions.back().called = {1, 1};
    if (opcode == Opcode::kCustomCall) {
      entry.instructions.back().Extras().custom_call_target =
          kTargets[static_cast<size_t>(size + count) % kTargets.size()];
    }
  }
  return module;
}

class AnyInstruction : public testing::TestWithParam<int> {};

TEST_P(AnyInstruction, MakesAGraphOrAMessage) {
  const auto opcode = static_cast<Opcode>(GetParam());
  for (const HloShape& shape : Shapes()) {
    for (const HloShape& result : Results()) {
      for (const int32_t count : {0, 1, 3}) {
        for (const int64_t size : {int64_t{-1}, int64_t{1}, int64_t{1} << 62}) {
          const Module module = ModuleOf(opcode, shape, result, count, size);
          const absl::StatusOr<Workload> workload = BuildWorkload(module, "test.hlo");
          EXPECT_TRUE(!workload.ok() || workload->graph.has_value());
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, AnyInstruction,
                         testing::Range(0, static_cast<int>(Opcode::kUnknown)));

std::string Built(const std::string& text) {
  const absl::StatusOr<std::vector<Module>> modules = ReadHloText(text);
  if (!modules.ok()) return Message(modules.status());
  const absl::StatusOr<Workload> workload = BuildWorkload(modules->front(), "test.hlo");
  return workload.ok() ? fmt::format("{} ops", workload->graph->size())
                       : Message(workload.status());
}

// A chain of computations, each calling the one before `calls` times.
std::string Chain(int length, int calls) {
  std::string text = "f0 {\n  x = s32[4] parameter(0)\n  ROOT y = s32[4] negate(x)\n}\n";
  for (int i = 1; i <= length; ++i) {
    const bool is_entry = i == length;
    text += fmt::format("{}f{} {{\n  x0 = s32[4] parameter(0)\n", is_entry ? "ENTRY " : "", i);
    for (int call = 1; call <= calls; ++call) {
      text += fmt::format("  {}x{} = s32[4] call(x{}), to_apply=f{}\n",
                          call == calls ? "ROOT " : "", call, call - 1, i - 1);
    }
    text += "}\n";
  }
  return text;
}

TEST(HostileModule, CallsThatDoubleEndInOneMessage) {
  EXPECT_THAT(Built(Chain(60, 2)), testing::HasSubstr("found more than 400000 instructions"));
}

TEST(HostileModule, DeepCallsEndInOneMessage) {
  EXPECT_THAT(Built(Chain(150, 1)), testing::HasSubstr("deep"));
  EXPECT_EQ(Built(Chain(100, 1)), "2 ops");
}

TEST(HostileModule, SumsThatDoubleDoNotStopTheCountOfIterations) {
  std::string sums = "  s0 = s32[] get-tuple-element(p), index=0\n";
  for (int i = 1; i < 39; ++i) {
    sums += fmt::format("  s{} = s32[] add(s{}, s{})\n", i, i - 1, i - 1);
  }
  const std::string text = fmt::format(
      "cond {{\n  p = (s32[]) parameter(0)\n{0}  n = s32[] constant(9)\n"
      "  ROOT c = pred[] compare(s38, n), direction=LT\n}}\n"
      "body {{\n  p = (s32[]) parameter(0)\n{0}"
      "  ROOT t = (s32[]) tuple(s38)\n}}\n"
      "ENTRY e {{\n  z = s32[] constant(0)\n  t = (s32[]) tuple(z)\n"
      "  ROOT w = (s32[]) while(t), condition=cond, body=body\n}}\n",
      sums);
  EXPECT_EQ(Built(text), "40 ops");
}

TEST(HostileModule, AnEmptyEntryIsAMessage) {
  Module module;
  module.computations.resize(1);
  EXPECT_EQ(Message(BuildWorkload(module, "test.hlo").status()),
            "test.hlo: found no instructions in the entry computation");
}

}  // namespace
}  // namespace tilewise::hlo
