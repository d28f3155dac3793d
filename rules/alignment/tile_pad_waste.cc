// Flags tensors that take much more HBM than their elements because a dim is
// padded to the tile.

#include <map>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "advice/change_in_files.h"
#include "rules/alignment/padding.h"
#include "rules/alignment/written_widths.h"
#include "rules/rule.h"
#include "session/forward_values.h"

namespace tilewise::AL001 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "AL001",
    .name = "tile-pad-waste",
    .fix = Applicability::kUnsafe,
    .changes_numerics = true,
    .needs = {.model = true, .or_cpp = true},
    .summary = "tensors are stored padded to far more than their size",
    .no_saving =
        "a wider layer computes more, and another order of dims changes all that reads the tensor",
    .doc = R"(
What: buffers of a layer take at least 1.25 times the bytes of their elements. In
C++ of which no model was read: widths between two layers of LibTorch that are
written and that tiles pad by a fifth or more (information).
Why: XLA lays tensors out in tiles, mostly of 8 x 128, whatever the program says;
the two most minor dims are padded to them, and padding is stored, moved and
computed on like data.
Remedy: choose the next multiple for the named dim where it is a free width,
pad once at the source, or let a larger dim be the minor one. Where it is
the batch and the file has it written in, write it out with another one; of a
batch that the program chooses AL002 speaks, if nothing else is padded.
Ignore: dims that the task fixes (classes). Name them in fixed-dims.
Nothing is said of the colours of images that convolutions read, AL005's matter,
nor of less than 64 KiB of padding. Nothing is said in a module for single
examples of its batch, of the images of its convolutions, whose tiles hold that
one example and the channels, and of what a wider layer alone would mend; nor
where no multiple of the tile is near and no other dim is larger.
Numbers: padded and real bytes of the values that the lowered step keeps in
HBM, layouts as the lowering chose them; the time is one write and all reads of
the padding at the chip's bandwidth. What the batch alone pads is one finding,
with its saving per example at the larger batch. Else the saving is that of a
narrower width.
Sources: Cloud TPU performance guide, scaling book, tensorflow#30803.)",
};

constexpr Bytes kMinPadding = {int64_t{64} << 10};

std::string PaddedDims(const Program& program, OpId value) {
  const Shape& shape = program.graph.op(value).shape;
  const Layout& layout = program.layouts[value];
  std::string text;
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    const int64_t padded = PaddedSize(shape, layout, dim);
    if (padded == shape.size(dim)) continue;
    text += fmt::format("{}dim {} = {} is padded to {}", text.empty() ? "" : " and ", dim,
                        FormatCount(shape.size(dim)), FormatCount(padded));
  }
  return text;
}

void ReportLayer(const Facts& facts, const Location& location, const PaddingWaste& waste,
                 const PaddingRemedy& remedy, Sink& sink) {
  const Program& program = facts.model->program;
  const OpId value = waste.largest->value;
  Finding& found = ReportPadding(
      facts, location, waste,
      fmt::format("{} take {}: in {} {}", location.item.empty() ? "tensors" : "its tensors",
                  TimesTheirSize(waste), LaidOut(program, value), PaddedDims(program, value)),
      sink);
  std::string written;
  if (remedy.width) {
    Change wanted;
    wanted.widths.push_back(*remedy.width);
    written = WriteChange(facts, wanted, found);
    // A wider layer computes more: its time is no measure of what is gained.
    if (remedy.narrower()) found.change = wanted;
  }
  if (found.change.empty()) found.severity = Severity::kInfo;
  found.fix.text = AdviceOf(remedy, written);
  MarkUnlessWorthSaying(facts, found);
}

// Layers with enough padding to say something.
std::map<Location, PaddingWaste> PaddedLayersOf(const Facts& facts) {
  std::map<Location, PaddingWaste> found = CollectPadding(facts);
  std::erase_if(found, [&](const auto& entry) {
    const auto& [location, waste] = entry;
    return !location.known() || waste.bytes() < kMinPadding ||
           (waste.time < facts.StepTime() * kLeastNamed &&
            !facts.WorthSaying(waste.time, waste.bytes()));
  });
  return found;
}

// Layers that the batch pads are one finding for each size that it is padded
// to, the others one each.
class PaddingFindings {
 public:
  explicit PaddingFindings(const Facts& facts)
      : facts_(facts),
        batch_(BatchInTensors(facts)),
        single_(AreSingleExamples(facts, batch_)),
        images_(facts.model->program) {}

  void Add(const Location& location, const PaddingWaste& waste, Sink& sink) {
    const OpId value = waste.largest->value;
    const std::optional<PaddedBatch> padded = FindPaddedBatch(facts_.model->program, value, batch_);
    const bool alone = padded && padded->alone;
    if (alone && (single_ || IsBatchOfOtherRule(facts_, batch_))) return;
    const bool is_small = !facts_.WorthSaying(waste.time, waste.bytes());
    if (padded && !single_) {
      if (is_small) return;
      PaddedLayers& layers = of_batch_[padded->size];
      layers.waste.Add(waste);
      ++layers.count;
      return;
    }
    if (images_.IsRight(value, single_)) return;
    const PaddingRemedy remedy = FindRemedy(facts_, value, images_.IsImage(value));
    if (remedy.any(single_)) {
      ReportLayer(facts_, location, waste, remedy, sink);
    }
  }

  void Finish(Sink& sink) const {
    for (const auto& [size, layers] : of_batch_) {
      ReportPaddedBatch(facts_, batch_, size, layers, sink);
    }
  }

 private:
  const Facts& facts_;
  int64_t batch_;
  bool single_;
  PaddedImages images_;
  std::map<int64_t, PaddedLayers> of_batch_;  // by what it is padded to
};

void Check(const Facts& facts, Sink& sink) {
  if (facts.model == nullptr) return CheckWrittenWidths(facts, sink);
  if (facts.StepTime() <= Seconds{}) return;
  const std::map<Location, PaddingWaste> found = PaddedLayersOf(facts);
  if (found.empty()) return;
  PaddingFindings findings(facts);
  for (const auto& [location, waste] : found) {
    findings.Add(location, waste, sink);
  }
  findings.Finish(sink);
}

}  // namespace

TW_RULE(AL001)

}  // namespace tilewise::AL001
