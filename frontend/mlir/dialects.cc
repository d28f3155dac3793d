// See dialects.h.

#include "frontend/mlir/dialects.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>

#include <fmt/format.h>

#include "frontend/mlir/lexer.h"
#include "frontend/mlir/operation.h"

namespace tilewise::mlir {
namespace {

constexpr size_t kPrefix = size_t{1} << 16;
// Lines that are looked at for dialects.
constexpr int64_t kMaxLines = 1'000'000;

bool IsNameChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '$';
}

// The name of the operation on a line: behind the names of its results, in
// quotes or not. Empty: the line begins none.
std::string_view OperationOn(std::string_view line) {
  const auto skip_space = [&] {
    while (!line.empty() && (line[0] == ' ' || line[0] == '\t')) {
      line.remove_prefix(1);
    }
  };
  skip_space();
  if (line.starts_with("//")) return {};
  if (line.starts_with("%")) {
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos) return {};
    const size_t colon = line.find(": ");
    if (colon < equals) return {};  // a header of arguments
    line.remove_prefix(equals + 1);
    skip_space();
  }
  if (line.starts_with("\"")) line.remove_prefix(1);
  size_t end = 0;
  while (end < line.size() && IsNameChar(line[end])) ++end;
  const std::string_view name = line.substr(0, end);
  const size_t dot = name.find('.');
  return dot == std::string_view::npos || dot == 0 ? std::string_view() : name;
}

// Dialects that are read, and those beside them that say nothing about what
// a program is written in.
bool IsRead(std::string_view dialect) {
  constexpr std::array<std::string_view, 3> kRead = {"stablehlo", "mhlo", "chlo"};
  for (std::string_view read : kRead) {
    if (dialect == read) return true;
  }
  return false;
}

bool IsBeside(std::string_view dialect) {
  constexpr std::array<std::string_view, 9> kBeside = {"builtin", "func",  "arith", "math", "cf",
                                                       "tensor",  "shape", "sdy",   "util"};
  for (std::string_view beside : kBeside) {
    if (dialect == beside) return true;
  }
  return false;
}

constexpr std::string_view kExport =
    "export StableHLO text instead: JAX: print(jax.jit(f).lower(*args)"
    ".as_text()); PyTorch: torch_xla.stablehlo.exported_program_to_stablehlo("
    "torch.export.export(m, args)).get_stablehlo_text()";

std::string_view ExportLine(std::string_view dialect) {
  if (dialect == "tf" || dialect == "tf_executor" || dialect == "tf_device" ||
      dialect == "tf_saved_model" || dialect == "tfg" || dialect == "tfl") {
    return "give the SavedModel or GraphDef that it was made of, which is read "
           "as it is: tf.saved_model.save(model, \"dir\")";
  }
  if (dialect == "vhlo") {
    return "convert it to the StableHLO of today: stablehlo-opt "
           "--vhlo-to-version=target=current --vhlo-legalize-to-stablehlo "
           "FILE -o FILE.stablehlo.mlir";
  }
  if (dialect == "onnx" || dialect == "krnl") {
    return "give the ONNX file that it was made of, which is read as it is";
  }
  return kExport;
}

std::string_view FirstWord(std::string_view text, int32_t& line) {
  const Lexer lexer(text);
  line = lexer.token().line;
  return lexer.token().text;
}

bool HasAny(std::string_view text, std::initializer_list<std::string_view> words) {
  for (std::string_view word : words) {
    if (text.find(word) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

bool LooksLikeMlirText(std::string_view text) {
  text = text.substr(0, kPrefix);
  int32_t line = 0;
  const std::string_view word = FirstWord(text, line);
  if (word == "module" || word == "builtin.module" || word == "func.func" || word == "func" ||
      word == "sdy.mesh" || word == "\"builtin.module\"" || word == "\"func.func\"" ||
      word == "util.global" || word == "ml_program.global") {
    return HasAny(text, {"module {", "module @", "module attributes", "func.func", "func @",
                         "builtin.module", "= \"", "sdy.mesh", "stablehlo.", "mhlo."});
  }
  if (word.size() > 1 && (word[0] == '#' || word[0] == '!')) {
    const size_t at = word.data() - text.data();
    const std::string_view behind = text.substr(at + word.size());
    return behind.starts_with(" = ") &&
           HasAny(text, {"module", "func.func", "loc(", "affine_map", "stablehlo", "mhlo"});
  }
  return false;
}

absl::Status CheckDialects(std::string_view text) {
  std::map<std::string_view, int64_t> counts;  // by dialect
  int64_t lines = 0;
  size_t begin = 0;
  while (begin < text.size() && lines < kMaxLines) {
    size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) end = text.size();
    const std::string_view name = OperationOn(text.substr(begin, end - begin));
    begin = end + 1;
    ++lines;
    if (name.empty()) continue;
    const std::string_view dialect = DialectOf(name);
    if (IsRead(dialect)) return absl::OkStatus();
    ++counts[dialect];
  }
  std::string_view most;
  for (const auto& [dialect, count] : counts) {
    if (IsBeside(dialect)) continue;
    if (most.empty() || count > counts[most]) most = dialect;
  }
  if (most.empty()) return absl::OkStatus();
  return InvalidInput(fmt::format("found the MLIR dialect '{}', expected StableHLO or MHLO; {}",
                                  most.substr(0, 40), ExportLine(most)));
}

absl::Status BytecodeError(std::string_view path, std::string_view bytes) {
  // The version follows the magic, then the producer, which ends in a zero.
  constexpr size_t kProducer = 5;
  std::string_view producer = bytes.substr(std::min(kProducer, bytes.size()));
  size_t end = 0;
  while (end < producer.size() && end < 40 && producer[end] >= 32 && producer[end] < 127) {
    ++end;
  }
  producer = producer.substr(0, end);
  return InvalidInput(
      fmt::format("found MLIR bytecode ({}), expected MLIR text; print it: python -c "
                  "\"from jax.extend import mlir; print(mlir.deserialize_portable_artifact("
                  "open('{}', 'rb').read()))\" > module.mlir, or stablehlo-translate "
                  "--deserialize {} -o module.mlir; where the program is at hand: "
                  "print(exported.mlir_module()) or "
                  "print(jax.jit(f).lower(*args).as_text())",
                  producer.empty() ? "of an unnamed producer" : producer, path, path));
}

}  // namespace tilewise::mlir
