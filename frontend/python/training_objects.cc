// Optimizers, losses and callbacks: library objects remembered with their
// arguments, and what compile() and fit() make of them.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/python/import_names.h"
#include "frontend/python/interpreter.h"

namespace tilewise::python {
namespace {

std::string PlainName(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c != '_') result += static_cast<char>(std::tolower(c));
  }
  return result;
}

constexpr std::pair<std::string_view, OptimizerKind> kOptimizers[] = {
    {"sgd", OptimizerKind::kSgd},
    {"gradientdescentoptimizer", OptimizerKind::kSgd},
    {"gradientdescent", OptimizerKind::kSgd},
    {"momentumoptimizer", OptimizerKind::kMomentum},
    {"rmsprop", OptimizerKind::kRmsProp},
    {"rmspropoptimizer", OptimizerKind::kRmsProp},
    {"adam", OptimizerKind::kAdam},
    {"adamoptimizer", OptimizerKind::kAdam},
    {"nadam", OptimizerKind::kAdam},
    {"adamw", OptimizerKind::kAdamW},
    {"adamwoptimizer", OptimizerKind::kAdamW},
    {"adamweightdecay", OptimizerKind::kAdamW},
    {"lars", OptimizerKind::kLars},
    {"larsoptimizer", OptimizerKind::kLars},
    {"lamb", OptimizerKind::kLamb},
    {"lamboptimizer", OptimizerKind::kLamb},
    {"adafactor", OptimizerKind::kAdafactor},
};

// Optimizers around another one: what they wrap is what updates.
bool IsWrapper(std::string_view name) {
  return name == "LossScaleOptimizer" || name == "CrossShardOptimizer" || name == "MovingAverage" ||
         name == "SWA" || name == "Lookahead";
}

void SetOptimizer(Interpreter& in, std::string_view name, Node at, TrainingSpec& spec) {
  for (const auto& [known, kind] : kOptimizers) {
    if (known != PlainName(name)) continue;
    spec.optimizer = kind;
    spec.optimizer_known = true;
    return;
  }
  in.Note("RD002", at.location(),
          fmt::format("optimizer {} is not modelled; SGD stands in unless "
                      "--optimizer is given",
                      name));
}

}  // namespace

void ReadOptimizer(Interpreter& in, const Value& value, Node at, TrainingSpec& spec) {
  if (const std::string* name = value.as<std::string>()) {
    SetOptimizer(in, *name, at, spec);
    return;
  }
  const Object* object = value.ref<Object>();
  if (object == nullptr || object->type != nullptr) {
    in.NoteUnknown("the optimizer of compile()", value, at,
                   "SGD stands in unless --optimizer is given");
    return;
  }
  const std::string_view name = LastPart(object->path);
  const Value* inner = object->arguments.Get(0, "inner_optimizer");
  if (IsWrapper(name) && inner != nullptr && inner->ref<Object>() != object) {
    const Object* wrapped = inner->ref<Object>();
    if (wrapped == nullptr || !IsWrapper(LastPart(wrapped->path))) {
      ReadOptimizer(in, *inner, at, spec);
      return;
    }
  }
  SetOptimizer(in, name, at, spec);
  const Value* rate = object->arguments.Get(0, "learning_rate");
  if (rate == nullptr) rate = object->arguments.Keyword("lr");
  if (rate != nullptr) spec.learning_rate = AsNumber(*rate);
  const bool rms = spec.optimizer == OptimizerKind::kRmsProp;
  const Value* momentum = object->arguments.Get(rms ? 2 : 1, "momentum");
  const bool heavy = momentum != nullptr && AsNumber(*momentum).value_or(0.9) != 0;
  if (heavy && spec.optimizer == OptimizerKind::kSgd) {
    spec.optimizer = OptimizerKind::kMomentum;
  } else if (heavy && rms) {
    spec.optimizer = OptimizerKind::kRmsPropMomentum;
  }
}

void ReadLoss(Interpreter& in, const Value& value, Node at, TrainingSpec& spec) {
  std::string name;
  if (const std::string* text = value.as<std::string>()) {
    name = *text;
  } else if (const Path* path = value.as<Path>()) {
    name = std::string(LastPart(path->name));
  } else if (const Object* object = value.ref<Object>();
             object != nullptr && object->type == nullptr) {
    name = std::string(LastPart(object->path));
    const size_t position = 0;
    const Value* logits = object->arguments.Get(position, "from_logits");
    spec.from_logits = logits != nullptr && Truth(*logits).value_or(false);
  }
  const std::string key = PlainName(name);
  const auto is = [&key](std::string_view part) { return key.find(part) != std::string::npos; };
  spec.loss_known = true;
  if (is("sparsecategoricalcrossentropy")) {
    spec.loss = LossKind::kSoftmaxCrossEntropy;
    spec.sparse_labels = true;
  } else if (is("categoricalcrossentropy") || is("softmaxcrossentropy")) {
    spec.loss = LossKind::kSoftmaxCrossEntropy;
  } else if (is("binarycrossentropy") || is("binaryfocal")) {
    spec.loss = LossKind::kBinaryCrossEntropy;
  } else if (is("meansquarederror") || key == "mse") {
    spec.loss = LossKind::kMeanSquaredError;
  } else {
    spec.loss_known = false;
    const std::string shown = name.empty() ? "of compile()" : name;
    in.Note("RD002", at.location(),
            fmt::format("loss {} is not modelled; softmax cross-entropy "
                        "stands in, which changes the step little",
                        shown));
  }
}

namespace {

bool OverridesBatchHook(const Object& object) {
  if (object.type == nullptr) return false;
  for (const char* hook :
       {"on_batch_begin", "on_batch_end", "on_train_batch_begin", "on_train_batch_end"}) {
    if (object.type->Find(hook) != nullptr) return true;
  }
  return false;
}

}  // namespace

std::vector<Callback> ReadCallbacks(Interpreter& in, const Value* value, Node at) {
  std::vector<Callback> result;
  if (value == nullptr || value->none()) return result;
  std::vector<Value> items;
  if (const std::vector<Value>* list = Items(*value)) {
    items = *list;
  } else {
    items.push_back(*value);
  }
  for (const Value& item : items) {
    const Object* object = item.ref<Object>();
    if (object == nullptr) {
      in.NoteUnknown("a callback of fit()", item, at, "whether it works per batch is not checked");
      continue;
    }
    Callback callback;
    callback.name =
        object->type != nullptr ? object->type->name : std::string(LastPart(object->path));
    callback.location = object->location;
    const Value* frequency = object->arguments.Keyword("save_freq");
    if (frequency == nullptr) {
      frequency = object->arguments.Keyword("update_freq");
    }
    callback.per_batch = OverridesBatchHook(*object) ||
                         (frequency != nullptr && AsInt(*frequency).has_value()) ||
                         (frequency != nullptr && frequency->as<std::string>() != nullptr &&
                          *frequency->as<std::string>() == "batch");
    for (const char* hook : {"on_batch_end", "on_batch_begin"}) {
      if (callback.name == "LambdaCallback" && object->arguments.Keyword(hook) != nullptr) {
        callback.per_batch = true;
      }
    }
    result.push_back(std::move(callback));
  }
  return result;
}

}  // namespace tilewise::python
