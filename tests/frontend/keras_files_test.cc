// Keras models in HDF5 files and in zip archives, whole and damaged.

#include "frontend/files/keras_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/frontend/hdf5_writer.h"
#include "tests/frontend/zip_writer.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

constexpr char kModel[] = R"({"class_name": "Sequential", "config": {
  "name": "m", "layers": [
    {"class_name": "Dense", "config": {"name": "d1", "units": 2,
     "batch_input_shape": [null, 4]}},
    {"class_name": "Dense", "config": {"name": "d2", "units": 3}}]}})";

std::string Summary(const absl::StatusOr<Workload>& workload) {
  if (!workload.ok()) return Message(workload.status());
  std::string text = workload->producer + ";";
  for (const auto& [name, count] : workload->source_ops) {
    text += " " + name + " " + std::to_string(count);
  }
  return text + "; " + std::to_string(workload->graph->trainable_parameters());
}

std::string ReadH5(const std::string& bytes) { return Summary(ReadKerasH5({"m.h5", bytes}, {})); }

std::string ReadZip(const std::string& bytes) {
  return Summary(ReadKerasZip({"m.keras", bytes}, {}));
}

TEST(KerasH5, ModelAndVersionAreAttributes) {
  EXPECT_EQ(ReadH5(WriteHdf5({{"keras_version", "2.4.0"}, {"model_config", kModel}})),
            "keras 2.4.0; Dense 2 InputLayer 1; 19");
}

TEST(KerasH5, TrainingSettingsAreTaken) {
  const std::string bytes = WriteHdf5(
      {{"model_config", kModel}, {"training_config", R"({"optimizer_config": {"class_name": "Adam",
          "config": {}}, "loss": "categorical_crossentropy"})"}});
  const auto workload = ReadKerasH5({"m.h5", bytes}, {});
  ASSERT_TRUE(workload.ok()) << workload.status();
  ASSERT_TRUE(workload->training.has_value());
  EXPECT_EQ(workload->training->optimizer, OptimizerKind::kAdam);
}

TEST(KerasH5, FilesWithoutAModelSayWhatToSave) {
  EXPECT_THAT(ReadH5(WriteHdf5({{"layer_names", "x"}})),
              HasSubstr("m.h5: the HDF5 file has no attribute model_config"));
  EXPECT_THAT(ReadH5(WriteHdf5({{"model_config", "{\"a\": "}})),
              HasSubstr("attribute model_config: line 1"));
  EXPECT_THAT(ReadH5(WriteHdf5({{"model_config", R"({"class_name": "MyModel", "config": {}})"}})),
              HasSubstr("class_name is \"MyModel\" without layers"));
}

TEST(KerasZip, ModelAndVersionAreMembers) {
  EXPECT_EQ(ReadZip(WriteZip({{"metadata.json", R"({"keras_version": "3.1"})"},
                              {"config.json", kModel},
                              {"model.weights.h5", std::string(9999, 'w')}})),
            "keras 3.1; Dense 2 InputLayer 1; 19");
}

TEST(KerasZip, DamagedMetadataIsLeftOut) {
  EXPECT_EQ(ReadZip(WriteZip({{"metadata.json", "{"}, {"config.json", kModel}})),
            "; Dense 2 InputLayer 1; 19");
}

TEST(KerasZip, ArchivesWithoutAModelSayWhatIsMissing) {
  EXPECT_THAT(ReadZip(WriteZip({{"metadata.json", "{}"}})),
              HasSubstr("m.keras: the archive has no config.json"));
  EXPECT_THAT(ReadZip("PK\x03\x04 config.json"), HasSubstr("damaged zip"));
}

TEST(KerasZip, InflatesNoMoreThanAModelMayHave) {
  const std::string bomb(size_t{80} << 20, ' ');
  const std::string bytes = WriteZip({{"config.json", bomb}});
  EXPECT_LT(bytes.size(), size_t{1} << 20);
  EXPECT_THAT(ReadZip(bytes), HasSubstr("config.json: found more than"));
}

TEST(KerasZip, EndsWithAMessageWhereverAnArchiveIsCut) {
  const std::string bytes = WriteZip({{"config.json", kModel}});
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(ReadKerasZip({"m.keras", bytes.substr(0, size)}, {}).ok()) << size;
  }
}

}  // namespace
}  // namespace tilewise
