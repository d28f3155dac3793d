// Flags steps and out-of-memory reports where padding is a visible part of all
// memory that is in use.

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "advice/locations.h"
#include "advice/nearest_width.h"
#include "rules/rule.h"
#include "session/forward_values.h"

namespace tilewise::AL009 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "AL009",
    .name = "module-padding-ratio",
    .set = RuleSet::kPreview,
    .summary = "padding takes a visible part of the memory at the peak",
    .no_saving = "the dims that are padded are those of the task",
    .doc = R"(
What: what is in HBM at the step's peak takes at least 1.25 times its real size,
and the peak is a tenth of the HBM or more; or a compiler's report says that memory ran out
and lists allocations of at least twice their unpadded size.
Why: the two minor dims of every tensor are padded to tiles of 8 x 128. The sum
decides which batch fits, long before any single tensor looks bad.
Remedy: start at the tensors that the finding lists: they hold most of the
padding. Their dims, or the order of them, are what to change.
Ignore: a step that has to get no larger. One that leaves nine tenths of the
HBM free is not reported.
Numbers: padded and real bytes of the buffers that are live at the peak, layouts
as simulated; of a report, the sizes that it prints. On-chip memory and buffers
that share their bytes with another are not counted. The saving is that of the
tensor with most padding at the nearest batch or a narrower width.
Sources: xprof memory viewer (it shows both sizes), tensorflow/tpu#875.)",
    .thresholds = {{"min-ratio", 1.25, "padded over real bytes at the peak"},
                   {"min-hbm-share", 0.1, "share of the HBM that the peak takes at least"},
                   {"min-reported", 2, "expansion in a compiler's report"}},
};

constexpr size_t kShown = 5;

// A tensor, what of it is padding, and how often it is there.
struct Padded {
  std::string name;
  Bytes padding;
  int64_t times = 1;
};

std::string ListOf(std::vector<Padded> tensors) {
  std::ranges::stable_sort(tensors,
                           [](const Padded& a, const Padded& b) { return a.padding > b.padding; });
  std::string text;
  for (size_t i = 0; i < std::min(kShown, tensors.size()); ++i) {
    text += fmt::format("{}{} of {}{}", i == 0 ? "" : ", ", FormatBytes(tensors[i].padding),
                        tensors[i].times > 1 ? fmt::format("{} x ", tensors[i].times) : "",
                        tensors[i].name);
  }
  return text;
}

void Add(const std::string& name, Bytes padding, std::vector<Padded>& tensors) {
  const auto same = std::ranges::find(tensors, name, &Padded::name);
  if (same == tensors.end()) {
    tensors.push_back({name, padding});
    return;
  }
  same->padding += padding;
  ++same->times;
}

struct Peak {
  Bytes padded, unpadded;
  std::vector<Padded> tensors;
  const Op* worst = nullptr;  // at a known location
};

Peak AtPeak(const Program& program) {
  Peak peak;
  Bytes most;
  for (const Buffer& buffer : program.buffers) {
    if (buffer.value == kNoOp || !buffer.adds_at(program.memory.peak_at)) {
      continue;
    }
    peak.padded += buffer.padded;
    peak.unpadded += buffer.unpadded;
    const Bytes padding = buffer.padded - buffer.unpadded;
    if (padding.value <= 0) continue;
    const Op& op = program.graph.op(buffer.value);
    const std::string& layer = op.location.item.empty() ? op.name : op.location.item;
    Add(fmt::format("{} ({})", LaidOut(program, op.id), layer), padding, peak.tensors);
    if (peak.worst != nullptr && padding <= most) continue;
    if (!op.location.known()) continue;
    most = padding;
    peak.worst = &op;
  }
  return peak;
}

void CheckModel(const Facts& facts, Sink& sink) {
  const Program& program = facts.model->program;
  const double share = static_cast<double>(program.memory.peak.value) /
                       static_cast<double>(facts.target.chip.hbm.value);
  if (share < sink.threshold("min-hbm-share")) return;
  const Peak peak = AtPeak(program);
  if (peak.unpadded.value <= 0) return;
  const double ratio =
      static_cast<double>(peak.padded.value) / static_cast<double>(peak.unpadded.value);
  if (ratio < sink.threshold("min-ratio")) return;
  Location location = LocationOfModel(facts);
  if (!location.known() && peak.worst != nullptr) location = peak.worst->location;
  if (!location.known()) return;
  const Bytes padding = peak.padded - peak.unpadded;
  Finding& found = sink.Report(location,
                               "at the step's peak tensors take {} of HBM, {:.2f} times their size "
                               "(simulated on {}), expected less than {}; most of the padding: {}",
                               FormatBytes(peak.padded), ratio, facts.target.chip.name,
                               sink.threshold("min-ratio"), ListOf(peak.tensors));
  found.cost.bytes = padding;
  found.fix.text =
      "change the dims of the tensors listed to multiples of the tile, or the order of their dims, "
      "the first of them first";
  if (peak.worst != nullptr) {
    found.change = FillingTiles(facts, peak.worst->id);
  }
}

std::string NameOf(const ReportedAllocation& allocation) {
  const std::string& shape = allocation.shape.empty() ? allocation.label : allocation.shape;
  std::string text = shape.empty() ? allocation.kind : shape.substr(0, 120);
  if (!allocation.operation.empty()) {
    text += fmt::format(" ({})", allocation.operation.substr(0, 120));
  }
  return text;
}

void CheckReport(const MemoryReport& report, Sink& sink) {
  std::vector<Padded> tensors;
  Bytes padding;
  const ReportedAllocation* worst = nullptr;
  for (const ReportedAllocation& allocation : report.largest) {
    if (allocation.unpadded.value <= 0) continue;
    const double expansion =
        static_cast<double>(allocation.size.value) / static_cast<double>(allocation.unpadded.value);
    if (expansion < sink.threshold("min-reported")) continue;
    const Bytes wasted = allocation.size - allocation.unpadded;
    padding += wasted;
    Add(NameOf(allocation), wasted, tensors);
    if (worst == nullptr || worst->size - worst->unpadded < wasted) {
      worst = &allocation;
    }
  }
  if (worst == nullptr) return;
  Finding& found = sink.Report(
      worst->location.known() ? worst->location : report.location,
      "{} of the allocations that the compiler lists is padding, up to {:.1f} times the data, "
      "expected less than {} times: {}",
      FormatBytes(padding),
      static_cast<double>(worst->size.value) / static_cast<double>(worst->unpadded.value),
      sink.threshold("min-reported"), ListOf(tensors));
  found.cost.bytes = padding;
  found.fix.text =
      "make a dim of 128 or more the minor one of the shapes listed, or choose multiples of 128 "
      "and 8 for their last two dims, the first of them first";
}

void Check(const Facts& facts, Sink& sink) {
  if (facts.model != nullptr) CheckModel(facts, sink);
  for (const MemoryReport& report : facts.workload.memory_reports) {
    CheckReport(report, sink);
  }
}

}  // namespace

TW_RULE(AL009)

}  // namespace tilewise::AL009
