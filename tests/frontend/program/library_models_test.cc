// Models of libraries, read from their own sources: parameters as their authors
// publish them (pytorch.org/vision, keras.io/api/applications).

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>

#include "frontend/program/read_program.h"

namespace tilewise::program {
namespace {

struct LibraryModel {
  std::string file;  // in the folder of Debian's Python packages
  std::string expression;
  std::string input;
  int64_t parameters = 0;  // with statistics where the library counts them
};

void PrintTo(const LibraryModel& model, std::ostream* out) { *out << model.expression; }

// Empty: the sources are not on this machine.
std::string FolderOf(const std::string& file) {
  constexpr const char* kFolders[] = {TILEWISE_SOURCE_DIR
                                      "/build/library-sources/usr/lib/python3/dist-packages",
                                      "/usr/lib/python3/dist-packages"};
  for (const std::string folder : kFolders) {
    if (std::filesystem::exists(folder + "/" + file)) return folder;
  }
  return "";
}

class LibraryModels : public testing::TestWithParam<LibraryModel> {};

TEST_P(LibraryModels, HaveThePublishedNumberOfParameters) {
  const LibraryModel& model = GetParam();
  const std::string folder = FolderOf(model.file);
  if (folder.empty()) GTEST_SKIP() << "no " << model.file << " on this machine";
  std::ifstream stream(folder + "/" + model.file);
  std::stringstream text;
  text << stream.rdbuf();
  ProgramOptions options;
  options.model = model.expression;
  options.inputs = model.input;
  options.python_path = {folder};
  const auto workload = ReadProgram(folder + "/" + model.file, {{text.str(), 0}}, options);
  ASSERT_TRUE(workload.ok()) << workload.status();
  ASSERT_TRUE(workload->model_size.has_value());
  const ModelSize& size = *workload->model_size;
  const bool keras = model.file.starts_with("keras");
  EXPECT_EQ(size.trainable + (keras ? size.other : 0), model.parameters);
  EXPECT_TRUE(workload->graph.has_value());
}

const std::string kVision = "torchvision/models/";
const std::string kKeras = "keras_applications/";

INSTANTIATE_TEST_SUITE_P(
    Torchvision, LibraryModels,
    testing::Values(
        LibraryModel{kVision + "resnet.py", "resnet50()", "3x224x224:f32", 25557032},
        LibraryModel{kVision + "vgg.py", "vgg16()", "3x224x224:f32", 138357544},
        LibraryModel{kVision + "mobilenetv3.py", "mobilenet_v3_large()", "3x224x224:f32", 5483032},
        LibraryModel{kVision + "densenet.py", "densenet121()", "3x224x224:f32", 7978856},
        LibraryModel{kVision + "convnext.py", "convnext_tiny()", "3x224x224:f32", 28589128},
        LibraryModel{kVision + "swin_transformer.py", "swin_t()", "3x224x224:f32", 28288354},
        LibraryModel{kVision + "vision_transformer.py", "vit_b_16()", "3x224x224:f32", 86567656},
        LibraryModel{kVision + "regnet.py", "regnet_y_400mf()", "3x224x224:f32", 4344144}));

INSTANTIATE_TEST_SUITE_P(
    KerasApplications, LibraryModels,
    testing::Values(LibraryModel{kKeras + "resnet.py", "ResNet50(weights=None)", "224x224x3:f32",
                                 25636712},
                    LibraryModel{kKeras + "inception_v3.py", "InceptionV3(weights=None)",
                                 "299x299x3:f32", 23851784}));

}  // namespace
}  // namespace tilewise::program
