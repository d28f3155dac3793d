// The prefixes under which TensorFlow and Keras are imported.

#include "frontend/program/import_names.h"

#include <utility>

namespace tilewise::python {

bool Under(std::string_view name, std::string_view prefix) {
  return name.starts_with(prefix) && (name.size() == prefix.size() || name[prefix.size()] == '.');
}

std::string CanonicalName(std::string_view dotted) {
  constexpr std::pair<std::string_view, std::string_view> kPrefixes[] = {
      {"tensorflow.compat.v1", "tensorflow"},
      {"tensorflow.compat.v2", "tensorflow"},
      {"tensorflow.python.keras", "tensorflow.keras"},
      {"tensorflow.contrib.keras", "tensorflow.keras"},
      {"tf_keras", "tensorflow.keras"},
      {"keras", "tensorflow.keras"},
      {"keras_core", "tensorflow.keras"},
      {"tensorflow.keras.src", "tensorflow.keras"},
      {"tensorflow.keras.api", "tensorflow.keras"},
      {"tensorflow.keras.layers.experimental.preprocessing", "tensorflow.keras.layers"},
      {"tensorflow.distribute.experimental.TPUStrategy", "tensorflow.distribute.TPUStrategy"},
  };
  std::string name(dotted);
  for (const auto& [from, to] : kPrefixes) {
    if (Under(name, from)) name = std::string(to) + name.substr(from.size());
  }
  return name;
}

}  // namespace tilewise::python
