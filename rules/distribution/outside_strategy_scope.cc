// Flags models, optimizers and metrics that are made outside strategy.scope().

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::DI006 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "DI006",
    .name = "outside-strategy-scope",
    .severity = Severity::kError,
    .fix = Applicability::kShow,
    .needs = {.training = true, .script = true},
    .summary = "what is trained was made outside strategy.scope()",
    .doc = R"(
What: a Keras model that is compiled or fitted, its optimizer or its metrics,
made outside `with strategy.scope()` in a program with a TPUStrategy.
Why: the scope decides where variables live. Those made outside are on the
host; training then stops with an error, or copies them in every step.
Remedy: create the model, the optimizer and the metrics, and call compile(), in
the scope. Initialise the TPU again before another program uses it.
Ignore: models that only prepare data, that are trained before there is a
strategy, or that functions make which are called from within a scope.
Optimizers make their variables when they are first applied up to release 2.10:
they are said where the project pins a later one.
Numbers: none: the program fails, or runs on the host.
Sources: Cloud TPU guide, distributed training guide of TensorFlow.)",
};

bool IsScope(const SourceContext& context) {
  return context.kind == ContextKind::kWith &&
         (LastName(context.name) == "scope" || Mentions(context.text, "scope"));
}

// Whether code at `context` runs under a scope: there is one around it, or one
// around all calls of the function it stands in. `unknown`: the function is not
// called in the files.
enum class Scoped : uint8_t { kYes, kNo, kUnknown };
Scoped UnderScope(const SourceFacts& source, int32_t context, int nesting = 0) {
  constexpr int kDeepest = 8;
  int32_t function = -1;
  for (int32_t at = context; at >= 0; at = source.contexts[at].parent) {
    const SourceContext& here = source.contexts[at];
    if (IsScope(here)) return Scoped::kYes;
    if (here.kind == ContextKind::kFunction) {
      function = at;
      break;
    }
    if (here.kind == ContextKind::kLambda || here.kind == ContextKind::kClass) {
      return Scoped::kUnknown;
    }
  }
  if (function < 0) return Scoped::kNo;
  if (nesting > kDeepest) return Scoped::kUnknown;
  const SourceContext& definition = source.contexts[function];
  if (definition.name == "main" || definition.name == "run") {
    return Scoped::kNo;  // entry points
  }
  Scoped scoped = Scoped::kUnknown;
  for (const SourceCall& call : source.calls) {
    if (LastName(call.name) != definition.name) continue;
    const Scoped here = UnderScope(source, call.context, nesting + 1);
    if (here != Scoped::kNo) return here;
    scoped = Scoped::kNo;
  }
  return scoped;
}

constexpr std::string_view kKeras = "tensorflow.keras.";

bool MakesModel(const SourceCall& call) {
  const std::string_view name = call.name;
  if (!name.starts_with(kKeras)) return false;
  const std::string_view rest = name.substr(kKeras.size());
  return rest == "Sequential" || rest == "Model" || rest == "models.Sequential" ||
         rest == "models.Model" || rest == "models.load_model" || rest == "models.clone_model" ||
         rest.starts_with("applications.");
}

// Optimizers make their variables when they are first applied, in the scope of the model's, up to
// release 2.10; which one runs is said by what the project pins.
bool OptimizersMakeStateAtOnce(const SourceFacts& source) {
  return std::ranges::any_of(source.versions, [](const PackageVersion& pin) {
    const bool least = pin.relation == "==" || pin.relation == "~=" || pin.relation == ">=";
    return least && pin.package == "tensorflow" &&
           (pin.major > 2 || (pin.major == 2 && pin.minor >= 11));
  });
}

bool MakesState(const SourceFacts& source, const SourceCall& call) {
  const std::string_view name = call.name;
  const bool optimizer =
      name.starts_with("tensorflow.keras.optimizers.") && OptimizersMakeStateAtOnce(source);
  return (optimizer || name.starts_with("tensorflow.keras.metrics.")) && !name.ends_with(".get") &&
         !name.ends_with(".deserialize") && !Contains(name, ".schedules.");
}

