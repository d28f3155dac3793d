// Sequential and functional models: collected as they are built, finished into
// a KerasModel for the graph builder.

#include "frontend/python/keras_models.h"

#include <fmt/format.h>

#include "frontend/python/import_names.h"
#include "frontend/python/interpreter.h"

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
  model->unresolved =
      fmt::format("{}() makes it outside the script", call.text);
  in.Note("RD002", call.location,
          fmt::format("{}() makes a model outside the script, which cannot be "
                      "costed; write model.to_json() to a file and give that "
                      "file too",
                      call.text));
  return {model};
}

std::optional<KerasTensor> Append(Interpreter& in, const Value& part,
                                  KerasTensor x, const Location& at);

std::optional<KerasTensor> AppendModel(Interpreter& in, const Model& model,
                                       KerasTensor x, const Location& at) {
  std::optional<KerasTensor> result = x;
  for (const Value& part : model.stack) {
    if (part.as<KerasTensor>() != nullptr) continue;  // its Input
    result = Append(in, part, *result, at);
    if (!result.has_value()) return std::nullopt;
  }
  return result;
}

// The calls of a functional model made again with other inputs.
std::optional<std::vector<KerasTensor>> Replay(
    Interpreter& in, const Model& model,
    const std::vector<KerasTensor>& actual) {
  if (actual.size() != model.inputs.size()) return std::nullopt;
  std::map<std::pair<int32_t, int32_t>, KerasTensor> made;
  for (size_t i = 0; i < actual.size(); ++i) {
    made[{model.inputs[i].layer, model.inputs[i].call}] = actual[i];
  }
  // Depth first, with an explicit stack: operands before users.
  std::vector<KerasTensor> work = model.outputs;
  while (!work.empty()) {
    if (!in.Charge(1)) return std::nullopt;
    const KerasTensor t = work.back();
    if (made.contains({t.layer, t.call})) {
      work.pop_back();
      continue;
    }
    const KerasCall call =
        in.keras.layer(t.layer).calls[static_cast<size_t>(t.call)];
    bool ready = true;
    std::vector<KerasTensor> inputs;
    for (const KerasTensor& input : call.inputs) {
      const auto found = made.find({input.layer, input.call});
      if (found == made.end()) {
        work.push_back(input);
        ready = false;
      } else {
        inputs.push_back(found->second);
        // Which of several results is the user's choice, not the maker's.
        if (input.output != 0) inputs.back().output = input.output;
      }
    }
    if (!ready) continue;
    if (call.inputs.empty()) return std::nullopt;  // an input left open
    made[{t.layer, t.call}] =
        in.keras.AddCall(t.layer, inputs, call.kwargs, call.location);
    work.pop_back();
  }
  std::vector<KerasTensor> results;
  for (const KerasTensor& t : model.outputs) {
    results.push_back(made.at({t.layer, t.call}));
    if (t.output != 0) results.back().output = t.output;
  }
  return results;
}

std::optional<KerasTensor> Append(Interpreter& in, const Value& part,
                                  KerasTensor x, const Location& at) {
  if (!in.Charge(1)) return std::nullopt;
  if (const LayerRef* layer = part.as<LayerRef>()) {
    const Location& own = in.keras.layer(layer->layer).location;
    return in.keras.AddCall(layer->layer, {x}, nlohmann::json::object(),
                            own.known() ? own : at);
  }
  const Model* model = part.ref<Model>();
  if (model == nullptr) return std::nullopt;
  if (model->kind == Model::Kind::kSequential) {
    // A model may hold itself only by mistake.
    for (const Value& inner : model->stack) {
      if (inner.ref<Model>() == model) return std::nullopt;
    }
    return AppendModel(in, *model, x, at);
  }
  if (model->kind != Model::Kind::kFunctional) return std::nullopt;
  const auto results = Replay(in, *model, {x});
  if (!results.has_value() || results->size() != 1) return std::nullopt;
  return (*results)[0];
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
  const bool loads =
      last == "load_model" || last == "model_from_json" ||
      last == "clone_model" || last == "from_pretrained" ||
      last == "from_preset" ||
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
      in.NoteUnknown("a layer added to the model", *layer, call.node,
                     "the model cannot be costed");
      model->unresolved = "a layer of it is not known";
    }
    model->stack.push_back(*layer);
    return Value{None{}};
  }
  if (call.name == "pop" && !model->stack.empty()) {
    model->stack.pop_back();
    return Value{None{}};
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
  if (call.name == "summary" || call.name == "load_weights" ||
      call.name == "save_weights" || call.name == "save") {
    return Value{None{}};
  }
  return std::nullopt;
}

