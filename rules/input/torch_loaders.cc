// A loader is told from others by its arguments and by names.

#include "rules/input/torch_loaders.h"

#include <algorithm>
#include <array>

#include "rules/host_loop/step_loops.h"
#include "workload/blocks.h"

namespace tilewise {
namespace {

bool IsForEvaluation(std::string_view text) {
  constexpr std::array<std::string_view, 9> kWords = {"test",  "val",  "eval", "infer",  "predict",
                                                      "query", "demo", "dev_", "heldout"};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return Mentions(text, word); });
}

bool Trains(const std::vector<StepLoop>& loops) {
  return std::ranges::any_of(
      loops, [](const StepLoop& loop) { return loop.driver == StepDriver::kTorch; });
}

// Whether a batch of the loader is looked at, and no loop or call takes it: next(iter(loader)).
bool IsOnlyLookedAt(const SourceFacts& source, const std::string& loader) {
  bool looks = false;
  for (const SourceCall& call : source.calls) {
    const bool given = std::ranges::any_of(call.arguments, [&](const SourceArgument& argument) {
      return IsOneOf(loader, argument.names);
    });
    if (!given) continue;
    const bool next =
        call.name == "iter" && call.outer >= 0 && source.calls[call.outer].name == "next";
    if (!next && call.name != "next") return false;
    looks = true;
  }
  return looks && std::ranges::none_of(source.contexts, [&](const SourceContext& loop) {
           const bool loops =
               loop.kind == ContextKind::kFor || loop.kind == ContextKind::kComprehension;
           return loops && IsOneOf(loader, loop.names);
         });
}

// Whether loops go over the loader and none takes a step: they measure a mean, or evaluate. Where a
// call takes the loader, or a loop calls what may train, nobody knows.
bool IsOnlyReadFrom(const SourceFacts& source, const std::vector<StepLoop>& steps,
                    const SourceCall& loader) {
  constexpr std::string_view kPasses = "iter|enumerate|tqdm|len|MpDeviceLoader|ParallelLoader";
  constexpr std::array<std::string_view, 6> kTrains = {"step",     "train",  "optimi",
                                                       "backward", "update", "fit"};
  const std::string& name = loader.results.front();
  const int32_t function = FunctionAround(source, loader.context);
  if (function < 0) return false;
  const auto is_here = [&](int32_t context) { return IsInside(source, context, function); };
  bool loops = false;
  for (size_t i = 0; i < source.contexts.size(); ++i) {
    const auto at = static_cast<int32_t>(i);
    const SourceContext& loop = source.contexts[i];
    if (loop.kind != ContextKind::kFor || !IsOneOf(name, loop.names) || !is_here(at)) continue;
    loops = true;
    const bool has_step = std::ranges::any_of(
        steps, [&](const StepLoop& step) { return IsInside(source, step.loop, at); });
    const bool may_train = std::ranges::any_of(source.calls, [&](const SourceCall& call) {
      return IsInside(source, call.context, at) &&
             std::ranges::any_of(kTrains,
                                 [&](std::string_view word) { return Mentions(call.name, word); });
    });
    if (has_step || may_train) return false;
  }
  return loops && std::ranges::none_of(source.calls, [&](const SourceCall& call) {
           const bool takes = std::ranges::any_of(
               call.arguments,
               [&](const SourceArgument& argument) { return IsOneOf(name, argument.names); });
           return takes && is_here(call.context) && !IsOneOfWords(LastName(call.name), kPasses);
         });
}

bool FeedsTraining(const SourceFacts& source, const SourceCall& call) {
  const std::string named = call.results.empty() ? call.function : call.results.front();
  const std::string& data = call.arguments[0].text;
  if (!call.results.empty() && IsOnlyLookedAt(source, named)) return false;
  if (IsForEvaluation(named) || IsForEvaluation(data) || IsForEvaluation(call.function)) {
    return false;
  }
  const SourceArgument* shuffle = ArgumentOf(call, 2, "shuffle");
  const bool shuffles = shuffle != nullptr && !IsFalse(*shuffle);
  const bool samples = ArgumentOf(call, 3, "sampler") != nullptr;
  if (shuffles || samples || Mentions(named, "train") || Mentions(data, "train")) return true;
  return std::ranges::count_if(
             source.calls,
             [](const SourceCall& other) { return LastName(other.name) == "DataLoader"; }) == 1 &&
         shuffle == nullptr;
}

}  // namespace

std::vector<const SourceCall*> TrainingLoaders(const Facts& facts, bool with_options) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsWritten(source) || !IsTorch(source) || !facts.training) return {};
  const std::vector<CompiledFunction> compiled = CompiledFunctions(source);
  const std::vector<StepLoop> steps = StepLoops(source, compiled);
  if (!Trains(steps)) return {};
  const auto among = [&](const std::vector<SourceCall>& calls) {
    std::vector<const SourceCall*> loaders;
    for (const SourceCall& call : calls) {
      if (call.name != "torch.utils.data.DataLoader" &&
          call.name != "torch.utils.data.dataloader.DataLoader") {
        continue;
      }
      if (call.arguments.empty() || (call.open && !with_options)) continue;
      const bool own = &calls == &source.calls;
      if (own && !call.results.empty() && IsOnlyReadFrom(source, steps, call)) continue;
      if (FeedsTraining(source, call)) loaders.push_back(&call);
    }
    return loaders;
  };
  std::vector<const SourceCall*> own = among(source.calls);
  if (!own.empty()) return own;
  // A program that imports a collection of data trains with what one of its files makes.
  std::vector<const SourceCall*> imported = among(source.imported_calls);
  if (imported.empty()) return imported;
  const Pipeline* feeds = facts.workload.training_pipeline();
  const bool known = feeds != nullptr && feeds->location.known();
  const std::string file = known ? feeds->location.file : imported.front()->location.file;
  const auto erased = std::erase_if(
      imported, [&](const SourceCall* loader) { return loader->location.file != file; });
  if (!known && erased > 0) imported.clear();
  return imported;
}

std::string NameOfLoader(const SourceCall& loader) {
  return loader.results.size() == 1 ? loader.results.front() : "the DataLoader";
}

}  // namespace tilewise
