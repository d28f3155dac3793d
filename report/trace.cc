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

// Thread numbers are unique over all processes.
struct Track {
  int process;
  int thread;
  std::string_view name;
};
constexpr Track kSteps = {1, 11, "steps"};
constexpr Track kKernels = {1, 12, "kernels"};
constexpr Track kMxu = {1, 13, "MXU"};
constexpr Track kVector = {1, 14, "vector unit"};
constexpr Track kHbm = {1, 15, "DMA and HBM"};
// Exchanges along the three axes of a mesh may run side by side; each is drawn
// on the first of the tracks that is free.
constexpr std::array kLinks = {Track{1, 16, "interconnect"},
                               Track{1, 17, "interconnect, second exchange"},
                               Track{1, 18, "interconnect, third exchange"}};
constexpr Track kToHost = {1, 19, "to the host"};
constexpr Track kFromHost = {1, 20, "from the host"};
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
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  void Add(const Json& event) {
    lines_.push_back(PrintableJson(event.dump(-1, ' ', false, Json::error_handler_t::replace)));
  }
  std::vector<std::string> lines_;
};

void NameTracks(bool host, TraceEvents& events) {
  events.Name("process_name", 1, 0, "device, one core (all are alike)");
  for (const Track& track : {kSteps, kKernels, kMxu, kVector, kHbm, kLinks[0], kLinks[1], kLinks[2],
                             kToHost, kFromHost}) {
    events.Name("thread_name", track.process, track.thread, track.name);
  }
  if (!host) return;
  events.Name("process_name", 2, 0, "host");
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

Json ArgsOf(const KernelRow& row, const Kernel& kernel) {
  Json args = {{"layer", row.layer},
               {"kind", KernelKindName(row.kind)},
               {"phase", PhaseName(row.phase)},
               {"bound_by", BoundName(row.bound)},
               {"useful_flops", kernel.matrix.useful_flops * static_cast<double>(kernel.repeat)},
               {"hbm_bytes", static_cast<double>((kernel.from_hbm() + kernel.to_hbm()).value) *
                                 static_cast<double>(kernel.repeat)}};
  for (const LossPart& part : kLossParts) {
    const Seconds time = row.split.*part.seconds;
    if (time <= Seconds{}) continue;
    args[fmt::format("{}_us", part.key)] = Microseconds(time);
  }
  return args;
}

// The track of an exchange, which it holds to its end.
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

void DrawKernel(const KernelSpan& span, const KernelRow& row, const Kernel& kernel, Seconds start,
                LinkTracks& links, TraceEvents& events) {
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
  events.Block(kMxu, name, at, within(span.mxu_busy));
  events.Block(kVector, name, at, within(span.vector_busy));
  events.Block(kHbm, name, at, within(span.dma_busy));
}

// The first step, from `start`.
void DrawStep(const Report& report, Seconds start, TraceEvents& events) {
  const Program& program = *report.program;
  const Timeline& timeline = *report.timeline;
  const std::vector<int64_t> in_use = HbmInUse(program);
  LinkTracks links;
  for (size_t i = 0; i < timeline.spans.size(); ++i) {
    const KernelSpan& span = timeline.spans[i];
    const size_t k = span.kernel;
    DrawKernel(span, report.kernels[i], program.kernels[k], start, links, events);
    if (program.kernels[k].overlappable) continue;
    const Seconds at = start + span.start;
    events.Counter("HBM in use", at, "bytes", in_use[k]);
    const double busy = span.duration > Seconds{} ? span.mxu_busy / span.duration : 0;
    events.Counter("MXU busy", at, "percent", Rounded(100 * busy));
  }
  events.Counter("MXU busy", start + timeline.step, "percent", 0);
}

// One step by the wall clock: the host's part, then the device's.
void DrawLoopStep(const LoopTimeline& loop, int64_t index, Seconds start, TraceEvents& events) {
  const Seconds dispatch = std::min(loop.dispatch, loop.exposed_host);
  events.Block(kLoop, "dispatch", start, dispatch);
  events.Block(kLoop, "wait for input or transfer", start + dispatch, loop.exposed_host - dispatch);
  events.Block(kSteps, fmt::format("step {}", index), start + loop.exposed_host, loop.device_step);
  events.Block(kInput, "input of a later batch", start, std::min(loop.input, loop.step));
  events.Block(kTransfer, "transfer of the next batch", start, std::min(loop.transfer, loop.step));
}

void DrawLoop(const LoopTimeline& loop, int64_t steps_per_execution, TraceEvents& events) {
  const int64_t steps = std::max<int64_t>(steps_per_execution, 1);
  const int64_t drawn = std::min(steps, kDrawnSteps);
  for (int execution = 0; execution < kDrawnExecutions; ++execution) {
    const int64_t first = execution * steps;
    for (int64_t i = first; i < first + drawn; ++i) {
      DrawLoopStep(loop, i + 1, loop.step * static_cast<double>(i), events);
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
  NameTracks(report.loop.has_value(), events);
  Seconds first_step;
  if (report.loop) {
    first_step = report.loop->exposed_host;
    DrawLoop(*report.loop, report.steps_per_execution, events);
  } else {
    events.Block(kSteps, "step 1", {}, report.timeline->step);
  }
  DrawStep(report, first_step, events);
  const std::string header =
      PrintableJson(HeaderOf(report).dump(-1, ' ', false, Json::error_handler_t::replace));
  return fmt::format("{{\"displayTimeUnit\":\"ms\",\"otherData\":{},\"traceEvents\":[\n{}\n]}}\n",
                     header, fmt::join(events.lines(), ",\n"));
}

}  // namespace tilewise
