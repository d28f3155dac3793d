// Training configurations become the input pipeline and the loop that their
// libraries make of them.

#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/config/configured_input.h"
#include "frontend/config/read_config.h"
#include "frontend/config/setting.h"

namespace tilewise {
namespace {

using testing::HasSubstr;

std::string CountText(const Count& count) {
  switch (count.kind) {
    case Count::Kind::kAbsent:
      return "";
    case Count::Kind::kValue:
      return fmt::format(" {}", count.value);
    case Count::Kind::kAutotune:
      return " auto";
    case Count::Kind::kUnresolved:
      return " ?";
  }
  return "";
}

// "batch 64@5 drop, prefetch 2@9": stages with amount and line.
std::string Stages(const Pipeline& pipeline) {
  std::string text;
  for (const Stage& stage : pipeline.stages) {
    if (!text.empty()) text += ", ";
    text +=
        fmt::format("{}{}@{}", StageName(stage.kind), CountText(stage.amount), stage.location.line);
    if (stage.drop_remainder.value_or(false)) text += " drop";
  }
  return text;
}

InputFile File(const std::string& path, const std::string& text) {
  return {.path = path, .bytes = text};
}

TEST(PipelineConfig, BecomesTheDatasetOfTheLibrary) {
  const std::string text = R"(model {
  ssd { image_resizer { fixed_shape_resizer { height: 300 width: 300 } } }
}
train_config: {
  batch_size: 64
  data_augmentation_options { random_horizontal_flip {} }
}
train_input_reader {
  shuffle_buffer_size: 4096  # records
  num_readers: 32
  tf_record_input_reader {
    input_path: "gs://data/train-*-of-00010"
  }
}
eval_config { batch_size: 1; }
eval_input_reader: { shuffle: false }
)";
  const InputFile file = File("pipeline.config", text);
  ASSERT_TRUE(LooksLikePipelineConfig(file));
  const auto workload = ReadPipelineConfig(file, {});
  ASSERT_TRUE(workload.ok()) << workload.status();
  ASSERT_EQ(workload->pipelines.size(), 2u);
  EXPECT_EQ(Stages(workload->pipelines[0]),
            "list_files@12, interleave 10@10, shuffle 4096@9, map@8, "
            "batch 64@5 drop, prefetch 2@8");
  EXPECT_EQ(workload->pipelines[0].stages[0].files, 10);
  EXPECT_EQ(workload->pipelines[0].role, PipelineRole::kTraining);
  EXPECT_EQ(workload->pipelines[1].role, PipelineRole::kEvaluation);
  EXPECT_EQ(workload->declared_global_batch(), 64);
}

TEST(PipelineConfig, ImagesThatKeepTheirSizeArePaddedPerBatch) {
  const auto batch = [](const std::string& resizer) {
    const std::string text = fmt::format(
        "model {{ faster_rcnn {{ image_resizer {{ {} }} }} }}\n"
        "train_config {{ batch_size: 8 }}\ntrain_input_reader {{}}\n",
        resizer);
    const auto workload = ReadPipelineConfig(File("p.config", text), {});
    EXPECT_TRUE(workload.ok()) << workload.status();
    return workload.ok() ? workload->pipelines[0].batch()->kind : StageKind::kOther;
  };
  EXPECT_EQ(batch("keep_aspect_ratio_resizer { min_dimension: 600 }"), StageKind::kPaddedBatch);
  EXPECT_EQ(batch("keep_aspect_ratio_resizer { pad_to_max_dimension: true }"), StageKind::kBatch);
}

TEST(TrainingYaml, ModelGardenTellsBatchLoopAndPrecision) {
  const std::string text = R"(runtime:
  distribution_strategy: 'tpu'
  mixed_precision_dtype: 'bfloat16'
task:
  train_data:
    input_path: 'imagenet/train*'
    global_batch_size: 4096
    shuffle_buffer_size: 10000
  validation_data:
    global_batch_size: 4096
    drop_remainder: false
trainer:
  steps_per_loop: 312
)";
  const InputFile file = File("r50.yaml", text);
  ASSERT_TRUE(LooksLikeTrainingYaml(file));
  const auto workload = ReadTrainingYaml(file, {});
  ASSERT_TRUE(workload.ok()) << workload.status();
  EXPECT_EQ(Stages(workload->pipelines.at(0)),
            "list_files@6, interleave auto@5, shuffle 10000@8, map@5, "
            "batch 4096@7 drop, prefetch auto@5");
  EXPECT_THAT(Stages(workload->pipelines.at(1)), HasSubstr("batch 4096@10,"));
  EXPECT_TRUE(workload->host_loop.steps_per_execution.is(312));
  EXPECT_EQ(workload->host_loop.steps_per_execution_location.line, 13);
  EXPECT_TRUE(workload->host_loop.uses_tpu_strategy);
  EXPECT_EQ(workload->facts.precision_policy, "mixed_bfloat16");
}

