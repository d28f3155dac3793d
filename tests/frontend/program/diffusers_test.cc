// Models of diffusers in programs: their weights, and a step that trains one.

#include <string>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>

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

// The sizes of the weight files, in their type of two bytes, as remembered: no page was read again.
TEST(Diffusers, TransformersOfDiffusersHaveTheWeightsOfTheirFiles) {
  constexpr std::pair<const char*, int64_t> kModels[] = {
      {"FluxTransformer2DModel.from_pretrained('black-forest-labs/FLUX.1-dev')", 11'901'408'320},
      {"FluxTransformer2DModel.from_pretrained('black-forest-labs/FLUX.1-schnell')",
       11'891'178'560},
      {"SD3Transformer2DModel.from_pretrained('stabilityai/stable-diffusion-3-medium-diffusers')",
       2'028'328'000},
      {"AutoencoderKL.from_pretrained('black-forest-labs/FLUX.1-dev', subfolder='vae')",
       83'819'683},
      {"T2IAdapter(3, (320, 640, 1280, 1280), 2, 16, 'full_adapter_xl')", 79'028'160},
  };
  for (const auto& [made, count] : kModels) {
    const Workload workload =
        ReadText(fmt::format("from diffusers import AutoencoderKL, FluxTransformer2DModel, "
                             "SD3Transformer2DModel, T2IAdapter\nnet = {}\n",
                             made),
                 "net");
    EXPECT_EQ(WeightsOf(workload), count) << made << NotesOfText(workload);
  }
}

constexpr char kFlow[] = R"(
import torch
from diffusers import FlowMatchEulerDiscreteScheduler, FluxPipeline, FluxTransformer2DModel
from diffusers import SD3Transformer2DModel
from diffusers.models.controlnets.controlnet_sd3 import SD3ControlNetModel
from diffusers.training_utils import compute_density_for_timestep_sampling
from diffusers.training_utils import compute_loss_weighting_for_sd3
noises = FlowMatchEulerDiscreteScheduler()

def noisy(latents):
    u = compute_density_for_timestep_sampling("logit_normal", latents.shape[0], 0.0, 1.0, 1.29)
    timesteps = noises.timesteps[(u * noises.config.num_train_timesteps).long()]
    at = [(noises.timesteps == t).nonzero().item() for t in timesteps]
    sigmas = noises.sigmas[at].flatten().reshape(-1, 1, 1, 1)
    noise = torch.randn_like(latents)
    return (1.0 - sigmas) * latents + sigmas * noise, timesteps, sigmas, noise - latents

def train(net, step):
    optimizer = torch.optim.AdamW(net.parameters())
    for i in range(10):
        latents = torch.randn(16, 16, 8, 8)
        x, timesteps, sigmas, target = noisy(latents)
        loss = (compute_loss_weighting_for_sd3("none", sigmas) * (step(x, timesteps) - target) ** 2)
        loss.mean().backward()
        optimizer.step()
        optimizer.zero_grad()
)";

TEST(Diffusers, ATransformerOfTwoStreamsTrainsOnPackedLatents) {
  const Workload workload = ReadText(std::string(kFlow) + R"(
net = FluxTransformer2DModel(num_layers=1, num_single_layers=1, attention_head_dim=8,
                             num_attention_heads=2, joint_attention_dim=12,
                             pooled_projection_dim=10, guidance_embeds=True,
                             axes_dims_rope=(2, 2, 4))

def step(x, timesteps):
    rows = FluxPipeline._pack_latents(x, 16, 16, 8, 8)
    made = net(hidden_states=rows, timestep=timesteps / 1000, guidance=torch.full((16,), 3.5),
               pooled_projections=torch.randn(16, 10), encoder_hidden_states=torch.randn(16, 5, 12),
               txt_ids=torch.zeros(5, 3), img_ids=FluxPipeline._prepare_latent_image_ids(16, 4, 4),
               return_dict=False)[0]
    return FluxPipeline._unpack_latents(made, height=64, width=64, vae_scale_factor=8)

train(net, step)
)");
  ASSERT_TRUE(workload.training.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.training->optimizer, OptimizerKind::kAdamW);
}

TEST(Diffusers, AControlNetOfATransformerTrainsWhatItAddsToTheWhole) {
  const Workload workload = ReadText(std::string(kFlow) + R"(
whole = SD3Transformer2DModel(sample_size=8, num_layers=2, attention_head_dim=8,
                              num_attention_heads=2, joint_attention_dim=12,
                              caption_projection_dim=16, pooled_projection_dim=10,
                              pos_embed_max_size=6)
whole.requires_grad_(False)
net = SD3ControlNetModel.from_transformer(whole, num_layers=1, num_extra_conditioning_channels=0)

def step(x, timesteps):
    given = dict(timestep=timesteps, encoder_hidden_states=torch.randn(16, 5, 12),
                 pooled_projections=torch.randn(16, 10), return_dict=False)
    added = net(hidden_states=x, controlnet_cond=torch.randn(16, 16, 8, 8), **given)[0]
    return whole(hidden_states=x, block_controlnet_hidden_states=added, **given)[0]

train(net, step)
)");
  ASSERT_TRUE(workload.training.has_value()) << NotesOfText(workload);
  EXPECT_GT(workload.model_size->other, 0);
}

TEST(Diffusers, FeaturesOfAnAdapterAreAddedInTheUNet) {
  const Workload workload = ReadText(R"(
import torch
import torch.nn.functional as F
from diffusers import T2IAdapter, UNet2DConditionModel
unet = UNet2DConditionModel(
    sample_size=8, block_out_channels=(32, 64), cross_attention_dim=16, attention_head_dim=4,
    down_block_types=("CrossAttnDownBlock2D", "DownBlock2D"),
    up_block_types=("UpBlock2D", "CrossAttnUpBlock2D"))
unet.requires_grad_(False)
net = T2IAdapter(3, (32, 64), 2, 8)
optimizer = torch.optim.AdamW(net.parameters())
for i in range(10):
    added = net(torch.randn(16, 3, 64, 64))
    made = unet(torch.randn(16, 4, 8, 8), torch.randint(0, 100, (16,)), torch.randn(16, 7, 16),
                down_block_additional_residuals=added, return_dict=False)[0]
    F.mse_loss(made, torch.randn(16, 4, 8, 8)).backward()
    optimizer.step()
)");
  ASSERT_TRUE(workload.training.has_value()) << NotesOfText(workload);
}

// Data that nobody knows has the side of the model, where it is no picture.
TEST(Diffusers, LatentsThatAreNotKnownHaveTheSideOfTheirModel) {
  const Workload workload = ReadText(R"(
import argparse
import torch
from absent import latents
from diffusers import UNet2DConditionModel
parser = argparse.ArgumentParser()
parser.add_argument("--resolution", type=int, default=1024)
parser.add_argument("--batch_size", type=int, default=2)
args = parser.parse_args()
unet = UNet2DConditionModel(
    sample_size=16, block_out_channels=(32, 64), cross_attention_dim=16, attention_head_dim=4,
    down_block_types=("CrossAttnDownBlock2D", "DownBlock2D"),
    up_block_types=("UpBlock2D", "CrossAttnUpBlock2D"))
optimizer = torch.optim.AdamW(unet.parameters())
for batch in latents:
    unet(batch, torch.zeros(2).long(), torch.randn(2, 7, 16)).sample.mean().backward()
    optimizer.step()
)");
  EXPECT_THAT(NotesOfText(workload), testing::HasSubstr("[2, 4, 16, 16]"));
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
