// Programs of C++ that train two networks in a round, some of them not in each round.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cpp/model_reading.h"

namespace tilewise {
namespace {

using testing::HasSubstr;
using testing::Not;

// The judge is trained by `critic` in front of its pass, the other network by `maker`.
std::string Trains(const std::string& critic, const std::string& maker) {
  return std::string(kTorch) + R"(
int main() {
  torch::nn::Linear made(4, 16), judged(16, 1);
  torch::optim::Adam first(judged->parameters(), 1e-3), second(made->parameters(), 1e-3);
  const int n_critic = 5;
  auto loader = torch::data::make_data_loader(
      torch::data::datasets::MNIST("digits").map(torch::data::transforms::Stack<>()), 8);
  int i = 0;
  for (auto& batch : *loader) {
    auto real = batch.data.view({8, 784}).slice(1, 0, 16);
    )" + critic +
         R"( {
      judged(real).mean().backward();
      first.step();
    }
    )" + maker +
         R"( {
      judged(made(torch::randn({8, 4}))).mean().backward();
      second.step();
    }
    ++i;
  }
}
)";
}

TEST(CppNetworks, ANetworkThatSomeRoundsTrainIsInTheStep) {
  for (const char* condition :
       {"if (i % n_critic == 0)", "if ((i + 1) % 5 == 0)", "if (!(i % n_critic))"}) {
    const Workload w = Read(Trains("", condition));
    EXPECT_EQ(Parameters(w), 4 * 16 + 16 + 16 + 1) << condition << Notes(w);
    EXPECT_THAT(Notes(w), HasSubstr("what is trained here runs in one of")) << condition;
  }
}

TEST(CppNetworks, ALoopAroundAPassOfARoundIsNamed) {
  const std::string loop = "for (int k = 0; k < n_critic; ++k)";
  for (const std::string& program : {Trains(loop, ""), Trains("", loop)}) {
    const Workload w = Read(program);
    EXPECT_EQ(Parameters(w), 4 * 16 + 16 + 16 + 1) << Notes(w);
    EXPECT_THAT(Notes(w), HasSubstr("this loop runs 5 times in each step"));
  }
  EXPECT_THAT(Notes(Read(Trains("", ""))), Not(HasSubstr("in each step")));
}

TEST(CppNetworks, AModuleGivesWhatItsForwardReturns) {
  const Workload w = Read(std::string(kTorch) + R"(
struct HeadsImpl : torch::nn::Module {
  torch::nn::Linear left{nullptr}, right{nullptr};
  HeadsImpl() {
    left = register_module("left", torch::nn::Linear(8, 4));
    right = register_module("right", torch::nn::Linear(8, 2));
  }
  std::vector<torch::Tensor> forward(torch::Tensor x) { return {left(x), right(x)}; }
};
TORCH_MODULE(Heads);
int main() {
  Heads heads;
  torch::nn::LSTM lstm(torch::nn::LSTMOptions(6, 8).batch_first(true));
  torch::optim::SGD sgd({heads->parameters()[0], lstm->parameters()[0]}, 0.1);
  auto read = std::get<0>(lstm(torch::randn({16, 5, 6})));
  std::vector<torch::Tensor> both = heads(read);
  (both[0].sum() + both[1].sum()).backward();
  sgd.step();
}
)");
  EXPECT_EQ(CountOf(w, OpKind::kDot) > 2, true) << Notes(w);
  EXPECT_THAT(Notes(w), Not(HasSubstr("is not followed")));
}

TEST(CppNetworks, ASamplerThatTheProgramAsksGivesABatchOfIndices) {
  const Workload w = Read(std::string(kTorch) + R"(
struct Loader {
  Loader(int64_t items, int64_t batch) : sampler_(items), batch_(batch) {}
  torch::optional<torch::Tensor> next() {
    torch::optional<std::vector<size_t>> indices = sampler_.next(batch_);
    if (!indices) return {};
    std::vector<torch::Tensor> items;
    for (size_t i : indices.value()) items.push_back(torch::full({8}, 1.0 * i));
    seen += sampler_.index();
    return torch::stack(items);
  }
  int64_t seen = 0;
 private:
  torch::data::samplers::RandomSampler sampler_;
  int64_t batch_;
};
int main() {
  Loader loader(1000, 32);
  torch::nn::Linear net(8, 2);
  torch::optim::SGD sgd(net->parameters(), 0.1);
  auto batch = loader.next();
  while (batch) {
    sgd.zero_grad();
    net->forward(batch.value()).sum().backward();
    sgd.step();
    batch = loader.next();
  }
}
)");
  ASSERT_TRUE(w.graph) << Notes(w);
  EXPECT_EQ(Parameters(w), 18);
  EXPECT_EQ(w.declared_global_batch(), 32);
}

TEST(CppNetworks, ALoopMayDeclareWhatItAsksFor) {
  const Workload w = Read(std::string(kTorch) + R"(
int main() {
  torch::data::samplers::SequentialSampler sampler(1000);
  torch::nn::Linear net(8, 2);
  torch::optim::SGD sgd(net->parameters(), 0.1);
  while (auto indices = sampler.next(24)) {
    std::vector<torch::Tensor> items;
    for (size_t i : *indices) items.push_back(torch::rand({8}));
    sgd.zero_grad();
    net->forward(torch::stack(items)).sum().backward();
    sgd.step();
  }
}
)");
  EXPECT_EQ(Parameters(w), 18) << Notes(w);
  EXPECT_EQ(w.declared_global_batch(), 24);
}

}  // namespace
}  // namespace tilewise
