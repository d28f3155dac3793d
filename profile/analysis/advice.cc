// Findings by the rules that speak of the same cause in a program: each with
// what was measured and what to do.

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include <fmt/format.h>

#include "profile/analysis/analysis.h"
#include "profile/analysis/input_op.h"

namespace tilewise {
namespace {

constexpr double kWorthAdvice = 0.05;  // of the wall step

// "train.py:31" as a location; where it is none, nowhere.
Location LocationOf(const std::string& source) {
  Location location;
  const size_t colon = source.rfind(':');
  if (colon == std::string::npos) return location;
  int line = 0;
  const char* end = source.data() + source.size();
  if (std::from_chars(source.data() + colon + 1, end, line).ptr != end || line <= 0) {
    return location;
  }
  location.file = source.substr(0, colon);
  location.line = line;
  return location;
}

class Advisor {
 public:
  Advisor(const Profile& profile, const ProfileTotals& totals, ProfileAnalysis& analysis)
      : profile_(profile), totals_(totals), analysis_(analysis) {}

  void Run() {
    WarmUp();
    Input();
    Network();
    HostTransfers();
    Recompilation();
    HostOps();
    Memory();
    if (analysis_.hardware == Hardware::kGpu || analysis_.hardware == Hardware::kCpu) return;
    Dispatch();
    Collectives();
    DeviceOps();
    Compute();
    IndependentPrograms();
  }

 private:
  Diagnostic& Add(const char* rule, std::string message, std::string fix,
                  Severity severity = Severity::kWarning) {
    Diagnostic finding;
    finding.rule = rule;
    finding.severity = severity;
    finding.message = std::move(message);
    finding.fix = {.applicability = Applicability::kShow, .text = std::move(fix)};
    analysis_.advice.push_back(std::move(finding));
    return analysis_.advice.back();
  }

  void SetCost(Diagnostic& finding, Seconds time) const {
    const Seconds step = analysis_.steps.wall.mean;
    finding.cost.time_per_step = time;
    if (step > Seconds{}) finding.cost.share_of_step = time / step;
    finding.cost.of_wall_step = true;
  }

  // Stages that fill the input, longest first: what runs on the host besides the
  // wait.
  std::string SlowestStage() const {
    // Nodes of one type are one stage.
    std::map<std::string, std::pair<Picoseconds, int64_t>> stages;
    const auto add = [&](const ProfileOp& op, Picoseconds self, int64_t count) {
      const bool iterator = op.name.starts_with("Iterator::");
      const bool stage = iterator || op.kind.starts_with("Decode") ||
                         op.kind.starts_with("Reader") || op.kind.starts_with("QueueEnqueue") ||
                         op.kind == "PyFunc" || op.kind.starts_with("Parse");
      if (!stage || self <= 0) return;
      auto& [time, runs] = stages[iterator ? op.name : op.kind];
      time += self;
      runs += count;
    };
    for (const HostTotal& total : totals_.host) {
      add(profile_.ops[total.op], total.self, total.count);
    }
    for (const OpTotal& total : totals_.ops) {
      if (total.kind != ProfileOpClass::kInfeed) {
        add(profile_.ops[total.op], total.self, total.count);
      }
    }
    const auto longest =
        std::ranges::max_element(stages, {}, [](const auto& stage) { return stage.second.first; });
    if (longest != stages.end()) {
      return fmt::format("; the longest stage is {} ({}, {} times)", longest->first,
                         FormatSeconds(SecondsOf(longest->second.first)), longest->second.second);
    }
    for (const StatedOp& op : profile_.stated.ops) {
      if (!op.on_host || op.kind == "IDLE" || op.name == "IDLE") continue;
      return fmt::format("; the longest stage is {} ({})", op.name, FormatSeconds(op.self));
    }
    return "";
  }

  void Input() {
    const double share = analysis_.ShareOf(StepPartKind::kInput);
    if (share < kWorthAdvice) return;
    const auto [op, queue] = InputOpOf(profile_, totals_);
    const Seconds time = analysis_.TimeOf(StepPartKind::kInput);
    if (queue) {
      SetCost(Add("IP021",
                  fmt::format("{} waits {} a step for elements of its queue: {} of the step{}",
                              op->name, FormatSeconds(time), FormatPercent(share), SlowestStage()),
                  "run more reader threads in front of the queue (num_threads of the batch and "
                  "enqueue ops), or read with tf.data: map with num_parallel_calls, then prefetch"),
              time);
      return;
    }
    SetCost(Add("IP022",
                fmt::format("the step waits {} for input: {} of it{}", FormatSeconds(time),
                            FormatPercent(share), SlowestStage()),
                "make the input pipeline's longest stage parallel, move work out of it, cache what "
                "repeats, and end it with prefetch"),
            time);
  }

