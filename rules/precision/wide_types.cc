// Flags 64-bit types in what the device computes.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "edit/cpp.h"
#include "edit/python.h"
#include "rules/cpp/api_calls.h"
#include "rules/host_loop/data_code.h"
#include "rules/host_loop/step_code.h"
#include "rules/rewrites.h"
#include "rules/rule.h"
#include "session/forward_values.h"
#include "workload/blocks.h"
#include "workload/cpp_path.h"

namespace tilewise::PR002 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "PR002",
    .name = "wide-types",
    .fix = Applicability::kUnsafe,
    .changes_numerics = true,
    .needs = {.or_cpp = true},
    .summary = "the device computes with 64-bit numbers",
    .doc = R"(
What: tensors of float64, complex128, int64 or uint64 in the program of the
device; or a program that switches them on (jax_enable_x64, set_floatx,
set_default_dtype), or asks for float64 in what its step runs: .double(),
torch.double, dtype=jnp.float64, and in C++ torch::kFloat64, xla::F64,
DT_DOUBLE. An error for float64: the device has none.
Why: registers are 32 bits wide. A 64-bit integer is a pair of registers and of
tensors, and each operation on it several; a 64-bit float is emulated by sums of
smaller ones, many times slower, and never reaches the matrix unit. Both take
twice the memory and bandwidth.
Remedy: float32 and int32: they count to 2,147,483,647. Convert labels, ids and
positions in the input pipeline.
Ignore: loop counters and single numbers, which are not reported; code that needs
the digits, which belongs on the host.
Numbers: half of the padded bytes that kernels move in such types, at the chip's
bandwidth. What the emulation costs comes on top and is not simulated.
Sources: pytorch/xla#1775 (32-bit longs as a workaround), JAX docs (x64 is off by
default).)",
    .thresholds = {{"min-share", 0.01, "share of the step that moving the wider half takes"}},
};

bool IsWideFloat(DType dtype) { return dtype == DType::kF64 || dtype == DType::kC128; }
bool IsWideInteger(DType dtype) { return dtype == DType::kS64 || dtype == DType::kU64; }
using IsWide = bool (*)(DType);

struct Wide {
  Bytes moved;                // per step, as it is
  Seconds of_kernels;         // that touch it
  int64_t tensors = 0;        // in HBM
  const Op* first = nullptr;  // of the model: where it comes from
};

void AddKernels(const Facts& facts, IsWide is_wide, Wide& wide) {
  const Program& program = facts.model->program;
  for (size_t i = 0; i < program.kernels.size(); ++i) {
    const Kernel& kernel = program.kernels[i];
    Bytes moved;
    for (const auto* list : {&kernel.inputs, &kernel.outputs}) {
      for (const OpId id : *list) {
        const Shape& shape = program.graph.op(id).shape;
        if (!is_wide(shape.dtype) || shape.elements() <= 1) continue;
        moved += StoredBytes(program, id, facts.target.chip) * kernel.repeat;
      }
    }
    wide.moved += moved;
    if (moved.value > 0) wide.of_kernels += facts.model->spans[i].duration;
  }
  for (const Buffer& buffer : program.buffers) {
    if (buffer.value == kNoOp) continue;
    const Shape& shape = program.graph.op(buffer.value).shape;
    if (is_wide(shape.dtype) && shape.elements() > 1) ++wide.tensors;
  }
}

// Returns where such a type comes from: an op that reads none and makes a tensor.
const Op* FirstOf(const Graph& graph, IsWide is_wide) {
  const Op* any = nullptr;
  for (const Op& op : graph.ops()) {
    if (!is_wide(op.shape.dtype) || op.shape.elements() <= 1) continue;
    if (!op.location.known() || op.kind == OpKind::kConstant) continue;
    if (any == nullptr) any = &op;
    const bool inherits = std::ranges::any_of(
        op.operands, [&](OpId id) { return is_wide(graph.op(id).shape.dtype); });
    if (!inherits) return &op;
  }
  return any;
}

DType NarrowOf(DType wide) {
  switch (wide) {
    case DType::kC128:
      return DType::kC64;
    case DType::kF64:
      return DType::kF32;
    case DType::kU64:
      return DType::kU32;
    default:
      return DType::kS32;
  }
}

std::string Advice(const Op& op) {
  const std::string_view narrow = DTypeName(NarrowOf(op.shape.dtype));
  if (op.kind == OpKind::kParameter) {
    return fmt::format("cast {} to {} in the input pipeline", op.name, narrow);
  }
  return fmt::format("make {} in {} and keep the ops behind it so", op.name, narrow);
}

