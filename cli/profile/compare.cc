// Instructions of compiled HLO have their names on both sides; layers of a
// program stand in the names that its framework gave the ops.

#include "cli/profile/compare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "cli/load.h"
#include "cli/profile/sections.h"
#include "cli/profile/waited_ops.h"
#include "report/report.h"
#include "rules/rule.h"

namespace tilewise {
namespace {

constexpr int kCompareRows = 15;

// The simulated step's time by kernel and by layer.
struct SimulatedOps {
  struct One {
    Seconds time;
    Seconds mxu_useful;
    Bound bound = Bound::kOverhead;
    ProfileOpClass kind = ProfileOpClass::kCompute;
  };
  std::map<std::string, One> kernels, layers;
};

ProfileOpClass ClassOfKernel(KernelKind kind) {
  switch (kind) {
    case KernelKind::kMatrix:
    case KernelKind::kRecurrent:
    case KernelKind::kAttention:
      return ProfileOpClass::kMatmul;
    case KernelKind::kCollective:
      return ProfileOpClass::kCollective;
    case KernelKind::kHostCopy:
      return ProfileOpClass::kHostTransfer;
    case KernelKind::kCopy:
      return ProfileOpClass::kCopy;
    default:
      return ProfileOpClass::kCompute;
  }
}

// Returns the time that a step spends on each kernel. For a collective that overlaps other kernels
// it is what the core waits for it, which is all that a profile shows of its end.
std::vector<Seconds> TimesInStep(const Report& report) {
  std::vector<Seconds> times(report.kernels.size());
  std::vector<size_t> on_core, beside;
  for (size_t i = 0; i < times.size(); ++i) {
    if (!report.kernels[i].overlapped) times[i] = report.kernels[i].duration;
    (report.kernels[i].overlapped ? beside : on_core).push_back(i);
  }
  const auto end_of = [&](size_t i) {
    return report.kernels[i].start + report.kernels[i].duration;
  };
  const auto earlier = [&](size_t a, size_t b) {
    return report.kernels[a].start < report.kernels[b].start;
  };
  std::ranges::stable_sort(on_core, earlier);
  std::ranges::stable_sort(beside, {}, end_of);
  Seconds core_end;
  const auto wait_until = [&](Seconds next) {
    if (next <= core_end) return;
    // The last one that ends before the core goes on is what it waited for.
    const auto after = std::ranges::upper_bound(beside, next * (1 + 1e-9), {}, end_of);
    if (after == beside.begin() || end_of(*(after - 1)) <= core_end) return;
    times[*(after - 1)] += next - core_end;
  };
  for (const size_t i : on_core) {
    wait_until(report.kernels[i].start);
    core_end = std::max(core_end, end_of(i));
  }
  wait_until(report.timeline->step);
  return times;
}

SimulatedOps OpsOf(const Report& report) {
  SimulatedOps ops;
  const std::vector<Seconds> times = TimesInStep(report);
  for (size_t i = 0; i < report.kernels.size(); ++i) {
    const KernelRow& row = report.kernels[i];
    const KernelSpan& span = report.timeline->spans[i];
    for (SimulatedOps::One* one : {&ops.kernels[row.name], &ops.layers[row.layer]}) {
      one->time += times[i];
      one->mxu_useful += span.mxu_useful;
      one->bound = row.bound;
      one->kind = ClassOfKernel(row.kind);
    }
  }
  return ops;
}

// Whether `layer` is a part of the path: "dense" in "jit(f)/dense/dot_general".
bool PathHas(std::string_view path, std::string_view layer) {
  for (size_t at = path.find(layer); at != std::string_view::npos; at = path.find(layer, at + 1)) {
    const size_t end = at + layer.size();
    if ((at == 0 || path[at - 1] == '/') &&
        (end == path.size() || path[end] == '/' || path[end] == ':'))
      return true;
  }
  return false;
}

const std::string* LayerOf(const ProfileOpRow& row, const SimulatedOps& simulated) {
  const std::string& path = row.path.empty() ? row.name : row.path;
  const std::string* longest = nullptr;
  for (const auto& [layer, one] : simulated.layers) {
    if (layer.empty() || (longest != nullptr && layer.size() <= longest->size())) continue;
    if (PathHas(path, layer)) longest = &layer;
  }
  return longest;
}

// A copy or collective that overlaps kernels is one kernel, named by its start; what the
// device waits for is its end. "copy-start.2" of "copy-done.2".
std::string StartOf(std::string name) {
  constexpr std::string_view kDone = "-done";
  const size_t at = name.find(kDone);
  if (at != std::string::npos) name.replace(at, kDone.size(), "-start");
  return name;
}

class Comparer {
 public:
  Comparer(const Profile& profile, const ProfileAnalysis& analysis, const Report& report)
      : profile_(profile), analysis_(analysis), report_(report), simulated_(OpsOf(report)) {}

