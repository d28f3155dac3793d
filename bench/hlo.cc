// Speed of the readers of XLA modules: a text as XLA prints it, and the
// protobuf of a like module against libprotobuf's own parsing of the same
// bytes.

#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "base/check.h"
#include "frontend/hlo/hlo.pb.h"
#include "frontend/hlo/read_proto.h"
#include "frontend/hlo/read_text.h"

namespace tilewise {
namespace {

// A chain of layers of a compiled module, as many as fill `bytes`.
std::string HloText(size_t bytes) {
  std::string text =
      "HloModule jit_step, is_scheduled=true\n\n"
      "%sum (a: f32[], b: f32[]) -> f32[] {\n"
      "  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
      "  ROOT %s = f32[] add(f32[] %a, f32[] %b)\n}\n\n"
      "ENTRY %main (x.0: bf16[128,1024], w: bf16[1024,1024]) -> "
      "bf16[128,1024] {\n"
      "  %x.0 = bf16[128,1024]{1,0:T(8,128)(2,1)} parameter(0)\n"
      "  %w = bf16[1024,1024]{1,0:T(8,128)(2,1)} parameter(1)\n";
  text.reserve(bytes + 4096);
  for (int64_t i = 1; text.size() < bytes; ++i) {
    const std::string at = fmt::format(
        "metadata={{op_type=\"Mul\" op_name=\"jit(step)/layer_{}/mul\" "
        "source_file=\"model.py\" source_line={}}}",
        i, i % 500);
    text += fmt::format(
        "  %d.{0} = bf16[128,1024]{{1,0:T(8,128)(2,1)}} "
        "dot(bf16[128,1024]{{1,0:T(8,128)(2,1)}} %x.{1}, "
        "bf16[1024,1024]{{1,0:T(8,128)(2,1)}} %w), lhs_contracting_dims={{1}}, "
        "rhs_contracting_dims={{0}}, {2}\n"
        "  %c.{0} = bf16[] constant(0.5)\n"
        "  %b.{0} = bf16[128,1024]{{1,0:T(8,128)(2,1)}} broadcast(%c.{0}), "
        "dimensions={{}}, {2}\n"
        "  %m.{0} = bf16[128,1024]{{1,0:T(8,128)(2,1)}} multiply(%d.{0}, "
        "%b.{0}), {2}\n"
        "  %x.{0} = bf16[128,1024]{{1,0:T(8,128)(2,1)}} add(%m.{0}, "
        "%x.{1}), {2}\n",
        i, i - 1, at);
  }
  return text + "}\n";
}

void BM_ReadHloText(benchmark::State& state) {
  const std::string text = HloText(static_cast<size_t>(state.range(0)) << 20);
  for (auto _ : state) {
    const auto modules = hlo::ReadHloText(text);
    TW_CHECK(modules.ok());
    benchmark::DoNotOptimize(modules->size());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
}
BENCHMARK(BM_ReadHloText)->Arg(1)->Arg(100)->Unit(benchmark::kMillisecond);

void SetShape(hlo::wire::ShapeProto& shape) {
  shape.set_element_type(hlo::wire::BF16);
  shape.add_dimensions(128);
  shape.add_dimensions(1024);
  shape.mutable_layout()->add_minor_to_major(1);
  shape.mutable_layout()->add_minor_to_major(0);
  auto* tile = shape.mutable_layout()->add_tiles();
  tile->add_dimensions(8);
  tile->add_dimensions(128);
}

// A chain of `count` instructions.
std::string HloBytes(int64_t count) {
  hlo::wire::HloProto proto;
  hlo::wire::HloModuleProto& module = *proto.mutable_hlo_module();
  module.set_name("jit_step");
  hlo::wire::HloComputationProto& main = *module.add_computations();
  main.set_name("main");
  main.set_id(1);
  module.set_entry_computation_id(1);
  main.set_root_id(count - 1);
  for (int64_t i = 0; i < count; ++i) {
    hlo::wire::HloInstructionProto& op = *main.add_instructions();
    op.set_name(fmt::format("add.{}", i));
    op.set_opcode(i == 0 ? "parameter" : "add");
    SetShape(*op.mutable_shape());
    op.mutable_metadata()->set_op_type("Add");
    op.mutable_metadata()->set_op_name(fmt::format("jit(step)/layer_{}", i));
    op.set_id(i);
    for (int64_t operand = 0; operand < (i == 0 ? 0 : 2); ++operand) {
      op.add_operand_ids(i - 1);
    }
  }
  return proto.SerializeAsString();
}

void BM_ReadHloProto(benchmark::State& state) {
  const std::string bytes = HloBytes(state.range(0));
  for (auto _ : state) {
    const auto module = hlo::ReadHloProto(bytes);
    TW_CHECK(module.ok());
    benchmark::DoNotOptimize(module->entry);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes.size()));
}
BENCHMARK(BM_ReadHloProto)->Arg(100'000)->Unit(benchmark::kMillisecond);

// What the reader above is measured against.
void BM_ParseHloProtoPlainly(benchmark::State& state) {
  const std::string bytes = HloBytes(state.range(0));
  for (auto _ : state) {
    hlo::wire::HloProto proto;
    TW_CHECK(proto.ParseFromString(bytes));
    benchmark::DoNotOptimize(proto.hlo_module().computations_size());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes.size()));
}
BENCHMARK(BM_ParseHloProtoPlainly)->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tilewise
