// Damaged and malicious files end in a message or a workload, soon and without
// much memory.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/tensorflow/read_tensorflow.h"
#include "frontend/tensorflow/tensorflow.pb.h"
#include "frontend/wire/text_to_wire.h"
#include "tests/tensorflow/graph_text.h"

namespace tilewise::tf {
namespace {

using testing::HasSubstr;

std::string Wire(const std::string& text) {
  return TextToWire(text, tensorflow::GraphDef::default_instance()).value();
}

std::string SmallModel() {
  const std::string body =
      Int("one", 1) + Node("next", "AddV2", {"i", "one:output:0"}, Attr("T", "type: DT_INT32")) +
      Node("tanh", "Tanh", {"v"}, Attr("T", "type: DT_FLOAT"));
  return Wire(Input("x", {-1, 4}) + Int("zero", 0) + Variable("w", {4, 4}) +
              Node("r", "ReadVariableOp", {"w"}, Attr("dtype", "type: DT_FLOAT")) +
              Node("mm", "MatMul", {"x", "r"}, Attr("T", "type: DT_FLOAT")) +
              Node("loop", "While", {"zero", "mm"}, Calls("cond", "c") + Calls("body", "b")) +
              "library { " +
              Function("c", {"i: DT_INT32", "v: DT_FLOAT"}, {"r: DT_BOOL"},
                       Int("n", 10) + Node("less", "Less", {"i", "n:output:0"}), {"r = less:z:0"}) +
              Function("b", {"i: DT_INT32", "v: DT_FLOAT"}, {"i2: DT_INT32", "v2: DT_FLOAT"}, body,
                       {"i2 = next:z:0", "v2 = tanh:y:0"}) +
              " }");
}

// What matters is that it returns.
void Read(const std::string& bytes) {
  for (const auto reader : {ReadGraphDef, ReadSavedModel, ReadMetaGraph}) {
    const absl::StatusOr<Workload> workload = reader(InputFile{"g.pb", bytes}, {});
    EXPECT_TRUE(workload.ok() || !Message(workload.status()).empty());
  }
}

TEST(Hostile, CutOffAnywhere) {
  const std::string whole = SmallModel();
  ASSERT_TRUE(ReadGraphDef(InputFile{"g.pb", whole}, {}).ok());
  for (size_t size = 0; size < whole.size(); ++size) {
    Read(whole.substr(0, size));
  }
}

TEST(Hostile, EveryByteChanged) {
  const std::string whole = SmallModel();
  for (size_t i = 0; i < whole.size(); ++i) {
    for (const int change : {1, 0x80, 0xff}) {
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ change);
      Read(damaged);
    }
  }
}

TEST(Hostile, NestedText) {
  std::string text = "node { name: \"x\" op: \"NoOp\" ";
  for (int i = 0; i < 200'000; ++i) text += "attr { value { list { ";
  EXPECT_FALSE(ReadGraphDef(InputFile{"g.pbtxt", text}, {}).ok());
}

TEST(Hostile, NestedJson) {
  const std::string text = "{\"modelTopology\": " + std::string(1'000'000, '[');
  EXPECT_FALSE(ReadTfjsGraph(InputFile{"model.json", text}, {}).ok());
  const std::string closed =
      "{\"modelTopology\": " + std::string(1000, '[') + std::string(1000, ']') + "}";
  const auto workload = ReadTfjsGraph(InputFile{"model.json", closed}, {});
  EXPECT_THAT(Message(workload.status()), HasSubstr("nested more than 64"));
}

TEST(Hostile, ChainsAreNoRecursion) {
  std::string text = Input("n0", {4});
  constexpr int kNodes = 50'000;
  for (int i = 1; i <= kNodes; ++i) {
    text += Node(fmt::format("n{}", i), "Identity", {fmt::format("n{}", i - 1)},
                 Attr("T", "type: DT_FLOAT"));
  }
  EXPECT_EQ(GraphLines(text), "n0 = f32[4] parameter()\noutput result n0\n");
}

TEST(Hostile, FunctionsThatDoubleEndSoon) {
  std::string library = "library { ";
  for (int i = 0; i < 40; ++i) {
    const std::string next = fmt::format("f{}", i + 1);
    library += Function(fmt::format("f{}", i), {"a: DT_FLOAT"}, {"y: DT_FLOAT"},
                        Node("p", next, {"a"}) + Node("q", next, {"p:y:0"}), {"y = q:y:0"});
  }
  library += Function("f40", {"a: DT_FLOAT"}, {"y: DT_FLOAT"}, Node("z", "Identity", {"a"}),
                      {"y = z:output:0"});
  EXPECT_THAT(GraphLines(Input("x", {4}) + Node("c", "f0", {"x"}) + library + " }"),
              HasSubstr("nodes of inlined functions"));
}

TEST(Hostile, SizesThatDoNotFit) {
  const auto constant = [](std::string_view dims) {
    return Wire("node { name: \"c\" op: \"Const\" " + Attr("dtype", "type: DT_FLOAT") +
                Attr("value", fmt::format("tensor {{ dtype: DT_FLOAT "
                                          "tensor_shape {{ {} }} }}",
                                          dims)) +
                " }\n" + Node("y", "Tanh", {"c"}, Attr("T", "type: DT_FLOAT")));
  };
  Read(constant("dim { size: 9223372036854775807 } dim { size: 4 }"));
  Read(constant("dim { size: -5 }"));
  Read(constant("dim { size: 0 }"));
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "dim { size: 2 } ";
  Read(constant(many));
}

TEST(Hostile, CountsThatAreHuge) {
  Read(Wire(Input("x", {4}) + Node("y", "IdentityN", {"x:2000000000"}) +
            Node("z", "Tanh", {"x:-1"}, Attr("T", "type: DT_FLOAT")) +
            Node("c", "f", {"x"}, Attr("N", "i: 9000000000000000000")) +
            "library { function { signature { name: \"f\" input_arg { name: "
            "\"a\" type: DT_FLOAT number_attr: \"N\" } output_arg { name: "
            "\"y\" type: DT_FLOAT number_attr: \"N\" } } ret { key: \"y\" "
            "value: \"a\" } } }"));
}

}  // namespace
}  // namespace tilewise::tf
