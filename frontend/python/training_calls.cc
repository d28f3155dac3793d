// compile(), fit(), evaluate() and predict(); strategies and estimators.

#include "frontend/python/training_calls.h"

#include <fmt/format.h>

#include "frontend/python/array_calls.h"
#include "frontend/python/dataset_calls.h"
#include "frontend/python/import_names.h"
#include "frontend/python/interpreter.h"

namespace tilewise::python {
namespace {

Node ArgumentNode(const Call& call, std::string_view keyword) {
  return call.argument_node(99, keyword);
}

void Compile(Interpreter& in, const Call& call) {
  CompileCall compile;
  compile.model = call.self->ref<Model>();
  compile.location = call.location;
  compile.spec.location = call.location;
  const Node list = call.node.field("arguments");
  compile.arguments = list.span(list.begin() + 1, list.end() - 1);
  if (const Value* optimizer = call.arguments.Get(0, "optimizer")) {
    ReadOptimizer(in, *optimizer, call.argument_node(0, "optimizer"), compile.spec);
  }
  const Value* loss = call.arguments.Get(1, "loss");
  if (loss != nullptr && !loss->none()) {
    ReadLoss(in, *loss, call.argument_node(1, "loss"), compile.spec);
  }
  for (const char* key : {"steps_per_execution", "experimental_steps_per_execution"}) {
    const Value* steps = call.arguments.Keyword(key);
    if (steps == nullptr) continue;
    compile.steps_per_execution = ToCount(steps);
    compile.steps_per_execution_location = ArgumentNode(call, key).location();
    const std::string* text = steps->as<std::string>();
    if (text != nullptr && *text == "auto") {
      compile.steps_per_execution = {Count::Kind::kAutotune, -1};
    } else if (compile.steps_per_execution.kind == Count::Kind::kUnresolved) {
      in.NoteUnknown("steps_per_execution", *steps, ArgumentNode(call, key), "1 is assumed");
    }
  }
  const Value* eager = call.arguments.Keyword("run_eagerly");
  compile.run_eagerly = eager != nullptr && Truth(*eager).value_or(false);
  in.training.compiles.push_back(std::move(compile));
}

void MarkEvaluation(const Value* value) {
  Dataset* dataset = value == nullptr ? nullptr : value->ref<Dataset>();
  if (dataset != nullptr && dataset->pipeline.role != PipelineRole::kTraining) {
    dataset->pipeline.role = PipelineRole::kEvaluation;
  }
}

Count CountArgument(Interpreter& in, const Call& call, size_t position, std::string_view name,
                    std::string_view consequence) {
  const Value* value = call.arguments.Get(position, name);
  const Count count = ToCount(value);
  if (count.kind == Count::Kind::kUnresolved) {
    in.NoteUnknown(fmt::format("{} of {}()", name, call.name), *value,
                   call.argument_node(position, name), consequence);
  }
  return count;
}

// A chain that holds only its source stands for arrays given to fit().
Dataset* ArraysAsSource(Interpreter& in, const Call& call, const Value& x, const Value* y) {
  Dataset* dataset = NewSource(in, call, StageKind::kFromTensorSlices);
  const Value both = y == nullptr || y->none() ? x : in.MakeTuple({x, *y});
  dataset->element = DropLeadingDim(in, both);
  dataset->pipeline.name = "arrays given to fit()";
  dataset->pipeline.role = PipelineRole::kTraining;
  dataset->pipeline.source_items = LeadingDim(x);
  dataset->pipeline.source_item_bytes = ElementBytes(dataset->element, 0);
  dataset->pipeline.item_bytes = dataset->pipeline.source_item_bytes;
  return dataset;
}

// The part of the examples that validation_split leaves for training.
void HoldOut(const Call& call, Dataset& dataset) {
  const Value* split = call.arguments.Get(6, "validation_split");
  const std::optional<double> share = split == nullptr ? std::nullopt : AsNumber(*split);
  std::optional<int64_t>& items = dataset.pipeline.source_items;
  if (share.has_value() && *share > 0 && *share < 1 && items.has_value()) {
    items = static_cast<int64_t>(static_cast<double>(*items) * (1 - *share));
  }
}

void Fit(Interpreter& in, const Call& call) {
  FitCall fit;
  fit.model = call.self->ref<Model>();
  fit.location = call.location;
  for (size_t i = 0; i < in.training.compiles.size(); ++i) {
    if (fit.model != nullptr && in.training.compiles[i].model == fit.model) {
      fit.compile = static_cast<int32_t>(i);
    }
  }
  fit.epochs = CountArgument(in, call, 3, "epochs", "one epoch is shown");
  if (!fit.epochs.present()) fit.epochs = ToCount(call.arguments.Keyword("nb_epoch"));
  fit.steps_per_epoch = CountArgument(in, call, 11, "steps_per_epoch", "give --steps-per-epoch");
  fit.batch_size = CountArgument(in, call, 2, "batch_size", "give the batch size with --batch");
  fit.callbacks =
      ReadCallbacks(in, call.arguments.Get(5, "callbacks"), call.argument_node(5, "callbacks"));
  const Value* x = call.arguments.Get(0, "x");
  if (x == nullptr) x = call.arguments.Keyword("generator");
  MarkEvaluation(call.arguments.Get(7, "validation_data"));
  if (x == nullptr) {
    in.training.fits.push_back(std::move(fit));
    return;
  }
  fit.dataset = x->ref<Dataset>();
  if (fit.dataset != nullptr) {
    fit.dataset->pipeline.role = PipelineRole::kTraining;
  } else if (x->ref<Array>() != nullptr || Items(*x) != nullptr) {
    Dataset* source = ArraysAsSource(in, call, *x, call.arguments.Get(1, "y"));
    HoldOut(call, *source);
    fit.example = source->element;
    if (!fit.batch_size.present()) {
      fit.batch_size = {Count::Kind::kValue, 32};
      in.Note("RD002", call.location,
              "fit() on arrays without batch_size: Keras takes 32, over all "
              "cores together");
    }
  } else {
    in.NoteUnknown("what fit() trains on", *x, call.argument_node(0, "x"),
                   "the input side is not checked");
  }
  if (fit.dataset != nullptr) fit.example = fit.dataset->element;
  in.training.fits.push_back(std::move(fit));
}

}  // namespace

std::optional<Value> CallTraining(Interpreter& in, const Call& call) {
  const bool receiver = call.self->ref<Model>() != nullptr || call.self->unknown() != nullptr ||
                        call.self->ref<Object>() != nullptr;
  if (!receiver || in.in_dataset_function) return std::nullopt;
  const bool is_model = call.self->ref<Model>() != nullptr;
  if (call.name == "compile") {
    const bool says =
        call.arguments.Keyword("optimizer") != nullptr || call.arguments.Keyword("loss") != nullptr;
    if (!is_model && !says) return std::nullopt;
    Compile(in, call);
    return Value{None{}};
  }
  if (call.name == "fit" || call.name == "fit_generator") {
    const bool other = !is_model && call.arguments.Keyword("epochs") == nullptr &&
                       (call.arguments.positional.empty() ||
                        call.arguments.positional[0].ref<Dataset>() == nullptr);
    if (other) return std::nullopt;
    Fit(in, call);
    return in.MakeUnknown("what fit() returns", call.node);
  }
  if (call.name == "evaluate" || call.name == "predict") {
    MarkEvaluation(call.arguments.Get(0, "x"));
    return in.MakeUnknown(fmt::format("what {}() returns", call.name), call.node);
  }
  return std::nullopt;
}

std::optional<Value> CallFramework(Interpreter& in, const Call& call) {
  const std::string_view last = LastPart(call.name);
  if (call.name == "absl.app.run" || call.name == "tensorflow.app.run") {
    const Value* given = call.arguments.Get(0, "main");
    const Value* main = given != nullptr ? given : in.frames.front().names->Find("main");
    if (main == nullptr) return std::nullopt;
    Call inner = call;
    inner.arguments = {{in.MakeUnknown("the command line", call.node)}, {}};
    return in.CallValue(*main, std::move(inner));
  }
  if (last == "keras_to_tpu_model") {
    in.training.framework = Framework::kKerasTf1;
    in.training.framework_location = call.location;
    in.training.tpu_strategy = true;
    if (!call.arguments.positional.empty()) return call.arguments.positional[0];
  }
  if (last == "TPUEstimator") {
    in.training.framework = Framework::kTpuEstimator;
    in.training.framework_location = call.location;
    in.training.tpu_strategy = true;
    in.training.train_batch_size = ToCount(call.arguments.Keyword("train_batch_size"));
  }
  if (last == "TPUConfig") {
    in.training.iterations_per_loop = ToCount(call.arguments.Get(0, "iterations_per_loop"));
    in.training.iterations_location = call.location;
  }
  const bool policy = last == "set_global_policy" || last == "set_policy" ||
                      last == "set_dtype_policy" || last == "set_global_dtype_policy";
  if (policy && !call.arguments.positional.empty()) {
    const Value& value = call.arguments.positional[0];
    const std::string* name = value.as<std::string>();
    const Object* object = value.ref<Object>();
    if (object != nullptr) {
      const Value* given = object->arguments.Get(0, "name");
      name = given == nullptr ? nullptr : given->as<std::string>();
    }
    if (name != nullptr) {
      in.facts.precision_policy = *name;
      in.facts.precision_policy_location = call.location;
    } else {
      in.NoteUnknown("the precision policy", value, call.argument_node(0, ""),
                     "float32 is assumed");
    }
    return Value{None{}};
  }
  return std::nullopt;
}

namespace {

// TPUClusterResolver(tpu="grpc://10.0.0.2:8470"), (tpu="my-node"), ("local").
void NoteResolver(Interpreter& in, const Call& call) {
  const Value* tpu = call.arguments.Get(0, "tpu");
  const std::string* name = tpu == nullptr ? nullptr : tpu->as<std::string>();
  if (name == nullptr || name->empty()) return;
  in.training.remote_tpu = *name != "local";
}

}  // namespace

std::optional<Value> CallObjectMaker(Interpreter& in, const Call& call) {
  const std::string_view last = LastPart(call.name);
  if (call.name == "tensorflow.keras.backend.image_data_format") {
    return Value{std::string("channels_last")};
  }
  if (last.find("TPUStrategy") != std::string_view::npos || last == "TPUDistributionStrategy") {
    in.training.tpu_strategy = true;
  }
  if (last == "TPUClusterResolver") NoteResolver(in, call);
  if (last == "get_strategy") return in.MakeObject("tensorflow.Strategy", call);
  if (last == "connect" && call.name.find("Resolver") != std::string::npos) {
    return in.MakeObject(call.name, call);
  }
  const bool library = Under(call.name, "tensorflow") || Under(call.name, "tensorflow_addons") ||
                       call.name.find(".optimization.") != std::string::npos;
  if (library && !last.empty() && std::isupper(last[0]) != 0) {
    return in.MakeObject(call.name, call);
  }
  return std::nullopt;
}

}  // namespace tilewise::python