// Whether `name` at the place of the training call may be what `maker` binds: both stand in one
// file, or a function is given it.
bool MayBe(const SourceFacts& source, const SourceCall& maker, const SourceCall& training,
           const std::string& name) {
  const auto module = [&](const SourceCall& call) {
    return Around(source, call.context, ContextKind::kModule);
  };
  if (module(maker) == module(training)) return true;
  const int32_t function = FunctionAround(source, training.context);
  return function >= 0 && IsOneOf(name, source.contexts[function].targets);
}

// Whether a training call is made on what the call binds: model.fit() of model = Model(..).
bool IsTrained(const SourceFacts& source, const SourceCall& maker) {
  const std::string& name = maker.results.front();
  return std::ranges::any_of(source.calls, [&](const SourceCall& call) {
    const std::string_view last = LastName(call.name);
    return (last == "fit" || last == "train_on_batch") && call.receiver == name &&
           MayBe(source, maker, call, name);
  });
}

// What the training calls are made on: model.fit() -> model.
std::vector<std::string> Trained(const SourceFacts& source) {
  std::vector<std::string> names;
  for (const SourceCall& call : source.calls) {
    const std::string_view name = LastName(call.name);
    if (name == "fit" || name == "train_on_batch") {
      names.push_back(call.receiver);
    }
  }
  return names;
}

// Variables that compile() of what is trained is given, and those that apply
// gradients.
std::vector<std::string> TrainingState(const SourceFacts& source,
                                       const std::vector<std::string>& trained) {
  std::vector<std::string> names;
  for (const SourceCall& call : source.calls) {
    const std::string_view name = LastName(call.name);
    if (name == "apply_gradients") names.push_back(call.receiver);
    if (name != "compile" || !IsOneOf(call.receiver, trained)) continue;
    for (const SourceArgument& argument : call.arguments) {
      names.insert(names.end(), argument.names.begin(), argument.names.end());
    }
  }
  return names;
}

bool StandsBefore(const Location& a, const Location& b) {
  return a.file == b.file && (a.cell != b.cell ? a.cell < b.cell : a.line < b.line);
}

// Whether the program trains `model` before it makes a strategy: on the host, as it is meant.
bool TrainsBeforeStrategy(const SourceFacts& source, std::string_view model) {
  const auto strategy = std::ranges::find_if(
      source.calls, [](const SourceCall& call) { return LastName(call.name) == "TPUStrategy"; });
  if (strategy == source.calls.end()) return false;
  return std::ranges::any_of(source.calls, [&](const SourceCall& call) {
    const std::string_view name = LastName(call.name);
    return (name == "fit" || name == "train_on_batch") && call.receiver == model &&
           StandsBefore(call.location, strategy->location);
  });
}

void Report(const SourceCall& call, Sink& sink) {
  const std::string& name = call.results.front();
  Finding& found = sink.Report(call.location,
                               "{} ({}) is made outside strategy.scope(), so that its variables "
                               "are not on the TPU; expected it in the scope",
                               name, LastName(call.name));
  found.cost.unknown = "the program fails, or runs on the host";
  found.fix.text = fmt::format("move the line that makes {} into `with strategy.scope():`", name);
}

void Check(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!source.tpu_strategy) return;
  const std::vector<std::string> trained = Trained(source);
  const std::vector<std::string> state = TrainingState(source, trained);
  for (const SourceCall& call : source.calls) {
    if (call.results.size() != 1 || call.in_dataset_function) continue;
    const bool model = MakesModel(call) && IsTrained(source, call);
    const bool used = !model && MakesState(source, call) && IsOneOf(call.results.front(), state);
    if (!model && !used) continue;
    if (model && TrainsBeforeStrategy(source, call.results.front())) continue;
    if (UnderScope(source, call.context) != Scoped::kNo) continue;
    Report(call, sink);
  }
}

}  // namespace

TW_RULE(DI006)

}  // namespace tilewise::DI006
