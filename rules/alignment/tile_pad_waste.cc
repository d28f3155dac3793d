// Flags tensors that take much more HBM than their elements because a dim is
// padded to the tile.

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/math.h"
#include "graph/rebatch.h"
#include "rules/change_in_files.h"
#include "rules/layout/channels_first.h"
#include "rules/nearest_width.h"
#include "rules/places.h"
#include "rules/rule.h"

namespace tilewise {
namespace {

constexpr RuleInfo kInfo = {
    .id = "AL001",
    .name = "tile-pad-waste",
    .severity = Severity::kWarning,
    .fix = Applicability::kUnsafe,
    .changes_numerics = true,
    .summary = "tensors are stored padded to far more than their size",
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
nor of less than 64 KiB of padding.
Nothing is said of the batch of a module for single examples.
Numbers: padded and real bytes of the values that the lowered step keeps in
HBM, layouts as the lowering chose them; the time is one write and all reads of
the padding at the chip's bandwidth. An error when at least half is padding and
it costs 5 % of the step or of the HBM. What the batch alone pads is one finding,
with its saving per example at the larger batch. Else the saving is that of a
narrower width; none is simulated of a wider one, which fills the tiles that are
paid for.
Sources: Cloud TPU performance guide, scaling book, tensorflow#30803.)",
};

constexpr double kWarn = 1.25;
constexpr double kError = 2.0;
constexpr double kErrorShare = 0.05;
constexpr Bytes kMinPadding = {int64_t{64} << 10};
constexpr int64_t kMostColours = 4;

struct Waste {
  Bytes padded, unpadded;
  Seconds time;
  const Buffer* largest = nullptr;
  Bytes bytes() const { return padded - unpadded; }
  double ratio() const {
    return static_cast<double>(padded.value) /
           static_cast<double>(unpadded.value);
  }
  void Add(const Waste& other) {
    padded += other.padded;
    unpadded += other.unpadded;
    time += other.time;
    const bool larger =
        largest == nullptr || largest->padded < other.largest->padded;
    if (larger) largest = other.largest;
  }
};

// Layers with one cause.
struct Layers {
  Waste waste;
  int64_t count = 0;
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
    const int64_t moves = 1 + readers[static_cast<size_t>(buffer.value)];
    const Seconds time = (buffer.padded - buffer.unpadded) * moves /
                         facts.target.chip.hbm_bandwidth;
    waste[program.graph.op(buffer.value).location].Add(
        {buffer.padded, buffer.unpadded, time, &buffer});
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

// The batch of the model's tensors; one that is written into a graph is found
// by following its inputs. 0: not found.
int64_t BatchOf(const Facts& facts) {
  const std::optional<Graph>& graph = facts.workload.graph;
  if (!graph || !graph->is_static()) return facts.batch_per_core;
  const absl::StatusOr<BatchGuess> guess = GuessBatch(*graph);
  return guess.ok() ? guess->batch : 0;
}

// What the batch is padded to, where no dim is padded more.
struct PaddedBatch {
  int64_t size = 0;
  bool alone = true;  // no other dim is padded
};

std::optional<PaddedBatch> FindPaddedBatch(const Program& program, OpId value,
                                           int64_t batch) {
  const Shape& shape = program.graph.op(value).shape;
  const Layout& layout = program.layouts[static_cast<size_t>(value)];
  int64_t batch_dim = 0;  // the batch comes first among equals
  while (batch_dim < shape.rank() && shape.size(batch_dim) != batch) {
    ++batch_dim;
  }
  std::optional<PaddedBatch> found;
  int padded_dims = 0;
  double most = 1;
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    const int64_t size = PaddedSize(shape, layout, dim);
    const double ratio =
        static_cast<double>(size) / static_cast<double>(shape.size(dim));
    if (ratio <= 1) continue;
    ++padded_dims;
    if (ratio <= most) continue;
    most = ratio;
    found.reset();
    if (dim == batch_dim) found = PaddedBatch{.size = size};
  }
  if (found) found->alone = padded_dims == 1;
  return found;
}

// Colours of images are no free width; AL005 speaks of the convolution that
// reads them.
bool PadsColours(const Program& program, const std::vector<bool>& images,
                 OpId value) {
  if (!images[static_cast<size_t>(value)]) return false;
  const Shape& shape = program.graph.op(value).shape;
  const Layout& layout = program.layouts[static_cast<size_t>(value)];
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    const int64_t size = shape.size(dim);
    const bool few = size > 1 && size <= kMostColours;
    if (few && PaddedSize(shape, layout, dim) != size) return true;
  }
  return false;
}

// Requests one by one: their batch stays what it is.
bool AreSingleExamples(const Facts& facts, int64_t batch) {
  return !facts.training && batch < facts.target.chip.sublanes;
}

// AL002 speaks of a batch that the program chooses.
bool IsForOtherRule(const Facts& facts, int64_t batch) {
  return !facts.workload.graph->is_static() &&
         batch % facts.target.chip.sublanes != 0;
}

std::string BatchAdvice(const Facts& facts, int64_t batch, int64_t padded) {
  return fmt::format("{} a batch of {} per core: {} take as much HBM",
                     facts.workload.graph->is_static()
                         ? "write the model out again with"
                         : "use",
                     FormatCount(padded), FormatCount(batch));
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
    width = FreeWidth(facts, lowered.origin, dim, facts.target.chip.lanes);
  }
  return width;
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

std::string Advice(const Facts& facts, OpId value,
                   const std::optional<NewWidth>& width) {
  if (IsFixed(facts, value)) {
    return "its size is fixed: pad it once at the source, or arrange the data "
           "so that a larger dim is the minor one";
  }
  return fmt::format(
      "use {} for that dim if it is a free width of the model, or arrange the "
      "data so that a larger dim is the minor one",
      width ? FormatCount(width->size) : "the padded size");
}

// Completed with what the padding costs.
Finding& Report(const Facts& facts, const Location& location,
                const Waste& waste, std::string message, Sink& sink) {
  Finding& found = sink.Report(location, std::move(message));
  const double share = waste.time / facts.StepTime();
  const double held = static_cast<double>(waste.bytes().value) /
                      static_cast<double>(facts.target.chip.hbm.value);
  const bool dear = share >= kErrorShare || held >= kErrorShare;
  if (waste.ratio() >= kError && dear) found.severity = Severity::kError;
  found.cost.time_per_step = waste.time;
  found.cost.share_of_step = share;
  found.cost.bytes = waste.bytes();
  return found;
}

std::string TimesTheirSize(const Waste& waste) {
  return fmt::format(
      "{:.2f} times their size in HBM ({} of padding), expected "
      "less than {:.2f}",
      waste.ratio(), FormatBytes(waste.bytes()), kWarn);
}

std::string TensorText(const Program& program, OpId value) {
  return FormatShape(program.graph.op(value).shape) +
         FormatLayout(program.layouts[static_cast<size_t>(value)]);
}

// Where the batch is written: in the program, else at the first input.
Location PlaceOfInputs(const Facts& facts) {
  const Pipeline* pipeline = facts.workload.training_pipeline();
  const bool in_program = pipeline != nullptr && pipeline->batch() != nullptr;
  if (!in_program && !facts.workload.host_loop.fit.known()) {
    for (const Op& op : facts.source->ops()) {
      const bool input = op.kind == OpKind::kParameter;
      if (input && op.location.known()) return op.location;
    }
  }
  return PlaceOfBatch(facts);
}

// What the batch pads, of all layers together: one cause, one finding.
void ReportBatch(const Facts& facts, int64_t batch, int64_t padded,
                 const Layers& layers, Sink& sink) {
  const Program& program = facts.model->program;
  const Op& largest = program.graph.op(layers.waste.largest->value);
  const std::string& name = largest.location.item;
  Finding& found = Report(
      facts, PlaceOfInputs(facts), layers.waste,
      fmt::format("the batch of {} per core is padded to {} in tensors of {} "
                  "layer{}, which take {}; the largest is {}{}{}",
                  FormatCount(batch), FormatCount(padded),
                  FormatCount(layers.count), layers.count == 1 ? "" : "s",
                  TimesTheirSize(layers.waste), TensorText(program, largest.id),
                  name.empty() ? "" : " of ", name),
      sink);
  found.fix.text = BatchAdvice(facts, batch, padded);
  if (batch == facts.batch_per_core) found.change.batch_per_core = padded;
}

void ReportLayer(const Facts& facts, const Location& location,
                 const Waste& waste, Sink& sink) {
  const Program& program = facts.model->program;
  const OpId value = waste.largest->value;
  Finding& found =
      Report(facts, location, waste,
             fmt::format("{} take {}: in {} {}",
                         location.item.empty() ? "tensors" : "its tensors",
                         TimesTheirSize(waste), TensorText(program, value),
                         PaddedDims(program, value)),
             sink);
  const std::optional<NewWidth> width = BetterWidth(facts, value);
  // A wider layer computes more: its time is no measure of what is gained.
  const bool narrower =
      width && width->size < facts.source->op(width->op).shape.size(width->dim);
  if (narrower) found.change.widths.push_back(*width);
  found.fix.text = Advice(facts, value, width);
  if (!width) return;
  Change wanted;
  wanted.widths.push_back(*width);
  const std::string written = WriteChange(facts, wanted, found);
  if (!written.empty()) found.fix.text = written + ": " + found.fix.text;
}

void Check(const Facts& facts, Sink& sink) {
  if (facts.model == nullptr || facts.StepTime() <= Seconds{}) return;
  std::map<Location, Waste> found = Collect(facts);
  std::erase_if(found, [&](const auto& entry) {
    const auto& [location, waste] = entry;
    return !location.known() || waste.bytes() < kMinPadding ||
           !facts.WorthSaying(waste.time, waste.bytes());
  });
  if (found.empty()) return;
  const int64_t batch = BatchOf(facts);
  const bool single = AreSingleExamples(facts, batch);
  const Program& program = facts.model->program;
  const std::vector<bool> images = ConvolutionImages(program.graph);
  std::map<int64_t, Layers> of_batch;  // by what it is padded to
  for (const auto& [location, waste] : found) {
    const OpId value = waste.largest->value;
    const std::optional<PaddedBatch> padded =
        FindPaddedBatch(program, value, batch);
    if (padded && padded->alone && (single || IsForOtherRule(facts, batch))) {
      continue;
    }
    if (!padded || single) {
      if (PadsColours(program, images, value)) continue;
      ReportLayer(facts, location, waste, sink);
      continue;
    }
    Layers& layers = of_batch[padded->size];
    layers.waste.Add(waste);
    ++layers.count;
  }
  for (const auto& [size, layers] : of_batch) {
    ReportBatch(facts, batch, size, layers, sink);
  }
}

}  // namespace

TW_RULE(AL001)

}  // namespace tilewise
