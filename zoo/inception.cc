// Inception v3 (Szegedy et al. 2015) without the auxiliary classifier: 23.8 M
// parameters. Modules are branches of convolutions whose results are joined.

#include <vector>

#include <fmt/format.h>

#include "zoo/convolution_block.h"
#include "zoo/models.h"

namespace tilewise {
namespace {

constexpr ZooParameter kInceptionParameters[] = {
    ImageSize("299"),
    kClasses,
    ComputeType(),
    kWeightType,
};

using Branch = std::vector<Conv>;

Conv Row(int64_t filters, int64_t width) { return {.filters = filters, .width = width}; }
Conv Column(int64_t filters, int64_t height) { return {.filters = filters, .height = height}; }
// Halves the image: stride 2 without padding.
Conv Reducing(int64_t filters) { return Square(filters, 3, 2, 0); }

class Module {
 public:
  Module(Net& net, int number, OpId input)
      : net_(net), name_(fmt::format("mixed{}", number)), input_(input) {}

  // Runs a branch of convolutions from `x` and returns its end.
  OpId Run(OpId x, const Branch& branch) {
    for (const Conv& conv : branch) {
      x = ConvNorm(net_, fmt::format("{}/conv{}", name_, ++convolutions_), x, conv);
    }
    return x;
  }
  void Add(const Branch& branch) { results_.push_back(Run(input_, branch)); }
  // A branch that ends in a row and a column side by side.
  void AddForked(const Branch& branch, int64_t filters) {
    const OpId x = Run(input_, branch);
    results_.push_back(Run(x, {Row(filters, 3)}));
    results_.push_back(Run(x, {Column(filters, 3)}));
  }
  void AddAveraged(int64_t filters) {
    net_.Layer(name_ + "/pool");
    const OpId pooled = AveragePool(net_, input_, 3, 1, 1);
    results_.push_back(Run(pooled, {Square(filters, 1)}));
  }
  void AddMaximum() {
    net_.Layer(name_ + "/pool");
    results_.push_back(MaxPool(net_, input_, 3, 2));
  }
  OpId Join() {
    net_.Layer(name_ + "/concat");
    return net_.builder.Concatenate(results_, 3);
  }

 private:
  Net& net_;
  std::string name_;
  OpId input_;
  int convolutions_ = 0;
  std::vector<OpId> results_;
};

OpId Stem(Net& net, OpId x) {
  x = ConvNorm(net, "stem/conv1", x, Reducing(32));
  x = ConvNorm(net, "stem/conv2", x, Square(32, 3, 1, 0));
  x = ConvNorm(net, "stem/conv3", x, Square(64, 3));
  net.Layer("stem/pool1");
  x = MaxPool(net, x, 3, 2);
  x = ConvNorm(net, "stem/conv4", x, Square(80, 1));
  x = ConvNorm(net, "stem/conv5", x, Square(192, 3, 1, 0));
  net.Layer("stem/pool2");
  return MaxPool(net, x, 3, 2);
}

// Figure 5 of the paper.
OpId WideModule(Net& net, int number, OpId x, int64_t pool_filters) {
  Module module(net, number, x);
  module.Add({Square(64, 1)});
  module.Add({Square(48, 1), Square(64, 5)});
  module.Add({Square(64, 1), Square(96, 3), Square(96, 3)});
  module.AddAveraged(pool_filters);
  return module.Join();
}

OpId FirstReduction(Net& net, int number, OpId x) {
  Module module(net, number, x);
  module.Add({Reducing(384)});
  module.Add({Square(64, 1), Square(96, 3), Reducing(96)});
  module.AddMaximum();
  return module.Join();
}

// Figure 6: 7x7 as rows and columns, behind a 1x1.
Branch Factorised(int64_t filters, std::vector<Conv> tail) {
  Branch branch = {Square(filters, 1)};
  branch.insert(branch.end(), tail.begin(), tail.end());
  return branch;
}

OpId FactorisedModule(Net& net, int number, OpId x, int64_t filters) {
  Module module(net, number, x);
  module.Add({Square(192, 1)});
  module.Add(Factorised(filters, {Row(filters, 7), Column(192, 7)}));
  module.Add(
      Factorised(filters, {Column(filters, 7), Row(filters, 7), Column(filters, 7), Row(192, 7)}));
  module.AddAveraged(192);
  return module.Join();
}

OpId SecondReduction(Net& net, int number, OpId x) {
  Module module(net, number, x);
  module.Add({Square(192, 1), Reducing(320)});
  module.Add({Square(192, 1), Row(192, 7), Column(192, 7), Reducing(192)});
  module.AddMaximum();
  return module.Join();
}

// Figure 7.
OpId ForkedModule(Net& net, int number, OpId x) {
  Module module(net, number, x);
  module.Add({Square(320, 1)});
  module.AddForked({Square(384, 1)}, 384);
  module.AddForked({Square(448, 1), Square(384, 3)}, 384);
  module.AddAveraged(192);
  return module.Join();
}

absl::StatusOr<Graph> BuildInception(const ZooSpec& spec) {
  Net net(spec);
  OpId x = Stem(net, ImageInput(net, spec));
  int number = 0;
  for (const int64_t filters : {32, 64, 64}) {
    x = WideModule(net, ++number, x, filters);
  }
  x = FirstReduction(net, ++number, x);
  for (const int64_t filters : {128, 160, 160, 192}) {
    x = FactorisedModule(net, ++number, x, filters);
  }
  x = SecondReduction(net, ++number, x);
  x = ForkedModule(net, ++number, x);
  x = ForkedModule(net, ++number, x);
  return ClassifyMean(net, x, spec, 0.5);
}

}  // namespace

ZooModel InceptionModel() {
  return {"inception", "Inception v3: modules of parallel convolutions", kInceptionParameters,
          BuildInception};
}

}  // namespace tilewise
