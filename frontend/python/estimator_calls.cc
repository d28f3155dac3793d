// An estimator calls the input function with its params; TPUEstimator adds the
// batch size of one host. The datasets made there get their role from the call.

#include "frontend/python/estimator_calls.h"

#include <fmt/format.h>

#include "frontend/python/interpreter.h"

namespace tilewise::python {
namespace {

const Object* EstimatorOf(const Value* value) {
  const Object* object = value == nullptr ? nullptr : value->ref<Object>();
  if (object == nullptr) return nullptr;
  const std::string_view last = LastPart(object->path);
  return last == "TPUEstimator" || last == "Estimator" ? object : nullptr;
}

Value Params(Interpreter& in, const Object& estimator, PipelineRole role) {
  const Value* given = estimator.arguments.Keyword("params");
  const Dict* base = given == nullptr ? nullptr : given->ref<Dict>();
  Dict* params = in.arena.New(base == nullptr ? Dict{} : *base);
  in.Charge(static_cast<int64_t>(params->items.size()));
  const Value* batch = estimator.arguments.Keyword(
      role == PipelineRole::kTraining ? "train_batch_size" : "eval_batch_size");
  if (batch == nullptr || batch->none()) return {params};
  std::erase_if(params->items, [](const auto& item) {
    const std::string* key = item.first.template as<std::string>();
    return key != nullptr && *key == "batch_size";
  });
  params->items.emplace_back(Value{std::string("batch_size")}, *batch);
  return {params};
}

void RunInput(Interpreter& in, const Object& estimator, const Value* input, PipelineRole role,
              const Call& at) {
  if (input == nullptr) return;
  const size_t before = in.datasets.size();
  Call call = at;
  call.self = nullptr;
  call.arguments = {{}, {{"params", Params(in, estimator, role)}}};
  in.CallValue(*input, std::move(call));
  for (size_t i = before; i < in.datasets.size(); ++i) {
    Pipeline& pipeline = in.datasets[i]->pipeline;
    if (in.datasets[i]->continued == 0) pipeline.role = role;
  }
}

const Value* InputOf(const Value* spec) {
  const Object* object = spec == nullptr ? nullptr : spec->ref<Object>();
  return object == nullptr ? nullptr : object->arguments.Get(0, "input_fn");
}

}  // namespace

std::optional<Value> CallEstimatorMethod(Interpreter& in, const Call& call) {
  const Object* estimator = EstimatorOf(call.self);
  if (estimator == nullptr) return std::nullopt;
  const bool trains = call.name == "train";
  if (!trains && call.name != "evaluate" && call.name != "predict") {
    return std::nullopt;
  }
  RunInput(in, *estimator, call.arguments.Get(0, "input_fn"),
           trains ? PipelineRole::kTraining : PipelineRole::kEvaluation, call);
  return in.MakeUnknown(fmt::format("what {}() returns", call.name), call.node);
}

std::optional<Value> CallTrainAndEvaluate(Interpreter& in, const Call& call) {
  if (LastPart(call.name) != "train_and_evaluate") return std::nullopt;
  const Object* estimator = EstimatorOf(call.arguments.Get(0, "estimator"));
  if (estimator == nullptr) return std::nullopt;
  RunInput(in, *estimator, InputOf(call.arguments.Get(1, "train_spec")), PipelineRole::kTraining,
           call);
  RunInput(in, *estimator, InputOf(call.arguments.Get(2, "eval_spec")), PipelineRole::kEvaluation,
           call);
  return Value{None{}};
}

}  // namespace tilewise::python
