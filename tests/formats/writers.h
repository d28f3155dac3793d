// One writer per format.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/formats/model.h"

namespace tilewise::formats {

struct File {
  std::string name;   // "model.json"
  std::string bytes;  // empty: the format has no words for the model
  // Of a program: what makes the model, and the shapes of its inputs.
  std::string model = {}, inputs = {};
};

// With a batch that is open, and weights as variables.
File KerasJson(const Model& model);
File GraphDef(const Model& model);
File Onnx(const Model& model);
// Programs in Python.
File KerasProgram(const Model& model);
File TorchProgram(const Model& model);
File FlaxProgram(const Model& model);
// For a batch of kBatch, and weights as arguments.
File StableHlo(const Model& model);
File HloText(const Model& model);

struct Format {
  std::string_view name;
  File (*write)(const Model& model);
};

}  // namespace tilewise::formats
