// Padding is read and written with the data: its time is that of its bytes. A
// width is changed in the model as it was written, where the padded value has
// the dims of its op there. Colours of images are no free width; AL005 speaks
// of the convolution that reads them.

#include "rules/alignment/padding.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "advice/locations.h"
#include "graph/rebatch.h"
#include "rules/layout/channels_first.h"
#include "session/forward_values.h"

namespace tilewise {
namespace {

std::vector<int32_t> ReadersOf(const Program& program) {
  std::vector<int32_t> readers(program.graph.size(), 0);
  for (const Kernel& kernel : program.kernels) {
    for (const OpId input : kernel.inputs) {
      ++readers[input];
    }
  }
  return readers;
}

std::string BatchAdvice(const Facts& facts, int64_t batch, int64_t padded) {
  return fmt::format("{} a batch of {} per core: {} take as much HBM",
                     facts.workload.graph->is_static() ? "write the model out again with" : "use",
                     FormatCount(padded), FormatCount(batch));
}

// Returns where the batch is written: in the program, else at the first input.
Location LocationOfInputs(const Facts& facts) {
  const Pipeline* pipeline = facts.workload.training_pipeline();
  const bool in_program = pipeline != nullptr && pipeline->batch() != nullptr;
  if (!in_program && !facts.workload.host_loop.fit.known()) {
    for (const Op& op : facts.source->ops()) {
      const bool input = op.kind == OpKind::kParameter;
      if (input && op.location.known()) return op.location;
    }
  }
  return LocationOfBatch(facts);
}

constexpr int64_t kMostColours = 4;

bool PadsColours(const Program& program, OpId value) {
  const Shape& shape = program.graph.op(value).shape;
  const Layout& layout = program.layouts[value];
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    const int64_t size = shape.size(dim);
    const bool few = size <= kMostColours;
    if (few && PaddedSize(shape, layout, dim) != size) return true;
  }
  return false;
}

// Returns for each op whether it is computed of the inputs before any trained
// weight, as images that are resampled or cut are.
std::vector<bool> WithoutWeights(const Graph& graph) {
  std::vector<bool> without(graph.size());
  for (const Op& op : graph.ops()) {
    without[op.id] =
        !(op.kind == OpKind::kVariable && op.as<VariableAttrs>().trainable) &&
        std::ranges::all_of(op.operands, [&](OpId operand) { return without[operand]; });
  }
  return without;
}

// Whether the widths of the op's result are those of what it works on.
bool KeepsWidths(const Op& op) {
  const OpClass kind = ClassOf(op.kind);
  return kind == OpClass::kElementwise || kind == OpClass::kReduce || kind == OpClass::kWindow ||
         kind == OpClass::kRandom || op.kind == OpKind::kBroadcast ||
         op.kind == OpKind::kVariable || op.kind == OpKind::kConstant || op.kind == OpKind::kIota;
}

// Returns where the widths of the values of a layer are chosen: a pooling, a
// norm or a dropout has those of the layer before it.
std::map<Location, Location> LocationsOfWidths(const Graph& source) {
  std::vector<Location> made(source.size());
  std::vector<bool> chosen(source.size());  // not of weights and constants alone
  std::map<Location, Location> locations;
  std::set<Location> choose;
  for (const Op& op : source.ops()) {
    made[op.id] = op.location;
    const auto from = std::ranges::find_if(op.operands, [&](OpId id) { return chosen[id]; });
    if (!KeepsWidths(op)) {
      choose.insert(op.location);
      chosen[op.id] = true;
    } else if (from != op.operands.end()) {
      made[op.id] = made[*from];
      chosen[op.id] = true;
    }
    locations[op.location] = made[op.id];
  }
  for (const Location& location : choose) locations[location] = location;
  return locations;
}

// The same width in the model as written: the op whose value `value` is, where
// their dims agree, and the nearest multiple of the lanes for the dim that is
// padded most.
std::optional<NewWidth> BetterWidth(const Facts& facts, OpId value) {
  const Program& program = facts.model->program;
  const Op& lowered = program.graph.op(value);
  if (lowered.origin == kNoOp) return std::nullopt;
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
bool HasFixedDims(const Facts& facts, OpId value) {
  const Program& program = facts.model->program;
  const Op& op = program.graph.op(value);
  const Layout& layout = program.layouts[value];
  for (int64_t dim = 0; dim < op.shape.rank(); ++dim) {
    const bool padded = PaddedSize(op.shape, layout, dim) != op.shape.size(dim);
    if (padded && !facts.IsFixed(op, dim)) return false;
  }
  return true;
}

}  // namespace

double PaddingWaste::ratio() const {
  return static_cast<double>(padded.value) / static_cast<double>(unpadded.value);
}

void PaddingWaste::Add(const PaddingWaste& other) {
  padded += other.padded;
  unpadded += other.unpadded;
  time += other.time;
  const bool larger = largest == nullptr || largest->padded < other.largest->padded;
  if (larger) largest = other.largest;
}

PaddedDim MostPadded(const Program& program, OpId value) {
  const Shape& shape = program.graph.op(value).shape;
  const Layout& layout = program.layouts[value];
  PaddedDim most;
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    const int64_t size = shape.size(dim);
    const int64_t padded = PaddedSize(shape, layout, dim);
    const double ratio = static_cast<double>(padded) / static_cast<double>(size);
    if (ratio > most.ratio) most = {dim, size, padded, ratio};
  }
  return most;
}

