// Flags steps that wait for their batch on its way to the device.

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "rules/rule.h"
#include "session/session.h"
#include "workload/blocks.h"

namespace tilewise::IP024 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP024",
    .name = "transfer-bound",
    .fix = Applicability::kShow,
    .needs = {.model = true, .script = true},
    .summary = "the step is predicted to wait for the transfer of its batch",
    .no_saving = "whether the data may be narrower is for its author to say",
    .doc = R"(
What: a batch of float32 data or 64-bit numbers needs longer from the host to the
devices than the devices work on it, and the step waits for that at least
min-share of its time.
Why: the link, or the network where the TPU is on another machine (colab and TPU
nodes), carries a fixed number of bytes a second, whatever the pipeline does.
Remedy: send uint8 images and cast and scale them in the model, token ids as
int32 rather than one-hot or int64, floats as bfloat16; where the TPU is on
another machine, read records from a bucket with tf.data, which runs beside the
TPU, instead of feeding arrays from the notebook.
Ignore: a batch that stays on the device for several steps.
Numbers: the bytes of the model's inputs at the batch, over the rate that the
host's description has for the framework; the step without that transfer.
Sources: tensorflow#30162.)",
    .thresholds = {{"min-share", 0.2, "share of the step that waits for the transfer"},
                   {"min-mib", 32, "MiB of a batch from which it is said"}},
};

// The input of the most bytes.
const Op* LargestInput(const Graph& graph) {
  const Op* largest = nullptr;
  for (const Op& op : graph.ops()) {
    if (op.kind != OpKind::kParameter) continue;
    if (largest == nullptr || largest->shape.unpadded_bytes() < op.shape.unpadded_bytes()) {
      largest = &op;
    }
  }
  return largest;
}

// What could be sent as a narrower type.
bool IsWide(const Shape& shape) {
  return BitWidth(shape.dtype) == 64 || (shape.dtype == DType::kF32 && shape.rank() >= 3);
}

std::string NarrowText(const Op& input, Seconds transfer) {
  const Shape& shape = input.shape;
  const bool image = shape.dtype == DType::kF32 && shape.rank() >= 4;
  if (image) {
    return fmt::format(
        "send uint8 instead of float32 and cast and scale it in the model: a quarter of the bytes, "
        "about {} a batch",
        FormatSeconds(transfer * 0.25));
  }
  if (BitWidth(shape.dtype) == 64) {
    return fmt::format("send 32-bit numbers: half of the bytes, about {} a batch",
                       FormatSeconds(transfer * 0.5));
  }
  return fmt::format(
      "send bfloat16, or a narrower type where the data allows it, and widen it in the model: "
      "about "
      "{} a batch",
      FormatSeconds(transfer * 0.5));
}

// fit(), train_on_batch() and the like in a loop of the program.
const SourceCall* FitInLoop(const Facts& facts) {
  for (const SourceCall& call : facts.workload.facts.calls) {
    const std::string_view name = LastName(call.name);
    const bool trains = name == "fit" || name == "train_on_batch";
    if (trains && LoopAround(facts.workload.facts, call.context) >= 0) return &call;
  }
  return nullptr;
}

void Check(const Facts& facts, Sink& sink) {
  if (facts.loop == nullptr || facts.source == nullptr) return;
  const LoopTimeline& loop = *facts.loop;
  if (loop.transfer <= loop.device_step || loop.transfer <= loop.input) return;
  const Seconds without = std::max(loop.device_step + loop.dispatch, loop.input);
  const Seconds waits = loop.step - std::min(without, loop.step);
  if (waits < loop.step * kLeastNamed) return;
  const Op* input = LargestInput(*facts.source);
  if (input == nullptr) return;
  const Bytes batch = facts.session.ExampleBytes() * facts.global_batch;
  const Bytes least{static_cast<int64_t>(sink.threshold("min-mib")) << 20};
  if (batch < least || !IsWide(input->shape)) return;
  const Pipeline* pipeline = facts.workload.training_pipeline();
  const SourceCall* fit = FitInLoop(facts);
  Location location = facts.workload.host_loop.fit;
  if (!location.known() && pipeline != nullptr) location = pipeline->location;
  if (!location.known() && fit != nullptr) location = fit->location;
  if (!location.known()) return;
  const bool remote = facts.target.host.name != "tpu-vm";
  Finding& found = sink.Report(
      location,
      "each step sends {} to the devices, which takes {} (simulated, {} host{}) for {} of device "
      "time; most of it is the {} of the batch; expected less than the device's time",
      FormatBytes(batch), FormatSeconds(loop.transfer), facts.target.host.name,
      remote ? ", over the network" : "", FormatSeconds(loop.device_step),
      FormatShape(input->shape));
  found.cost = WallCost(waits, loop.step);
  const double least_share = sink.threshold("min-share");
  if (waits < loop.step * least_share) found.too_small = kLittleOfStep;
  found.fix.text = NarrowText(*input, loop.transfer);
  if (remote) {
    found.fix.text +=
        "; read records from a bucket with tf.data, which runs beside the TPU, instead of feeding "
        "arrays from here";
  }
  if (fit != nullptr) {
    found.fix.text += fmt::format(
        "; call {}() once on a data set of all chunks, since between its calls the device waits "
        "for Python to make the next one, and each of them starts anew",
        LastName(fit->name));
  }
}

}  // namespace

TW_RULE(IP024)

}  // namespace tilewise::IP024
