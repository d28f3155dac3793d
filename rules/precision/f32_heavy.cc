// Flags models whose convolutions and dots move 32-bit tensors.

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "advice/change_in_files.h"
#include "advice/kind_of_program.h"
#include "advice/locations.h"
#include "advice/saving.h"
#include "rules/host_loop/step_loops.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::PR001 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "PR001",
    .name = "f32-heavy",
    .fix = Applicability::kUnsafe,
    .changes_numerics = true,
    .summary = "dots and convolutions move float32 where bfloat16 would do",
    .doc = R"(
What: less than 10 % of the bytes that dots and convolutions read and write are
in 16-bit types; or a program for TPUs of which no model was read, and that
names no policy and no 16-bit type in any file: one of Keras under a TPU
strategy, a TPUEstimator, or a loop of JAX that divides its work among devices,
with convolutions or attention.
Why: the matrix unit multiplies bfloat16 either way, so the FLOPs stay as they
are. Activations and their gradients in bfloat16 take half the HBM and half
the bandwidth.
Remedy: tf.keras.mixed_precision.set_global_policy("mixed_bfloat16") before the
model is built; keep the loss and the last softmax in float32.
A model that is only run is written out with its weights and inputs in bfloat16.
Ignore: when accuracy suffers, or when the predicted saving is small: bfloat16
was slower for some users at small batches because of the added converts.
Nothing is said where the simulated step gains less than 1 % from it.
Numbers: the cost is half of the activation bytes of each kernel at unchanged
compute time; the saving is simulated with the policy, its converts included.
Sources: xprof (10 %), jax#1856, keras#18448, pytorch/xla#1955.)",
};

constexpr double kMin16Bit = 0.1;
constexpr double kMinShare = 0.01;

struct Halving {
  Bytes matrix_bytes, matrix_16bit;  // operands and results of dots and convs
  Seconds saved;
  Bytes bytes;  // of 32-bit activations moved per step that would go
};

bool IsState(const Graph& graph, OpId value) {
  const OpKind kind = graph.op(value).kind;
  return kind == OpKind::kVariable;
}

// Padded bytes of the values a kernel moves: all, and 32-bit activations.
struct Moved {
  Bytes all, wide;
};
Moved MovedBy(const Program& program, const Kernel& kernel, const Chip& chip) {
  Moved moved;
  for (const auto* list : {&kernel.inputs, &kernel.outputs}) {
    for (const OpId value : *list) {
      const Op& op = program.graph.op(value);
      const Bytes bytes = PaddedBytes(op.shape, program.layouts[value], chip);
      moved.all += bytes;
      const bool wide = op.shape.dtype == DType::kF32;
      if (wide && !IsState(program.graph, value)) moved.wide += bytes;
    }
  }
  return moved;
}

void AddKernel(const Facts& facts, size_t index, Halving& total) {
  const Program& program = facts.model->program;
  const Kernel& kernel = program.kernels[index];
  if (kernel.phase == Phase::kUpdate) return;  // master weights stay f32
  const Moved moved = MovedBy(program, kernel, facts.target.chip);
  if (moved.all.value == 0) return;
  const double share = static_cast<double>(moved.wide.value) / static_cast<double>(moved.all.value);
  const KernelSpan& span = facts.model->spans[index];
  const Seconds compute = std::max(span.mxu_busy, span.vector_busy);
  const Seconds exposed = span.duration - span.overhead - compute;
  total.saved += std::max(Seconds{}, std::min(span.dma_busy * (share / 2), exposed));
  const double traffic = static_cast<double>(kernel.hbm_read.value + kernel.hbm_write.value);
  total.bytes += Bytes{static_cast<int64_t>(traffic * share / 2)};
}

Halving Sum(const Facts& facts) {
  Halving total;
  const Program& program = facts.model->program;
  for (size_t i = 0; i < program.kernels.size(); ++i) {
    AddKernel(facts, i, total);
  }
  for (const Op& op : facts.source->ops()) {
    if (ClassOf(op.kind) != OpClass::kMxu) continue;
    std::vector<OpId> values = op.operands;
    values.push_back(op.id);
    for (const OpId value : values) {
      const Shape& shape = facts.source->op(value).shape;
      total.matrix_bytes += shape.unpadded_bytes();
      if (BitWidth(shape.dtype) > 16) continue;
      total.matrix_16bit += shape.unpadded_bytes();
    }
  }
  return total;
}

