// One name for each library function, however it was imported.

#pragma once

#include <string>
#include <string_view>

namespace tilewise::python {

// "keras.layers.Dense", "tensorflow.compat.v1.keras.layers.Dense" and
// "tensorflow.python.keras.layers.Dense" -> "tensorflow.keras.layers.Dense".
// Other names are unchanged.
std::string CanonicalName(std::string_view dotted);

// Whether `name` is `prefix` or below it.
bool Under(std::string_view name, std::string_view prefix);

}  // namespace tilewise::python
