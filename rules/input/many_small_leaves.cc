// Flags elements of many small tensors.

#include <optional>

#include <fmt/format.h>

#include "rules/input/feed.h"

namespace tilewise::IP017 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP017",
    .name = "many-small-leaves",
    .severity = Severity::kInfo,
    .set = RuleSet::kPreview,
    .summary = "an element is made of very many or very small tensors",
    .doc = R"(
What: a batch is a structure of more than 20 tensors, or of at least eight that
hold less than 4 KiB on average.
Why: each tensor is a buffer of its own: a transfer with its fixed time, a
conversion, an argument of the program. Small chunks never fill the link.
Remedy: pack the features of one type into one tensor before batch (tf.stack,
tf.concat), and take them apart in the model.
Ignore: sparse features that go to embedding hardware as they are.
Sources: xprof on data transfer.)",
    .thresholds = {{"max-tensors", 20, "tensors that an element may have"},
                   {"small-tensors", 8, "tensors from which their mean size matters"},
                   {"min-mean-kib", 4, "KiB that a tensor of a batch should have on average"}},
};

// Mean bytes of a tensor; nothing when one is not known.
std::optional<double> MeanBytes(const std::vector<Leaf>& leaves) {
  double bytes = 0;
  for (const Leaf& leaf : leaves) {
    if (!leaf.bytes()) return std::nullopt;
    bytes += static_cast<double>(*leaf.bytes());
  }
  return bytes / static_cast<double>(leaves.size());
}

void Check(const Facts& facts, Sink& sink) {
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    const Stage& last = pipeline->stages.back();
    if (pipeline->batch() == nullptr || !last.element) continue;
    const auto tensors = static_cast<double>(last.element->size());
    const bool many = tensors > sink.threshold("max-tensors");
    const auto mean = last.element->empty() ? std::optional<double>{} : MeanBytes(*last.element);
    const bool small = tensors >= sink.threshold("small-tensors") && mean &&
                       *mean < sink.threshold("min-mean-kib") * 1024;
    if (!many && !small) continue;
    Finding& found = sink.Report(
        last.location,
        "a batch is {} tensors{}, expected few large ones: each is a transfer of its own",
        last.element->size(),
        mean ? fmt::format(" of {} on average", FormatBytes(Bytes{static_cast<int64_t>(*mean)}))
             : "");
    found.cost.unknown = "the fixed time of a transfer per tensor is not known";
    found.fix.text =
        "pack the features of one type into one tensor before batch, and take them apart in the "
        "model";
  }
}

}  // namespace

TW_RULE(IP017)

}  // namespace tilewise::IP017
