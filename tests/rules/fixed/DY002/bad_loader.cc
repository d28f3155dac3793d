// chip: v3
#include <torch/torch.h>

template <typename Model, typename Dataset>
void Train(Model& model, Dataset train_set, torch::optim::Optimizer& optimizer) {
  auto loader = torch::data::make_data_loader<torch::data::samplers::RandomSampler>(  // want: DY002
      std::move(train_set), torch::data::DataLoaderOptions(64).workers(8).drop_last(true));
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::mse_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
  }
}
