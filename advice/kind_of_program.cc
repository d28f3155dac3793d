// Tells what a program is for by what it calls.

#include "advice/kind_of_program.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "workload/blocks.h"

namespace tilewise {
namespace {

bool NamesInCalls(const SourceFacts& source, std::string_view part) {
  return std::ranges::any_of(source.calls, [&](const SourceCall& call) {
    return call.name.find(part) != std::string::npos;
  });
}

// Calls that give a trained model back: hub.load(), tf.saved_model.load().
bool LoadsModel(std::string_view call) {
  return call.ends_with("hub.load") || call.ends_with("saved_model.load");
}

// Whether it is a function of a module that the program imports: ImageOps.fit(), re.compile().
bool IsOfModule(const SourceFacts& source, const SourceCall& call) {
  const std::string_view module = std::string_view(call.name).substr(0, call.name.rfind('.'));
  return std::ranges::find(source.imports, module, &SourceImport::name) != source.imports.end();
}

}  // namespace

bool NamesTpu(const SourceFacts& source) {
  return source.tpu_strategy || NamesInCalls(source, "TPU") || NamesInCalls(source, ".tpu.") ||
         NamesInCalls(source, "torch_xla.");
}

bool ForOtherMachines(const Facts& facts) {
  return !facts.workload.facts.calls.empty() && !ForTpus(facts);
}

bool TrainsByEstimator(const SourceFacts& source) {
  return NamesInCalls(source, "estimator.") && !NamesInCalls(source, "TPUEstimator") &&
         !NamesInCalls(source, ".tpu.");
}

bool ForTpus(const Facts& facts) {
  return facts.workload.host_loop.uses_tpu_strategy || NamesTpu(facts.workload.facts);
}

bool TrainsNothing(const Workload& workload) {
  // Methods of what is trained, and functions.
  constexpr std::array<std::string_view, 8> kTrains = {
      "fit",      "fit_generator",   "compile",        "backward",
      "minimize", "apply_gradients", "train_on_batch", "train"};
  constexpr std::array<std::string_view, 4> kDifferentiates = {"GradientTape", "value_and_grad",
                                                               "grad", "gradients"};
  const HostLoop& host = workload.host_loop;
  if (workload.training || host.framework != Framework::kUnknown) return false;
  if (host.fit.known() || host.compile.known()) return false;
  return std::ranges::none_of(workload.facts.calls, [&](const SourceCall& call) {
    const std::string_view last = LastName(call.name);
    if (std::ranges::find(kDifferentiates, last) != kDifferentiates.end()) return true;
    return std::ranges::find(kTrains, last) != kTrains.end() && !IsOfModule(workload.facts, call);
  });
}

bool OnlyUsesModel(const Facts& facts) {
  constexpr std::string_view kUses =
      "save|predict|predict_on_batch|load_weights|load_model|decode_predictions|from_keras_model|"
      "from_saved_model|export_saved_model|export";
  if (!TrainsNothing(facts.workload)) return false;
  return std::ranges::any_of(facts.workload.facts.calls, [&](const SourceCall& call) {
    return IsOneOfWords(LastName(call.name), kUses) || LoadsModel(call.name);
  });
}

bool IsForBrowsers(const Workload& workload) {
  return workload.producer.find("TensorFlow.js") != std::string::npos;
}

}  // namespace tilewise