void CheckModel(const Facts& facts, bool is_float, Sink& sink) {
  const IsWide is_wide = is_float ? IsWideFloat : IsWideInteger;
  Wide wide;
  wide.first = FirstOf(*facts.source, is_wide);
  if (wide.first == nullptr) return;
  AddKernels(facts, is_wide, wide);
  const Bytes wasted = {wide.moved.value / 2};
  const Seconds time = wasted / facts.target.chip.hbm_bandwidth;
  const Seconds felt = is_float ? wide.of_kernels : time;
  if (wide.tensors == 0) return;
  if (felt < facts.StepTime() * sink.threshold("min-share")) return;
  const Op& op = *wide.first;
  Finding& found = sink.ReportOp(
      op.id,
      "{} {} in HBM {} {}-bit {}, from {} on, and kernels move {} of {} a step (simulated on {}), "
      "expected 32-bit",
      wide.tensors, wide.tensors == 1 ? "tensor" : "tensors", wide.tensors == 1 ? "is" : "are",
      BitWidth(op.shape.dtype), is_float ? "floating point" : "integers", op.name,
      FormatBytes(wide.moved), wide.tensors == 1 ? "it" : "them", facts.target.chip.name);
  if (is_float) found.severity = Severity::kError;
  found.cost = DeviceCost(facts, time, wasted);
  found.fix.text = Advice(op);
  found.change = InOtherType(*facts.source, op.shape.dtype, NarrowOf(op.shape.dtype));
}

// A call that switches wide types on, and the argument that says so.
struct Switch {
  std::string_view name;
  size_t argument;  // 0-based, among those without keyword
  std::string_view keyword;
  std::string_view first;                // what argument 0 is, when it is not `argument`
  std::array<std::string_view, 3> wide;  // values that switch on
  std::string_view narrow;               // what to write instead
};
constexpr std::array<Switch, 5> kSwitches = {{
    {"jax.config.update", 1, "val", "jax_enable_x64", {"True", "1"}, "False"},
    {"tensorflow.keras.backend.set_floatx", 0, "value", "", {"float64"}, "\"float32\""},
    {"keras.backend.set_floatx", 0, "value", "", {"float64"}, "\"float32\""},
    {"keras.config.set_floatx", 0, "value", "", {"float64"}, "\"float32\""},
    {"torch.set_default_dtype", 0, "d", "", {"torch.float64", "torch.double"}, "torch.float32"},
}};

bool SwitchesOn(const SourceCall& call, const Switch& rule) {
  if (call.name != rule.name) return false;
  if (!rule.first.empty()) {
    const SourceArgument* first = ArgumentOf(call, 0, "name");
    if (first == nullptr || first->string != rule.first) return false;
  }
  const SourceArgument* value = ArgumentOf(call, rule.argument, rule.keyword);
  if (value == nullptr) return false;
  const std::string& said = value->string          ? *value->string
                            : !value->name.empty() ? value->name
                                                   : value->text;
  return !said.empty() && std::ranges::find(rule.wide, said) != rule.wide.end();
}

void CheckCalls(const Facts& facts, Sink& sink) {
  const bool trains = facts.model != nullptr || facts.workload.host_loop.fit.known();
  for (const SourceCall& call : facts.workload.facts.calls) {
    // A function of a library is for whoever calls it.
    if (!trains && !call.function.empty()) continue;
    for (const Switch& rule : kSwitches) {
      if (!SwitchesOn(call, rule)) continue;
      Finding& found = sink.Report(
          call.location,
          "{} switches 64-bit numbers on for all that follows, expected 32-bit ones on a TPU",
          call.name);
      found.cost.unknown = "it depends on which tensors become wide";
      found.fix.text =
          fmt::format("write {} here, and compute what needs 64 bits on the host", rule.narrow);
      found.fix.edits = SetArgumentAt(facts.workload, call.arguments_span, rule.argument,
                                      rule.keyword, rule.narrow);
    }
  }
}

// What C++ calls float64, and float32 in its place.
struct CppType {
  std::string_view wide;
  std::string_view narrow;
};
constexpr std::array<CppType, 5> kCppTypes = {{{"torch.kDouble", "kFloat"},
                                               {"torch.kFloat64", "kFloat32"},
                                               {"torch.kF64", "kF32"},
                                               {"xla.F64", "F32"},
                                               {"tensorflow.DT_DOUBLE", "DT_FLOAT"}}};

const CppType* CppTypeOf(std::string_view name) {
  const auto* found = std::ranges::find(kCppTypes, name, &CppType::wide);
  return found == kCppTypes.end() ? nullptr : found;
}

bool IsWideInCpp(std::string_view name) { return CppTypeOf(name) != nullptr; }

// Ops that C++ builds a program of. Shapes and tensors that are written with their sizes are
// CX007's matter.
bool BuildsWideOp(const SourceCall& call) {
  if (!IsCppPath(call.location.file)) return false;
  if (call.name == "tensorflow.Tensor" || LastName(call.name) == "MakeShape") return false;
  return call.name.starts_with("xla.") || call.name.starts_with("tensorflow.");
}

