// chip: v3
#include <torch/torch.h>

namespace F = torch::nn::functional;

struct Stage : torch::nn::Module {
  explicit Stage(int64_t width) : conv(torch::nn::Conv2dOptions(width, width, 3).padding(1)) {
    register_module("conv", conv);
  }
  torch::Tensor forward(torch::Tensor x) {
    x = F::avg_pool2d(x, F::AvgPool2dFuncOptions(3).stride(2));  // want: OP001
    return torch::max_pool2d(torch::relu(conv->forward(x)), 2);  // want: OP001
  }
  torch::nn::Conv2d conv;
};