TEST(TrainingYaml, FlatParametersOfTheReferenceModels) {
  const std::string text =
      "train_batch_size: 4096\neval_batch_size: 1024\n"
      "iterations_per_loop: 100\nnum_cores: 32\n";
  const auto workload = ReadTrainingYaml(File("v3-32.yaml", text), {});
  ASSERT_TRUE(workload.ok()) << workload.status();
  ASSERT_EQ(workload->pipelines.size(), 2u);
  EXPECT_EQ(workload->declared_global_batch(), 4096);
  EXPECT_EQ(workload->pipelines[1].batch_size(), 1024);
  EXPECT_TRUE(workload->host_loop.steps_per_execution.is(100));
}

TEST(TrainingYaml, BatchPerReplicaIsMultipliedOut) {
  const std::string text =
      "train_dataset:\n  name: imagenet2012\n  builder: tfds\n"
      "  batch_size: 128\n  use_per_replica_batch_size: True\n";
  const auto workload = ReadTrainingYaml(File("tpu.yaml", text), {.cores = 32});
  ASSERT_TRUE(workload.ok()) << workload.status();
  EXPECT_EQ(workload->declared_global_batch(), 4096);
}

TEST(TrainingGin, MacrosStandForTheirValues) {
  const std::string text = R"(from __gin__ import dynamic_registration
BATCH_SIZE = 128  # examples
train/utils.DatasetConfig:
  mixture_or_task_name = 'wmt'
  batch_size = %BATCH_SIZE
)";
  const InputFile file = File("run.gin", text);
  ASSERT_TRUE(LooksLikeTrainingGin(file));
  const auto workload = ReadTrainingGin(file, {});
  ASSERT_TRUE(workload.ok()) << workload.status();
  EXPECT_EQ(workload->declared_global_batch(), 128);
  EXPECT_EQ(workload->pipelines.at(0).batch()->location.line, 5);
}

TEST(TrainingGin, SaysWhatWasReadAndWhatNot) {
  const std::string text =
      "include 't5x/base.gin'\n"
      "train/utils.DatasetConfig.batch_size = 128\n"
      "MIXTURE_OR_TASK_NAME = 'wmt'\n";
  const auto workload = ReadTrainingGin(File("run.gin", text), {});
  ASSERT_TRUE(workload.ok()) << workload.status();
  ASSERT_EQ(workload->notes.size(), 1u);
  EXPECT_EQ(workload->notes[0].rule, "RD005");
  EXPECT_THAT(workload->notes[0].message,
              testing::AllOf(HasSubstr("a training batch of 128, its data 'wmt'"),
                             HasSubstr("t5x/base.gin, which was not read")));
}

TEST(TrainingYaml, ATypeThatIsNotStatedHasThePlaceOfItsBlock) {
  const std::string text =
      "runtime:\n  distribution_strategy: 'tpu'\n"
      "trainer:\n  steps_per_loop: 1\n";
  const auto workload = ReadTrainingYaml(File("a.yaml", text), {});
  ASSERT_TRUE(workload.ok()) << workload.status();
  EXPECT_EQ(workload->facts.precision_policy, std::nullopt);
  EXPECT_EQ(workload->facts.precision_policy_location.line, 1);
}

TEST(TrainingYaml, NullLeavesTheChoiceToTheLibrary) {
  const std::string text =
      "train_data:\n  input_path: 'x*'\n  cycle_length: null\n"
      "  global_batch_size: 64\n";
  const auto workload = ReadTrainingYaml(File("a.yaml", text), {});
  ASSERT_TRUE(workload.ok()) << workload.status();
  EXPECT_THAT(Stages(workload->pipelines.at(0)), HasSubstr("interleave auto@1"));
}

