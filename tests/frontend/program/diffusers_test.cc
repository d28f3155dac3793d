// Models of diffusers in programs: their weights, and a step that trains one.

#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/frontend/program/read_text.h"

namespace tilewise::program {
namespace {

int64_t WeightsOf(const Workload& workload) {
  return workload.model_size.has_value() ? workload.model_size->trainable : -1;
}

// Source: the size that stabilityai publishes for sd-vae-ft-ema.
TEST(Diffusers, TheAutoencoderOfStableDiffusionHasItsWeights) {
  const Workload workload = ReadText(R"(
from diffusers.models import AutoencoderKL
vae = AutoencoderKL.from_pretrained("stabilityai/sd-vae-ft-ema")
)",
                                     "vae");
  EXPECT_EQ(WeightsOf(workload), 83'653'863);
}

// Sources: the sizes of unet/diffusion_pytorch_model.safetensors that the models' pages publish.
TEST(Diffusers, UNetsOfDiffusersHaveTheirPublishedWeights) {
  constexpr std::pair<const char*, int64_t> kModels[] = {
      {"UNet2DModel.from_pretrained('google/ddpm-cifar10-32')", 35'746'307},
      {"UNet2DModel.from_pretrained('google/ddpm-cat-256')", 113'673'219},
      {"UNet2DConditionModel.from_pretrained('CompVis/stable-diffusion-v1-4', subfolder='unet')",
       859'520'964},
      {"UNet2DConditionModel.from_pretrained('stabilityai/stable-diffusion-2-1')", 865'910'724},
      {"UNet2DConditionModel.from_pretrained('stabilityai/stable-diffusion-xl-base-1.0')",
       2'567'463'684},
      {"ControlNetModel.from_unet(UNet2DConditionModel.from_pretrained("
       "'runwayml/stable-diffusion-v1-5'))",
       361'279'120},
  };
  for (const auto& [made, count] : kModels) {
    const Workload workload =
        ReadText(fmt::format("from diffusers import UNet2DModel, "
                             "UNet2DConditionModel, ControlNetModel\nnet = {}\n",
                             made),
                 "net");
    EXPECT_EQ(WeightsOf(workload), count) << made << NotesOfText(workload);
  }
}

TEST(Diffusers, ALatentDiffusionModelTrainsOnItsText) {
  const Workload workload = ReadText(R"(
import torch
import torch.nn.functional as F
from diffusers import DDPMScheduler, UNet2DConditionModel
from diffusers.optimization import get_scheduler
unet = UNet2DConditionModel(
    sample_size=8, block_out_channels=(32, 64), cross_attention_dim=16, attention_head_dim=4,
    down_block_types=("CrossAttnDownBlock2D", "DownBlock2D"),
    up_block_types=("UpBlock2D", "CrossAttnUpBlock2D"))
noises = DDPMScheduler(num_train_timesteps=100, beta_schedule="scaled_linear")
optimizer = torch.optim.AdamW(unet.parameters())
schedule = get_scheduler("constant", optimizer=optimizer, num_warmup_steps=0)
for i in range(10):
    latents, noise = torch.randn(16, 4, 8, 8), torch.randn(16, 4, 8, 8)
    steps = torch.randint(0, noises.config.num_train_timesteps, (16,))
    noisy = noises.add_noise(latents, noise, steps)
    loss = F.mse_loss(unet(noisy, steps, torch.randn(16, 7, 16), return_dict=False)[0], noise)
    loss.backward()
    optimizer.step()
    schedule.step()
    optimizer.zero_grad()
)",
                                     "");
  ASSERT_TRUE(workload.training.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.training->optimizer, OptimizerKind::kAdamW);
}

// The network in Flax has the same weights, and Flax's names of numbered modules.
TEST(Diffusers, AControlNetInFlaxTrainsBesideItsUNet) {
  const Workload workload = ReadText(R"(
import jax
import jax.numpy as jnp
import optax
from diffusers import FlaxControlNetModel, FlaxDDPMScheduler, FlaxUNet2DConditionModel
from flax.core.frozen_dict import unfreeze
sizes = dict(block_out_channels=(32, 64), cross_attention_dim=16, attention_head_dim=4,
             down_block_types=("CrossAttnDownBlock2D", "DownBlock2D"))
unet = FlaxUNet2DConditionModel(
    sample_size=8, up_block_types=("UpBlock2D", "CrossAttnUpBlock2D"), **sizes)
unet_params = unet.init_weights(jax.random.PRNGKey(0))
net = FlaxControlNetModel(dtype=jnp.bfloat16, **sizes)
params = unfreeze(net.init_weights(jax.random.PRNGKey(0)))
for key in ("conv_in", "time_embedding", "down_blocks_0", "mid_block"):
    params[key] = unet_params[key]
noises = FlaxDDPMScheduler(num_train_timesteps=100, beta_schedule="scaled_linear")
noise_state = noises.create_state()
tx = optax.adamw(1e-4)

@jax.jit
def step(params, state, latents, text, image, key):
    def loss_of(params):
        noise = jax.random.normal(key, latents.shape)
        steps = jax.random.randint(key, (16,), 0, noises.config.num_train_timesteps)
        noisy = noises.add_noise(noise_state, latents, noise, steps)
        down, middle = net.apply({"params": params}, noisy, steps, text, image, train=True,
                                 return_dict=False)
        made = unet.apply({"params": unet_params}, noisy, steps, text,
                          down_block_additional_residuals=down,
                          mid_block_additional_residual=middle).sample
        return ((made - noise) ** 2).mean()
    loss, grads = jax.value_and_grad(loss_of)(params)
    updates, state = tx.update(grads, state, params)
    return optax.apply_updates(params, updates), state, loss

state = tx.init(params)
for i in range(10):
    params, state, loss = step(params, state, jnp.zeros((16, 4, 8, 8)), jnp.zeros((16, 7, 16)),
                               jnp.zeros((16, 3, 64, 64)), jax.random.PRNGKey(i))
)",
                                     "");
  ASSERT_TRUE(workload.training.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.training->optimizer, OptimizerKind::kAdamW);
  const Workload same = ReadText(R"(
from diffusers import ControlNetModel
net = ControlNetModel(
    block_out_channels=(32, 64), cross_attention_dim=16, attention_head_dim=4,
    down_block_types=("CrossAttnDownBlock2D", "DownBlock2D"))
)",
                                 "net");
  EXPECT_EQ(WeightsOf(workload), WeightsOf(same)) << NotesOfText(workload);
}

TEST(Diffusers, LatentsHaveTheTypeOfTheirAutoencoder) {
  const Workload workload = ReadText(R"(
import torch
from diffusers import AutoencoderKL
vae = AutoencoderKL.from_pretrained("stabilityai/sd-vae-ft-ema").to(torch.bfloat16)
latents = vae.encode(torch.zeros(1, 3, 64, 64, dtype=torch.bfloat16)).latent_dist.sample()
net = torch.nn.Linear(8, 3 if latents.dtype == torch.bfloat16 else 30, bias=False)
)",
                                     "net");
  EXPECT_EQ(WeightsOf(workload), 24) << NotesOfText(workload);
}

}  // namespace
}  // namespace tilewise::program
