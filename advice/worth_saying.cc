// Shares are of the step on the wall clock where a loop was simulated: what the
// device hides behind its input saves nothing yet.

#include "advice/worth_saying.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "advice/kind_of_program.h"
#include "advice/run_length.h"
#include "pipeline/chain.h"
#include "session/compile_time.h"
#include "session/session.h"
#include "workload/blocks.h"
#include "workload/cpp_path.h"

namespace tilewise {
namespace {

// Parts of the step that a fix has to save. An edit that changes no result costs its author
// nothing.
constexpr double kLeastSafe = 0.005;
constexpr double kLeast = 0.02;
constexpr double kLeastOtherNumbers = 0.05;  // for a model that computes other numbers
// The least part of the step that counts as a cost where no saving is known.
constexpr double kLeastCost = 0.05;
// The least part of the step that is named beside the findings.
constexpr double kLeastNamed = 0.0001;
// It is a saving of the step once the input has its fixes, for what saves nothing before.
constexpr double kLeastOnceFed = 0.2;
// Paid once, by the middle of its range, where each step saves nothing to speak of.
constexpr Seconds kLeastOnce = {1.0};
// A number of ops, to see how wide the range of their compilation is: all have the same.
constexpr int64_t kOpsOfRange = 1'000;
// Paid once, and changed by hand: the layers of a model put into a loop.
constexpr Seconds kLeastByHand = {30.0};
// The part of the input's cost from which another finding says why.
constexpr double kExplains = 0.5;
// A mask that holds less of a core's HBM is no burden by itself.
constexpr double kLeastMask = 0.01;
// Data sets of so many items or fewer are there to show something.
constexpr int64_t kFewItems = 1'000;

// The order of rules in which they name the cause "the batch per core is too
// small", where they save alike.
constexpr std::array<std::string_view, 8> kBatchRules = {"DI001", "ME006", "AL002", "AL004",
                                                         "AL003", "AL001", "AL005", "DI003"};
// The part of the largest saving from which two count as alike.
constexpr double kAlike = 0.9;

bool WantsBatch(const Finding& finding) {
  const Change& change = finding.change;
  return change.batch_per_core.has_value() && !change.edits_graph() && !change.edits_loop();
}

int64_t RankOf(const Finding& finding) {
  return std::ranges::find(kBatchRules, finding.rule) - kBatchRules.begin();
}

Seconds SavedBy(const Finding& finding) {
  return finding.saving ? finding.saving->time_per_step : Seconds{};
}

// A batch that the cores cannot share comes before what another one saves; of those that save about
// most the one whose rule names the cause best.
Finding* SpeakerOf(const std::vector<Finding*>& same) {
  Seconds most;
  for (const Finding* finding : same) most = std::max(most, SavedBy(*finding));
  Finding* speaks = nullptr;
  for (Finding* finding : same) {
    if (StopsTheRun(*finding)) return finding;
    if (SavedBy(*finding) < most * kAlike) continue;
    if (speaks == nullptr || RankOf(*finding) < RankOf(*speaks)) speaks = finding;
  }
  return speaks;
}

bool Fits(const Memory& memory, Bytes peak) {
  return memory.available <= Bytes{} || peak <= memory.available;
}

// A larger batch that leaves an epoch next to no steps.
bool TakesWholeEpoch(const Facts& facts, const Finding& finding) {
  constexpr int64_t kFewestSteps = 4;
  if (!WantsBatch(finding) || *finding.change.batch_per_core <= facts.batch_per_core) return false;
  const std::optional<int64_t> examples = facts.session.examples_per_epoch();
  return facts.training && examples &&
         *finding.change.batch_per_core > *examples / kFewestSteps / facts.target.batch_shards();
}

// A batch whose step does not fit, or a larger one where the present step does
// not.
bool DoesNotFit(const Facts& facts, const Finding& finding) {
  if (facts.model == nullptr || !WantsBatch(finding)) return false;
  const Memory& memory = facts.model->program.memory;
  const bool larger = *finding.change.batch_per_core > facts.batch_per_core;
  if (!Fits(memory, memory.peak)) return larger;
  return larger && finding.saving && !Fits(memory, memory.peak - finding.saving->hbm);
}

// Whether a program of Keras or TensorFlow 2 has to be put under a strategy before cores share its
// batch, as the figures take them to.
bool NeedsStrategy(const Facts& facts) {
  const Framework framework = facts.workload.host_loop.framework;
  const bool by_strategy = framework == Framework::kKeras || framework == Framework::kCustomLoop;
  return by_strategy && facts.target.batch_shards() > 1 && !facts.workload.facts.calls.empty() &&
         !ForTpus(facts);
}

double LeastShare(const Finding& finding) {
  if (finding.fix.changes_numerics) return kLeastOtherNumbers;
  return finding.fix.applicability == Applicability::kSafe ? kLeastSafe : kLeast;
}

bool HasFewItems(const Facts& facts, const Pipeline* pipeline) {
  // Nobody knows how many items files have that were assumed.
  if (pipeline == nullptr || facts.workload.host_loop.length_assumed) return false;
  const std::optional<int64_t> batch = pipeline->batch_size();
  const std::optional<int64_t>& taken = pipeline->batches_taken;
  if (taken && batch && *batch > 0 && *taken <= kFewItems / *batch) return true;
  const std::optional<int64_t> items = ItemsAt(*pipeline, pipeline->stages.size());
  return items && *items <= kFewItems;
}

// A table or series in memory of which the files do not say how long it is: mostly short.
bool IsUncountedArray(const Pipeline* pipeline) {
  if (pipeline == nullptr || pipeline->source_items || pipeline->stages.empty()) return false;
  // Names of files that other stages open are no table.
  const bool opens = std::ranges::any_of(pipeline->stages, [](const Stage& stage) {
    return stage.inner_source.has_value() || stage.kind == StageKind::kInterleave;
  });
  return !opens && pipeline->stages.front().kind == StageKind::kFromTensorSlices;
}

// Rows of a table of which the files do not say how many there are. How large a batch and how many
// steps an execution may have depends on that; images and texts are mostly many.
bool IsUncountedTable(const Facts& facts) {
  if (!IsUncountedArray(facts.workload.training_pipeline()) || !facts.workload.graph) return false;
  const Graph& graph = *facts.workload.graph;
  bool any = false;
  for (OpId id = 0; id < graph.size(); ++id) {
    const Op& op = graph.op(id);
    if (op.kind != OpKind::kParameter) continue;
    if (op.shape.rank() > 2 || !IsFloat(op.shape.dtype)) return false;
    any = true;
  }
  return any;
}

// Whether the data that the program trains on are images, whose batch is one of the two dims of a
// tile. Rows of texts are batch times positions: a short batch pads nothing there.
bool TrainsOnImages(const Workload& workload) {
  const Pipeline* pipeline = workload.training_pipeline();
  if (pipeline == nullptr || pipeline->stages.empty()) return false;
  const auto& element = pipeline->stages.back().element;
  constexpr size_t kDims = 4;  // batch, height, width, channels
  return element && std::ranges::any_of(*element, [](const Leaf& leaf) {
           return leaf.known_rank && leaf.dims.size() == kDims;
         });
}

// The data set of whose stages the finding is about one; null: none.
const Pipeline* PipelineAt(const Facts& facts, const Finding& finding) {
  for (const Pipeline& pipeline : facts.workload.pipelines) {
    const bool stage_of = std::ranges::any_of(pipeline.stages, [&](const Stage& stage) {
      return stage.location.file == finding.location.file &&
             stage.location.cell == finding.location.cell &&
             stage.location.line == finding.location.line;
    });
    if (stage_of) return &pipeline;
  }
  return nullptr;
}

// Whether nothing is computed of the items: a prefetch has little to do ahead then.
bool OnlyReads(const Pipeline* pipeline) {
  return pipeline != nullptr && pipeline->loader.empty() &&
         std::ranges::none_of(pipeline->stages, [](const Stage& stage) {
           return stage.kind == StageKind::kMap || stage.kind == StageKind::kFilter ||
                  stage.kind == StageKind::kInterleave || stage.kind == StageKind::kFromGenerator ||
                  stage.kind == StageKind::kOther || stage.inner_source.has_value();
         });
}

// Whether it is right on a TPU, and the program as it is written is none for it, or does not show
// what would make it cost something.
bool IsOfAnyMachine(const Facts& facts, const Finding& finding) {
  const SourceFacts& source = facts.workload.facts;
  const bool for_tpus = ForTpus(facts) || IsCppPath(finding.location.file);
  // The state is mostly small where one device trains.
  if (finding.rule == "ME002") return !finding.cost.bytes && !for_tpus;
  // What is chosen for GPUs is changed when the program moves.
  if (finding.rule == "PR003" && !for_tpus) return true;
  // Sessions that are fed by hand run on no TPU as they are written.
  if (finding.rule == "IP021" && finding.message.starts_with("feed_dict") && !NamesTpu(source))
    return true;
  if (WantsBatch(finding) && !for_tpus && MayTrainInProcesses(source)) return true;
  // A program of PyTorch that names no TPU is one for GPUs: what has no figure waits for its move.
  const bool figures = finding.saving || finding.cost.known() || StopsTheRun(finding);
  if (!for_tpus && ImportsTorch(source) && !figures) return true;
  const Location& compile = facts.workload.host_loop.compile;
  const bool compiled = compile.known() && finding.location.file == compile.file &&
                        finding.location.line == compile.line;
  if (finding.rule == "HL001" && compiled && !CallsFit(source)) return true;
  if (facts.model != nullptr) return false;
  if (finding.rule == "IP001" && OnlyReads(PipelineAt(facts, finding))) return true;
  // The rest of data that are gone over once is compiled when the run is over.
  if (finding.rule == "DY002" && PassesOnce(facts)) return true;
  return finding.rule == "AL002" && !TrainsOnImages(facts.workload);
}

// Whether the file tests or measures something, by its name: what runs there for a few steps nobody
// waits for. A script that trains is none for its name, as PyTorch/XLA's are. One that is named for
// an export or for debugging is like that unless it trains.
bool IsOfTests(const Workload& workload, std::string_view file) {
  const std::string_view name = file.substr(file.rfind('/') + 1);
  const std::string_view stem = name.substr(0, name.rfind('.'));
  const bool named = name.starts_with("test_") || stem.ends_with("_test") ||
                     stem.ends_with("_tests") || stem.ends_with("_test_util") ||
                     stem.ends_with("_test_utils");
  const bool measures =
      stem == "bench" || name.starts_with("benchmark_") || stem.ends_with("_benchmark");
  const bool tests =
      measures || (named && (TrainsNothing(workload) || HasTests(workload.facts, file)));
  const bool exports = name.starts_with("export_") || stem.ends_with("_onnx") ||
                       name.starts_with("debug_") || stem.ends_with("_debug");
  return tests || (exports && TrainsNothing(workload));
}

// Whether the file shows data or pictures by its name: what it reads is looked at.
bool IsOfDisplay(std::string_view file) {
  const std::string_view name = file.substr(file.rfind('/') + 1);
  constexpr std::array<std::string_view, 4> kWords = {"demo", "visuali", "plot_", "gallery"};
  return std::ranges::any_of(
      kWords, [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

// Whether the file is a configuration for another number of cores than the target has, as its name
// or its folder says: v3-32_256x256.yaml. Its batch is not the one of this target. One that names
// no slice and fits at no batch is for a larger one, too.
bool IsForAnotherSlice(const Facts& facts, const Finding& finding) {
  const std::string& file = finding.location.file;
  if (!file.ends_with(".yaml") && !file.ends_with(".yml") && !file.ends_with(".gin")) return false;
  if (std::ranges::find(kBatchRules, finding.rule) == kBatchRules.end() && finding.rule != "ME001")
    return false;
  static const std::regex kSlice("(?:^|[^a-z0-9])v[2-7][a-z]*-([0-9]{1,5})(?![0-9])");
  std::smatch slice;
  const std::string tail = file.substr(file.size() - std::min<size_t>(file.size(), 200));
  if (!std::regex_search(tail, slice, kSlice))
    return finding.rule == "ME001" && !WantsBatch(finding);
  return std::stoll(slice[1].str()) != facts.target.cores;
}

// Whether a notebook makes the data set and trains on nothing: it looks at it. What a function
// makes that others call may train there, as may what a call is given that speaks of training.
bool IsLookedAt(const Facts& facts, const Pipeline& pipeline) {
  const std::vector<SourceCall>& calls = facts.workload.facts.calls;
  if (pipeline.for_callers || calls.empty() || !TrainsNothing(facts.workload)) return false;
  return std::ranges::none_of(calls, [](const SourceCall& call) {
    return Mentions(LastName(call.name), "train") || Mentions(call.receiver, "trainer");
  });
}

// Whether a program only says what a model is, or asks one: in which precision it trains, and how
// long its batches are, is said where it does.
bool SpeaksOfTraining(const Facts& facts, const Finding& finding) {
  if (facts.workload.facts.calls.empty() || !TrainsNothing(facts.workload)) return false;
  const bool of_gradients = finding.rule == "PR001" || finding.rule == "OP001";
  const bool of_types = finding.rule == "PR002" && !LoopsOverCompiled(facts.workload.facts);
  const auto least_mask =
      static_cast<int64_t>(kLeastMask * static_cast<double>(facts.target.chip.usable_hbm().value));
  const bool of_masks = finding.rule == "ME003" && facts.model == nullptr &&
                        finding.cost.bytes.value_or(Bytes{}).value < least_mask;
  return (of_gradients && facts.training) || of_types || of_masks ||
         (finding.rule == "DY005" && PipelineAt(facts, finding) == nullptr);
}

// A copy that calls ask for, and that its consumer makes free where it fuses with it.
bool MayBeFree(const Finding& it) { return it.rule == "OP005" && it.severity == Severity::kInfo; }

// That the step waits for its input or its transfer is said where no other
// finding says why, or asks for the same prefetch or the same parallel calls.
bool IsExplained(const Finding& finding, const std::vector<Finding>& findings) {
  const bool waits = finding.rule == "IP022" || finding.rule == "IP024";
  if (!waits || !finding.cost.time_per_step) return false;
  return std::ranges::any_of(findings, [&](const Finding& other) {
    if (other.rule == finding.rule || !other.rule.starts_with("IP")) return false;
    const bool schedules = other.rule == "IP001" || other.rule == "IP003";
    const bool alike =
        schedules && SavedBy(finding) > Seconds{} && SavedBy(other) >= SavedBy(finding) * kAlike;
    return alike || SavedBy(other) >= *finding.cost.time_per_step * kExplains;
  });
}

bool SavesEnough(const Finding& finding, const Saving& saving) {
  return saving.share_of_step >= LeastShare(finding);
}

// Whether what takes at least so long once is long by the middle of its range.
bool IsLongOnce(Seconds least) {
  const CompileTime of_ops = CompileTimeOf(kOpsOfRange);
  return least * std::sqrt(of_ops.most / of_ops.least) >= kLeastOnce;
}

// Whether the finding is about an op or a value that costs next to nothing, and only a larger batch
// would save anything, as it does whatever the op is: another rule says that of the step.
bool BorrowsFromBatch(const Finding& finding) {
  const bool of_padding = finding.rule == "AL001" || finding.rule == "AL005";
  return of_padding && WantsBatch(finding) && finding.cost.share_of_step.value_or(1) < kLeast;
}

// Whether its fix makes a layer narrower: what that saves is that the model is a smaller one.
bool NarrowsLayers(const Facts& facts, const Finding& finding) {
  return facts.source != nullptr &&
         std::ranges::any_of(finding.change.widths, [&](const NewWidth& width) {
           return width.size < facts.source->op(width.op).shape.dims[width.dim].factor;
         });
}

// Whether it is about nothing that trains here, or about what is there to show or to test
// something.
bool IsOutOfPlace(const Facts& facts, const Finding& finding) {
  if (IsForBrowsers(facts.workload) || BorrowsFromBatch(finding)) return true;
  if (NarrowsLayers(facts, finding)) return true;
  if (IsForAnotherSlice(facts, finding) || IsOfAnyMachine(facts, finding)) return true;
  if (IsOfTests(facts.workload, finding.location.file)) return true;
  if (IsOfTests(facts.workload, facts.workload.name)) return true;
  const bool shows = IsOfDisplay(finding.location.file) || IsOfDisplay(facts.workload.name);
  if (facts.model == nullptr && shows && TrainsNothing(facts.workload)) return true;
  if (StopsTheRun(finding) || finding.measured) return false;
  const Pipeline* const pipeline = PipelineAt(facts, finding);
  if (pipeline == nullptr && facts.model != nullptr && OnlyUsesModel(facts)) return true;
  const bool in_notebook = finding.location.cell > 0;
  if (pipeline != nullptr && in_notebook && IsLookedAt(facts, *pipeline)) return true;
  if (SpeaksOfTraining(facts, finding) || MayBeFree(finding)) return true;
  const bool of_step = pipeline == nullptr || pipeline == facts.workload.training_pipeline();
  if (of_step && (IsToyModel(facts) || HasFewItems(facts, facts.workload.training_pipeline())))
    return true;
  if (HasFewItems(facts, pipeline)) return true;
  const bool of_length = WantsBatch(finding) || finding.change.edits_loop();
  if (of_step && of_length && !finding.change.pipeline && IsUncountedTable(facts)) return true;
  const bool of_unknown_cost =
      facts.model == nullptr || pipeline != facts.workload.training_pipeline();
  return IsUncountedArray(pipeline) && of_unknown_cost && !finding.saving;
}

bool SavesLittle(const Facts& facts, const Finding& finding) {
  if (StopsTheRun(finding) || finding.measured) return false;
  // What only the first epoch waits for: later ones come from the cache.
  const bool of_input = finding.rule.starts_with("IP");
  const std::optional<Seconds>& once = finding.cost.once_per_run;
  if (once && of_input && *once < kLeastOnce) return true;
  if (once && !of_input) {
    const double share =
        finding.saving ? finding.saving->share_of_step : finding.cost.share_of_step.value_or(0);
    const bool each_step = share >= kLeastSafe;
    if (!IsLongOnce(*once) && !each_step) return true;
    return finding.fix.edits.empty() && finding.fix.applicability != Applicability::kUnsafe &&
           *once < kLeastByHand;
  }
  const Saving* const saving = finding.saving ? &*finding.saving : nullptr;
  // What helps learning is said unless the step pays for it.
  if (finding.of_learning) return saving != nullptr && saving->share_of_step <= -kLeast;
  if (saving != nullptr && SavesEnough(finding, *saving)) return false;
  if (finding.saving_once_fed) {
    return finding.severity == Severity::kInfo ||
           finding.saving_once_fed->share_of_step < kLeastOnceFed ||
           !SavesEnough(finding, *finding.saving_once_fed);
  }
  // What C++ says without a model has no step to be measured by: it is shown as information.
  if (facts.model == nullptr && IsCppPath(finding.location.file)) return false;
  if (saving != nullptr || finding.severity == Severity::kInfo) return true;
  if (!finding.cost.time_per_step) return false;
  Seconds wall = facts.StepTime();
  if (facts.loop != nullptr) wall = std::max(wall, facts.loop->step);
  const Seconds cost = *finding.cost.time_per_step;
  // What the host does between two steps has no share where its rule knows no step: it counts
  // beside the device's, as it does once the input keeps up.
  if (!finding.cost.share_of_step) return cost < facts.StepTime() * kLeastSafe;
  return cost < wall * kLeastCost;
}

// Whether it is known how little there is to gain, or to lose.
bool HasSmallFigure(const Facts& facts, const Finding& finding) {
  if (facts.model == nullptr || !finding.cost.time_per_step) return false;
  const Seconds cost = *finding.cost.time_per_step;
  return cost >= facts.StepTime() * kLeastNamed &&
         (finding.saving || cost < facts.StepTime() * kLeastCost);
}

}  // namespace

bool StopsTheRun(const Diagnostic& finding) {
  return finding.severity == Severity::kError && !finding.cost.time_per_step &&
         finding.cost.unknown.empty();
}

void KeepOneBatch(const Facts& facts, std::vector<Finding>& findings) {
  const bool tight = std::ranges::find(findings, "ME001", &Finding::rule) != findings.end();
  std::erase_if(findings, [&](const Finding& finding) {
    const bool larger =
        WantsBatch(finding) && *finding.change.batch_per_core > facts.batch_per_core;
    return DoesNotFit(facts, finding) || TakesWholeEpoch(facts, finding) || (tight && larger);
  });
  std::vector<Finding*> same;
  for (Finding& finding : findings) {
    if (WantsBatch(finding)) same.push_back(&finding);
  }
  if (same.size() < 2) return;
  Finding* const speaks = SpeakerOf(same);
  for (const Finding* const silent : same) {
    if (silent->rule == speaks->rule) continue;
    if (std::ranges::find(speaks->related, silent->rule) != speaks->related.end()) continue;
    speaks->related.push_back(silent->rule);
  }
  const Diagnostic kept = *speaks;
  std::erase_if(findings, [&](const Finding& finding) {
    return WantsBatch(finding) &&
           !(finding.rule == kept.rule && finding.location == kept.location &&
             finding.message == kept.message);
  });
}

std::vector<Finding> LeaveOutSmall(const Facts& facts,
                                   const std::function<bool(const Finding&)>& asked,
                                   std::vector<Finding>& findings) {
  std::vector<Finding> kept, small;
  for (const Finding& finding : findings) {
    if (asked(finding)) {
      kept.push_back(finding);
    } else if (IsOutOfPlace(facts, finding) || IsExplained(finding, findings)) {
      continue;
    } else if (!SavesLittle(facts, finding)) {
      kept.push_back(finding);
    } else if (HasSmallFigure(facts, finding)) {
      small.push_back(finding);
    }
  }
  const bool unshared = NeedsStrategy(facts);
  for (Finding& finding : kept) {
    if (unshared && WantsBatch(finding)) {
      finding.fix.text +=
          "; the program names no TPUStrategy, without which one core trains and takes the whole "
          "batch";
    }
    if (!finding.saving_once_fed) continue;
    finding.fix.text += fmt::format("; once the input keeps up this saves {} a step ({})",
                                    FormatSeconds(finding.saving_once_fed->time_per_step),
                                    FormatPercent(finding.saving_once_fed->share_of_step));
  }
  findings = std::move(kept);
  return small;
}

}  // namespace tilewise