// What each stage's amount is written as, by the name that tf.data has for it.
TEST(TrainingConfigurations, StagesKnowWhereTheirAmountsAreWritten) {
  const std::string yaml =
      "train_data:\n  global_batch_size: 64\n  shuffle_buffer_size: 10\n"
      "  drop_remainder: false\n  deterministic: true\n";
  const std::string config =
      "model {}\ntrain_config { batch_size: 8 }\n"
      "train_input_reader { num_readers: 4 }\n";
  const std::string gin = "B = 128\ntrain/utils.DatasetConfig.batch_size = %B\n";
  const auto written = [](const std::string& text, const Workload& workload) {
    std::string all;
    for (const Stage& stage : workload.pipelines.at(0).stages) {
      for (const WrittenArgument& argument : stage.written) {
        const Span& span = argument.value;
        all += argument.parameter + "=" + text.substr(span.begin, span.end - span.begin) + " ";
      }
    }
    return all;
  };
  EXPECT_EQ(written(yaml, *ReadTrainingYaml(File("a.yaml", yaml), {})),
            "deterministic=true buffer_size=10 batch_size=64 "
            "drop_remainder=false ");
  EXPECT_EQ(written(config, *ReadPipelineConfig(File("a.config", config), {})),
            "cycle_length=4 num_parallel_calls=4 batch_size=8 ");
  EXPECT_EQ(written(gin, *ReadTrainingGin(File("a.gin", gin), {})), "batch_size=128 ");
}

// The spans of values are what the file has there, quotes included.
TEST(Settings, ScalarsKnowTheirText) {
  const std::string text = "a: 'x'\nb:\n  c: 32_000\n  d: \"y z\"\n";
  const auto root = ParseYamlSettings(File("a.yaml", text));
  ASSERT_TRUE(root.ok()) << root.status();
  const auto written = [&](const Setting* setting) {
    const Span& span = setting->value_span;
    return text.substr(span.begin, span.end - span.begin);
  };
  EXPECT_EQ(written(root->Find("a")), "'x'");
  EXPECT_EQ(written(root->Find({"b", "c"})), "32_000");
  EXPECT_EQ(root->Find({"b", "c"})->integer(), 32000);
  EXPECT_EQ(written(root->Find({"b", "d"})), "\"y z\"");
}

TEST(Settings, MalformedTextIsOneMessageWithItsLine) {
  const auto textproto = [](const std::string& text) {
    return Message(ParseTextprotoSettings(File("p.config", text)).status());
  };
  EXPECT_EQ(textproto("a {\n b: 1\n"), "p.config:3: found the end, expected '}'");
  EXPECT_EQ(textproto("a\nb"), "p.config:2: found 'b', expected ':' or '{'");
  EXPECT_THAT(textproto("a: \"x\n"), HasSubstr("p.config:1: found a line's end"));
  EXPECT_THAT(textproto("}"), HasSubstr("p.config:1: found '}'"));
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "a {";
  EXPECT_THAT(textproto(deep), HasSubstr("deeper than 200"));
  EXPECT_THAT(Message(ParseYamlSettings(File("c.yaml", "a: [1, {2\nb: }")).status()),
              HasSubstr("c.yaml:"));
}

// A few lines of anchors stand for billions of values.
TEST(Settings, AnchorsDoNotMultiplyWithoutEnd) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    text += fmt::format(
        "a{0}: &a{0} [*a{1}, *a{1}, *a{1}, *a{1}, *a{1}, "
        "*a{1}, *a{1}, *a{1}, *a{1}]\n",
        i, i - 1);
  }
  EXPECT_THAT(Message(ParseYamlSettings(File("b.yaml", text)).status()),
              HasSubstr("found more than 200000 settings"));
}

TEST(Settings, LargerFilesThanPeopleWriteAreRefused) {
  const std::string text(kMostConfigurationBytes + 1, '\n');
  const InputFile file = File("huge.yaml", text);
  for (const auto& parsed :
       {ParseYamlSettings(file), ParseTextprotoSettings(file), ParseGinSettings(file)}) {
    EXPECT_THAT(Message(parsed.status()), HasSubstr("huge.yaml: found 2097153 bytes"));
  }
}

TEST(Settings, PatternsTellHowManyFilesTheyName) {
  EXPECT_EQ(FilesOfPattern("train-*-of-00256.tfrecord"), 256);
  EXPECT_EQ(FilesOfPattern("gs://bucket/train@128"), 128);
  EXPECT_EQ(FilesOfPattern("train*"), std::nullopt);
}

}  // namespace
}  // namespace tilewise
