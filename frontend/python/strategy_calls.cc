// Methods of distribution strategies: which datasets they feed, which step they
// run.

#include "frontend/python/interpreter.h"
#include "frontend/python/training_calls.h"

namespace tilewise::python {

std::optional<Value> CallStrategy(Interpreter& in, const Call& call) {
  if (call.self->ref<Dataset>() != nullptr) return std::nullopt;
  if (call.name == "experimental_distribute_dataset" && !call.arguments.positional.empty()) {
    const Value& value = call.arguments.positional[0];
    Dataset* dataset = value.ref<Dataset>();
    if (dataset != nullptr && dataset->pipeline.role == PipelineRole::kUnknown) {
      const std::string& name = dataset->pipeline.name;
      const bool test = name.find("test") != std::string::npos ||
                        name.find("val") != std::string::npos ||
                        name.find("eval") != std::string::npos;
      dataset->pipeline.role = test ? PipelineRole::kEvaluation : PipelineRole::kTraining;
    }
    return value;
  }
  const bool distributes = call.name == "distribute_datasets_from_function" ||
                           call.name == "experimental_distribute_datasets_from_function";
  if (distributes && !call.arguments.positional.empty()) {
    Call inner = call;
    inner.arguments = {{in.MakeObject("tensorflow.distribute.InputContext", call)}, {}};
    const Value made = in.CallValue(call.arguments.positional[0], std::move(inner));
    if (Dataset* dataset = made.ref<Dataset>()) {
      dataset->pipeline.batches_per_step = in.replicas;
    }
    return made;
  }
  const bool runs = call.name == "run" || call.name == "experimental_run_v2";
  const Object* strategy = call.self->ref<Object>();
  const bool named = call.text.find("strategy") != std::string::npos ||
                     (strategy != nullptr && strategy->path.find("trategy") != std::string::npos);
  if (runs && named) {
    in.training.framework = Framework::kCustomLoop;
    in.training.framework_location = call.location;
    if (!call.arguments.positional.empty()) {
      Call inner = call;
      inner.arguments = {};
      const Value* args = call.arguments.Get(1, "args");
      if (args != nullptr && Items(*args) != nullptr) {
        inner.arguments.positional = *Items(*args);
      }
      return in.CallValue(call.arguments.positional[0], std::move(inner));
    }
  }
  const bool context = strategy != nullptr && LastPart(strategy->path) == "InputContext";
  if (context && call.name == "get_per_replica_batch_size") {
    const Value* batch = call.arguments.Get(0, "global_batch_size");
    if (batch == nullptr) return std::nullopt;
    return in.Binary("//", *batch, {in.replicas}, call.node);
  }
  if (call.name == "scope" && named) return *call.self;
  return std::nullopt;
}

}  // namespace tilewise::python
