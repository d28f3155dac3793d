// What is refused by design: formats without a model in them, and one that only
// its own compiler can decode.

#include "frontend/refused_format.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "frontend/config/read_config.h"
#include "frontend/mlir/read_mlir.h"
#include "frontend/text_file.h"

namespace tilewise {
namespace {

constexpr size_t kStart = size_t{64} << 10;

struct RefusedFormat {
  std::string_view name;
  std::string_view instead;  // what to give
  bool (*sniff)(const InputFile& file);
};

bool LooksLikeYaml(const InputFile& file) {
  return (file.path.ends_with(".yaml") || file.path.ends_with(".yml")) &&
         LooksLikeText(file) && !LooksLikeTrainingYaml(file);
}

bool LooksLikeTfLite(const InputFile& file) {
  return file.bytes.size() > 8 && file.bytes.substr(4, 4) == "TFL3";
}

// A zip of pickled tensors, with a data.pkl inside a folder of its own.
bool LooksLikeTorchFile(const InputFile& file) {
  const std::string_view start = file.bytes.substr(0, 256);
  return start.starts_with("PK\x03\x04") &&
         (start.find("/data.pkl") != std::string_view::npos ||
          start.find("/constants.pkl") != std::string_view::npos ||
          start.find("/byteorder") != std::string_view::npos);
}

constexpr std::array<RefusedFormat, 4> kRefused = {{
    {"MLIR bytecode",
     "its text: stablehlo-opt FILE -o model.mlir, or open('model.mlir', "
     "'w').write(jax.jit(step).lower(*args).as_text())",
     LooksLikeMlirBytecode},
    {"a YAML configuration",
     "the model that it configures: tf.saved_model.save(model, 'DIR')",
     LooksLikeYaml},
    {"a TensorFlow Lite model",
     "the model that it was converted from: tf.saved_model.save(model, 'DIR')",
     LooksLikeTfLite},
    {"a PyTorch file of pickled tensors",
     "torch.onnx.export(model, args, 'model.onnx')", LooksLikeTorchFile},
}};

}  // namespace

absl::Status CheckNotRefused(const InputFile& file) {
  const auto format =
      std::find_if(kRefused.begin(), kRefused.end(),
                   [&](const RefusedFormat& f) { return f.sniff(file); });
  if (format == kRefused.end()) return absl::OkStatus();
  return InvalidInput(fmt::format("{}: found {}, expected {}", file.path,
                                  format->name, format->instead));
}

std::string ExportLines() {
  return "TensorFlow: tf.saved_model.save(model, 'DIR'); "
         "Keras: model.save('model.keras') or "
         "open('model.json', 'w').write(model.to_json()); "
         "JAX: open('step.mlir', "
         "'w').write(jax.jit(step).lower(*args).as_text()); "
         "PyTorch/XLA: XLA_FLAGS=--xla_dump_to=DIR python train.py; "
         "ONNX: torch.onnx.export(model, args, 'model.onnx')";
}

}  // namespace tilewise
