// Flags tensors that take much more HBM than their elements because a dim is
// padded to the tile.

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "advice/change_in_files.h"
#include "advice/nearest_width.h"
#include "rules/alignment/padded_batch.h"
#include "rules/layout/channels_first.h"

namespace tilewise::AL001 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "AL001",
    .name = "tile-pad-waste",
    .severity = Severity::kWarning,
    .fix = Applicability::kUnsafe,
    .changes_numerics = true,
    .summary = "tensors are stored padded to far more than their size",
    .no_saving =
        "a wider layer computes more, and another order of dims changes all "
        "that reads the tensor",
    .doc = R"(
What: buffers of a layer take at least 1.25 times the bytes of their elements.
Why: HBM holds tensors in tiles, mostly of 8 x 128; the two most minor dims are
padded to them, and padding is stored, moved and computed on like data.
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
the padding at the chip's bandwidth. An error when at least half is padding and
it costs 5 % of the step or of the HBM. What the batch alone pads is one finding,
with its saving per example at the larger batch. Else the saving is that of a
narrower width.
Sources: Cloud TPU performance guide, scaling book, tensorflow#30803.)",
};

constexpr Bytes kMinPadding = {int64_t{64} << 10};
constexpr int64_t kMostColours = 4;

std::string PaddedDims(const Program& program, OpId value) {
  const Shape& shape = program.graph.op(value).shape;
  const Layout& layout = program.layouts[static_cast<size_t>(value)];
  std::string text;
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    const int64_t padded = PaddedSize(shape, layout, dim);
    if (padded == shape.size(dim)) continue;
    text += fmt::format("{}dim {} = {} is padded to {}",
                        text.empty() ? "" : " and ", dim,
                        FormatCount(shape.size(dim)), FormatCount(padded));
  }
  return text;
}

// Colours of images are no free width; AL005 speaks of the convolution that
// reads them.
bool PadsColours(const Program& program, OpId value) {
  const Shape& shape = program.graph.op(value).shape;
  const Layout& layout = program.layouts[static_cast<size_t>(value)];
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    const int64_t size = shape.size(dim);
    const bool few = size <= kMostColours;
    if (few && PaddedSize(shape, layout, dim) != size) return true;
  }
  return false;
}

// By op: computed of the inputs before any trained weight, as images that are
// resampled or cut.
std::vector<bool> WithoutWeights(const Graph& graph) {
  std::vector<bool> without(static_cast<size_t>(graph.size()));
  for (const Op& op : graph.ops()) {
    without[static_cast<size_t>(op.id)] =
        !(op.kind == OpKind::kVariable && op.attrs->trainable) &&
        std::ranges::all_of(op.operands, [&](OpId operand) {
          return without[static_cast<size_t>(operand)];
        });
  }
  return without;
}

// The same width in the model as written: the op whose value `value` is, where
// their dims agree, and the nearest multiple of the lanes for the dim that is
// padded most.
std::optional<NewWidth> BetterWidth(const Facts& facts, OpId value) {
  const Program& program = facts.model->program;
  const Op& lowered = program.graph.op(value);
  if (facts.source == nullptr || lowered.origin == kNoOp) return std::nullopt;
  const Shape& shape = lowered.shape;
  if (facts.source->op(lowered.origin).shape.dims != shape.dims) {
    return std::nullopt;
  }
  const PaddedDim most = MostPadded(program, value);
  const int64_t lanes = facts.target.chip.lanes;
  if (most.dim < 0 || most.padded % lanes != 0) return std::nullopt;
  return FreeWidth(facts, lowered.origin, most.dim, lanes);
}

// Whether the user fixed each dim that is padded: no other size is theirs to
// choose.
bool IsFixed(const Facts& facts, OpId value) {
  const Program& program = facts.model->program;
  const Op& op = program.graph.op(value);
  const Layout& layout = program.layouts[static_cast<size_t>(value)];
  for (int64_t dim = 0; dim < op.shape.rank(); ++dim) {
    const bool padded = PaddedSize(op.shape, layout, dim) != op.shape.size(dim);
    if (padded && !facts.IsFixed(op, dim)) return false;
  }
  return true;
}

// What the author can do about it.
struct Remedy {
  PaddedDim most;
  bool fixed = false;
  std::optional<NewWidth> width;  // one that can be followed through the model
  bool near = false;              // a multiple is not far from the size
  bool larger = false;            // another dim would fill the tile better
  bool narrower() const { return width && width->size < most.size; }
  // Requests one by one are not worth a layer that computes more.
  bool any(bool single) const {
    return fixed || narrower() || larger || (!single && (width || near));
  }
};

