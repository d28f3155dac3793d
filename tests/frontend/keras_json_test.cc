// Keras model files: the forms of the three Keras generations, the files of
// the corpus, and files that are not right.

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "frontend/keras/read_json.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kCorpus = fs::path(TILEWISE_SOURCE_DIR) / ".." / "shared" / "corpus" / "keras_json";
const fs::path kFixtures = fs::path(TILEWISE_SOURCE_DIR) / "tests" / "frontend" / "keras";

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

absl::StatusOr<Workload> Read(const std::string& text) {
  return ReadKerasJson({"m.json", text}, {});
}

absl::StatusOr<Workload> ReadFixture(const std::string& name) {
  return Read(ReadFile(kFixtures / name));
}

std::string Outputs(const absl::StatusOr<Workload>& workload) {
  if (!workload.ok()) return Message(workload.status());
  std::string text;
  for (const Output& output : workload->graph->outputs()) {
    if (!text.empty()) text += " ";
    text += FormatShape(workload->graph->op(output.value).shape);
  }
  return text;
}

int64_t Parameters(const Workload& workload) {
  int64_t total = 0;
  for (const Op& op : workload.graph->ops()) {
    if (op.kind == OpKind::kVariable) total += op.shape.elements();
  }
  return total;
}

// {"class_name":"Sequential","config":[...]} around Keras 2 layers.
std::string Sequential(const std::string& layers) {
  return R"({"class_name":"Sequential","keras_version":"2.1.0","config":[)" + layers + "]}";
}

TEST(KerasJson, ReadsTheFormsOfAllGenerations) {
  struct {
    const char* file;
    const char* outputs;
    int64_t parameters;
  } cases[] = {
      {"keras1_functional.json", "f32[N,4]", 8 * 4 + 4},
      {"keras2_nested_shared.json", "f32[N,1]", (6 * 5 + 5) + (10 * 1 + 1)},
      {"keras2_functions.json", "f32[N,8]", 8 * 8 + 8},
      {"keras3_functional.json", "f32[N,10]", (27 * 4 + 4) + 16 + (4 * 10 + 10)},
      {"keras3_sequential.json", "f32[N,3]", 8 * 3 + 3},
      {"keras3_attention.json", "f32[N,6,16]", 4 * (16 * 16 + 16)},
      {"two_outputs.json", "f32[N,2] f32[N,3]", (4 * 2 + 2) + (4 * 3 + 3)},
  };
  for (const auto& c : cases) {
    const auto workload = ReadFixture(c.file);
    ASSERT_EQ(Outputs(workload), c.outputs) << c.file;
    EXPECT_EQ(Parameters(*workload), c.parameters) << c.file;
    EXPECT_TRUE(workload->notes.empty()) << c.file;
  }
}

TEST(KerasJson, LayersOfManyLineFilesHaveTheirLine) {
  const auto workload = ReadFixture("keras3_sequential.json");
  ASSERT_TRUE(workload.ok()) << workload.status();
  bool found = false;
  for (const Op& op : workload->graph->ops()) {
    if (op.location.item != "scores") continue;
    found = true;
    EXPECT_EQ(op.location.file, "m.json");
    EXPECT_EQ(op.location.line, 29);
  }
  EXPECT_TRUE(found);
}

TEST(KerasJson, TakesOptimizerAndLossWhenTheFileHasThem) {
  const auto workload = ReadFixture("keras3_sequential.json");
  ASSERT_TRUE(workload.ok()) << workload.status();
  ASSERT_TRUE(workload->training.has_value());
  EXPECT_EQ(workload->training->optimizer, OptimizerKind::kMomentum);
  EXPECT_TRUE(workload->training->optimizer_known);
  EXPECT_TRUE(workload->training->sparse_labels);
  EXPECT_TRUE(workload->training->from_logits);
  EXPECT_TRUE(workload->host_loop.steps_per_execution.is(32));
}

