// What XProf's tools computed and wrote as JSON: tables of charts (overview,
// input pipeline), pod viewer, op profile, memory viewer and memory profile.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "profile/readers/builder.h"
#include "profile/readers/readers.h"

namespace tilewise {
namespace {

using ToolJson = nlohmann::json;

constexpr double kMiB = 1024.0 * 1024.0;

// Numbers of 64 bits are strings in the JSON of protobufs.
double Number(const ToolJson& json, const char* key) {
  if (!json.is_object()) return 0;
  const auto found = json.find(key);
  if (found == json.end()) return 0;
  if (found->is_number()) return found->get<double>();
  return found->is_string() ? NumberIn(found->get_ref<const std::string&>()) : 0;
}

std::string Text(const ToolJson& json, const char* key) {
  if (!json.is_object()) return "";
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

const ToolJson& At(const ToolJson& json, const char* key) {
  static const auto* const kNothing = new ToolJson();
  if (!json.is_object()) return *kNothing;
  const auto found = json.find(key);
  return found == json.end() ? *kNothing : *found;
}

Bytes WholeBytes(double value) { return {static_cast<int64_t>(std::clamp(value, 0.0, 9e18))}; }

// One table of a chart.
class Chart {
 public:
  explicit Chart(const ToolJson& json) : json_(json) {
    for (const ToolJson& column : At(json, "cols")) ids_.push_back(Text(column, "id"));
  }
  bool Has(std::string_view id) const { return std::ranges::find(ids_, id) != ids_.end(); }
  const ToolJson& rows() const { return At(json_, "rows"); }
  const ToolJson& Cell(const ToolJson& row, std::string_view id) const {
    const auto column = static_cast<size_t>(std::ranges::find(ids_, id) - ids_.begin());
    const ToolJson& cells = At(row, "c");
    static const auto* const kNothing = new ToolJson();
    return cells.is_array() && column < cells.size() ? At(cells[column], "v") : *kNothing;
  }
  double CellNumber(const ToolJson& row, std::string_view id) const {
    const ToolJson& cell = Cell(row, id);
    return cell.is_number() ? cell.get<double>() : 0;
  }
  std::string CellText(const ToolJson& row, std::string_view id) const {
    const ToolJson& cell = Cell(row, id);
    return cell.is_string() ? cell.get<std::string>() : "";
  }
  // A property as the page shows it: "48.8%".
  std::optional<double> Property(const char* key) const {
    const std::string text = Text(At(json_, "p"), key);
    if (text.empty()) return std::nullopt;
    return NumberIn(text);
  }
  std::optional<double> Share(const char* key) const {
    const std::optional<double> percent = Property(key);
    return percent ? std::optional(*percent / 100) : std::nullopt;
  }
  std::string Words(const char* key) const { return Text(At(json_, "p"), key); }

 private:
  const ToolJson& json_;
  std::vector<std::string> ids_;
};

void ReadTopOps(const Chart& chart, StatedFigures& stated) {
  for (const ToolJson& row : chart.rows()) {
    StatedOp op;
    op.name = chart.CellText(row, "operation");
    op.kind = chart.CellText(row, "category");
    op.share = chart.CellNumber(row, "selfTimePercent");
    op.flop_rate = chart.CellNumber(row, "flopRate") * 1e9;
    stated.ops.push_back(std::move(op));
  }
  stated.mxu_use = chart.Share("mxu_utilization_percent");
  stated.roofline_share = chart.Share("flop_rate_utilization_relative_to_roofline");
  stated.hbm_share = chart.Share("memory_bw_utilization_relative_to_hw_limit");
  stated.device_idle = chart.Share("device_idle_time_percent");
  stated.host_idle = chart.Share("host_idle_time_percent");
}

// The summary of a page whose rows are a sample may say more than they do.
void ReadStepSummary(const Chart& chart, StatedFigures& stated, StepTimes& steps) {
  const auto mean = chart.Property("steptime_ms_average");
  if (!mean) return;
  steps.mean = SecondsOfMs(*mean);
  steps.least = SecondsOfMs(chart.Property("steptime_ms_minimum").value_or(0));
  steps.most = SecondsOfMs(chart.Property("steptime_ms_maximum").value_or(0));
  steps.deviation = SecondsOfMs(chart.Property("steptime_ms_standard_deviation").value_or(0));
  if (const auto compute = chart.Property("compute_ms_average")) {
    stated.compute = SecondsOfMs(*compute);
  }
  if (const auto input = chart.Property("input_ms_average")) stated.input = SecondsOfMs(*input);
  if (const auto idle = chart.Property("idle_ms_average")) stated.idle = SecondsOfMs(*idle);
}

void ReadSteps(const Chart& chart, StatedFigures& stated) {
  StepTimes steps;
  double input = 0, all = 0, compute = 0;
  for (const ToolJson& row : chart.rows()) {
    const double busy =
        chart.CellNumber(row, "computeTimeMs") + chart.CellNumber(row, "noninfeedTimeMs");
    const double wait =
        chart.CellNumber(row, "inputTimeMs") + chart.CellNumber(row, "infeedTimeMs");
    const double step = busy + wait + chart.CellNumber(row, "idleTimeMs");
    if (step <= 0) continue;
    steps.each.push_back(SecondsOfMs(step));
    input += wait;
    compute += busy;
    all += step;
  }
  steps.count = static_cast<int64_t>(steps.each.size());
  if (all > 0) {
    const auto count = static_cast<double>(steps.count);
    stated.input_share = input / all;
    stated.input = SecondsOfMs(input / count);
    stated.compute = SecondsOfMs(compute / count);
    steps.mean = SecondsOfMs(all / count);
  }
  ReadStepSummary(chart, stated, steps);
  if (steps.mean > Seconds{}) stated.step = std::move(steps);
  const std::string verdict = chart.Words("summary_conclusion");
  if (!verdict.empty()) stated.verdict = verdict;
  const std::string hardware = chart.Words("hardware_type");
  if (!hardware.empty() && stated.hardware.empty()) stated.hardware = hardware;
}

void ReadInputOps(const Chart& chart, StatedFigures& stated) {
  for (const ToolJson& row : chart.rows()) {
    StatedOp op{.on_host = true};
    op.name = chart.CellText(row, "opName");
    op.kind = chart.CellText(row, "category");
    op.count = static_cast<int64_t>(chart.CellNumber(row, "count"));
    op.self = SecondsOfMs(chart.CellNumber(row, "selfTimeInMs"));
    op.share = chart.CellNumber(row, "selfTimeInPercent");
    stated.ops.push_back(std::move(op));
  }
  const auto part = [&](const char* key, const char* name) {
    if (const auto time = chart.Property(key)) {
      stated.input_parts.emplace_back(name, Seconds{*time * 1e-6});
    }
  };
  part("demanded_file_read_us", "reading on demand");
  part("advanced_file_read_us", "reading ahead");
  part("preprocessing_us", "preprocessing");
  part("enqueue_us", "enqueuing");
  part("unclassified_nonequeue_us", "other");
}

void ReadCharts(const ToolJson& tables, Profile& profile) {
  StatedFigures& stated = profile.stated;
  bool overview = false;
  for (const ToolJson& table : tables) {
    const Chart chart(table);
    if (chart.Has("operation")) {
      overview = true;
      ReadTopOps(chart, stated);
    }
    if (chart.Has("stepnum")) ReadSteps(chart, stated);
    if (chart.Has("opName")) ReadInputOps(chart, stated);
    const std::string device = chart.Words("device_type");
    if (!device.empty()) stated.hardware = device;
    if (const auto cores = chart.Property("device_core_count")) {
      stated.cores = static_cast<int64_t>(std::clamp(*cores, 0.0, 1e9));
    }
    const std::string statement = chart.Words("statement");
    if (!statement.empty()) stated.verdict = statement;
  }
  profile.format = overview ? "XProf overview page" : "XProf input pipeline";
}

void ReadPodStep(const ToolJson& step, StatedFigures& stated) {
  for (const ToolJson& row : At(step, "allReduceOpDb")) {
    StatedOp op{.name = Text(row, "name"), .kind = "all-reduce"};
    op.count = static_cast<int64_t>(Number(row, "occurrences"));
    // Of one core, as the mean over the occurrences.
    op.self = {Number(row, "durationUs") * 1e-6};
    if (op.self > Seconds{}) op.byte_rate = Number(row, "dataSize") / op.self.value;
    stated.ops.push_back(std::move(op));
  }
  const ToolJson& cores = At(step, "podStatsPerCore");
  if (!cores.is_object() || cores.empty()) return;
  double total = 0, compute = 0, input = 0, output = 0, reduce = 0;
  for (const ToolJson& core : cores) {
    total += Number(core, "totalDurationUs");
    compute += Number(core, "highFlopsComputeUs");
    input += Number(core, "hostInfeedDurationUs");
    output += Number(core, "hostOutfeedDurationUs");
    reduce += Number(core, "allReduceComputeDurationUs") + Number(core, "allReduceSyncDurationUs");
  }
  const auto count = static_cast<double>(cores.size());
  stated.cores = static_cast<int64_t>(cores.size());
  stated.compute = {compute / count * 1e-6};
  stated.input = {input / count * 1e-6};
  stated.output = {output / count * 1e-6};
  stated.counters["all-reduce time per step (s)"] = reduce / count * 1e-6;
  if (total <= 0) return;
  stated.step = StepTimes{.count = 1, .mean = {total / count * 1e-6}};
  stated.input_share = input / total;
}

void ReadPodViewer(const ToolJson& json, Profile& profile) {
  profile.format = "XProf pod viewer";
  const ToolJson& steps = At(At(json, "podStatsSequence"), "podStatsMap");
  if (steps.is_array() && !steps.empty()) ReadPodStep(steps[0], profile.stated);
  profile.stated.hardware = Text(At(json, "runEnvironment"), "tpuType");
  std::ranges::stable_sort(profile.stated.ops,
                           [](const StatedOp& a, const StatedOp& b) { return a.self > b.self; });
}

void ReadOpNode(const ToolJson& node, int depth, StatedFigures& stated) {
  if (depth > kDeepestNode || !node.is_object()) return;
  const ToolJson& xla = At(node, "xla");
  if (xla.is_object()) {
    const ToolJson& metrics = At(node, "metrics");
    StatedOp op{.name = Text(node, "name"), .kind = Text(xla, "category")};
    op.self = {Number(metrics, "rawTime") * 1e-12};
    op.share = Number(metrics, "time");
    op.count = static_cast<int64_t>(Number(metrics, "occurrences"));
    if (op.self > Seconds{}) op.flop_rate = Number(metrics, "rawFlops") / op.self.value;
    stated.ops.push_back(std::move(op));
    return;  // its children are instructions of the fusion
  }
  for (const ToolJson& child : At(node, "children")) ReadOpNode(child, depth + 1, stated);
}

void ReadOpProfile(const ToolJson& json, Profile& profile) {
  profile.format = "XProf op profile";
  const ToolJson& idle_left_out = At(json, "byCategoryExcludeIdle");
  ReadOpNode(idle_left_out.is_object() ? idle_left_out : At(json, "byCategory"), 0, profile.stated);
  profile.stated.hardware = Text(json, "deviceType");
  std::vector<StatedOp>& ops = profile.stated.ops;
  double total = 0;
  for (const StatedOp& op : ops) total += op.self.value;
  for (StatedOp& op : ops) {
    if (op.share == 0 && total > 0) op.share = op.self.value / total;
  }
  std::ranges::stable_sort(ops,
                           [](const StatedOp& a, const StatedOp& b) { return a.share > b.share; });
}

void ReadMemoryProfile(const ToolJson& json, Profile& profile) {
  profile.format = "XProf memory profile";
  const ToolJson& allocators = At(json, "memoryProfilePerAllocator");
  if (!allocators.is_object()) return;
  for (const auto& [name, one] : allocators.items()) {
    ProfileMemory memory{.allocator = name};
    for (const ToolJson& snapshot : At(one, "memoryProfileSnapshots")) {
      const ToolJson& stats = At(snapshot, "aggregationStats");
      MemorySample sample;
      sample.at =
          static_cast<Picoseconds>(std::clamp(Number(snapshot, "timeOffsetPs"), -4e18, 4e18));
      sample.in_use =
          WholeBytes(Number(stats, "stackReservedBytes") + Number(stats, "heapAllocatedBytes"));
      sample.free = WholeBytes(Number(stats, "freeMemoryBytes"));
      sample.fragmentation = Number(stats, "fragmentation");
      memory.samples.push_back(sample);
      memory.peak = std::max(memory.peak,
                             std::max(sample.in_use, WholeBytes(Number(stats, "peakBytesInUse"))));
    }
    const ToolJson& summary = At(one, "profileSummary");
    memory.peak = std::max(memory.peak, WholeBytes(Number(summary, "peakBytesUsageLifetime")));
    memory.capacity = WholeBytes(Number(summary, "memoryCapacity"));
    profile.memory.push_back(std::move(memory));
  }
  if (profile.memory.empty()) {
    profile.notes.emplace_back("The memory profile is empty: no allocator reported anything.");
  }
}

// Heap of one program along its schedule, in MiB.
void ReadMemoryViewer(const ToolJson& json, Profile& profile) {
  profile.format = "XProf memory viewer";
  ProfileMemory memory{.allocator = "heap of the program"};
  Picoseconds at = 0;
  for (const ToolJson& size : At(json, "heapSizes")) {
    if (!size.is_number()) continue;
    memory.samples.push_back({.at = at++, .in_use = WholeBytes(size.get<double>() * kMiB)});
  }
  memory.peak = WholeBytes(Number(json, "peakHeapMib") * kMiB);
  for (const MemorySample& sample : memory.samples) {
    memory.peak = std::max(memory.peak, sample.in_use);
  }
  if (memory.peak.value > 0) profile.memory.push_back(std::move(memory));
  for (const ToolJson& object : At(json, "maxHeap")) {
    profile.stated.counters[Text(object, "instructionName") + " (bytes at the peak)"] =
        Number(object, "logicalBufferSizeMib") * kMiB;
  }
  if (profile.memory.empty()) {
    profile.notes.emplace_back(
        "The file holds a module with its buffers, but no sizes along the schedule.");
  }
}

}  // namespace

absl::StatusOr<Profile> ReadToolJson(ByteSource& source) {
  const std::string_view bytes = source.All(kMostToolBytes).substr(0, kMostToolBytes);
  const ToolJson json = ToolJson::parse(bytes.begin(), bytes.end(), nullptr, false);
  if (json.is_discarded()) {
    return InvalidInput(source.problem().empty()
                            ? "found JSON that is cut or damaged, expected a tool's result"
                            : "found damaged data: " + source.problem());
  }
  Profile profile;
  if (json.is_array()) {
    ReadCharts(json, profile);
  } else if (json.contains("podStatsSequence")) {
    ReadPodViewer(json, profile);
  } else if (json.contains("byCategory") || json.contains("byCategoryExcludeIdle")) {
    ReadOpProfile(json, profile);
  } else if (json.contains("memoryProfilePerAllocator")) {
    ReadMemoryProfile(json, profile);
  } else if (json.contains("heapSizes") || json.contains("hloModule")) {
    ReadMemoryViewer(json, profile);
  } else {
    return InvalidInput("found JSON of no known tool, expected a trace or a result of XProf");
  }
  return profile;
}

}  // namespace tilewise
