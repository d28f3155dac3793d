// A large model of plain layers, written out as Keras model JSON.

#include "bench/models.h"

#include <vector>

#include <fmt/format.h>

namespace tilewise {
namespace {

class ModelWriter {
 public:
  std::string Input(int side) {
    return Add("InputLayer", fmt::format(R"("batch_input_shape":[null,{0},{0},3])", side), {});
  }
  std::string Conv(const std::string& x, int filters, int kernel, int stride,
                   const std::string& activation = "linear") {
    return Add("Conv2D",
               fmt::format(R"("filters":{},"kernel_size":[{},{}],)"
                           R"("strides":[{},{}],"padding":"same",)"
                           R"("activation":"{}")",
                           filters, kernel, kernel, stride, stride, activation),
               {x});
  }
  std::string Add(const std::string& class_name, const std::string& config,
                  const std::vector<std::string>& inputs) {
    const std::string name = fmt::format("{}_{}", class_name, count_++);
    std::string nodes;
    for (const std::string& input : inputs) {
      nodes += fmt::format("{}[\"{}\",0,0,{{}}]", nodes.empty() ? "" : ",", input);
    }
    layers_ += fmt::format(
        "{}{{\"class_name\":\"{}\",\"name\":\"{}\",\"config\":{{\"name\":"
        "\"{}\"{}{}}},\"inbound_nodes\":[{}]}}",
        layers_.empty() ? "" : ",\n", class_name, name, name, config.empty() ? "" : ",", config,
        nodes.empty() ? "" : "[" + nodes + "]");
    return name;
  }
  std::string Finish(const std::string& input, const std::string& output) {
    return fmt::format(
        "{{\"class_name\":\"Functional\",\"keras_version\":\"2.12.0\","
        "\"config\":{{\"name\":\"model\",\"layers\":[\n{}],\"input_layers\":"
        "[[\"{}\",0,0]],\"output_layers\":[[\"{}\",0,0]]}}}}",
        layers_, input, output);
  }

 private:
  std::string layers_;
  int count_ = 0;
};

}  // namespace

std::string ConvChainJson(int blocks) {
  ModelWriter model;
  const std::string input = model.Input(32);
  std::string x = input;
  for (int block = 0; block < blocks; ++block) {
    x = model.Conv(x, 64, 3, 1, "relu");
  }
  x = model.Add("GlobalAveragePooling2D", "", {x});
  x = model.Add("Dense", R"("units":10,"activation":"softmax")", {x});
  return model.Finish(input, x);
}

}  // namespace tilewise