TEST(KerasJson, SharedLayersHaveTheirWeightsOnce) {
  const auto workload = ReadFixture("keras2_nested_shared.json");
  ASSERT_TRUE(workload.ok()) << workload.status();
  int dots = 0;
  for (const Op& op : workload->graph->ops()) {
    dots += op.kind == OpKind::kDot ? 1 : 0;
  }
  EXPECT_EQ(dots, 3);  // the nested model's layer twice, the last layer once
}

TEST(KerasJson, OperationsOfKeras3AreFunctionsOfTensors) {
  const auto read = ReadFixture("keras3_operations.json");
  EXPECT_EQ(Outputs(read), "s32[N] f32[N,3] f32[N,2]");
}

TEST(KerasJson, UnknownLayersGiveWhatTheFileSaysOfTheirResults) {
  const auto read = ReadFixture("keras3_operations.json");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->opaque_layers.size(), 1U);
  EXPECT_EQ(read->opaque_layers.count("Widened"), 1U);
  // 7 x 3 + 3 and 5 x 2 + 2.
  EXPECT_EQ(Parameters(*read), 36);
}

TEST(KerasJson, OperationsOfKeras3KeepTheNamesOfTheFile) {
  const auto read = ReadFixture("keras3_operations.json");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->source_ops.count("TFOpLambda"), 0U);
  EXPECT_EQ(read->source_ops.count("Einsum"), 1U);
  EXPECT_EQ(read->source_ops.count("GetItem"), 1U);
}

TEST(KerasJson, OperationsThatAreNotKnownHaveTheirNamesToo) {
  std::string text = ReadFile(kFixtures / "keras3_operations.json");
  const size_t at = text.find("Relu");
  const auto read = Read(text.replace(at, 4, "Sway"));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->opaque_layers.count("Sway"), 1U);
}

TEST(KerasJson, ALayerThatCannotBeBuiltLeavesTheOthers) {
  // The layers behind state what goes into them.
  const auto read = Read(R"({"class_name":"Sequential","config":{"layers":[
      {"class_name":"InputLayer","config":{"batch_shape":[null,8,8,3]}},
      {"class_name":"Conv2D","config":{"name":"c","filters":"x",
       "kernel_size":3},"build_config":{"input_shape":[null,8,8,3]}},
      {"class_name":"Conv2D","config":{"name":"d","filters":4,
       "kernel_size":[]},"build_config":{"input_shape":[null,6,6,5]}},
      {"class_name":"Flatten","config":{"name":"f"},
       "build_config":{"input_shape":[null,4,4,4]}},
      {"class_name":"Dense","config":{"name":"e","units":3}}]}})");
  ASSERT_EQ(Outputs(read), "f32[N,3]");
  EXPECT_EQ(read->opaque_layers.at("Conv2D"), 2);
  EXPECT_EQ(Parameters(*read), 64 * 3 + 3);
  ASSERT_EQ(read->notes.size(), 2U);
  EXPECT_EQ(read->notes[0].location.item, "c");
  EXPECT_THAT(read->notes[0].message, HasSubstr("filters is a string"));
  EXPECT_THAT(read->notes[1].message, HasSubstr("for layer d: kernel_size"));
}

TEST(KerasJson, ALayerOfNoKnownShapeIsAnErrorThatSaysWhatToDo) {
  const auto read = Read(Sequential(R"({"class_name":"Conv2D",
      "config":{"name":"c","filters":"x","kernel_size":3,
                "batch_input_shape":[null,8,8,3]}},
      {"class_name":"Flatten","config":{"name":"f"}})"));
  EXPECT_THAT(Message(read.status()),
              HasSubstr("layer c: filters is a string, expected a positive "
                        "integer below 2^31; the file does not say what shape "
                        "this layer of class Conv2D gives"));
  EXPECT_THAT(Message(read.status()), HasSubstr("tf.saved_model.save(model, 'DIR')"));
}