  int64_t ModuleRuns() const {
    int64_t runs = 0;
    for (const ProfilePlane& plane : profile_.planes) {
      if (plane.kind != PlaneKind::kDevice) continue;
      for (const ProfileLine& line : plane.lines) {
        if (line.kind == LineKind::kModules) runs += static_cast<int64_t>(line.events.size());
      }
      if (runs > 0) break;
    }
    return runs;
  }

  void Dispatch() {
    const double share = analysis_.ShareOf(StepPartKind::kHost);
    // What a first step waits for is not what later ones do.
    if (share < kWorthAdvice || profile_.simulated || warm_up_ ||
        analysis_.steps.source == kWholeProfile) {
      return;
    }
    const Seconds time = analysis_.TimeOf(StepPartKind::kHost);
    const int64_t steps = std::max<int64_t>(analysis_.steps.device.count, 1);
    const int64_t runs = ModuleRuns();
    const bool many = runs >= 4 * steps;
    if (many) {
      SetCost(Add("HL011",
                  fmt::format("a step starts {} programs, and the device is idle for {} of it "
                              "between them ({})",
                              runs / steps, FormatPercent(share), FormatSeconds(time)),
                  "compile the whole step as one program"),
              time);
      return;
    }
    SetCost(Add("HL008",
                fmt::format("the device is idle for {} of the step ({}) until the host starts its "
                            "next program",
                            FormatPercent(share), FormatSeconds(time)),
                "run several steps in one program: steps_per_execution in Keras, a loop inside "
                "tf.function, lax.scan or lax.fori_loop in JAX"),
            time);
  }

  void Collectives() {
    const double share = analysis_.ShareOf(StepPartKind::kCollective);
    if (share < 0.06) return;
    const Seconds time = analysis_.TimeOf(StepPartKind::kCollective);
    SetCost(Add("DI003",
                fmt::format("collectives and waits for other chips take {} of the step ({})",
                            FormatPercent(share), FormatSeconds(time)),
                "let collectives run beside compute, send gradients in bfloat16, or shard so "
                "that less is exchanged"),
            time);
  }

  void Network() {
    const double network = analysis_.ShareOf(StepPartKind::kNetwork);
    if (network < kWorthAdvice) return;
    const Seconds time = analysis_.TimeOf(StepPartKind::kNetwork);
    SetCost(Add("DI007",
                fmt::format("the step waits {} for values of other devices or machines: {} of it",
                            FormatSeconds(time), FormatPercent(network)),
                "keep variables on the device that reads them"),
            time);
  }

  void HostTransfers() {
    const double share = analysis_.ShareOf(StepPartKind::kHostTransfer);
    if (share < kWorthAdvice) return;
    const ProfileOpRow* longest = nullptr;
    for (const ProfileOpRow& row : analysis_.ops) {
      if (row.op_class == ProfileOpClass::kHostTransfer && longest == nullptr) longest = &row;
    }
    std::string what;
    if (longest != nullptr) {
      what = fmt::format(
          "; most of it in {} ({} each{})", longest->name, FormatSeconds(longest->average),
          longest->byte_rate > 0 ? fmt::format(", {:.1f} GB/s", longest->byte_rate * 1e-9) : "");
    }
    const Seconds time = analysis_.TimeOf(StepPartKind::kHostTransfer);
    Diagnostic& finding =
        Add("IP024",
            fmt::format("copies to and from host memory take {} of the step ({}){}",
                        FormatPercent(share), FormatSeconds(time), what),
            "keep on the device what fits there, offload less, or start the copies so early that "
            "compute hides them");
    if (longest != nullptr) finding.location = LocationOf(longest->source);
    SetCost(finding, time);
  }

