// Padding is read and written with the data: its time is that of its bytes.

#include "rules/alignment/padding_waste.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tilewise {
namespace {

constexpr double kError = 2.0;
constexpr double kErrorShare = 0.05;

std::vector<int32_t> ReadersOf(const Program& program) {
  std::vector<int32_t> readers(program.graph.size(), 0);
  for (const Kernel& kernel : program.kernels) {
    for (const OpId input : kernel.inputs) {
      ++readers[input];
    }
  }
  return readers;
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
  for (const Buffer& buffer : program.buffers) {
    if (buffer.value < 0 || buffer.unpadded.value <= 0) continue;
    if (static_cast<double>(buffer.padded.value) <
        kMuchPadding * static_cast<double>(buffer.unpadded.value)) {
      continue;
    }
    // Not only the storage of a narrow type, which no shape would change.
    if (CountPadded(program, buffer.value) == 0) continue;
    if (TouchesOpaque(program.graph, buffer.value)) continue;
    const int64_t moves = 1 + readers[buffer.value];
    const Seconds time =
        (buffer.padded - buffer.unpadded) * moves / facts.target.chip.hbm_bandwidth;
    waste[program.graph.op(buffer.value).location].Add(
        {buffer.padded, buffer.unpadded, time, &buffer});
  }
  return waste;
}

bool TouchesOpaque(const Graph& graph, OpId value) {
  if (graph.op(value).kind == OpKind::kOpaque) return true;
  return std::ranges::any_of(graph.users(value),
                             [&](OpId user) { return graph.op(user).kind == OpKind::kOpaque; });
}

std::string TensorText(const Program& program, OpId value) {
  return FormatShape(program.graph.op(value).shape) + FormatLayout(program.layouts[value]);
}

std::string TimesTheirSize(const PaddingWaste& waste) {
  return fmt::format(
      "{:.2f} times their size in HBM ({} of padding), expected "
      "less than {:.2f}",
      waste.ratio(), FormatBytes(waste.bytes()), kMuchPadding);
}

Finding& ReportPadding(const Facts& facts, const Location& location, const PaddingWaste& waste,
                       std::string message, Sink& sink) {
  Finding& found = sink.Report(location, std::move(message));
  const double share = waste.time / facts.StepTime();
  const double held =
      static_cast<double>(waste.bytes().value) / static_cast<double>(facts.target.chip.hbm.value);
  const bool costly = share >= kErrorShare || held >= kErrorShare;
  if (waste.ratio() >= kError && costly) found.severity = Severity::kError;
  found.cost.time_per_step = waste.time;
  found.cost.share_of_step = share;
  found.cost.bytes = waste.bytes();
  return found;
}

}  // namespace tilewise
