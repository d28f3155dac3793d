// The text is the model, an object around it, or a JSON string of it; the rest
// is the same for all files of Keras.

#include "frontend/keras/read_json.h"

#include <utility>

#include "frontend/keras/bounded_json.h"
#include "frontend/keras/keras_workload.h"
#include "frontend/text_file.h"

namespace tilewise {
namespace {

// "{\"class_name\": ...": the text of a model as one JSON string, which is what
// json.dump(model.to_json(), f) writes.
bool LooksLikeQuotedModel(const InputFile& file) {
  const std::string_view text = WithoutMark(file.bytes);
  const size_t inside = text.find('"') + 1;
  const size_t first = text.find_first_not_of(" \t", inside);
  return first != std::string_view::npos && text[first] == '{' &&
         text.find("\\\"class_name\\\"") != std::string_view::npos;
}

// The JSON inside a JSON string; any other value as it is.
absl::StatusOr<nlohmann::json> Unquoted(nlohmann::json root) {
  if (!root.is_string()) return root;
  absl::StatusOr<nlohmann::json> inside = ParseBoundedJson(root.get_ref<const std::string&>());
  if (inside.ok()) return inside;
  return Annotate(inside.status(), "in the text that the JSON string holds");
}

}  // namespace

bool LooksLikeKerasJson(const InputFile& file) {
  const char first = FirstCharacter(file);
  if (!LooksLikeText(file)) return false;
  if (first == '"') return LooksLikeQuotedModel(file);
  if (first != '{' && first != '[') return false;
  const auto has = [&](std::string_view word) {
    return file.bytes.find(word) != std::string_view::npos;
  };
  if (file.path.ends_with(".ipynb")) return false;
  if (first == '{' && has("\"class_name\"")) return true;
  return file.path.ends_with(".json") && !has("\"modelTopology\"") && !has("\"nbformat\"") &&
         !has("\"model_type\"");
}

absl::StatusOr<Workload> ReadKerasJson(const InputFile& file, const LoadOptions& options) {
  TW_ASSIGN_OR_RETURN(const std::string text, CopyText(file));
  absl::StatusOr<nlohmann::json> root = ParseBoundedJson(text);
  if (root.ok()) root = Unquoted(*std::move(root));
  if (!root.ok()) return Annotate(root.status(), file.path);
  return WorkloadOfKeras({file.path, *std::move(root), text, options.training.value_or(true)});
}

}  // namespace tilewise
