// A small network of convolutions for handwritten digits, trained with LibTorch.
//   tilewise advise examples/libtorch/digits.cpp

#include <iostream>

#include <torch/torch.h>

constexpr int64_t kBatch = 100;
constexpr int64_t kEpochs = 5;

struct DigitsNet : torch::nn::Module {
  explicit DigitsNet(int64_t classes)
      : first(torch::nn::Conv2dOptions(1, 24, 5).padding(2)),
        second(torch::nn::Conv2dOptions(24, 48, 3)),
        norm(48),
        hidden(48 * 6 * 6, 200),
        last(200, classes) {
    register_module("first", first);
    register_module("second", second);
    register_module("norm", norm);
    register_module("hidden", hidden);
    register_module("last", last);
  }

  torch::Tensor forward(torch::Tensor x) {
    x = torch::max_pool2d(torch::relu(first->forward(x)), 2);
    x = torch::max_pool2d(torch::relu(norm(second(x))), 2);
    x = x.view({x.size(0), -1});
    x = torch::relu(hidden->forward(x));
    x = torch::dropout(x, 0.25, is_training());
    return torch::log_softmax(last->forward(x), 1);
  }

  torch::nn::Conv2d first, second;
  torch::nn::BatchNorm2d norm;
  torch::nn::Linear hidden, last;
};

int main() {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  DigitsNet net(10);
  net.to(device);

  auto digits = torch::data::datasets::MNIST("./digits")
                    .map(torch::data::transforms::Normalize<>(0.13, 0.31))
                    .map(torch::data::transforms::Stack<>());
  auto loader = torch::data::make_data_loader<torch::data::samplers::RandomSampler>(
      std::move(digits), torch::data::DataLoaderOptions().batch_size(kBatch).workers(4));
  torch::optim::SGD optimizer(net.parameters(), torch::optim::SGDOptions(0.05).momentum(0.9));

  for (int64_t epoch = 0; epoch < kEpochs; ++epoch) {
    net.train();
    int64_t step = 0;
    for (auto& batch : *loader) {
      auto images = batch.data.to(device);
      auto labels = batch.target.to(device);
      optimizer.zero_grad();
      auto loss = torch::nll_loss(net.forward(images), labels);
      loss.backward();
      optimizer.step();
      if (++step % 100 == 0) {
        std::cout << epoch << ": " << loss.item<float>() << std::endl;
      }
    }
  }
}