std::string_view Advice(const Facts& facts) {
  if (!facts.training) {
    return "write the model out with weights, inputs and activations in bfloat16, and keep the "
           "last softmax in float32";
  }
  // What feeds a program's data is imported, too: its loop says what it trains with.
  const Framework framework = facts.workload.host_loop.framework;
  const auto is_of = [&](Framework own, const char* module) {
    return framework == own ||
           (framework == Framework::kUnknown && Imports(facts.workload.facts, module));
  };
  if (framework == Framework::kKeras) {
    return "call tf.keras.mixed_precision.set_global_policy(\"mixed_bfloat16\") before the model "
           "is built, and keep the loss and the last softmax in float32";
  }
  if (is_of(Framework::kTorchXla, "torch") && !Imports(facts.workload.facts, "torch_xla")) {
    return "moved to PyTorch/XLA, run the forward pass and the loss under torch.autocast(\"xla\", "
           "dtype=torch.bfloat16), and keep weights and the optimizer in float32";
  }
  if (is_of(Framework::kTorchXla, "torch")) {
    return "run the forward pass and the loss under torch.autocast(\"xla\", "
           "dtype=torch.bfloat16), and keep weights and the optimizer in float32";
  }
  if (is_of(Framework::kJax, "jax")) {
    return "compute in bfloat16: dtype=jnp.bfloat16 for modules, whose param_dtype stays float32, "
           "and keep the loss and the last softmax in float32";
  }
  if (framework == Framework::kTpuEstimator) {
    return "build the model under tf.compat.v1.tpu.bfloat16_scope() on inputs cast to tf.bfloat16, "
           "and keep weights, the loss and the last softmax in float32";
  }
  return "compute in bfloat16 (in Keras with the policy mixed_bfloat16), and keep weights, the "
         "loss and the last softmax in float32";
}

// Whether anything in the program speaks of bfloat16 or of a policy.
bool NamesNarrowType(const SourceFacts& source) {
  const auto names = [](std::string_view text) {
    return Mentions(text, "bfloat16") || Mentions(text, "mixed_precision") ||
           Mentions(text, "bf16") || Mentions(text, "float16");
  };
  const auto of_call = [&](const SourceCall& call) {
    return names(call.name) ||
           std::ranges::any_of(call.arguments, [&](const SourceArgument& argument) {
             return names(argument.text) || names(argument.keyword);
           });
  };
  return std::ranges::any_of(source.calls, of_call) ||
         std::ranges::any_of(source.assignments,
                             [&](const SourceAssignment& made) { return names(made.text); });
}

// Whether the name that ends in `dtype` at `at` is one of a setting: config.dtype, args.dtype.
bool IsOfSetting(std::string_view text, size_t at) {
  constexpr std::string_view kHeads = "config|cfg|conf|args|FLAGS|flags|hps|hparams|params";
  constexpr size_t kMost = 80;
  size_t begin = at;
  while (begin > 0 && at - begin < kMost) {
    const char c = text[begin - 1];
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '.') break;
    --begin;
  }
  const std::string_view name = text.substr(begin, at - begin);
  const size_t dot = name.rfind('.');
  return dot != std::string_view::npos && IsOneOfWords(LastName(name.substr(0, dot)), kHeads);
}

// Whether a text says, or leaves to a setting, in which type is computed.
bool SpeaksOfPrecision(std::string_view text) {
  constexpr std::string_view kWords[] = {"bfloat16",   "bf16",       "float16",      "fp16",
                                         "_precision", "Precision.", "compute_dtype"};
  if (std::ranges::any_of(kWords, [&](std::string_view word) { return Contains(text, word); }))
    return true;
  for (size_t at = text.find("dtype"); at != std::string_view::npos;
       at = text.find("dtype", at + 1)) {
    if (IsOfSetting(text, at)) return true;
  }
  return false;
}

// Whether a text makes layers of which the matrix unit does most of the work.
bool MakesWideLayers(std::string_view text) {
  constexpr std::string_view kWords[] = {"Conv(", "Conv2D(", "conv2d(", "ttention(", "ransformer("};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return Contains(text, word); });
}