int64_t CountPadded(const Program& program, OpId value) {
  const Shape& shape = program.graph.op(value).shape;
  const Layout& layout = program.layouts[value];
  int64_t count = 0;
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    count += PaddedSize(shape, layout, dim) != shape.size(dim);
  }
  return count;
}

std::map<Location, PaddingWaste> CollectPadding(const Facts& facts) {
  std::map<Location, PaddingWaste> waste;
  const Program& program = facts.model->program;
  const std::vector<int32_t> readers = ReadersOf(program);
  const std::map<Location, Location> locations = LocationsOfWidths(*facts.source);
  for (const Buffer& buffer : program.buffers) {
    if (buffer.value < 0 || buffer.unpadded.value <= 0) continue;
    if (static_cast<double>(buffer.padded.value) <
        kMuchPadding * static_cast<double>(buffer.unpadded.value)) {
      continue;
    }
    // Buffers whose only padding is the storage of a narrow type are left out:
    // no shape would change it.
    if (CountPadded(program, buffer.value) == 0) continue;
    if (TouchesOpaque(program.graph, buffer.value)) continue;
    const int64_t moves = 1 + readers[buffer.value];
    const Seconds time =
        (buffer.padded - buffer.unpadded) * moves / facts.target.chip.hbm_bandwidth;
    const Location& written = program.graph.op(buffer.value).location;
    const auto found = locations.find(written);
    const bool known = found != locations.end() && found->second.known();
    waste[known ? found->second : written].Add({buffer.padded, buffer.unpadded, time, &buffer});
  }
  return waste;
}

bool TouchesOpaque(const Graph& graph, OpId value) {
  if (graph.op(value).kind == OpKind::kOpaque) return true;
  return std::ranges::any_of(graph.users(value),
                             [&](OpId user) { return graph.op(user).kind == OpKind::kOpaque; });
}

std::string TimesTheirSize(const PaddingWaste& waste) {
  return fmt::format("{:.2f} times their size in HBM ({} of padding), expected less than {:.2f}",
                     waste.ratio(), FormatBytes(waste.bytes()), kMuchPadding);
}

Finding& ReportPadding(const Facts& facts, const Location& location, const PaddingWaste& waste,
                       std::string message, Sink& sink) {
  Finding& found = sink.Report(location, std::move(message));
  found.cost = DeviceCost(facts, waste.time, waste.bytes());
  return found;
}

