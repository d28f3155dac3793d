// Flags ops in the step that no TPU runs: the step stops for the host.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "rules/host_loop/step_code.h"
#include "rules/operators/source.h"
#include "workload/blocks.h"

namespace tilewise::OP011 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "OP011",
    .name = "host-fallback-op",
    .severity = Severity::kError,
    .summary = "an op in the middle of the step runs on the host",
    .no_saving = "the op has no form on the device",
    .doc = R"(
What: an op that has no kernel for the device (strings, look-up tables, Python
functions, image decoding, some detection ops) and takes what the device has
computed; or an op that the author marked for the host
(_xla_outside_compilation); in what a step of PyTorch runs, an op that torch_xla
has no lowering for (its list of native functions): ctc_loss, FFTs, median,
histograms and others.
Why: the program either does not compile, or is cut in two: the device sends the
operands to the host, waits for the op and for the result, and idles meanwhile.
Remedy: move it to the input pipeline, replace it by an op the compiler has, or
run it after the step.
Ignore: ops before the first op of the device (parsing, decoding of what is
fed), which run ahead of the step: they are not reported.
Numbers: the time on the host is not simulated; the bytes that come back cross
the host link at its nameplate bandwidth.
Sources: xprof's tools for host time (above 5 % of the step), the lowering
guides of PyTorch/XLA.)",
};

// Bytes that the host sends back: inputs of the graph that the op became.
Bytes FedBytes(const Facts& facts, const SourceOp& op) {
  Bytes total;
  if (facts.source == nullptr) return total;
  for (OpId id = op.first; id < op.end && id < facts.source->size(); ++id) {
    const Op& made = facts.source->op(id);
    if (made.kind == OpKind::kParameter) total += made.shape.unpadded_bytes();
  }
  return total;
}

void Report(const Facts& facts, const SourceOp& op, Sink& sink) {
  const bool marked = op.trait == OpTrait::kOutsideCompilation;
  Finding& found = sink.Report(
      op.location, "{} {}, expected ops of the device from the first to the last", NameOfSource(op),
      marked ? "is kept out of the compiled step and runs on the host"
             : "has no kernel for TPUs and takes what the step computed: the device waits for the "
               "host");
  const Bytes fed = FedBytes(facts, op);
  if (fed.value > 0 && facts.target.chip.host_link.value > 0) {
    found.cost = DeviceCost(facts, fed / facts.target.chip.host_link);
  } else {
    found.cost.unknown = "the time of the host is not simulated";
  }
  found.fix.text =
      "move it to the input pipeline, replace it by an op that the compiler has, or run it after "
      "the step";
}

// Functions of PyTorch whose ops torch_xla does not lower, by what stands for
// them.
struct Unlowered {
  std::string_view names;  // "torch.median|..."
  std::string_view op;     // of ATen
  std::string_view instead;
};
constexpr std::array kUnlowered = {
    Unlowered{"torch.nn.functional.ctc_loss|torch.nn.CTCLoss|torch.ctc_loss", "_ctc_loss",
              "compute the loss on log-probabilities with ops of the device (optax.ctc_loss shows "
              "one), or accept one transfer per step"},
    Unlowered{"torch.fft.fft|torch.fft.ifft|torch.fft.rfft|torch.fft.irfft|torch.fft.fft2|"
              "torch.fft.ifft2|torch.fft.rfft2|torch.fft.irfft2|torch.fft.fftn|torch.fft.ifftn|"
              "torch.fft.rfftn|torch.fft.irfftn|torch.stft|torch.istft",
              "_fft_*", "multiply by a matrix of the transform, or transform in the data code"},
    Unlowered{"torch.nn.functional.grid_sample|torch.grid_sampler", "grid_sampler_2d",
              "gather with computed indices, or warp in the data code"},
    Unlowered{"torch.median|torch.nanmedian|torch.mode", "median",
              "torch.kthvalue or torch.sort, which are lowered"},
    Unlowered{"torch.histc|torch.bincount|torch.histogram", "histc/bincount",
              "compare with the bins and sum (one_hot(x).sum(0)), or count after the step"},
    Unlowered{"torch.searchsorted|torch.bucketize", "searchsorted",
              "compare with all boundaries and sum: (x[:, None] >= bounds).sum(-1)"},
    Unlowered{"torch.linalg.eig|torch.linalg.eigvals|torch.linalg.lstsq|torch.linalg.lu|"
              "torch.linalg.lu_factor|torch.lu|torch.linalg.matrix_exp|torch.matrix_exp",
              "linalg_*", "eigh, qr, svd or cholesky, which are lowered, or run it after the step"},
    Unlowered{"torch.nn.functional.unfold|torch.nn.functional.fold|torch.nn.Unfold|torch.nn.Fold",
              "im2col/col2im", "a convolution with a kernel of zeros and ones, or slices"},
    Unlowered{"torch.lgamma|torch.digamma|torch.polygamma", "lgamma",
              "a series of ops of the device"},
    Unlowered{"torch.cummin|torch.logcumsumexp", "cummin", "cummax of the negative, or cumsum"},
};

// A step of PyTorch that runs on XLA.
void CheckTorch(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsWritten(source) || !IsTorch(source)) return;
  std::optional<StepCode> code;
  for (const SourceCall& call : source.calls) {
    const auto* const row = std::ranges::find_if(
        kUnlowered, [&](const Unlowered& each) { return IsOneOfWords(call.name, each.names); });
    if (row == kUnlowered.end()) continue;
    if (!code) code.emplace(source);
    // Layers are made once and run in each step.
    const bool layer =
        call.name.starts_with("torch.nn.") && !call.name.starts_with("torch.nn.functional.");
    const bool in_step = code->At(call.context) == StepCodeKind::kTorch;
    if (!in_step && (!layer || code->loops().empty())) continue;
    Finding& found = sink.Report(
        call.location,
        "{} has no lowering in torch_xla (aten::{}): the graph is cut there, the operands go to "
        "the "
        "host, which computes it, and the result comes back in every step; expected ops of the "
        "device",
        call.name, row->op);
    found.severity = Severity::kWarning;
    found.cost.unknown = "the time of the host is not simulated";
    found.fix.text = fmt::format("use {}", row->instead);
  }
}

void Check(const Facts& facts, Sink& sink) {
  CheckTorch(facts, sink);
  for (const SourceOp& op : facts.workload.module.ops) {
    const bool host = op.trait == OpTrait::kHost && op.reads_device;
    if (host || op.trait == OpTrait::kOutsideCompilation) {
      Report(facts, op, sink);
    }
  }
}

}  // namespace

TW_RULE(OP011)

}  // namespace tilewise::OP011
