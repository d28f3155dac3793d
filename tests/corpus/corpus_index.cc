// INDEX.csv is comma-separated, with quotes around fields that have commas.

#include "tests/corpus/corpus_index.h"

#include <array>
#include <fstream>
#include <ostream>
#include <string_view>

namespace tilewise {
namespace {

constexpr char kFolder[] = TILEWISE_SOURCE_DIR "/../shared/corpus/";

std::vector<std::string> Fields(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  return fields;
}

struct Refusal {
  std::string_view start;  // of the file's name below the folder
  std::string_view why;
};

// Kinds without a model in them, a form that only its compiler decodes, and
// files that are something else than their folder says.
constexpr std::array<Refusal, 10> kRefusals = {{
    {"gin/configs__runs__continue_", "found a gin configuration without"},
    {"gin/t5__t5_1_1__", "found a gin configuration without"},
    {"tpu_repo_yaml/maxtext__llama", "found a YAML configuration"},
    {"od_pipeline_config/other_faster_rcnn_", "found no train_input_reader"},
    {"mlir_bytecode/", "found MLIR bytecode"},
    {"model_garden_yaml/nlp__models__", "found a YAML configuration"},
    {"model_garden_yaml/nlp__projects__mobilebert__", "found a YAML configuration"},
    {"keras_v3/", "without layers"},  // a class of its author's
    {"other_mlir/", "found the MLIR dialect 'ttir'"},
    {"stablehlo_mlir/enzyme_affine_", "found the MLIR dialect 'affine'"},
}};

std::string RefusalOf(const std::string& file) {
  for (const Refusal& refusal : kRefusals) {
    if (file.starts_with(refusal.start)) return std::string(refusal.why);
  }
  return "";
}

// What a test of XLA's own tools wrote: its result types are not those of its
// operands.
bool StatesWrongShapes(const std::string& file) {
  return file == "hlo_text/generate_hlo_test_checks_test_output.hlo";
}

}  // namespace

void PrintTo(const CorpusFile& file, std::ostream* out) { *out << file.file; }

std::vector<CorpusFile> CorpusFiles() {
  std::ifstream index(std::string(kFolder) + "INDEX.csv");
  std::vector<CorpusFile> files;
  std::string line;
  std::getline(index, line);  // titles
  while (std::getline(index, line)) {
    const std::vector<std::string> fields = Fields(line);
    if (fields.size() < 2) continue;
    files.push_back({fields[0], fields[1], kFolder + fields[0], RefusalOf(fields[0]),
                     StatesWrongShapes(fields[0])});
  }
  return files;
}

}  // namespace tilewise