int64_t BatchInTensors(const Facts& facts) {
  const std::optional<Graph>& graph = facts.workload.graph;
  if (!graph || !graph->is_static()) return facts.batch_per_core;
  const absl::StatusOr<BatchGuess> guess = GuessBatch(*graph);
  return guess.ok() ? guess->batch : 0;
}

bool AreSingleExamples(const Facts& facts, int64_t batch) {
  return !facts.training && batch < facts.target.chip.sublanes;
}

bool IsBatchOfOtherRule(const Facts& facts, int64_t batch) {
  return !facts.workload.graph->is_static() && batch % facts.target.chip.sublanes != 0;
}

std::optional<PaddedBatch> FindPaddedBatch(const Program& program, OpId value, int64_t batch) {
  const Shape& shape = program.graph.op(value).shape;
  int64_t batch_dim = 0;  // the batch comes first among equals
  while (batch_dim < shape.rank() && shape.size(batch_dim) != batch) {
    ++batch_dim;
  }
  const PaddedDim most = MostPadded(program, value);
  if (most.dim < 0 || most.dim != batch_dim) return std::nullopt;
  return PaddedBatch{.size = most.padded, .alone = CountPadded(program, value) == 1};
}

void ReportPaddedBatch(const Facts& facts, int64_t batch, int64_t padded,
                       const PaddedLayers& layers, Sink& sink) {
  const Program& program = facts.model->program;
  const Op& largest = program.graph.op(layers.waste.largest->value);
  const std::string& name = largest.location.item;
  Finding& found =
      ReportPadding(facts, LocationOfInputs(facts), layers.waste,
                    fmt::format("the batch of {} per core is padded to {} in tensors of {} "
                                "layer{}, which take {}; the largest is {}{}{}",
                                FormatCount(batch), FormatCount(padded), FormatCount(layers.count),
                                layers.count == 1 ? "" : "s", TimesTheirSize(layers.waste),
                                LaidOut(program, largest.id), name.empty() ? "" : " of ", name),
                    sink);
  found.fix.text = BatchAdvice(facts, batch, padded);
  if (batch == facts.batch_per_core) found.change.batch_per_core = padded;
}

PaddedImages::PaddedImages(const Program& program)
    : program_(program),
      images_(ConvolutionImages(program.graph)),
      early_(WithoutWeights(program.graph)) {}

bool PaddedImages::IsImage(OpId value) const {
  return program_.graph.op(value).shape.rank() > 2 && images_[value];
}

bool PaddedImages::IsRight(OpId value, bool single) const {
  const Shape& shape = program_.graph.op(value).shape;
  const bool colours = shape.rank() > 3 && std::ranges::min(shape.sizes()) <= kMostColours;
  return (colours && early_[value]) || (IsImage(value) && (single || PadsColours(program_, value)));
}

PaddingRemedy FindRemedy(const Facts& facts, OpId value, bool image) {
  const Program& program = facts.model->program;
  const Shape& shape = program.graph.op(value).shape;
  PaddingRemedy remedy = {.most = MostPadded(program, value),
                          .fixed = HasFixedDims(facts, value),
                          .width = BetterWidth(facts, value)};
  const auto nearest = NearestWidth(remedy.most.size, remedy.most.padded);
  remedy.near = nearest.has_value();
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    remedy.larger |= !image && shape.size(dim) > remedy.most.size;
  }
  return remedy;
}

std::string AdviceOf(const PaddingRemedy& remedy, const std::string& written) {
  if (remedy.fixed) {
    return "its size is fixed: pad it once at the source, or arrange the data so that a larger dim "
           "is the minor one";
  }
  const PaddedDim& most = remedy.most;
  std::string text = written;
  if (written.empty() && (remedy.width || remedy.near)) {
    text = fmt::format("use {} instead of {} for dim {} where the model is free to",
                       FormatCount(remedy.width ? remedy.width->size : most.padded),
                       FormatCount(most.size), most.dim);
  }
  if (!remedy.larger) return text;
  return fmt::format("{}{}arrange the data so that a larger dim stands in place of dim {}", text,
                     text.empty() ? "" : ", or ", most.dim);
}

}  // namespace tilewise
