// Two networks that are trained against each other, with LibTorch: one makes pictures of noise, the
// other tells them from real ones.
//   tilewise advise examples/libtorch/gan.cpp

#include <iostream>
#include <tuple>

#include <torch/torch.h>

namespace nn = torch::nn;

const int64_t kNoise = 96;
const int64_t kBatch = 128;
const int kEpochs = 25;

struct MakerImpl : nn::Module {
  explicit MakerImpl(int64_t noise) {
    const int64_t widths[] = {192, 96, 48};
    int64_t from = noise;
    for (int i = 0; i < 3; ++i) {
      const bool first = i == 0;
      layers->push_back(
          nn::ConvTranspose2d(nn::ConvTranspose2dOptions(from, widths[i], i == 1 ? 3 : 4)
                                  .stride(first ? 1 : 2)
                                  .padding(first ? 0 : 1)
                                  .bias(false)));
      layers->push_back(nn::BatchNorm2d(widths[i]));
      layers->push_back(nn::ReLU());
      from = widths[i];
    }
    layers->push_back(nn::ConvTranspose2d(
        nn::ConvTranspose2dOptions(from, 1, 4).stride(2).padding(1).bias(false)));
    layers->push_back(nn::Tanh());
    register_module("layers", layers);
  }

  torch::Tensor forward(const torch::Tensor& noise) { return layers->forward(noise); }

  nn::Sequential layers;
};
TORCH_MODULE(Maker);

nn::Sequential MakeJudge() {
  return nn::Sequential(
      nn::Conv2d(nn::Conv2dOptions(1, 48, 4).stride(2).padding(1).bias(false)),
      nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.2)),
      nn::Conv2d(nn::Conv2dOptions(48, 96, 4).stride(2).padding(1).bias(false)),
      nn::BatchNorm2d(96), nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.2)),
      nn::Conv2d(nn::Conv2dOptions(96, 192, 4).stride(2).padding(1).bias(false)),
      nn::BatchNorm2d(192), nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.2)),
      nn::Conv2d(nn::Conv2dOptions(192, 1, 3).bias(false)), nn::Sigmoid());
}

int main() {
  const auto device = torch::kCPU;
  Maker maker(kNoise);
  nn::Sequential judge = MakeJudge();
  maker->to(device);
  judge->to(device);

  auto pictures = torch::data::datasets::MNIST("./digits")
                      .map(torch::data::transforms::Normalize<>(0.5, 0.5))
                      .map(torch::data::transforms::Stack<>());
  auto loader = torch::data::make_data_loader(
      std::move(pictures), torch::data::DataLoaderOptions().batch_size(kBatch).workers(2));
  torch::optim::Adam maker_optimizer(
      maker->parameters(), torch::optim::AdamOptions(2e-4).betas(std::make_tuple(0.5, 0.999)));
  torch::optim::Adam judge_optimizer(
      judge->parameters(), torch::optim::AdamOptions(2e-4).betas(std::make_tuple(0.5, 0.999)));

  for (int epoch = 0; epoch < kEpochs; ++epoch) {
    for (torch::data::Example<>& batch : *loader) {
      judge->zero_grad();
      torch::Tensor real = batch.data.to(device);
      torch::Tensor on_real = judge->forward(real).reshape({-1});
      torch::Tensor loss_real = torch::binary_cross_entropy(on_real, torch::ones_like(on_real));
      torch::Tensor noise = torch::randn({batch.data.size(0), kNoise, 1, 1}, device);
      torch::Tensor made = maker->forward(noise);
      torch::Tensor on_made = judge->forward(made.detach()).reshape({-1});
      torch::Tensor loss_made = torch::binary_cross_entropy(on_made, torch::zeros_like(on_made));
      torch::Tensor judge_loss = loss_real + loss_made;
      judge_loss.backward();
      judge_optimizer.step();

      maker->zero_grad();
      torch::Tensor again = judge->forward(made).reshape({-1});
      torch::Tensor maker_loss = torch::binary_cross_entropy(again, torch::ones_like(again));
      maker_loss.backward();
      maker_optimizer.step();
      std::cout << "judge " << judge_loss.item<float>() << ", maker " << maker_loss.item<float>()
                << '\n';
    }
  }
}
