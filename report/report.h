// Everything one run has to say, independent of how it is printed. One
// renderer per format, each in its own file, all listed in kFormats.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "accuracy/ranges.h"
#include "advice/written_settings.h"
#include "base/diagnostic.h"
#include "base/too_small.h"
#include "base/units.h"
#include "estimator/estimate.h"
#include "hardware/target.h"
#include "session/session.h"
#include "sim/first_batch.h"
#include "sim/loss_split.h"
#include "sim/lowering/largest_buffers.h"
#include "sim/lowering/memory_use.h"
#include "sim/lowering/program.h"
#include "sim/timeline.h"
#include "tuner/remedies.h"
#include "tuner/tuner.h"
#include "workload/workload.h"

namespace tilewise {

// One line of the per-op table: all kernels that a layer (or op) of the user's
// model became.
struct OpRow {
  std::string name;  // layer, or "optimizer", "all-reduce"
  std::string kind;  // "Conv2D 3x3", "dot": what dominates it
  Location location;
  Seconds forward, backward, update;
  double share = 0;    // of the step
  double mxu_use = 0;  // useful FLOPs / (its time x peak)
  double padding = 1;  // padded / real FLOPs, or bytes where it has no FLOPs
  Bound bound = Bound::kOverhead;
  LossSplit split;  // of its time
  Seconds total() const { return forward + backward + update; }
};

// One kernel of the step, in issue order.
struct KernelRow {
  std::string name;   // "fusion.12"
  std::string layer;  // as in the per-op table
  KernelKind kind = KernelKind::kLoop;
  Phase phase = Phase::kForward;
  Seconds start, duration;
  bool overlapped = false;  // a collective that may overlap other kernels
  Bound bound = Bound::kOverhead;
  LossSplit split;
  Roofline roofline;
};

// One stage of the input pipeline and what it costs the host per global batch.
struct StageRow {
  std::string stage;  // "map"
  Location location;
  Seconds per_batch;                     // on one thread
  Seconds work;                          // of it, of a core; for the rest it waits
  double parallelism = 1;                // threads that it can use
  std::vector<std::string> unknown_ops;  // charged one pass for want of a known cost
};

// One of the programs that a run over many files looked at.
struct ProgramSummary {
  std::string name;    // file names
  std::string target;  // empty when nothing was simulated
  int64_t batch_per_core = 0, global_batch = 0;
  Seconds step;                        // on the device; zero without a model
  double mxu_use = 0;                  // while the device runs
  int64_t findings = 0;                // of those that are reported
  std::optional<Reachable> reachable;  // its indices are of Report::findings
};

// A finding that is not reported, and what keeps it silent.
struct SilencedFinding {
  Diagnostic finding;
  bool in_source = false;  // a comment; else the configuration or a baseline
  std::string reason;      // as the user wrote it
};

// What became of the findings that are not among Report::findings.
struct FindingCounts {
  int64_t suppressed = 0;  // by comments and the configuration
  int64_t baselined = 0;   // known from the baseline
  int64_t fixed = 0;       // their fixes were written
};

struct Report : RunSetting {
  std::string version;  // of tilewise
  std::string command;  // "advise"
  // Present when a model was simulated.
  std::optional<Program> program;
  std::optional<Timeline> timeline;
  std::optional<Estimate> estimate;
  // These say where measured figures lie, as parts of the simulated ones.
  std::optional<ErrorRange> time_range, memory_range;
  std::optional<LoopTimeline> loop;
  std::optional<FirstBatch> first_batch;  // of the training pipeline
  std::string execution_place;            // of the loop that takes its steps, in words; or empty
  bool execution_assumed = false;         // the host's time of an execution: not measured
  bool length_assumed = false;            // that of an epoch: files stand in that are not there
  std::optional<int64_t> run_steps;       // in all, where a program without epochs counts them
  // Where the files of the training pipeline are taken to lie; empty: it reads none.
  std::string files_from;
  std::vector<StageRow> stages;      // of the training pipeline, source first
  std::vector<OpRow> ops;            // by time, longest first
  std::vector<LargeBuffer> largest;  // at the HBM peak
  // The memory is reported by `simulate` and `estimate` only.
  std::optional<MemoryUse> memory_use;
  std::vector<Remedy> remedies;  // of a step that does not
  // The split says where the step's time goes; `simulate` alone has it.
  std::optional<LossSplit> split;  // by the wall clock where there is a loop
  std::vector<KernelRow> kernels;
  std::optional<Tuning> tuning;
  WrittenSettings written;           // where the program has what the search changes
  std::vector<Diagnostic> findings;  // in the order they are printed in
  std::vector<Diagnostic> notes;     // what was not read or resolved
  std::vector<TooSmall> too_small;   // what rules saw and is no finding; RD006 names it
  // This is what the fixes of the findings reach; its indices are of
  // `findings`. In a run over several programs each summary has its own, and
  // this is absent.
  std::optional<Reachable> reachable;
  std::vector<ProgramSummary> programs;   // of a run over several
  std::vector<SilencedFinding> silenced;  // suppressed or in the baseline
  FindingCounts counts;
  std::vector<std::string> failures;  // files that could not be linted: why
  bool statistics = false;            // add a table per rule
  std::optional<int> exit_code;       // that the run is going to end with
  std::vector<SourceFile> files;      // for excerpts
};

struct RenderOptions {
  bool color = false;
  int width = 100;
  bool verbose = false;  // all rows of the op table
  bool plot = false;     // the curve of a search as bars, too
  // Folder that paths in reports for other programs are relative to; empty:
  // they stay as the user wrote them.
  std::string root = {};
};

// One form that a document can be written in.
template <class Document>
struct FormatOf {
  std::string_view name;  // "text", "json", "sarif"
  std::string (*render)(const Document& document, const RenderOptions& options);
  std::string_view summary = {};
  bool findings_only = false;  // says nothing but findings: for lint, advise
  bool search_only = false;    // says nothing but what a search found: for tune, advise
};

// Returns all forms of a document; the first is the default. Each document
// defines its own.
template <class Document>
std::span<const FormatOf<Document>> FormatsOf();
template <>
std::span<const FormatOf<Report>> FormatsOf<Report>();

template <class Document>
const FormatOf<Document>* FindFormat(std::string_view name) {
  for (const FormatOf<Document>& format : FormatsOf<Document>()) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

// What was read, before anything is simulated.
Report ReportOn(std::string_view command, const Session& session);

// The parts that a command adds. A null step or loop adds nothing.
void AddStep(const Simulated* step, Report& report);
// Adds the time range of the timeline that the report has.
void AddTimeRange(Report& report);
void AddLoop(const LoopTimeline* loop, Report& report);
// The tables of layers and of stages: of a report that has a step.
void AddTables(const Facts& facts, Report& report);
// What fills `split` and `kernels`: program and timeline, which must be there,
// and the loop if there is one.
void AddLosses(const Graph& source, const Target& target, Report& report);
// What HBM holds at the peak and, if that is too much, what would make it fit.
void AddMemory(const Session& session, Report& report);
// What would make it fit alone, where no batch that was searched does.
void AddRemedies(const Session& session, Report& report);

// The per-op table of a simulated program.
std::vector<OpRow> MakeOpRows(const Program& program, const Timeline& timeline, const Graph& source,
                              const Target& target);

}  // namespace tilewise
