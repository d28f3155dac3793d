// Format: "Trace Event Format" of the Chromium project: complete events (X),
// counters (C), metadata (M).

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/check.h"
#include "base/printable.h"
#include "report/json.h"
#include "report/renderers.h"

namespace tilewise {
namespace {

constexpr int kDrawnExecutions = 2;
constexpr int64_t kDrawnSteps = 64;  // of an execution; the others are one block
constexpr int64_t kDrawnKernels = 20'000;

// Thread numbers are unique over all processes.
struct Track {
  int process;
  int thread;
  std::string_view name;
};
constexpr Track kSteps = {1, 11, "Steps"};
constexpr Track kKernels = {1, 12, "XLA Ops"};
constexpr Track kMxu = {1, 13, "MXU"};
constexpr Track kVector = {1, 14, "vector unit"};
constexpr Track kHbm = {1, 15, "DMA and HBM"};
// Exchanges along the three axes of a mesh may run side by side; each is drawn
// on the first of the tracks that is free.
constexpr std::array kLinks = {Track{1, 16, "Async XLA Ops: interconnect"},
                               Track{1, 17, "Async XLA Ops: second exchange"},
                               Track{1, 18, "Async XLA Ops: third exchange"}};
constexpr Track kToHost = {1, 19, "Async XLA Ops: to the host"};
constexpr Track kFromHost = {1, 20, "Async XLA Ops: from the host"};
constexpr Track kLoop = {2, 21, "loop"};
constexpr Track kInput = {2, 22, "input pipeline"};
constexpr Track kTransfer = {2, 23, "transfer"};

double Rounded(double microseconds) { return std::round(microseconds * 1e4) / 1e4; }
double Microseconds(Seconds time) { return Rounded(time.value * 1e6); }

class TraceEvents {
 public:
  void Name(std::string_view what, int process, int thread, std::string_view name) {
    Add({{"ph", "M"},
         {"name", what},
         {"pid", process},
         {"tid", thread},
         {"args", {{"name", name}}}});
  }
  // Blocks that only rounding would make longer than nothing are left out.
  void Block(const Track& track, const std::string& name, Seconds start, Seconds duration,
             Json args = Json::object()) {
    const double begin = Microseconds(start);
    const double end = Microseconds(start + duration);
    if (end <= begin) return;
    Add({{"ph", "X"},
         {"name", name},
         {"pid", track.process},
         {"tid", track.thread},
         {"ts", begin},
         {"dur", Rounded(end - begin)},
         {"args", std::move(args)}});
  }
  void Counter(std::string_view name, Seconds at, std::string_view unit, Json value) {
    Add({{"ph", "C"},
         {"name", name},
         {"pid", kKernels.process},
         {"ts", Microseconds(at)},
         {"args", {{unit, std::move(value)}}}});
  }
  // An arrow from the host's work to what it starts.
  void Arrow(int64_t id, const Track& from, Seconds start, const Track& to, Seconds end) {
    const auto half = [&](const char* phase, const Track& track, Seconds at) {
      Json event = {
          {"ph", phase},          {"cat", "dispatch"},   {"name", "starts"},      {"id", id},
          {"pid", track.process}, {"tid", track.thread}, {"ts", Microseconds(at)}};
      if (*phase == 'f') event["bp"] = "e";
      Add(event);
    };
    half("s", from, start);
    half("f", to, end);
  }
  void Device(const Report& report) {
    Json args = {{"name", "/device:TPU:0 (all cores are alike)"}};
    if (const absl::StatusOr<Chip> chip = FindChip(report.chip); chip.ok()) {
      args["device_type"] = chip->name;
      args["peak_teraflops_per_second"] = chip->peak_flops() * 1e-12;
      args["peak_hbm_bw_gigabytes_per_second"] = chip->hbm_bandwidth.value * 1e-9;
    }
    Add({{"ph", "M"}, {"name", "process_name"}, {"pid", 1}, {"tid", 0}, {"args", std::move(args)}});
  }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  void Add(const Json& event) {
    lines_.push_back(PrintableJson(event.dump(-1, ' ', false, Json::error_handler_t::replace)));
  }
  std::vector<std::string> lines_;
};

void NameTracks(const Report& report, TraceEvents& events) {
  events.Device(report);
  for (const Track& track : {kSteps, kKernels, kMxu, kVector, kHbm, kLinks[0], kLinks[1], kLinks[2],
                             kToHost, kFromHost}) {
    events.Name("thread_name", track.process, track.thread, track.name);
  }
  if (!report.loop) return;
  events.Name("process_name", 2, 0, "/host:CPU");
  for (const Track& track : {kLoop, kInput, kTransfer}) {
    events.Name("thread_name", track.process, track.thread, track.name);
  }
}

// Bytes of HBM in use while each kernel runs.
std::vector<int64_t> HbmInUse(const Program& program) {
  std::vector<int64_t> change(program.kernels.size() + 1, 0);
  for (const Buffer& buffer : program.buffers) {
    if (buffer.never_in_hbm()) continue;
    const size_t first = std::max<KernelId>(buffer.adds_from(), 0);
    const size_t next = buffer.last + 1;
    if (first >= change.size()) continue;
    change[first] += buffer.padded.value;
    if (next < change.size()) change[next] -= buffer.padded.value;
  }
  for (size_t i = 1; i < change.size(); ++i) change[i] += change[i - 1];
  return change;
}

// The category that XProf gives an instruction of this kind.
std::string CategoryOf(const Kernel& kernel) {
  switch (kernel.kind) {
    case KernelKind::kMatrix:
    case KernelKind::kRecurrent:
      return "convolution fusion";
    case KernelKind::kAttention:
      return "custom-call";
    case KernelKind::kCollective:
      return std::string(OpName(kernel.collective));
    case KernelKind::kHostCopy:
      return kernel.goes_to_host() ? "host send" : "host recv";
    case KernelKind::kCopy:
      return "data formatting";
    case KernelKind::kIndexed:
      return "gather/scatter fusion";
    default:
      return "loop fusion";
  }
}

Json ArgsOf(const KernelRow& row, const Kernel& kernel) {
  Json args = {{"hlo_category", CategoryOf(kernel)},
               {"tf_op", row.layer},
               {"layer", row.layer},
               {"kind", KernelKindName(row.kind)},
               {"phase", PhaseName(row.phase)},
               {"bound_by", BoundName(row.bound)},
               {"flops", kernel.matrix.useful_flops * static_cast<double>(kernel.repeat)},
               {"bytes_accessed", static_cast<double>((kernel.from_hbm() + kernel.to_hbm()).value) *
                                      static_cast<double>(kernel.repeat)}};
  for (const LossPart& part : kLossParts) {
    const Seconds time = row.split.*part.seconds;
    if (time <= Seconds{}) continue;
    args[fmt::format("{}_us", part.key)] = Microseconds(time);
  }
  return args;
}

// The track of a collective, which it holds to its end.
class LinkTracks {
 public:
  const Track& Take(const KernelSpan& span) {
    size_t track = 0;
    while (track + 1 < ends_.size() && ends_[track] > span.start) ++track;
    ends_[track] = span.start + span.duration;
    return kLinks[track];
  }

