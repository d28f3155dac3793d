// Sequential and functional models, collected as they are built and called.

#include "frontend/python/keras_models.h"

#include <fmt/format.h>

#include "frontend/python/import_names.h"
#include "frontend/python/interpreter.h"
#include "frontend/python/model_replay.h"

namespace tilewise::python {
namespace {

Model* NewModel(Interpreter& in, const Call& call) {
  Model* model = in.arena.New(Model{});
  model->location = call.location;
  if (!in.in_dataset_function) in.models.push_back(model);
  return model;
}

std::string NameOf(Interpreter& in, const Call& call, std::string_view kind) {
  const Value* name = call.arguments.Keyword("name");
  const std::string* text = name == nullptr ? nullptr : name->as<std::string>();
  return text != nullptr ? *text : in.keras.AutoName(kind);
}

Value MakeSequential(Interpreter& in, const Call& call) {
  Model* model = NewModel(in, call);
  model->kind = Model::Kind::kSequential;
  model->name = NameOf(in, call, "Sequential");
  const Value* layers = call.arguments.Get(0, "layers");
  if (layers == nullptr || layers->none()) return {model};
  const std::vector<Value>* items = Items(*layers);
  if (items == nullptr) {
    in.NoteUnknown("the layers of a Sequential model", *layers, call.node,
                   "the model cannot be costed");
    model->unresolved = "its list of layers is not known";
    return {model};
  }
  model->stack = *items;
  return {model};
}

Value MakeFunctional(Interpreter& in, const Call& call) {
  Model* model = NewModel(in, call);
  model->name = NameOf(in, call, "Model");
  const Value* inputs = call.arguments.Get(0, "inputs");
  if (inputs == nullptr) inputs = call.arguments.Keyword("input");
  const Value* outputs = call.arguments.Get(1, "outputs");
  if (outputs == nullptr) outputs = call.arguments.Keyword("output");
  if (inputs == nullptr || outputs == nullptr) {
    model->unresolved = "its inputs or outputs are not given";
    return {model};
  }
  const auto from = TensorsOf(*inputs), to = TensorsOf(*outputs);
  if (from.has_value() && to.has_value()) {
    model->kind = Model::Kind::kFunctional;
    model->inputs = *from;
    model->outputs = *to;
    return {model};
  }
  const bool input_bad = !from.has_value();
  in.NoteUnknown(input_bad ? "the inputs of a model" : "the outputs of a model",
                 input_bad ? *inputs : *outputs, call.node,
                 "the model cannot be costed; write model.to_json() to a file "
                 "and give that file too");
  model->unresolved = "its inputs or outputs are not known";
  return {model};
}

// Models that libraries make: their layers are not in the script.
Value MakeLibraryModel(Interpreter& in, const Call& call) {
  Model* model = NewModel(in, call);
  model->name = std::string(LastPart(call.name));
  model->unresolved = fmt::format("{}() makes it outside the script", call.text);
  in.Note("RD002", call.location,
          fmt::format("{}() makes a model outside the script, which cannot be "
                      "costed; write model.to_json() to a file and give that "
                      "file too",
                      call.text));
  return {model};
}

}  // namespace

std::optional<Value> CallKerasModel(Interpreter& in, const Call& call) {
  const std::string_view last = LastPart(call.name);
  const bool keras = Under(call.name, "tensorflow.keras");
  if (keras && last == "Sequential") return MakeSequential(in, call);
  if (keras && (last == "Model" || last == "Functional")) {
    return MakeFunctional(in, call);
  }
  const bool applications = Under(call.name, "tensorflow.keras.applications") &&
                            std::isupper(last.empty() ? 'a' : last[0]) != 0;
  const bool loads = last == "load_model" || last == "model_from_json" || last == "clone_model" ||
                     last == "from_pretrained" || last == "from_preset" ||
                     (Under(call.name, "tensorflow_hub") && last == "KerasLayer");
  const bool preset = last == "from_pretrained" || last == "from_preset";
  if (applications || (loads && (keras || preset))) {
    return MakeLibraryModel(in, call);
  }
  return std::nullopt;
}

std::optional<Value> CallModelMethod(Interpreter& in, const Call& call) {
  Model* model = call.self->ref<Model>();
  if (model == nullptr) return std::nullopt;
  if (call.name == "add") {
    const Value* layer = call.arguments.Get(0, "layer");
    if (layer == nullptr) return Value{None{}};
    if (layer->unknown() != nullptr) {
      in.NoteUnknown("a layer added to the model", *layer, call.node, "the model cannot be costed");
      model->unresolved = "a layer of it is not known";
    }
    model->stack.push_back(*layer);
    return Value{None{}};
  }
  if (call.name == "pop" && !model->stack.empty()) {
    model->stack.pop_back();
    return Value{None{}};
  }
  if (call.name == "get_layer" && !model->unresolved.empty()) {
    return in.MakeUnknown(fmt::format("model {} is not known: {}", model->name, model->unresolved),
                          call.node);
  }
  if (call.name == "build") {
    const Value* shape = call.arguments.Get(0, "input_shape");
    const std::vector<Value>* dims = shape == nullptr ? nullptr : Items(*shape);
    if (dims == nullptr || dims->empty()) return Value{None{}};
    std::vector<int64_t> sizes;
    for (size_t i = 1; i < dims->size(); ++i) {
      sizes.push_back(AsInt((*dims)[i]).value_or(-1));
    }
    model->input_shape = sizes;
    return Value{None{}};
  }
  if (call.name == "summary" || call.name == "load_weights" || call.name == "save_weights" ||
      call.name == "save") {
    return Value{None{}};
  }
  return std::nullopt;
}

Value ApplyModel(Interpreter& in, Model& model, const Call& call) {
  const auto unknown = [&] {
    return in.MakeUnknown(
        model.unresolved.empty()
            ? fmt::format("model {} cannot be followed here", model.name)
            : fmt::format("model {} is not known: {}", model.name, model.unresolved),
        call.node);
  };
  const Value* argument =
      call.arguments.positional.empty() ? nullptr : &call.arguments.positional[0];
  if (argument == nullptr) return unknown();
  const auto tensors = TensorsOf(*argument);
  if (!tensors.has_value() || !model.unresolved.empty()) return unknown();
  if (model.kind == Model::Kind::kSequential) {
    const auto result = AppendPart(in, {&model}, (*tensors)[0], call.location);
    return result.has_value() ? Value{*result} : unknown();
  }
  const auto results = ReplayModel(in, model, *tensors);
  if (!results.has_value()) return unknown();
  if (results->size() == 1) return {(*results)[0]};
  std::vector<Value> values;
  for (const KerasTensor& t : *results) values.push_back({t});
  return in.MakeList(std::move(values));
}

}  // namespace tilewise::python
