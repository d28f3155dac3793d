// Flags tensors that take much more HBM than their elements because a dim is
// padded to the tile.

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "base/math.h"
#include "rules/nearest_width.h"
#include "rules/rule.h"

namespace tilewise {
namespace {

constexpr RuleInfo kInfo = {
    .id = "AL001",
    .name = "tile-pad-waste",
    .severity = Severity::kWarning,
    .fix = Applicability::kShow,
    .changes_numerics = true,
    .summary = "tensors are stored padded to far more than their size",
    .doc = R"(
What: buffers of a layer take at least 1.25 times the bytes of their elements.
Why: HBM holds tensors in tiles, mostly of 8 x 128; the two most minor dims are
padded to them, and padding is stored, moved and computed on like data.
Remedy: choose the next multiple for the named dim where it is a free width,
pad once at the source, or let a larger dim be the minor one.
Ignore: dims that the task fixes (classes, colour channels) on small tensors.
Numbers: padded and real bytes of the values that the lowered step keeps in
HBM, layouts as the lowering chose them; the time is one write and all reads of
the padding at the chip's bandwidth. An error when at least half is padding and
it costs 5 % of the step or of the HBM.
Sources: Cloud TPU performance guide, scaling book, tensorflow#30803.)",
};

constexpr double kWarn = 1.25;
constexpr double kError = 2.0;
constexpr double kErrorShare = 0.05;

struct Waste {
  Bytes padded, unpadded;
  Seconds time;
  const Buffer* largest = nullptr;
  Bytes bytes() const { return padded - unpadded; }
};

std::vector<int32_t> ReadersOf(const Program& program) {
  std::vector<int32_t> readers(static_cast<size_t>(program.graph.size()), 0);
  for (const Kernel& kernel : program.kernels) {
    for (const OpId input : kernel.inputs) {
      ++readers[static_cast<size_t>(input)];
    }
  }
  return readers;
}

// A dim is padded: not only the storage of a narrow type, which no shape would
// change.
bool HasPaddedDim(const Program& program, OpId value) {
  const Shape& shape = program.graph.op(value).shape;
  const Layout& layout = program.layouts[static_cast<size_t>(value)];
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    if (PaddedSize(shape, layout, dim) != shape.size(dim)) return true;
  }
  return false;
}

// By place: all badly padded buffers of one layer.
std::map<Location, Waste> Collect(const Facts& facts) {
  std::map<Location, Waste> waste;
  const Program& program = facts.model->program;
  const std::vector<int32_t> readers = ReadersOf(program);
  for (const Buffer& buffer : program.buffers) {
    if (buffer.value < 0 || buffer.unpadded.value <= 0) continue;
    if (static_cast<double>(buffer.padded.value) <
        kWarn * static_cast<double>(buffer.unpadded.value)) {
      continue;
    }
    if (!HasPaddedDim(program, buffer.value)) continue;
    Waste& of_layer = waste[program.graph.op(buffer.value).location];
    of_layer.padded += buffer.padded;
    of_layer.unpadded += buffer.unpadded;
    const int64_t moves = 1 + readers[static_cast<size_t>(buffer.value)];
    of_layer.time += (buffer.padded - buffer.unpadded) * moves /
                     facts.target.chip.hbm_bandwidth;
    if (of_layer.largest == nullptr ||
        of_layer.largest->padded < buffer.padded) {
      of_layer.largest = &buffer;
    }
  }
  return waste;
}

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

// The batch alone is to blame: AL002 says so.
bool OnlyTheBatch(const Facts& facts, OpId value) {
  const Shape& shape = facts.model->program.graph.op(value).shape;
  const Layout& layout =
      facts.model->program.layouts[static_cast<size_t>(value)];
  bool batch = false;
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    if (PaddedSize(shape, layout, dim) == shape.size(dim)) continue;
    if (shape.size(dim) != facts.batch_per_core) return false;
    batch = true;
  }
  return batch && facts.batch_per_core % facts.target.chip.sublanes != 0;
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
  const Layout& layout = program.layouts[static_cast<size_t>(value)];
  std::optional<NewWidth> width;
  double most = 1;
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    const int64_t padded = PaddedSize(shape, layout, dim);
    const double ratio =
        static_cast<double>(padded) / static_cast<double>(shape.size(dim));
    if (ratio <= most || padded % facts.target.chip.lanes != 0) continue;
    most = ratio;
    width =
        FreeWidth(*facts.source, lowered.origin, dim, facts.target.chip.lanes);
  }
  return width;
}

void Report(const Facts& facts, const Location& location, const Waste& waste,
            Sink& sink) {
  const Program& program = facts.model->program;
  const OpId value = waste.largest->value;
  const double ratio = static_cast<double>(waste.padded.value) /
                       static_cast<double>(waste.unpadded.value);
  const double share = waste.time / facts.StepTime();
  Finding& found = sink.Report(
      location,
      fmt::format("{} take {:.2f} times their size in HBM ({} of padding), "
                  "expected less than {:.2f}: in {}{} {}",
                  location.item.empty() ? "tensors" : "its tensors", ratio,
                  FormatBytes(waste.bytes()), kWarn,
                  FormatShape(program.graph.op(value).shape),
                  FormatLayout(program.layouts[static_cast<size_t>(value)]),
                  PaddedDims(program, value)));
  const double held = static_cast<double>(waste.bytes().value) /
                      static_cast<double>(facts.target.chip.hbm.value);
  const bool dear = share >= kErrorShare || held >= kErrorShare;
  if (ratio >= kError && dear) found.severity = Severity::kError;
  found.cost.time_per_step = waste.time;
  found.cost.share_of_step = share;
  found.cost.bytes = waste.bytes();
  const std::optional<NewWidth> width = BetterWidth(facts, value);
  if (width) found.change.widths.push_back(*width);
  found.fix.text = fmt::format(
      "use {} for that dim if it is a free width of the model, or arrange the "
      "data so that a larger dim is the minor one",
      width ? FormatCount(width->size) : "the padded size");
}

void Check(const Facts& facts, Sink& sink) {
  if (facts.model == nullptr) return;
  for (const auto& [location, waste] : Collect(facts)) {
    if (!location.known()) continue;
    if (!facts.WorthSaying(waste.time, waste.bytes())) continue;
    if (OnlyTheBatch(facts, waste.largest->value)) continue;
    Report(facts, location, waste, sink);
  }
}

}  // namespace

TW_RULE(AL001)

}  // namespace tilewise
