// What torch_xla prints: reports of its metrics and counters, and the analysis
// of PT_XLA_DEBUG.

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "frontend/logs/kinds.h"

namespace tilewise {
namespace {

constexpr size_t kMostNames = 2000;
constexpr int64_t kMostCount = int64_t{1} << 50;

int64_t CountIn(std::optional<double> value) {
  return value && *value > 0 && *value < static_cast<double>(kMostCount)
             ? static_cast<int64_t>(*value)
             : 0;
}

// Counters that start with "aten::" and are no ops that the host ran for the
// device: a value that was read.
constexpr std::string_view kValueRead = "aten::_local_scalar_dense";

// One report; each counts since the start of the program.
struct MetricsReport {
  std::map<std::string, LoggedMetric, std::less<>> metrics;
  std::map<std::string, int64_t, std::less<>> counters;
  Location location;

  int64_t samples(std::string_view name) const {
    const auto found = metrics.find(name);
    return found == metrics.end() ? 0 : found->second.samples;
  }
  Seconds time(std::string_view name) const {
    const auto found = metrics.find(name);
    return found == metrics.end() ? Seconds{} : found->second.total;
  }
  int64_t count(std::string_view name) const {
    const auto found = counters.find(name);
    return found == counters.end() ? 0 : found->second;
  }
};

class MetricsReader : public LogReader {
 public:
  bool Take(const LogLine& line) override;
  void Finish(Workload& workload) override;

 private:
  MetricsReport& ReportWith(const std::string& name, bool counter, const Location& place);
  void TakeField(std::string_view text);
  void AddCompilations(int64_t steps, RunLog& log) const;
  void AddTraffic(int64_t steps, RunLog& log) const;
  void AddMetrics(RunLog& log) const;
  int64_t Grown(std::string_view name) const { return last_.samples(name) - first_.samples(name); }