TEST(KerasJson, SlicesOfKeras2AreRead) {
  const auto read = Read(R"({"class_name":"Functional","config":{"name":"m",
    "layers":[
      {"class_name":"InputLayer","name":"x","inbound_nodes":[],
       "config":{"batch_input_shape":[null,8,6],"name":"x"}},
      {"class_name":"SlicingOpLambda","name":"s",
       "config":{"name":"s","function":"__operators__.getitem"},
       "inbound_nodes":[["x",0,0,{"slice_spec":[
         {"start":null,"stop":null,"step":null},
         {"start":-1,"stop":null,"step":null}, 2]}]]}],
    "input_layers":[["x",0,0]],"output_layers":[["s",0,0]]}})");
  EXPECT_EQ(Outputs(read), "f32[N,1]");
}

// What json.dump(text, f) writes.
std::string Quoted(const std::string& text) { return nlohmann::json(text).dump(); }

TEST(KerasJson, AModelInAJsonStringIsThatModel) {
  for (const char* file : {"keras3_sequential.json", "two_outputs.json"}) {
    const std::string text = ReadFile(kFixtures / file);
    EXPECT_TRUE(LooksLikeKerasJson({"m", Quoted(text)})) << file;
    const auto read = Read(Quoted(text));
    EXPECT_EQ(Outputs(read), Outputs(Read(text))) << file;
    ASSERT_TRUE(read.ok());
    // All of the file is one line, which says nothing of a layer.
    for (const Op& op : read->graph->ops()) EXPECT_EQ(op.location.line, 0);
  }
}

TEST(KerasJson, ErrorsInsideAJsonStringSaySo) {
  EXPECT_EQ(Message(Read(Quoted("{\n\"class_name\": ,")).status()),
            "m.json: in the text that the JSON string holds: line 2, column "
            "15: not JSON");
  EXPECT_THAT(Message(Read(Quoted(Sequential(R"({"class_name":"Dense",
                  "config":{"name":"d","units":4}})")))
                          .status()),
              HasSubstr("m.json: layer d: "));
  EXPECT_THAT(Message(Read(Quoted(Quoted("{}"))).status()),
              HasSubstr("found a string, expected a Keras model"));
}

TEST(KerasJson, EveryCorpusFileLoads) {
  if (!fs::exists(kCorpus)) GTEST_SKIP() << "no corpus at " << kCorpus;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(kCorpus)) {
    files.push_back(entry.path());
  }
  EXPECT_GE(files.size(), 12u);
  for (const fs::path& path : files) {
    const std::string text = ReadFile(path);
    EXPECT_TRUE(LooksLikeKerasJson({"model", text})) << path;
    const auto workload = ReadKerasJson({path.filename(), text}, {});
    EXPECT_TRUE(workload.ok()) << workload.status();
  }
}

TEST(KerasJson, CorpusModelsHaveTheirPublishedParameterCounts) {
  if (!fs::exists(kCorpus)) GTEST_SKIP() << "no corpus at " << kCorpus;
  struct {
    const char* file;
    int64_t parameters;
    const char* outputs;
  } cases[] = {
      {"kerasjs_resnet50.json", 25'636'712, "f32[N,1000]"},
      {"kerasjs_xception.json", 22'910'480, "f32[N,1000]"},
  };
  for (const auto& c : cases) {
    const auto workload = Read(ReadFile(kCorpus / c.file));
    ASSERT_EQ(Outputs(workload), c.outputs) << c.file;
    EXPECT_EQ(Parameters(*workload), c.parameters) << c.file;
    EXPECT_TRUE(workload->opaque_layers.empty()) << c.file;
  }
}

struct Malformed {
  const char* text;
  const char* message;
};

class MalformedFile : public testing::TestWithParam<Malformed> {};

