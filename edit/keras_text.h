// Finds where the layers of a Keras model stand in its JSON text, for edits.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "edit/json_text.h"

namespace tilewise {

struct LayerText {
  std::string_view name;           // of a layer inside of a wrapper: the wrapper's
  std::string_view class_name;     // "MaxPooling2D"
  std::string path;                // to its object: "config.layers[3]"
  std::vector<JsonPart> settings;  // members of its config
};

// Returns the layers of the model and of models inside of it, in the order of
// the text; nothing for a text that is no such model.
std::vector<LayerText> LayersIn(std::string_view text);

// A string without its quotes; empty for other values.
std::string_view JsonString(std::string_view text, const JsonPart* part);

}  // namespace tilewise
