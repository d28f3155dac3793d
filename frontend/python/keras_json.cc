// Values of a script as the JSON that Keras would write for a layer argument.

#include "frontend/python/import_names.h"
#include "frontend/python/interpreter.h"

namespace tilewise::python {
namespace {

constexpr int kMaxJsonNesting = 16;

std::optional<nlohmann::json> Convert(Interpreter& in, const Value& value, int nesting) {
  using nlohmann::json;
  if (nesting > kMaxJsonNesting || !in.Charge(1)) return std::nullopt;
  if (value.none()) return json(nullptr);
  if (const bool* b = value.as<bool>()) return json(*b);
  if (const int64_t* i = value.as<int64_t>()) return json(*i);
  if (const double* d = value.as<double>()) return json(*d);
  if (const std::string* s = value.as<std::string>()) return json(*s);
  if (const Path* path = value.as<Path>()) {
    if (Under(path->name, "builtins")) return std::nullopt;
    return json(std::string(LastPart(path->name)));
  }
  if (const std::vector<Value>* items = Items(value)) {
    json result = json::array();
    for (const Value& item : *items) {
      std::optional<json> part = Convert(in, item, nesting + 1);
      if (!part.has_value()) return std::nullopt;
      result.push_back(std::move(*part));
    }
    return result;
  }
  if (const Object* object = value.ref<Object>()) {
    if (object->type != nullptr) return std::nullopt;
    return json{{"class_name", std::string(LastPart(object->path))}, {"config", json::object()}};
  }
  if (const LayerRef* ref = value.as<LayerRef>()) {
    const KerasLayer& layer = in.keras.layer(ref->layer);
    json config = layer.config;
    config["name"] = layer.name;
    return json{{"class_name", layer.class_name}, {"config", config}};
  }
  return std::nullopt;
}

}  // namespace

std::optional<nlohmann::json> ToJson(Interpreter& in, const Value& value) {
  return Convert(in, value, 0);
}

}  // namespace tilewise::python