TEST_P(MalformedFile, EndsInOneMessageThatNamesIt) {
  const auto workload = Read(GetParam().text);
  ASSERT_FALSE(workload.ok());
  EXPECT_THAT(Message(workload.status()), HasSubstr("m.json"));
  EXPECT_THAT(Message(workload.status()), HasSubstr(GetParam().message));
}

const Malformed kMalformed[] = {
    {"", "file is empty"},
    {" \n ", "file is empty"},
    {"{\n\"class_name\": ,", "line 2, column 15: not JSON"},
    {"{\"class_name\": \"Sequential\"", "text ends early"},
    {"{\"class_name\": 1e999}", "out of range"},
    {"\xff\xfe", "not JSON"},
    {"[1,2]", "found a list of 2, expected a Keras model"},
    {"{}", "class_name is missing"},
    {R"({"class_name":"Dense","config":{}})", "class_name is \"Dense\""},
    {R"({"class_name":"Sequential","config":null})", "layers is missing"},
    {R"({"class_name":"Sequential","config":[]})", "no layers"},
    {R"({"class_name":"Sequential","config":[7]})", "layer 1: found 7, expected an object"},
    {R"({"class_name":"Sequential","config":[{"class_name":"Dense",
        "config":[]}]})",
     "layer 1: config is a list of 0, expected an object"},
    {R"({"class_name":"Sequential","config":[{"class_name":"Dense",
        "config":{"name":"d","units":4}}]})",
     "input shape is missing"},
    {R"({"class_name":"Sequential","config":[{"class_name":"Conv2D",
        "config":{"name":"conv1","filters":"x","kernel_size":3,
                  "batch_input_shape":[null,8,8,3]}}]})",
     "m.json:2: layer conv1: filters is a string, expected a positive integer"},
    {R"({"class_name":"Model","config":{"layers":[
        {"class_name":"InputLayer","name":"a","config":{},"inbound_nodes":4}],
        "input_layers":[["a",0,0]],"output_layers":[["a",0,0]]}})",
     "layer a: inbound_nodes is 4, expected a list"},
    {R"({"class_name":"Model","config":{"layers":[
        {"class_name":"ReLU","name":"a","config":{},
         "inbound_nodes":[[["b",0,0]]]}],
        "input_layers":[["a",0,0]],"output_layers":[["a",0,0]]}})",
     "layer a: takes the result of layer b, which is not there"},
    {R"({"class_name":"Model","config":{"layers":[
        {"class_name":"ReLU","name":"a","config":{},
         "inbound_nodes":[[["b",0,0]]]},
        {"class_name":"ReLU","name":"b","config":{},
         "inbound_nodes":[[["a",0,0]]]}],
        "input_layers":[["a",0,0]],"output_layers":[["b",0,0]]}})",
     "layers form a cycle: "},
    {R"({"class_name":"Model","config":{"layers":[
        {"class_name":"ReLU","name":"a","config":{},
         "inbound_nodes":[[["a",3,0]]]}],
        "input_layers":[["a",0,0]],"output_layers":[["a",0,0]]}})",
     "layer a: takes call 3 of layer a, which has 1"},
    {R"({"class_name":"Model","config":{"layers":[
        {"class_name":"ReLU","name":"a","config":{},"inbound_nodes":[[]]}],
        "input_layers":[["a",0,0]],"output_layers":[["a",0,0]]}})",
     "has no input"},
    {R"({"class_name":"Model","config":{"layers":[
        {"class_name":"InputLayer","name":"a","config":{
         "batch_input_shape":[null,4]},"inbound_nodes":[]},
        {"class_name":"InputLayer","name":"a","config":{},"inbound_nodes":[]}],
        "input_layers":[["a",0,0]],"output_layers":[["a",0,0]]}})",
     "layer a: two layers have this name"},
    {R"({"class_name":"Model","config":{"layers":[
        {"class_name":"InputLayer","name":"a","config":{
         "batch_input_shape":[null,4]},"inbound_nodes":[]}],
        "input_layers":[["a",0,0]]}})",
     "output_layers is missing"},
    {R"({"class_name":"Model","config":{"layers":[
        {"class_name":"InputLayer","name":"a","config":{
         "batch_input_shape":[null,4]},"inbound_nodes":[]}],
        "input_layers":[["a",0,0]],"output_layers":[["a",0,5]]}})",
     "takes result 5 of layer a"},
};
INSTANTIATE_TEST_SUITE_P(All, MalformedFile, testing::ValuesIn(kMalformed));