// float32 where a C++ source names float64 as an argument.
std::vector<TextEdit> NarrowedInCpp(const Workload& workload, const SourceCall& call) {
  for (const SourceArgument& argument : call.arguments) {
    const CppType* type = CppTypeOf(argument.name);
    if (type == nullptr) continue;
    const std::string_view word = LastName(type->wide);
    Span span = argument.span;
    if (!CppTextOf(workload, span).ends_with(word)) return {};
    span.begin = span.end - static_cast<int64_t>(word.size());
    return ReplaceCpp(workload, span, type->narrow);
  }
  return {};
}

bool IsWideFloatName(std::string_view name) {
  return name == "torch.double" || name == "torch.float64" || name == "jax.numpy.float64" ||
         name == "jax.numpy.double" || name == "torch.DoubleTensor" || IsWideInCpp(name);
}

bool AsksForDouble(const SourceCall& call) {
  const bool method = LastName(call.name) == "double" && call.arguments.empty() &&
                      !call.receiver.empty() && call.receiver != "torch";
  if (method || IsWideFloatName(call.name)) return true;
  if (call.name.starts_with("numpy.")) return false;
  return std::ranges::any_of(call.arguments, [](const SourceArgument& argument) {
    return IsWideFloatName(argument.name);
  });
}

std::string WrittenWide(const SourceCall& call) {
  if (LastName(call.name) == "double") return ".double()";
  for (const SourceArgument& argument : call.arguments) {
    if (IsWideFloatName(argument.name)) return argument.text;
  }
  return call.name;
}

// Modules that are made wide before the step: Net().double().to(device).
bool WidensModule(const SourceFacts& source, const SourceCall& call) {
  const bool converts = LastName(call.name) == "to" && IsCppPath(call.location.file);
  if ((LastName(call.name) != "double" && !converts) || call.receiver.empty()) return false;
  if (Mentions(call.receiver, "model") || Mentions(call.receiver, "net")) return true;
  return std::ranges::any_of(source.contexts, [&](const SourceContext& type) {
    return type.kind == ContextKind::kClass && call.receiver.starts_with(type.name + "(");
  });
}

// What the program's text asks of its step, once for each function.
void CheckScript(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  const bool torch = IsTorch(source);
  const bool cpp = IsCpp(facts.workload);
  if (!IsWritten(source) || (!torch && !cpp && !Imports(source, "jax"))) return;
  std::vector<const SourceCall*> wide;
  const StepCode code(source);
  const DataCode data(source);
  for (const SourceCall& call : source.calls) {
    if (!AsksForDouble(call) || data.At(call.context) != DataPart::kNone) continue;
    if (IsForDebugging(source, call.context)) continue;
    const bool in_step = code.At(call.context) != StepCodeKind::kNone;
    const bool jax = call.name.starts_with("jax.");
    const bool counts = in_step || jax || BuildsWideOp(call) || WidensModule(source, call);
    if (counts) wide.push_back(&call);
  }
  const bool switched = std::ranges::any_of(
      source.calls, [](const SourceCall& call) { return SwitchesOn(call, kSwitches[0]); });
  for (size_t i = 0; i < wide.size(); ++i) {
    const SourceCall& call = *wide[i];
    const auto same_function = [&](const SourceCall* other) {
      return FunctionAround(source, other->context) == FunctionAround(source, call.context) &&
             other->location.file == call.location.file &&
             other->location.cell == call.location.cell;
    };
    if (std::any_of(wide.begin(), wide.begin() + static_cast<std::ptrdiff_t>(i), same_function)) {
      continue;
    }
    const auto uses = std::count_if(wide.begin(), wide.end(), same_function);
    const bool ignored = !torch && !cpp && !switched;
    Finding& found = sink.Report(
        call.location, "{} asks for float64{}, {}; expected float32", WrittenWide(call),
        uses == 1
            ? ""
            : fmt::format(", as {} more {} here", uses - 1, uses == 2 ? "call does" : "calls do"),
        ignored ? "which JAX makes float32 with a warning while jax_enable_x64 is off, and which a "
                  "TPU emulates where it is on"
                : "which a TPU has no units for: each op is emulated, many times slower, and takes "
                  "twice the memory");
    if (ignored) found.severity = Severity::kInfo;
    if (!ignored) found.severity = Severity::kError;
    found.cost.unknown = "the emulation is not simulated";
    found.fix.edits = NarrowedInCpp(facts.workload, call);
    found.fix.text = "use float32 here, and compute what needs 64 bits on the host";
  }
}

void Check(const Facts& facts, Sink& sink) {
  CheckCalls(facts, sink);
  if (facts.model == nullptr || !IsCpp(facts.workload)) CheckScript(facts, sink);
  if (facts.model == nullptr) return;
  CheckModel(facts, true, sink);
  CheckModel(facts, false, sink);
}

}  // namespace

TW_RULE(PR002)

}  // namespace tilewise::PR002
