// Each becomes a small program that builds the model through the own modules.

#include "frontend/python/model_config.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "frontend/keras/bounded_json.h"
#include "frontend/program/read_program.h"
#include "frontend/text_file.h"

namespace tilewise {
namespace {

// The inputs of one example: an image where the configuration has its size,
// else tokens.
std::string UsualInputs(const nlohmann::json& config) {
  const auto number = [&](const char* key, int64_t otherwise) {
    const auto at = config.find(key);
    return at != config.end() && at->is_number_integer() ? at->get<int64_t>() : otherwise;
  };
  const int64_t image = number("image_size", 0);
  if (image > 0 && !config.contains("vocab_size")) {
    return fmt::format("{}x{}x{}:f32", number("num_channels", 3), image, image);
  }
  return "seq:s64";
}

}  // namespace

bool LooksLikeModelConfig(const InputFile& file) {
  const auto has = [&](std::string_view word) {
    return file.bytes.find(word) != std::string_view::npos;
  };
  return LooksLikeText(file) && FirstCharacter(file) == '{' && has("\"model_type\"") &&
         !has("\"class_name\"") && !has("\"nbformat\"") && !has("\"modelTopology\"");
}

absl::StatusOr<Workload> ReadModelConfig(const InputFile& file, const LoadOptions& options) {
  TW_ASSIGN_OR_RETURN(const std::string text, CopyText(file));
  absl::StatusOr<nlohmann::json> config = ParseBoundedJson(text);
  if (!config.ok()) return Annotate(config.status(), file.path);
  program::ProgramOptions settings;
  settings.cores = options.cores;
  const std::string& asked = options.program.model;
  settings.model =
      fmt::format("__import__('_tilewise_hf').build({}{})", nlohmann::json(file.path).dump(),
                  asked.empty() ? "" : ", " + nlohmann::json(asked).dump());
  settings.differentiates = options.training.value_or(true);
  settings.inputs = options.program.inputs.empty() ? UsualInputs(*config) : options.program.inputs;
  TW_ASSIGN_OR_RETURN(Workload out, program::ReadProgram(file.path, {}, settings));
  out.format = "transformers-config";
  return out;
}

}  // namespace tilewise
