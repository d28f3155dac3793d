// What is refused by design: formats without a model in them, what has to be
// unpacked first, and one that only its own compiler can decode.

#include "frontend/refused_format.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "absl/strings/cord.h"
#include "frontend/config/read_config.h"
#include "frontend/files/keras_files.h"
#include "frontend/load.h"
#include "frontend/mlir/read_mlir.h"
#include "frontend/text_file.h"

namespace tilewise {
namespace {

struct RefusedFormat {
  std::string_view name;
  std::string_view instead;  // what to give
  bool (*sniff)(const InputFile& file);
};

bool LooksLikeYaml(const InputFile& file) {
  return (file.path.ends_with(".yaml") || file.path.ends_with(".yml")) && LooksLikeText(file) &&
         SniffFormat(file) == nullptr;
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

bool StartsWith(const InputFile& file, std::string_view start) {
  return file.bytes.starts_with(start);
}

bool LooksCompressed(const InputFile& file) {
  return StartsWith(file, "\x1F\x8B") ||
         StartsWith(file,
                    "\xFD"
                    "7zXZ") ||
         StartsWith(file, "\x28\xB5\x2F\xFD") || StartsWith(file, "BZh");
}

bool LooksLikeArchive(const InputFile& file) {
  constexpr size_t kTarMark = 257;
  return file.bytes.substr(0, kTarMark + 5).ends_with("ustar") ||
         (StartsWith(file, "PK\x03\x04") && !LooksLikeKerasZip(file));
}

// What a PowerShell writes to a file.
bool LooksLikeUtf16(const InputFile& file) {
  return StartsWith(file, "\xFF\xFE") || StartsWith(file, "\xFE\xFF");
}

// A length of 8 bytes and JSON; GGUF; the index of a TensorFlow checkpoint,
// which is a table of LevelDB's.
bool LooksLikeWeights(const InputFile& file) {
  constexpr std::string_view kTableMark = "\x57\xFB\x80\x8B\x24\x75\x47\xDB";
  const bool is_small_length =
      file.bytes.size() > 10 && file.bytes.substr(4, 4) == std::string(4, '\0');
  return (is_small_length && file.bytes.substr(8, 2) == "{\"") || StartsWith(file, "GGUF") ||
         file.bytes.ends_with(kTableMark);
}

constexpr std::array<RefusedFormat, 8> kRefused = {{
    {"MLIR bytecode",
     "its text: stablehlo-opt FILE -o model.mlir, or open('model.mlir', "
     "'w').write(jax.jit(step).lower(*args).as_text())",
     LooksLikeMlirBytecode},
    {"a YAML configuration", "the model that it configures: tf.saved_model.save(model, 'DIR')",
     LooksLikeYaml},
    {"a TensorFlow Lite model",
     "the model that it was converted from: tf.saved_model.save(model, 'DIR')", LooksLikeTfLite},
    {"a PyTorch file of pickled tensors", "torch.onnx.export(model, args, 'model.onnx')",
     LooksLikeTorchFile},
    {"a compressed file", "what is in it: gunzip, unxz or unzstd FILE", LooksCompressed},
    {"an archive of files", "one of them, or the folder that it is unpacked to", LooksLikeArchive},
    {"text in UTF-16", "UTF-8: iconv -f UTF-16 -t UTF-8 FILE", LooksLikeUtf16},
    {"weights without a model (a checkpoint, safetensors or GGUF)",
     "the model that has them: tf.saved_model.save(model, 'DIR'), or "
     "jax.jit(step).lower(*args).as_text()",
     LooksLikeWeights},
}};

constexpr char kHelp[] = "tilewise/help";

struct Export {
  std::string_view framework;
  std::string_view format;  // of InputFormats()
  std::string_view line;
};

constexpr std::array<Export, 6> kExports = {{
    {"TensorFlow", "saved-model", "tf.saved_model.save(model, 'DIR')"},
    {"Keras", "keras-zip", "model.save('model.keras')"},
    {"Keras", "keras-json", "open('model.json', 'w').write(model.to_json())"},
    {"JAX", "mlir", "open('step.mlir', 'w').write(jax.jit(step).lower(*args).as_text())"},
    {"PyTorch", "onnx", "torch.onnx.export(model, args, 'model.onnx')"},
    {"PyTorch/XLA", "xla-dump", "XLA_FLAGS=--xla_dump_to=DIR python train.py"},
}};

std::string ExportLines() {
  std::string lines;
  for (const Export& line : kExports) {
    lines += fmt::format("  {:<12} {:<12} {}\n", line.framework, line.format, line.line);
  }
  return lines;
}

// The names of all formats, in lines of at most 80 columns.
std::string FormatLines() {
  constexpr size_t kColumns = 80;
  std::string lines = "  formats:";
  size_t column = lines.size();
  for (const InputFormat& format : InputFormats()) {
    const bool is_last = &format == &InputFormats().back();
    const std::string word = fmt::format(" {}{}", format.name, is_last ? "\n" : ",");
    if (column + word.size() > kColumns) {
      lines += "\n          ";
      column = 10;
    }
    lines += word;
    column += word.size();
  }
  return lines;
}

}  // namespace

absl::Status CheckNotRefused(const InputFile& file) {
  const auto format = std::find_if(kRefused.begin(), kRefused.end(),
                                   [&](const RefusedFormat& f) { return f.sniff(file); });
  if (format == kRefused.end()) return absl::OkStatus();
  return InvalidInput(
      fmt::format("{}: found {}, expected {}", file.path, format->name, format->instead));
}

absl::Status NotAModel(const InputFile& file, std::string_view what) {
  absl::Status status = InvalidInput(fmt::format(
      "{}: found {}, expected a model as one of these lines exports it, or another of the formats",
      file.path, what));
  // A view: the constructor that takes a string is a template, whose name Clang and GCC mangle
  // differently.
  const std::string help = ExportLines() + FormatLines();
  status.SetPayload(kHelp, absl::Cord(absl::string_view(help)));
  return status;
}

std::string HelpOf(const absl::Status& status) {
  const auto help = status.GetPayload(kHelp);
  return help ? std::string(*help) : "";
}

}  // namespace tilewise