  MetricsReport first_, last_;
  int64_t reports_ = 0;
  std::string name_;  // of the block that is read
  bool counter_ = false;
};

// A name that was there already begins the next report.
MetricsReport& MetricsReader::ReportWith(const std::string& name, bool counter,
                                         const Location& place) {
  const bool again = counter ? last_.counters.contains(name) : last_.metrics.contains(name);
  if (reports_ == 0 || again) {
    if (reports_ == 1) first_ = last_;
    ++reports_;
    last_ = {};
    last_.location = place;
  }
  return last_;
}

bool MetricsReader::Take(const LogLine& line) {
  const std::string_view text = line.text;
  for (const std::string_view key : {"Metric: ", "Counter: "}) {
    if (!text.starts_with(key)) continue;
    const std::string_view name = text.substr(key.size());
    name_ = std::string(name.substr(0, name.find(' ')).substr(0, 100));
    counter_ = key == "Counter: ";
    MetricsReport& report = ReportWith(name_, counter_, line.place);
    if (report.metrics.size() + report.counters.size() > kMostNames) name_.clear();
    if (!name_.empty() && counter_) report.counters[name_] = 0;
    if (!name_.empty() && !counter_) report.metrics[name_] = {};
    return true;
  }
  if (name_.empty() || text.empty()) return false;
  if (text.starts_with("Value: ") && counter_) {
    last_.counters[name_] = CountIn(NumberAtStart(text.substr(7)));
    return false;
  }
  if (counter_) return false;
  TakeField(text);
  return true;
}

void MetricsReader::TakeField(std::string_view text) {
  LoggedMetric& metric = last_.metrics[name_];
  if (text.starts_with("TotalSamples: ")) metric.samples = CountIn(NumberAtStart(text.substr(14)));
  // Releases of 2019 call it "Counter:", which is indented there.
  if (text.starts_with("Accumulator: ") || text.starts_with("Counter: ")) {
    const std::string_view value = Trimmed(text.substr(text.find(' ') + 1));
    if (const std::optional<Seconds> time = ParseTorchDuration(value)) {
      metric.total = *time;
    } else {
      metric.is_size = value.ends_with('B');
      metric.sum = metric.is_size ? static_cast<double>(ParseLogSize(value).value)
                                  : NumberAtStart(value).value_or(0);
    }
  }
  if (!text.starts_with("Percentiles: ")) return;
  for (std::string_view left = text.substr(13); !left.empty();) {
    const size_t end = std::min(left.find(';'), left.size());
    const std::string_view entry = Trimmed(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
    const std::optional<Seconds> time = ParseTorchDuration(After(entry, "="));
    if (!time) continue;
    metric.longest = std::max(metric.longest, *time);
    if (entry.starts_with("50%")) metric.median = *time;
  }
}

// What is compiled after the first report is compiled again.
void MetricsReader::AddCompilations(int64_t steps, RunLog& log) const {
  constexpr double kTooMany = 0.5;  // compilations of a step, as torch_xla's own analysis has it
  const int64_t compiles = Grown("CompileTime");
  if (compiles <= 0) return;
  Seconds time = last_.time("CompileTime") - first_.time("CompileTime");
  if (steps == 0 || static_cast<double>(compiles) > kTooMany * static_cast<double>(steps)) {
    RepeatedCompile repeated;
    repeated.writer = "torch_xla";
    repeated.compiles = compiles;
    repeated.steps = steps;
    repeated.time = time;
    constexpr int64_t kWarmUp = 10;
    repeated.early = reports_ == 1 && steps < kWarmUp;
    repeated.location = last_.location;
    log.repeated.push_back(std::move(repeated));
    return;
  }
  // The longest one stands alone, so that it is held against what is usual.
  LoggedCompile compile;
  compile.location = last_.location;
  const Seconds longest = last_.metrics.find("CompileTime")->second.longest;
  int64_t others = compiles;
  if (compiles > 1 && longest > Seconds{} && longest < time) {
    compile.name = "the longest graph of torch_xla";
    compile.times = 1;
    compile.time = longest;
    log.compiles.push_back(compile);
    --others;
    time = time - longest;
  }
  compile.name = "graphs of torch_xla";
  compile.times = others;
  compile.time = time / static_cast<double>(others);
  log.compiles.push_back(std::move(compile));
}

void MetricsReader::AddTraffic(int64_t steps, RunLog& log) const {
  HostTraffic traffic;
  traffic.steps = steps;
  traffic.executions = Grown("ExecuteTime") + Grown("ExecuteReplicatedTime");
  traffic.execution_time = last_.time("ExecuteTime") - first_.time("ExecuteTime");
  traffic.reads = std::max({Grown("InboundData"), Grown("TransferFromDeviceTime"),
                            last_.count(kValueRead) - first_.count(kValueRead)});
  if (const auto inbound = last_.metrics.find("InboundData"); inbound != last_.metrics.end()) {
    traffic.bytes = {static_cast<int64_t>(inbound->second.sum)};
  }
  for (const auto& [name, count] : last_.counters) {
    const bool runs_on_host = name.starts_with("aten::") && name != kValueRead;
    if (runs_on_host && count > first_.count(name) && traffic.fallbacks.size() < 50) {
      traffic.fallbacks.push_back(name);
    }
  }
  traffic.location = last_.location;
  const bool says = traffic.executions > steps + steps / 2 ||
                    2 * traffic.reads > std::max<int64_t>(steps, 1) || !traffic.fallbacks.empty();
  if (says) log.traffic.push_back(std::move(traffic));
}

void MetricsReader::AddMetrics(RunLog& log) const {
  for (const auto& [name, metric] : last_.metrics) {
    log.metrics.push_back(metric);
    log.metrics.back().name = name;
  }
  for (const auto& [name, count] : last_.counters) {
    log.metrics.push_back({.name = name, .samples = count, .is_counter = true});
  }
}

void MetricsReader::Finish(Workload& workload) {
  if (reports_ == 0) return;
  if (reports_ == 1) first_ = {};
  const int64_t steps = last_.count("MarkStep") - first_.count("MarkStep");
  AddCompilations(steps, workload.run_log);
  AddTraffic(steps, workload.run_log);
  AddMetrics(workload.run_log);
}

// "pt-xla-profiler: ..", "Compilation Analysis: ..".
class DebugReader : public LogReader {
 public:
  bool Take(const LogLine& line) override;
  void Finish(Workload& workload) override;

 private:
  struct Counts {
    int64_t events = 0, steps = 0;
  };
  bool TakeProfiler(const LogLine& line);
  void TakeAnalysis(std::string_view text, const Location& place);

  Counts first_compiles_, last_compiles_, first_reads_, last_reads_;
  Location compiles_at_, reads_at_;
  HostTraffic traffic_;
  std::map<std::string, int64_t> causes_;
  bool reads_early_ = false;  // the block is about a value that was read
  bool frames_ = false;
};

// "21 counts during 11 steps".
bool DebugReader::TakeProfiler(const LogLine& line) {
  const std::string_view text = After(line.raw, "pt-xla-profiler: ");
  if (text.empty()) return false;
  if (const std::string_view ops = After(text, "Op(s) not lowered: "); !ops.empty()) {
    std::string_view left = Before(ops, " Please");
    while (!left.empty() && traffic_.fallbacks.size() < 50) {
      const std::string op(Trimmed(left.substr(0, left.find(','))));
      const bool known = std::ranges::find(traffic_.fallbacks, op) != traffic_.fallbacks.end();
      if (!op.empty() && !known) traffic_.fallbacks.push_back(op.substr(0, 100));
      left.remove_prefix(std::min(left.find(','), left.size() - 1) + 1);
    }
    if (traffic_.location.line == 0) traffic_.location = line.place;
    return true;
  }
  const std::string_view counts = After(text, "too frequent: ");
  if (counts.empty()) return true;
  const Counts now = {CountIn(NumberAtStart(counts)), CountIn(NumberAfter(counts, "during "))};
  const bool compiles = text.starts_with("CompileTime");
  if (!compiles && !text.starts_with("TransferFromDeviceTime")) return true;
  Counts& first = compiles ? first_compiles_ : first_reads_;
  Location& at = compiles ? compiles_at_ : reads_at_;
  if (first.steps == 0) {
    first = now;
    at = line.place;
  }
  (compiles ? last_compiles_ : last_reads_) = now;
  return true;
}

void DebugReader::TakeAnalysis(std::string_view text, const Location& place) {
  if (text.starts_with("most likely user code trying to access tensor value")) {
    reads_early_ = true;
    ++traffic_.reads;
    if (traffic_.location.line == 0) traffic_.location = place;
  } else if (text.starts_with("Python Frame Triggered Execution")) {
    frames_ = true;
    return;
  } else if (frames_ && reads_early_ && traffic_.where.empty()) {
    traffic_.where = std::string(text.substr(0, 200));
  } else if (text.starts_with("=====")) {
    reads_early_ = reads_early_ && !frames_;
  }
  frames_ = false;
}

bool DebugReader::Take(const LogLine& line) {
  if (TakeProfiler(line)) return false;
  const std::string_view text = After(line.raw, "Compilation Analysis: ");
  const std::string_view execution = After(line.raw, "Execution Analysis: ");
  if (!Has(line.raw, "Post Compilation")) TakeAnalysis(Trimmed(text), line.place);
  if (!execution.empty()) TakeAnalysis(Trimmed(execution), line.place);
  return false;
}

void DebugReader::Finish(Workload& workload) {
  RunLog& log = workload.run_log;
  const auto between = [](const Counts& first, const Counts& last) {
    const bool grows = last.steps > first.steps;
    return Counts{grows ? last.events - first.events : last.events,
                  grows ? last.steps - first.steps : last.steps};
  };
  if (last_compiles_.steps > 0) {
    const Counts counts = between(first_compiles_, last_compiles_);
    RepeatedCompile repeated;
    repeated.writer = "torch_xla";
    repeated.compiles = counts.events;
    repeated.steps = counts.steps;
    repeated.location = compiles_at_;
    log.repeated.push_back(std::move(repeated));
  }
  if (last_reads_.steps > 0) {
    const Counts counts = between(first_reads_, last_reads_);
    traffic_.reads += counts.events;
    traffic_.steps = counts.steps;
    if (traffic_.location.line == 0) traffic_.location = reads_at_;
  }
  if (traffic_.reads > 0 || !traffic_.fallbacks.empty()) log.traffic.push_back(std::move(traffic_));
}

}  // namespace

std::unique_ptr<LogReader> TorchMetrics() { return std::make_unique<MetricsReader>(); }
std::unique_ptr<LogReader> TorchDebugLines() { return std::make_unique<DebugReader>(); }

}  // namespace tilewise
