"""Schedulers of flows, which go from noise to a picture along a line."""

import math

import torch

from diffusers._config import Configured


class FlowMatchEulerDiscreteScheduler(Configured):
    published = ((("FLUX.1-schnell",), {}),
                 (("FLUX.1-",), {"shift": 3.0, "use_dynamic_shifting": True}),
                 (("stable-diffusion-3-", "stable-diffusion-3."), {"shift": 3.0}))
    order = 1

    def __init__(self, num_train_timesteps=1000, shift=1.0, use_dynamic_shifting=False,
                 base_shift=0.5, max_shift=1.15, base_image_seq_len=256, max_image_seq_len=4096,
                 invert_sigmas=False, shift_terminal=None, use_karras_sigmas=False,
                 use_exponential_sigmas=False, use_beta_sigmas=False,
                 time_shift_type="exponential", stochastic_sampling=False):
        self.keep_config(locals())
        sigmas = torch.linspace(1.0, 1.0 / num_train_timesteps, num_train_timesteps)
        if not use_dynamic_shifting:
            sigmas = shift * sigmas / (1 + (shift - 1) * sigmas)
        self.sigmas, self.timesteps = sigmas, sigmas * num_train_timesteps
        self.shift = shift

    @classmethod
    def from_pretrained(cls, name, subfolder=None, **options):
        config = cls.load_config(name, subfolder)
        return cls.from_config(config if isinstance(config, dict) else {}, **options)

    def __len__(self):
        return self.config.num_train_timesteps

    def set_timesteps(self, num_inference_steps=None, device=None, sigmas=None, mu=None,
                      timesteps=None):
        self.timesteps = torch.linspace(1000.0, 1.0, num_inference_steps)
        self.sigmas = torch.cat([self.timesteps / 1000, torch.zeros(1)])

    def scale_noise(self, sample, timestep, noise=None):
        sigma = (timestep / self.config.num_train_timesteps).reshape(-1, *[1] * (sample.dim() - 1))
        return sigma * noise + (1.0 - sigma) * sample


def compute_density_for_timestep_sampling(weighting_scheme, batch_size, logit_mean=None,
                                          logit_std=None, mode_scale=None, device="cpu",
                                          generator=None):
    if weighting_scheme == "logit_normal":
        return torch.sigmoid(logit_mean + logit_std * torch.randn(batch_size))
    u = torch.rand(batch_size)
    if weighting_scheme == "mode":
        return 1 - u - mode_scale * (torch.cos(math.pi * u / 2) ** 2 - 1 + u)
    return u


def compute_loss_weighting_for_sd3(weighting_scheme, sigmas=None):
    if weighting_scheme == "sigma_sqrt":
        return (sigmas ** -2.0).float()
    if weighting_scheme == "cosmap":
        return 2 / (math.pi * (1 - 2 * sigmas + 2 * sigmas ** 2))
    return torch.ones_like(sigmas)
