// Full names, aliases resolved.

#include "frontend/program/call_names.h"

#include "frontend/program/import_names.h"
#include "pipeline/chain.h"
#include "workload/blocks.h"

namespace tilewise::program {

using python::Under;

bool IsRandom(std::string_view name) {
  const std::string_view last = tilewise::LastName(name);
  return Under(name, "tensorflow.random") || Under(name, "numpy.random") || Under(name, "random") ||
         Contains(name, ".image.random_") || Contains(name, ".image.stateless_random") ||
         last.starts_with("random_") || last.starts_with("Random");
}

bool IsStateful(std::string_view name) {
  return name == "tensorflow.py_function" || name == "tensorflow.numpy_function" ||
         name == "tensorflow.py_func" || name == "tensorflow.print" || name == "builtins.print" ||
         name == "builtins.open";
}

bool Decodes(std::string_view name) {
  const std::string_view last = tilewise::LastName(name);
  return last.starts_with("decode_") || DecodesImage(name) || last.starts_with("parse_single_") ||
         last == "parse_example" || last == "parse_sequence_example" ||
         last == "decode_and_crop_jpeg";
}

}  // namespace tilewise::program