  // Compilations that begin after the first step has ended.
  void Recompilation() {
    if (analysis_.steps.windows.size() >= 2) {
      const Picoseconds first = analysis_.steps.windows.front().end;
      const Picoseconds last = analysis_.steps.windows.back().end;
      int64_t count = 0;
      Picoseconds time = 0;
      for (const TimeSpan& one : totals_.compile) {
        if (one.begin < first || one.begin >= last) continue;
        ++count;
        time += one.end - one.begin;
      }
      if (count > 0) {
        Add("CO004",
            fmt::format("the program is compiled {} times in the middle of the run, for {} in all",
                        count, FormatSeconds(SecondsOf(time))),
            "keep shapes, static arguments and functions the same from step to step");
      }
    }
    std::map<std::string, std::set<std::string>> variants;
    for (const ProfilePlane& plane : profile_.planes) {
      for (const ProfileLine& line : plane.lines) {
        if (line.kind != LineKind::kModules) continue;
        for (const ProfileEvent& event : line.events) {
          const std::string& name = profile_.OpOf(event).name;
          variants[ModuleName(name)].insert(name);
        }
      }
    }
    for (const auto& [name, programs] : variants) {
      if (programs.size() < 3) continue;
      Add("CO004", fmt::format("{} runs as {} programs of its own", name, programs.size()),
          "keep shapes the same from call to call: pad, or bucket");
    }
  }

  static bool BelongsOnDevice(const ProfileOp& op) {
    static constexpr std::string_view kKinds[] = {
        "Conv2D",  "Conv3D",         "MatMul",        "BatchMatMul", "DepthwiseConv2d", "Resize",
        "MaxPool", "FusedBatchNorm", "CropAndResize", "Softmax",     "BiasAdd"};
    return std::ranges::any_of(kKinds,
                               [&](std::string_view kind) { return op.kind.starts_with(kind); });
  }

  // Ops of the model that a timeline shows on the host though there is a device.
  void HostOps() {
    if (analysis_.steps.wall.mean <= Seconds{} || !analysis_.has_devices) return;
    const double steps = static_cast<double>(std::max<int64_t>(analysis_.steps.device.count, 1));
    std::map<std::string, std::pair<Picoseconds, std::string>> by_kind;
    for (const ProfilePlane& plane : profile_.planes) {
      if (plane.kind != PlaneKind::kHost || plane.hardware != Hardware::kCpu) continue;
      for (const ProfileLine& line : plane.lines) {
        for (const ProfileEvent& event : line.events) {
          const ProfileOp& op = profile_.OpOf(event);
          if (!BelongsOnDevice(op)) continue;
          auto& [time, name] = by_kind[op.kind];
          time += event.duration;
          if (name.empty()) name = op.name;
        }
      }
    }
    for (const auto& [kind, found] : by_kind) {
      const Seconds time = SecondsOf(found.first) / steps;
      if (time / analysis_.steps.wall.mean < kWorthAdvice) continue;
      SetCost(Add("OP011",
                  fmt::format("{} ({}) runs on the host for {} a step, though there is a device",
                              kind, found.second, FormatSeconds(time)),
                  "place it on the device, or move it into the input pipeline if it prepares data"),
              time);
    }
  }

  // Preparation of images that takes the device's time.
  void DeviceOps() {
    for (const ProfileOpRow& row : analysis_.ops) {
      if (row.share < kWorthAdvice) continue;
      const std::string& words = row.path.empty() ? row.kind : row.path;
      if (words.find("Resize") == std::string::npos && words.find("resize") == std::string::npos &&
          words.find("Decode") == std::string::npos) {
        continue;
      }
      Diagnostic& finding =
          Add("OP012",
              fmt::format("{} takes {} of the device's time to prepare images", row.name,
                          FormatPercent(row.share)),
              "resize and decode in the input pipeline on the host, or resize with a convolution");
      finding.location = LocationOf(row.source);
    }
  }

  void Compute() {
    double copies = 0, matmuls = 0, matmul_peak = 0;
    const ProfileOpRow* worst = nullptr;
    for (const ProfileOpRow& row : analysis_.ops) {
      if (row.op_class == ProfileOpClass::kCopy) copies += row.share;
      if (row.op_class != ProfileOpClass::kMatmul) continue;
      matmuls += row.share;
      matmul_peak += row.share * row.peak_share;
      if (worst == nullptr) worst = &row;
    }
    if (copies >= 0.10) {
      Add("LY002",
          fmt::format("copies and changes of layout take {} of the device's time",
                      FormatPercent(copies)),
          "remove transposes and reshapes between ops that want different layouts");
    }
    const double use = matmuls > 0 ? matmul_peak / matmuls : 0;
    if (matmuls >= 0.30 && use > 0 && use < 0.30) {
      Diagnostic& finding =
          Add("AL005",
              fmt::format("matmuls and convolutions take {} of the device's time and reach {} of "
                          "the MXU's peak; the longest is {}",
                          FormatPercent(matmuls), FormatPercent(use), worst->name),
              "make their dims multiples of 128 and larger, compute in bfloat16, and raise the "
              "batch");
      finding.location = LocationOf(worst->source);
    }
    if (analysis_.verdict.kind == VerdictKind::kHbmBound) {
      Add("ME006", "most of the device's time goes to ops that HBM bounds",
          "raise the batch where weights are read for few examples, compute in bfloat16, and fuse "
          "elementwise work");
    }
  }

