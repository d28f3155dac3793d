// The text is the model, or an object around it; the rest is the same for all
// files of Keras.

#include "frontend/keras/read_json.h"

#include <utility>

#include "frontend/keras/bounded_json.h"
#include "frontend/keras/keras_workload.h"
#include "frontend/text_file.h"

namespace tilewise {

bool LooksLikeKerasJson(const InputFile& file) {
  const char first = FirstCharacter(file);
  if ((first != '{' && first != '[') || !LooksLikeText(file)) return false;
  const auto has = [&](std::string_view word) {
    return file.bytes.find(word) != std::string_view::npos;
  };
  if (file.path.ends_with(".ipynb")) return false;
  if (first == '{' && has("\"class_name\"")) return true;
  return file.path.ends_with(".json") && !has("\"modelTopology\"") &&
         !has("\"nbformat\"");
}

absl::StatusOr<Workload> ReadKerasJson(const InputFile& file,
                                       const LoadOptions&) {
  TW_ASSIGN_OR_RETURN(const std::string text, CopyText(file));
  absl::StatusOr<nlohmann::json> root = ParseBoundedJson(text);
  if (!root.ok()) return Annotate(root.status(), file.path);
  return WorkloadOfKeras({file.path, *std::move(root), text});
}

}  // namespace tilewise