 private:
  std::array<Seconds, kLinks.size()> ends_;
};

// `units`: with what each unit of the core does meanwhile.
void DrawKernel(const KernelSpan& span, const KernelRow& row, const Kernel& kernel, Seconds start,
                bool units, LinkTracks& links, TraceEvents& events) {
  const std::string name = fmt::format("{} ({})", row.layer, row.name);
  const Seconds at = start + span.start;
  if (row.kind == KernelKind::kCollective) {
    events.Block(links.Take(span), name, at, span.duration, ArgsOf(row, kernel));
    return;
  }
  if (row.kind == KernelKind::kHostCopy) {
    const Track& way = kernel.goes_to_host() ? kToHost : kFromHost;
    events.Block(way, name, at, span.duration, ArgsOf(row, kernel));
    return;
  }
  events.Block(kKernels, name, at, span.duration, ArgsOf(row, kernel));
  const auto within = [&](Seconds busy) { return std::min(busy, span.duration); };
  if (!units) return;
  events.Block(kMxu, name, at, within(span.mxu_busy));
  events.Block(kVector, name, at, within(span.vector_busy));
  events.Block(kHbm, name, at, within(span.dma_busy));
}

// The kernels of a step, from `start`. All steps are alike: the units and the
// counters are drawn of the first one.
void DrawStep(const Report& report, Seconds start, bool first, TraceEvents& events) {
  const Program& program = *report.program;
  const Timeline& timeline = *report.timeline;
  const std::vector<int64_t> in_use = HbmInUse(program);
  LinkTracks links;
  for (size_t i = 0; i < timeline.spans.size(); ++i) {
    const KernelSpan& span = timeline.spans[i];
    const size_t k = span.kernel;
    DrawKernel(span, report.kernels[i], program.kernels[k], start, first, links, events);
    if (!first || program.kernels[k].overlappable) continue;
    const Seconds at = start + span.start;
    events.Counter("HBM in use", at, "bytes", in_use[k]);
    const double busy = span.duration > Seconds{} ? span.mxu_busy / span.duration : 0;
    events.Counter("MXU busy", at, "percent", Rounded(100 * busy));
  }
  if (first) events.Counter("MXU busy", start + timeline.step, "percent", 0);
}

// One step by the wall clock: the host's part, then the device's.
void DrawLoopStep(const LoopTimeline& loop, int64_t index, Seconds start, TraceEvents& events) {
  const std::string wait = loop.input > loop.transfer ? "wait for input" : "wait for the transfer";
  const Seconds dispatch = std::min(loop.dispatch, loop.exposed_host);
  events.Block(kLoop, "dispatch", start, dispatch);
  events.Block(kLoop, wait, start + dispatch, loop.exposed_host - dispatch);
  events.Block(kSteps, fmt::format("step {}", index), start, loop.step,
               {{"step_num", index}, {"device_us", Microseconds(loop.device_step)}});
  events.Arrow(index, kLoop, start, kKernels, start + loop.exposed_host);
  events.Block(kInput, "input of a later batch", start, std::min(loop.input, loop.step));
  events.Block(kTransfer, "transfer of the next batch", start, std::min(loop.transfer, loop.step));
}

void DrawLoop(const Report& report, TraceEvents& events) {
  const LoopTimeline& loop = *report.loop;
  const int64_t steps = std::max<int64_t>(report.steps_per_execution, 1);
  const auto kernels = static_cast<int64_t>(report.kernels.size());
  const int64_t room = kDrawnKernels / kDrawnExecutions / std::max<int64_t>(kernels, 1);
  const int64_t drawn = std::min({steps, kDrawnSteps, std::max<int64_t>(room, 1)});
  for (int execution = 0; execution < kDrawnExecutions; ++execution) {
    const int64_t first = execution * steps;
    for (int64_t i = first; i < first + drawn; ++i) {
      const Seconds start = loop.step * static_cast<double>(i);
      DrawLoopStep(loop, i + 1, start, events);
      DrawStep(report, start + loop.exposed_host, i == 0, events);
    }
    if (drawn == steps) continue;
    events.Block(kSteps, fmt::format("{} more steps", steps - drawn),
                 loop.step * static_cast<double>(first + drawn),
                 loop.step * static_cast<double>(steps - drawn));
  }
}

Json HeaderOf(const Report& report) {
  return {{"tool", "tilewise " + report.version},
          {"workload", report.workload},
          {"target", report.target},
          {"accuracy", "simulated estimate, not a measurement"}};
}

}  // namespace

std::string RenderTrace(const Report& report) {
  TW_CHECK(report.program && report.timeline);
  TW_CHECK(report.kernels.size() == report.timeline->spans.size());
  TraceEvents events;
  NameTracks(report, events);
  if (report.loop) {
    DrawLoop(report, events);
  } else {
    events.Block(kSteps, "step 1", {}, report.timeline->step);
    DrawStep(report, {}, true, events);
  }
  const std::string header =
      PrintableJson(HeaderOf(report).dump(-1, ' ', false, Json::error_handler_t::replace));
  return fmt::format("{{\"displayTimeUnit\":\"ms\",\"otherData\":{},\"traceEvents\":[\n{}\n]}}\n",
                     header, fmt::join(events.lines(), ",\n"));
}

}  // namespace tilewise
