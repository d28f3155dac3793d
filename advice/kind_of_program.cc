// Tells what a program is for by what it calls.

#include "advice/kind_of_program.h"

#include <algorithm>
#include <string_view>

#include "workload/blocks.h"

namespace tilewise {
namespace {

bool NamesInCalls(const SourceFacts& source, std::string_view part) {
  return std::ranges::any_of(source.calls, [&](const SourceCall& call) {
    return call.name.find(part) != std::string::npos;
  });
}

// Whether a program of JAX divides its work among devices: those are TPUs before all.
bool DividesAmongDevices(const SourceFacts& source) {
  static constexpr std::string_view kDivides =
      "pmap|pjit|xmap|shard_map|Mesh|make_mesh|create_device_mesh|pmean|replicate";
  const auto divides = [](const std::string& name) {
    const bool of_jax = name.starts_with("jax.") || name.starts_with("flax.");
    return of_jax && IsOneOfWords(LastName(name), kDivides);
  };
  const auto of_call = [&](const SourceCall& call) { return divides(call.name); };
  return std::ranges::any_of(source.calls, of_call) ||
         std::ranges::any_of(source.imported_calls, of_call) ||
         std::ranges::any_of(source.contexts, [&](const SourceContext& context) {
           return std::ranges::any_of(context.decorators, [&](const SourceDecorator& decorator) {
             return divides(decorator.name);
           });
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

// Whether a call trains, by its name: methods of what is trained, and functions.
bool CallsTraining(const Workload& workload) {
  constexpr std::string_view kTrains =
      "fit|fit_generator|backward|minimize|apply_gradients|train_on_batch|train";
  constexpr std::string_view kDifferentiates = "GradientTape|value_and_grad|grad|gradients";
  return std::ranges::any_of(workload.facts.calls, [&](const SourceCall& call) {
    const std::string_view last = LastName(call.name);
    return IsOneOfWords(last, kDifferentiates) ||
           (IsOneOfWords(last, kTrains) && !IsOfModule(workload.facts, call));
  });
}

bool AsksModel(const SourceFacts& source) {
  constexpr std::string_view kUses =
      "save|predict|predict_on_batch|load_weights|load_model|decode_predictions|from_keras_model|"
      "from_saved_model|from_estimator|export_saved_model|export";
  return std::ranges::any_of(source.calls, [&](const SourceCall& call) {
    return IsOneOfWords(LastName(call.name), kUses) || LoadsModel(call.name);
  });
}

// Whether compile() is all that is known of a training.
bool OnlyCompiles(const HostLoop& host) {
  const Location &fit = host.fit, &compile = host.compile;
  const bool fits = fit.known() && !(fit.file == compile.file && fit.cell == compile.cell &&
                                     fit.line == compile.line);
  return compile.known() && !fits;
}

}  // namespace

bool NamesTpu(const SourceFacts& source) {
  return source.tpu_strategy || NamesInCalls(source, "TPU") || NamesInCalls(source, ".tpu.") ||
         NamesInCalls(source, "torch_xla.");
}

bool ImportsTorch(const SourceFacts& source) {
  return std::ranges::any_of(source.imports, [](const SourceImport& import) {
    return import.name == "torch" || import.name.starts_with("torch.");
  });
}

bool CallsFit(const SourceFacts& source) {
  const auto fits = [](const SourceCall& call) {
    return IsOneOfWords(LastName(call.name), "fit|fit_generator");
  };
  return std::ranges::any_of(source.calls, fits) ||
         std::ranges::any_of(source.imported_calls, fits);
}

bool NeedsStrategy(const Facts& facts) {
  const Framework framework = facts.workload.host_loop.framework;
  const bool by_strategy = framework == Framework::kKeras || framework == Framework::kCustomLoop;
  return by_strategy && facts.target.batch_shards() > 1 && !facts.workload.facts.calls.empty() &&
         !ForTpus(facts);
}

bool MayTrainInProcesses(const SourceFacts& source) {
  constexpr std::string_view kLaunched =
      "DistributedSampler|DistributedDataParallel|init_process_group|init_distributed_mode";
  return std::ranges::any_of(source.calls, [&](const SourceCall& call) {
    return IsOneOfWords(LastName(call.name), kLaunched);
  });
}

bool ForTpus(const Facts& facts) {
  const SourceFacts& source = facts.workload.facts;
  return facts.workload.host_loop.uses_tpu_strategy || NamesTpu(source) ||
         DividesAmongDevices(source);
}

bool TrainsNothing(const Workload& workload) {
  const HostLoop& host = workload.host_loop;
  if (CallsTraining(workload)) return false;
  if (OnlyCompiles(host)) return AsksModel(workload.facts);
  return !workload.training && host.framework == Framework::kUnknown && !host.fit.known() &&
         !host.compile.known();
}

bool OnlyUsesModel(const Facts& facts) {
  return TrainsNothing(facts.workload) && AsksModel(facts.workload.facts);
}

bool HasTests(const SourceFacts& source, std::string_view file) {
  constexpr std::string_view kFrameworks = "unittest|pytest|absltest|parameterized|testing";
  const bool imports = std::ranges::any_of(source.imports, [&](const SourceImport& import) {
    const std::string_view name = import.name;
    return import.location.file == file &&
           (IsOneOfWords(name.substr(0, name.find('.')), kFrameworks) ||
            IsOneOfWords(LastName(name), kFrameworks));
  });
  return imports || std::ranges::any_of(source.contexts, [&](const SourceContext& context) {
           if (context.location.file != file) return false;
           if (context.kind == ContextKind::kClass)
             return std::ranges::any_of(context.bases, [](const std::string& base) {
               return LastName(base) == "TestCase";
             });
           const std::vector<std::string>& parameters = context.targets;
           return context.kind == ContextKind::kFunction && context.name.starts_with("test") &&
                  (parameters.empty() || parameters == std::vector<std::string>{"self"});
         });
}

bool IsToyModel(const Facts& facts) {
  constexpr double kFewFlops = 1e5;  // of the matmuls of a training step's example
  constexpr int64_t kFewWeights = 10'000;
  if (facts.model == nullptr || facts.source == nullptr || facts.batch_per_core <= 0) return false;
  if (facts.source->trainable_parameters() >= kFewWeights) return false;
  if (facts.workload.facts.calls.empty()) return false;  // not a program
  return facts.model->estimate.useful_flops / static_cast<double>(facts.batch_per_core) < kFewFlops;
}

bool IsForBrowsers(const Workload& workload) {
  return workload.producer.find("TensorFlow.js") != std::string::npos;
}

}  // namespace tilewise