TEST(KerasJson, DeepBracketsFailFast) {
  for (const char* unit : {"[", "{\"a\":", "[{\"config\":["}) {
    std::string text;
    while (text.size() < 20'000'000) text += unit;
    const auto workload = Read(text);
    ASSERT_FALSE(workload.ok());
    EXPECT_THAT(Message(workload.status()), HasSubstr("nested deeper"));
  }
}

TEST(KerasJson, TooManyValuesFailBeforeTheyAreHeld) {
  std::string text = "[1";
  for (int i = 0; i < 5'000'000; ++i) text += ",1";
  const auto workload = Read(text + "]");
  ASSERT_FALSE(workload.ok());
  EXPECT_THAT(Message(workload.status()), HasSubstr("4,000,000 values"));
}

TEST(KerasJson, NestedModelsThatMultiplyAreBounded) {
  // Each level calls the level below eight times.
  const std::string input =
      R"({"class_name":"InputLayer","name":"i","config":{
          "batch_input_shape":[null,4]},"inbound_nodes":[]},)";
  std::string model = R"({"class_name":"ReLU","name":"m","config":{},)";
  for (int level = 0; level < 12; ++level) {
    std::string calls = R"("inbound_nodes":[[["i",0,0]])";
    for (int i = 0; i < 7; ++i) {
      calls += R"(,[["m",)" + std::to_string(i) + ",0]]";
    }
    model = R"({"class_name":"Model","name":"m","config":{"layers":[)" + input + model + calls +
            R"(]}],"input_layers":[["i",0,0]],"output_layers":[["m",7,0]]},)";
  }
  const auto workload = Read(model.substr(0, model.size() - 1) + "}");
  ASSERT_FALSE(workload.ok());
  EXPECT_THAT(Message(workload.status()), HasSubstr("more than"));
}

TEST(KerasJson, ThousandsOfLayersLoad) {
  std::string layers =
      R"({"class_name":"Dense","config":{"units":8,"name":"d",
          "batch_input_shape":[null,8]}})";
  for (int i = 0; i < 4000; ++i) {
    layers += R"(,{"class_name":"Activation","config":{"activation":"relu",
                  "name":"a)" +
              std::to_string(i) + "\"}}";
  }
  const auto workload = Read(Sequential(layers));
  ASSERT_TRUE(workload.ok()) << workload.status();
  EXPECT_EQ(workload->layers, 4001);
}

TEST(LooksLikeKerasJson, AcceptsModelsAndLeavesNotebooks) {
  EXPECT_TRUE(LooksLikeKerasJson({"m", R"({"class_name": "Model"})"}));
  EXPECT_TRUE(LooksLikeKerasJson({"m.json", "[["}));
  EXPECT_FALSE(LooksLikeKerasJson({"n.ipynb", R"({"class_name": 1})"}));
  EXPECT_FALSE(LooksLikeKerasJson({"t.py", "import tensorflow"}));
  EXPECT_FALSE(LooksLikeKerasJson({"m.json", ""}));
  EXPECT_FALSE(LooksLikeKerasJson({"m.json", "\"words\""}));
  EXPECT_FALSE(LooksLikeKerasJson({"m.json", "\"{\\\"name\\\": 1}\""}));
  EXPECT_FALSE(LooksLikeKerasJson({"m.json", "\""}));
}

}  // namespace
}  // namespace tilewise