Value ApplyModel(Interpreter& in, Model& model, const Call& call) {
  const auto unknown = [&] {
    return in.MakeUnknown(
        fmt::format("model {} cannot be followed here", model.name), call.node);
  };
  const Value* argument = call.arguments.positional.empty()
                              ? nullptr
                              : &call.arguments.positional[0];
  if (argument == nullptr) return unknown();
  const auto tensors = TensorsOf(*argument);
  if (!tensors.has_value() || !model.unresolved.empty()) return unknown();
  if (model.kind == Model::Kind::kSequential) {
    const auto result = Append(in, {&model}, (*tensors)[0], call.location);
    return result.has_value() ? Value{*result} : unknown();
  }
  const auto results = Replay(in, model, *tensors);
  if (!results.has_value()) return unknown();
  if (results->size() == 1) return {(*results)[0]};
  std::vector<Value> values;
  for (const KerasTensor& t : *results) values.push_back({t});
  return in.MakeList(std::move(values));
}

namespace {

// The Input tensor of a Sequential model, made from whatever names its shape.
std::optional<KerasTensor> SequentialInput(
    Interpreter& in, const Model& model,
    const std::optional<std::vector<int64_t>>& data_shape,
    std::string_view dtype) {
  const Value* first = model.stack.empty() ? nullptr : &model.stack[0];
  if (first != nullptr && first->as<KerasTensor>() != nullptr) {
    return *first->as<KerasTensor>();
  }
  std::string kind = "float32";
  std::optional<std::vector<int64_t>> shape = model.input_shape;
  if (first != nullptr && first->as<LayerRef>() != nullptr) {
    const KerasLayer& layer = in.keras.layer(first->as<LayerRef>()->layer);
    if (layer.class_name == "Embedding") kind = "int32";
    for (const char* key : {"input_shape", "batch_input_shape"}) {
      const auto dims = layer.config.find(key);
      if (dims == layer.config.end() || !dims->is_array()) continue;
      std::vector<int64_t> sizes;
      for (const auto& dim : *dims) {
        sizes.push_back(dim.is_number_integer() ? dim.get<int64_t>() : -1);
      }
      if (key[0] == 'b' && !sizes.empty()) sizes.erase(sizes.begin());
      shape = sizes;
    }
    const auto dim = layer.config.find(
        layer.class_name == "Embedding" ? "input_length" : "input_dim");
    if (!shape.has_value() && dim != layer.config.end() &&
        dim->is_number_integer()) {
      shape = {dim->get<int64_t>()};
    }
  }
  if (first != nullptr && !shape.has_value()) {
    const Model* inner = first->ref<Model>();
    if (inner != nullptr && inner->kind == Model::Kind::kSequential &&
        inner != &model) {
      return SequentialInput(in, *inner, data_shape, dtype);
    }
    if (inner != nullptr && inner->inputs.size() == 1) {
      return inner->inputs[0];
    }
  }
  if (!shape.has_value() && data_shape.has_value()) {
    shape = data_shape;
    if (!dtype.empty() && kind == "float32") kind = std::string(dtype);
  }
  if (!shape.has_value()) return std::nullopt;
  return in.keras.AddInput(*shape, kind, "", model.location);
}

bool HasUnresolved(Interpreter& in, const KerasModel& model,
                   std::string& reason) {
  for (const auto& [index, why] : in.keras.unresolved) {
    for (const KerasLayer& layer : model.layers) {
      if (layer.name == in.keras.layer(index).name) {
        reason = why;
        return true;
      }
    }
  }
  return false;
}

}  // namespace

std::optional<KerasModel> FinishModel(
    Interpreter& in, Model& model,
    const std::optional<std::vector<int64_t>>& data_shape,
    std::string_view data_dtype) {
  if (!model.unresolved.empty()) return std::nullopt;  // noted where found
  std::vector<KerasTensor> inputs = model.inputs, outputs = model.outputs;
  if (model.kind == Model::Kind::kSequential) {
    const auto input = SequentialInput(in, model, data_shape, data_dtype);
    if (!input.has_value()) {
      in.Note("RD002", model.location,
              fmt::format("cannot tell the input shape of model {}; the model "
                          "cannot be costed; start it with keras.Input(shape)",
                          model.name));
      return std::nullopt;
    }
    const auto output = AppendModel(in, model, *input, model.location);
    if (!output.has_value()) {
      in.Note("RD002", model.location,
              fmt::format("cannot follow all layers of model {}; the model "
                          "cannot be costed; write model.to_json() to a file "
                          "and give that file too",
                          model.name));
      return std::nullopt;
    }
    inputs = {*input};
    outputs = {*output};
  }
  KerasModel result = in.keras.Cut(model.name, inputs, outputs);
  std::string reason;
  if (HasUnresolved(in, result, reason)) return std::nullopt;
  return result;
}

}  // namespace tilewise::python