  ProfileComparison Compare() {
    ProfileComparison made;
    made.program = report_.workload;
    made.target = report_.target;
    made.simulated_step = report_.timeline->step;
    const double runs = static_cast<double>(std::max<int64_t>(analysis_.steps.device.count, 1)) *
                        static_cast<double>(std::max<int64_t>(analysis_.devices, 1));
    Seconds all, matched;
    std::vector<ProfileOpRow> rows = analysis_.ops;
    std::ranges::move(WaitedOps(profile_, analysis_), std::back_inserter(rows));
    for (const ProfileOpRow& row : rows) {
      if (row.op_class == ProfileOpClass::kContainer) continue;
      const Seconds time = row.self / runs;
      all += time;
      if (Match(row, time)) matched += time;
      classes_[static_cast<int>(row.op_class)].measured += time;
    }
    made.measured_step = all;  // without what the device waits for the host
    made.matched = all > Seconds{} ? matched / all : 0;
    AddSimulated();
    for (auto& [name, op] : ops_) made.ops.push_back(std::move(op));
    std::stable_sort(made.ops.begin(), made.ops.end(),
                     [](const ComparedOp& a, const ComparedOp& b) {
                       return std::abs((a.measured - a.simulated).value) >
                              std::abs((b.measured - b.simulated).value);
                     });
    for (int i = 0; i < kProfileOpClasses; ++i) {
      ComparedOp& one = classes_[i];
      one.name = ProfileOpClassName(static_cast<ProfileOpClass>(i));
      if (one.measured > Seconds{} || one.simulated > Seconds{}) made.classes.push_back(one);
    }
    return made;
  }

 private:
  bool Match(const ProfileOpRow& row, Seconds time) {
    auto kernel = simulated_.kernels.find(row.name);
    if (kernel == simulated_.kernels.end()) kernel = simulated_.kernels.find(StartOf(row.name));
    const std::string* name = nullptr;
    const SimulatedOps::One* one = nullptr;
    if (kernel != simulated_.kernels.end()) {
      name = &kernel->first;
      one = &kernel->second;
    } else if (const std::string* layer = LayerOf(row, simulated_)) {
      name = layer;
      one = &simulated_.layers.at(*layer);
      by_layer_ = true;
    }
    ComparedOp& op = ops_[name == nullptr ? row.name : *name];
    op.name = name == nullptr ? row.name : *name;
    // Several measured ops in one layer are weighed by their time.
    const Seconds together = op.measured + time;
    if (together > Seconds{}) {
      op.measured_use =
          (op.measured_use * op.measured.value + row.peak_share * time.value) / together.value;
    }
    op.measured = together;
    if (one == nullptr) return false;
    op.simulated = one->time;
    op.bound = one->bound;
    op.op_class = one->kind;
    if (one->time > Seconds{}) op.simulated_use = one->mxu_useful / one->time;
    return true;
  }

  void AddSimulated() {
    for (const auto& [name, one] : simulated_.kernels) {
      classes_[static_cast<int>(one.kind)].simulated += one.time;
    }
    for (const auto& [name, one] : by_layer_ ? simulated_.layers : simulated_.kernels) {
      ComparedOp& op = ops_[name];
      if (!op.name.empty()) continue;
      op.name = name;
      op.simulated = one.time;
      op.bound = one.bound;
    }
  }

