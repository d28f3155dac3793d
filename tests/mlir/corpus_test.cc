// Every StableHLO and MHLO file of the corpus is read, nearly all of it
// natively; what is not is one of those that are refused by design.

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/mlir/read_mlir.h"

namespace tilewise {
namespace {

const char* const kCorpus = TILEWISE_SOURCE_DIR "/../shared/corpus/";

std::string Contents(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::filesystem::path> Files(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(kCorpus + folder, error)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST(MlirCorpus, EveryFileIsRead) {
  std::vector<std::filesystem::path> files = Files("stablehlo_mlir");
  for (const auto& path : Files("mhlo_mlir")) files.push_back(path);
  if (files.empty()) GTEST_SKIP() << "no corpus at " << kCorpus;
  int64_t ops = 0;
  int64_t opaque = 0;
  for (const auto& path : files) {
    const std::string text = Contents(path);
    const InputFile file{path.string(), text};
    EXPECT_TRUE(LooksLikeMlir(file)) << path;
    const absl::StatusOr<Workload> read = ReadMlir(file, {});
    if (!read.ok() && Message(read.status()).find("MLIR dialect 'a") != std::string::npos) {
      continue;  // affine loops on memrefs
    }
    EXPECT_TRUE(read.ok()) << path << ": " << read.status();
    if (!read.ok()) continue;
    EXPECT_GT(read->graph->size(), 0) << path;
    ops += read->layers;
    std::string missing;
    for (const auto& [name, count] : read->opaque_layers) {
      opaque += count;
      missing += " " + name + ":" + std::to_string(count);
    }
    std::printf("%-60s graph %5d layers %5ld opaque:%s\n", path.filename().c_str(),
                read->graph->size(), static_cast<long>(read->layers), missing.c_str());
    for (const Diagnostic& note : read->notes) {
      std::printf("    %s %s: %s\n", note.rule.c_str(), FormatLocation(note.location).c_str(),
                  note.message.c_str());
    }
  }
  EXPECT_LE(opaque * 100, ops * 3);
}

TEST(MlirCorpus, OtherFormsAreRefusedWithALineThatExports) {
  std::vector<std::filesystem::path> files = Files("mlir_bytecode");
  for (const auto& path : Files("other_mlir")) files.push_back(path);
  if (files.empty()) GTEST_SKIP() << "no corpus at " << kCorpus;
  for (const auto& path : files) {
    const std::string text = Contents(path);
    const InputFile file{path.string(), text};
    EXPECT_TRUE(LooksLikeMlir(file) || LooksLikeMlirBytecode(file)) << path;
    const absl::StatusOr<Workload> read = ReadMlir(file, {});
    ASSERT_FALSE(read.ok()) << path;
    EXPECT_THAT(Message(read.status()), testing::HasSubstr("print(")) << path;
  }
}

}  // namespace
}  // namespace tilewise