  // Programs that take a good part of the device each, once per step, never at
  // the same time: nothing needs them to be in turn.
  void IndependentPrograms() {
    std::map<std::string, std::pair<int64_t, Picoseconds>> by_name;
    Picoseconds all = 0;
    for (const ProfilePlane& plane : profile_.planes) {
      if (plane.kind != PlaneKind::kDevice) continue;
      for (const ProfileLine& line : plane.lines) {
        if (line.kind != LineKind::kModules) continue;
        for (const ProfileEvent& event : line.events) {
          auto& [count, time] = by_name[ModuleName(profile_.OpOf(event).name)];
          ++count;
          time += event.duration;
          all += event.duration;
        }
      }
      if (!by_name.empty()) break;
    }
    std::vector<std::string> large;
    int64_t count = 0;
    for (const auto& [name, total] : by_name) {
      if (total.first < 2 || static_cast<double>(total.second) < 0.2 * static_cast<double>(all)) {
        continue;
      }
      if (count != 0 && std::abs(total.first - count) > 1) continue;
      count = total.first;
      large.push_back(name);
    }
    if (large.size() < 2) return;
    Add("DI008",
        fmt::format("{} run in turn on one device, {} times each: where one does not need the "
                    "other's result, they are independent",
                    fmt::join(large, " and "), count),
        "put independent networks into one program, or on devices of their own", Severity::kInfo);
  }

  // One launch that takes far longer than what it launches.
  void WarmUp() {
    if (profile_.format.find("TensorFlow") == std::string::npos || !analysis_.has_devices) return;
    const Seconds span = analysis_.steps.wall.mean;
    std::map<std::string, int64_t> kernels;  // by node
    for (const OpTotal& total : totals_.ops) {
      const std::string& name = profile_.ops[total.op].name;
      kernels[name.substr(0, name.find(':'))] += total.count;
    }
    Seconds launching;
    std::string slowest;
    Picoseconds most = 0;
    int64_t tried = 0;
    for (const ProfilePlane& plane : profile_.planes) {
      if (plane.kind != PlaneKind::kHost || plane.hardware == Hardware::kCpu) continue;
      for (const ProfileLine& line : plane.lines) {
        for (const ProfileEvent& event : line.events) {
          if (SecondsOf(event.duration) < span * 0.05) continue;
          launching += SecondsOf(event.duration);
          if (event.duration <= most) continue;
          most = event.duration;
          slowest = profile_.OpOf(event).name;
          tried = kernels[slowest];
        }
      }
    }
    if (launching < span * 0.3) return;
    warm_up_ = true;
    analysis_.verdict.sentence +=
        " It is a first step, with set-up that later ones do not have: it says little of them.";
    Add("HL009",
        fmt::format("single launches take {} of {}, {} the longest{}: this is a first step with "
                    "set-up and autotuning, which later steps do not have",
                    FormatSeconds(launching), FormatSeconds(span), slowest,
                    tried > 20 ? fmt::format(" ({} kernels tried)", tried) : ""),
        "trace a later step: run five or more before the one that is traced", Severity::kInfo);
  }

  void Memory() {
    for (const ProfileMemory& memory : profile_.memory) {
      Bytes capacity = memory.capacity;
      for (const MemorySample& sample : memory.samples) {
        if (sample.free.value > 0) capacity = std::max(capacity, sample.in_use + sample.free);
      }
      if (capacity.value <= 0) continue;
      const double use =
          static_cast<double>(memory.peak.value) / static_cast<double>(capacity.value);
      if (use < 0.97) continue;
      Add("ME001",
          fmt::format("{} holds {} of {} at its peak ({})", memory.allocator,
                      FormatBytes(memory.peak), FormatBytes(capacity), FormatPercent(use)),
          "lower the batch, rematerialise, or shard parameters and optimizer state");
    }
  }

  const Profile& profile_;
  const ProfileTotals& totals_;
  ProfileAnalysis& analysis_;
  bool warm_up_ = false;
};

}  // namespace

void AddAdvice(const Profile& profile, const ProfileTotals& totals, ProfileAnalysis& analysis) {
  Advisor(profile, totals, analysis).Run();
}

}  // namespace tilewise
