// What a finding is about has to train here, and to be known: else it is left out, whatever it
// costs.

#include "advice/out_of_place.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <regex>
#include <string>
#include <string_view>

#include "advice/kind_of_program.h"
#include "advice/one_batch.h"
#include "advice/run_length.h"
#include "advice/worth_saying.h"
#include "pipeline/chain.h"
#include "session/session.h"
#include "workload/blocks.h"
#include "workload/cpp_path.h"

namespace tilewise {
namespace {

// A mask that holds less of a core's HBM is no burden by itself.
constexpr double kLeastMask = 0.01;
// Data sets of so many items or fewer are there to show something.
constexpr int64_t kFewItems = 1'000;

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
  // Sessions that are fed by hand run on no TPU as they are written.
  if (finding.rule == "IP021" && finding.message.starts_with("feed_dict") && !NamesTpu(source))
    return true;
  if (WantsBatch(finding) && !for_tpus && MayTrainInProcesses(source)) return true;
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
  if (!SpeaksOfBatch(finding.rule) && finding.rule != "ME001") return false;
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

}  // namespace

bool WaitsForTpu(const Facts& facts, const Finding& finding) {
  if (ForTpus(facts) || IsCppPath(finding.location.file)) return false;
  if (finding.rule == "PR003") return true;
  const bool figures = finding.saving || finding.cost.known() || StopsTheRun(finding);
  return ImportsTorch(facts.workload.facts) && !figures;
}

bool IsOutOfPlace(const Facts& facts, const Finding& finding) {
  if (IsForBrowsers(facts.workload)) return true;
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

}  // namespace tilewise