// The compiler lays out images of convolutions by itself.
Remedy FindRemedy(const Facts& facts, OpId value, bool image) {
  const Program& program = facts.model->program;
  const Shape& shape = program.graph.op(value).shape;
  Remedy remedy = {.most = MostPadded(program, value),
                   .fixed = IsFixed(facts, value),
                   .width = BetterWidth(facts, value)};
  const auto nearest = NearestWidth(remedy.most.size, remedy.most.padded);
  remedy.near = nearest.has_value();
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    remedy.larger |= !image && shape.size(dim) > remedy.most.size;
  }
  return remedy;
}

// `written`: what the fix edits, if anything.
std::string Advice(const Remedy& remedy, const std::string& written) {
  if (remedy.fixed) {
    return "its size is fixed: pad it once at the source, or arrange the data "
           "so that a larger dim is the minor one";
  }
  const PaddedDim& most = remedy.most;
  std::string text = written;
  if (written.empty() && (remedy.width || remedy.near)) {
    text = fmt::format(
        "use {} instead of {} for dim {} where the model is free to",
        FormatCount(remedy.width ? remedy.width->size : most.padded),
        FormatCount(most.size), most.dim);
  }
  if (!remedy.larger) return text;
  return fmt::format(
      "{}{}arrange the data so that a larger dim stands in place of dim {}",
      text, text.empty() ? "" : ", or ", most.dim);
}

// What kind of tensor a layer has.
struct LayerKind {
  bool image = false;   // of a convolution
  bool single = false;  // in a module for single examples
};

void ReportLayer(const Facts& facts, const Location& location,
                 const PaddingWaste& waste, LayerKind layer, Sink& sink) {
  const Program& program = facts.model->program;
  const OpId value = waste.largest->value;
  const Remedy remedy = FindRemedy(facts, value, layer.image);
  if (!remedy.any(layer.single)) return;
  Finding& found = ReportPadding(
      facts, location, waste,
      fmt::format("{} take {}: in {} {}",
                  location.item.empty() ? "tensors" : "its tensors",
                  TimesTheirSize(waste), TensorText(program, value),
                  PaddedDims(program, value)),
      sink);
  std::string written;
  if (remedy.width) {
    Change wanted;
    wanted.widths.push_back(*remedy.width);
    written = WriteChange(facts, wanted, found);
    // A wider layer computes more: its time is no measure of what is gained.
    if (remedy.narrower()) found.change = wanted;
  }
  found.fix.text = Advice(remedy, written);
}

void Check(const Facts& facts, Sink& sink) {
  if (facts.model == nullptr || facts.StepTime() <= Seconds{}) return;
  std::map<Location, PaddingWaste> found = CollectPadding(facts);
  std::erase_if(found, [&](const auto& entry) {
    const auto& [location, waste] = entry;
    return !location.known() || waste.bytes() < kMinPadding ||
           !facts.WorthSaying(waste.time, waste.bytes());
  });
  if (found.empty()) return;
  const int64_t batch = BatchInTensors(facts);
  const bool single = AreSingleExamples(facts, batch);
  const Program& program = facts.model->program;
  const std::vector<bool> images = ConvolutionImages(program.graph);
  const std::vector<bool> early = WithoutWeights(program.graph);
  std::map<int64_t, PaddedLayers> of_batch;  // by what it is padded to
  for (const auto& [location, waste] : found) {
    const OpId value = waste.largest->value;
    const std::optional<PaddedBatch> padded =
        FindPaddedBatch(program, value, batch);
    if (padded && padded->alone &&
        (single || IsBatchOfOtherRule(facts, batch))) {
      continue;
    }
    if (!padded || single) {
      const int64_t rank = program.graph.op(value).shape.rank();
      const bool image = rank > 2 && images[static_cast<size_t>(value)];
      const bool resampled = rank > 3 && early[static_cast<size_t>(value)] &&
                             MostPadded(program, value).size <= kMostColours;
      // Their tiles hold the one example and the channels.
      if (resampled || (image && (single || PadsColours(program, value)))) {
        continue;
      }
      ReportLayer(facts, location, waste, {image, single}, sink);
      continue;
    }
    PaddedLayers& layers = of_batch[padded->size];
    layers.waste.Add(waste);
    ++layers.count;
  }
  for (const auto& [size, layers] : of_batch) {
    ReportPaddedBatch(facts, batch, size, layers, sink);
  }
}

}  // namespace

TW_RULE(AL001)

}  // namespace tilewise::AL001