  const Profile& profile_;
  const ProfileAnalysis& analysis_;
  const Report& report_;
  const SimulatedOps simulated_;
  std::map<std::string, ComparedOp> ops_;
  std::array<ComparedOp, kProfileOpClasses> classes_;
  bool by_layer_ = false;
};

// The program of the profile that ran longest and whose HLO is in it.
const ProfileProgram* LongestProgram(const Profile& profile) {
  std::map<std::string, Picoseconds> time;
  for (const ProfilePlane& plane : profile.planes) {
    if (plane.hardware != Hardware::kTpu) continue;
    for (const ProfileLine& line : plane.lines) {
      if (line.kind != LineKind::kModules) continue;
      for (const ProfileEvent& event : line.events) {
        time[profile.OpOf(event).name] += event.duration;
      }
    }
  }
  const ProfileProgram* longest = nullptr;
  Picoseconds most = 0;
  for (const ProfileProgram& program : profile.programs) {
    if (program.hlo_proto.empty()) continue;
    const auto found = time.find(program.name);
    const Picoseconds ran = found == time.end() ? 0 : found->second;
    if (ran <= most) continue;
    longest = &program;
    most = ran;
  }
  return longest;
}

void UseDeviceOf(const Profile& profile, const ProfileAnalysis& analysis, TargetOptions& target) {
  if (target.chip_given) return;
  for (const ProfilePlane& plane : profile.planes) {
    if (plane.hardware != Hardware::kTpu || plane.device_type.empty()) continue;
    const absl::StatusOr<Chip> chip = FindChip(plane.device_type);
    if (!chip.ok()) return;
    target.chip = chip->name;
    target.chip_given = true;
    // Planes are TensorCores, also where the framework sees a chip.
    const int64_t devices = analysis.devices / chip->tensor_cores_per_device;
    if (target.cores == 0 && MakeTarget(chip->name, devices, target.host).ok()) {
      target.cores = devices;
    }
    return;
  }
}

// HLO tells no framework; the names of the programs that ran do.
Framework FrameworkOfModules(const Profile& profile) {
  for (const ProfilePlane& plane : profile.planes) {
    for (const ProfileLine& line : plane.lines) {
      if (line.kind != LineKind::kModules || line.events.empty()) continue;
      const std::string& name = profile.OpOf(line.events.front()).name;
      if (name.starts_with("jit_") || name.starts_with("pjit_") || name.starts_with("pmap_")) {
        return Framework::kJax;
      }
      if (name.starts_with("SyncTensorsGraph")) return Framework::kTorchXla;
    }
  }
  return Framework::kUnknown;
}

// Without a chip that the user names, a GPU's profile is not held against a TPU.
bool IsOfAnotherMachine(const ProfileAnalysis& analysis, const TargetOptions& target) {
  return !target.chip_given &&
         (analysis.hardware == Hardware::kGpu || analysis.hardware == Hardware::kCpu);
}

// The loop around the step: what the host adds to it on both sides.
void AddLoopTo(const Session& session, const ProfileAnalysis& analysis, ProfileComparison& made) {
  made.measured_wall = analysis.steps.wall.mean;
  made.measured_gap = analysis.TimeOf(StepPartKind::kHost);
  if (const LoopTimeline* loop = session.Loop()) {
    made.simulated_wall = loop->step;
    made.simulated_gap = loop->exposed_host;
  }
  made.framework = FrameworkName(session.workload().host_loop.framework);
  made.host = session.target().host.name;
  made.hosts = session.target().hosts();
}

}  // namespace

absl::StatusOr<std::optional<ProfileComparison>> CompareWithProgram(const Profile& profile,
                                                                    const ProfileAnalysis& analysis,
                                                                    const ModelOptions& model) {
  ModelOptions options = model;
  FileTexts texts;
  if (options.inputs.files.empty()) {
    const ProfileProgram* program = LongestProgram(profile);
    if (program == nullptr) return std::nullopt;
    const std::string name = ModuleName(program->name) + ".hlo.pb";
    texts[name] = program->hlo_proto;
    options.inputs.files = {name};
  }
  UseDeviceOf(profile, analysis, options.target);
  TW_ASSIGN_OR_RETURN(Loaded loaded, Load(options, {.texts = &texts}));
  Framework& framework = loaded.workload.host_loop.framework;
  if (framework == Framework::kUnknown) framework = FrameworkOfModules(profile);
  TW_ASSIGN_OR_RETURN(const auto session, MakeSession(loaded));
  std::vector<Diagnostic> findings;
  if (texts.empty()) {
    findings = RunRules(session->facts(), RuleSelection{.preview = true});
  }
  const bool elsewhere = IsOfAnotherMachine(analysis, options.target);
  if (session->Step() == nullptr || elsewhere) {
    if (elsewhere || (texts.empty() && !findings.empty())) {
      ProfileComparison made{.program = loaded.workload.name};
      made.findings = std::move(findings);
      return made;
    }
    return RequireModel(*session);
  }
  Report report = ReportOn("profile", *session);
  AddStep(session->Step(), report);
  AddTables(session->facts(), report);
  AddLosses(*session->facts().source, loaded.target, report);
  ProfileComparison made = Comparer(profile, analysis, report).Compare();
  AddLoopTo(*session, analysis, made);
  made.findings = std::move(findings);
  return made;
}

namespace {

ListingRow CompareRow(const ComparedOp& op) {
  const double ratio = op.matched() ? op.measured / op.simulated : 0;
  const auto use = [](double share) {
    return share > 0 ? ListingCell::Share(share) : ListingCell::Unknown();
  };
  return {.cells = {
              op.name.substr(0, 60), TimeCell(op.measured), TimeCell(op.simulated),
              ratio > 0 ? ListingCell(fmt::format("{:.2f}", ratio), ratio) : ListingCell::Unknown(),
              use(op.measured_use), use(op.simulated_use),
              op.simulated > Seconds{} ? BoundName(op.bound) : std::string_view("")}};
}

}  // namespace

std::vector<ListingSection> ComparisonSections(const ProfileComparison& comparison, bool verbose) {
  if (comparison.simulated_step <= Seconds{}) return {};
  const std::vector<std::string> columns = {"op",      "measured",      "simulated", "ratio",
                                            "MXU use", "simulated use", "bound by"};
  ListingSection summary{.title = "measured beside simulated", .columns = columns};
  ComparedOp step{.name = "step on the device",
                  .measured = comparison.measured_step,
                  .simulated = comparison.simulated_step};
  summary.rows.push_back(CompareRow(step));
  summary.rows.push_back(CompareRow({.name = "step by the wall clock",
                                     .measured = comparison.measured_wall,
                                     .simulated = comparison.simulated_wall}));
  if (comparison.measured_gap > Seconds{} || comparison.simulated_gap > Seconds{}) {
    summary.rows.push_back(CompareRow({.name = "the device waits for the host",
                                       .measured = comparison.measured_gap,
                                       .simulated = comparison.simulated_gap}));
  }
  for (const ComparedOp& op : comparison.classes) summary.rows.push_back(CompareRow(op));
  for (ListingRow& row : summary.rows) row.cells.back() = "";
  ListingSection ops{.title = "what the simulation does not explain", .columns = columns};
  for (const ComparedOp& op : comparison.ops) {
    if (!verbose && ops.rows.size() >= kCompareRows) break;
    ops.rows.push_back(CompareRow(op));
  }
  ListingSection about{.title = "simulated", .columns = {"what", "value"}};
  about.rows.push_back({.cells = {"program", comparison.program}});
  about.rows.push_back({.cells = {"target", comparison.target}});
  about.rows.push_back(
      {.cells = {"measured time with a counterpart", ListingCell::Share(comparison.matched)}});
  return {std::move(about), std::move(summary), std::move(ops)};
}

}  // namespace tilewise