// Whether it is so of a file of the program that was read, its modules included.
bool AnyFile(const Workload& workload, bool (*holds)(std::string_view)) {
  return std::ranges::any_of(workload.files, [&](const SourceFile& file) {
    return holds(file.text) ||
           std::ranges::any_of(file.cells, [&](const std::string& cell) { return holds(cell); });
  });
}

// Where a program for TPUs that does not call fit() makes what trains it: its TPUEstimator, or the
// step that its loop calls. Not known: it is no such program.
Location TrainedAt(const Facts& facts) {
  const SourceFacts& source = facts.workload.facts;
  if (!ForTpus(facts)) return {};
  for (const SourceCall& call : source.calls) {
    if (LastName(call.name) == "TPUEstimator") return call.location;
  }
  const std::vector<CompiledFunction> compiled = CompiledFunctions(source);
  for (const StepLoop& loop : StepLoops(source, compiled)) {
    if (loop.driver == StepDriver::kStrategyRun) return loop.call->location;
    const bool of_jax = loop.driver == StepDriver::kCompiled && loop.compiled != nullptr &&
                        IsJax(loop.compiled->compiler);
    if (of_jax) return loop.compiled->location;
  }
  return {};
}

// No model was simulated: that its activations are float32 follows from the program alone.
void CheckScript(const Facts& facts, Sink& sink) {
  const HostLoop& host = facts.workload.host_loop;
  const SourceFacts& source = facts.workload.facts;
  if (!facts.training || source.precision_policy || NamesNarrowType(source)) return;
  const bool fits = source.tpu_strategy && host.compile.known() && host.fit.known() &&
                    host.framework == Framework::kKeras;
  const Location location = fits ? host.compile : TrainedAt(facts);
  if (!location.known()) return;
  // What is not Keras has no policy: its modules say which type they compute in.
  if (!fits &&
      (AnyFile(facts.workload, SpeaksOfPrecision) || !AnyFile(facts.workload, MakesWideLayers))) {
    return;
  }
  Finding& found = sink.Report(
      location,
      "{}, so that activations and their gradients are float32; expected {}, which takes half of "
      "their HBM and of its traffic on {}",
      fits ? "the program sets no precision policy" : "no file of the program names a 16-bit type",
      fits ? "mixed_bfloat16" : "bfloat16", facts.target.chip.name);
  found.cost.unknown = "no model was read";
  found.fix.text = Advice(facts);
}

void Check(const Facts& facts, Sink& sink) {
  if (facts.model == nullptr) {
    CheckScript(facts, sink);
    return;
  }
  const std::optional<std::string>& policy = facts.workload.facts.precision_policy;
  if (policy && policy->starts_with("mixed_")) return;
  const Halving halving = Sum(facts);
  if (halving.matrix_bytes.value == 0) return;
  const double share = static_cast<double>(halving.matrix_16bit.value) /
                       static_cast<double>(halving.matrix_bytes.value);
  if (share >= kMin16Bit) return;
  bool little = halving.saved / facts.StepTime() < kMinShare;
  // The step is slower where converts cost more than the traffic that is left
  // out.
  Change change;
  change.compute_type = DType::kBF16;
  const std::optional<Saving> saving = little ? std::nullopt : SavingAlone(facts, change);
  little = little || (saving && saving->share_of_step < kMinShare);
  const Location& chosen = facts.workload.facts.precision_policy_location;
  Finding& found = sink.Report(chosen.known() ? chosen : LocationOfModel(facts),
                               "{} of the bytes of dots and convolutions are 16-bit, expected {} "
                               "or more; bfloat16 would save about {} of memory traffic a step on "
                               "{}, not FLOPs, and was slower for some users at small batches",
                               FormatPercent(share), FormatPercent(kMin16Bit),
                               FormatBytes(halving.bytes), facts.target.chip.name);
  found.cost = DeviceCost(facts, halving.saved, halving.bytes);
  if (little) {
    const bool saves = !saving || saving->time_per_step > Seconds{};
    found.too_small = saves ? kSavesLittle : kSavesNothing;
    if (saves) found.saving = saving;
    return;
  }
  found.change = std::move(change);
  found.saving = saving;
  const std::string written = WriteChange(facts, found.change, found);
  if (!written.empty()) {
    found.fix.text = written + ", and keep the loss and the last softmax in float32";
    return;
  }
  found.fix.text = Advice(facts);
}

}  // namespace

TW_RULE(PR001)

}  // namespace tilewise::PR001
