"""What trainings need of diffusers' schedulers of noise: the noise of a step, and its target."""

import math

import torch

from diffusers._config import Configured


def _betas(schedule, first, last, n):
    if schedule == "linear":
        return torch.linspace(first, last, n)
    if schedule == "scaled_linear":
        return torch.linspace(first ** 0.5, last ** 0.5, n) ** 2
    if schedule == "squaredcos_cap_v2":
        level = [math.cos((i / n + 0.008) / 1.008 * math.pi / 2) ** 2 for i in range(n + 1)]
        return torch.tensor([min(1 - b / a, 0.999) for a, b in zip(level, level[1:])])
    raise NotImplementedError("tilewise does not know the schedule " + str(schedule))


def _over(x, like):
    return x.reshape(x.shape + (1,) * (len(like.shape) - len(x.shape)))


class _Step:
    def __init__(self, sample, start):
        self.prev_sample, self.pred_original_sample = sample, start

    def __getitem__(self, index):
        return (self.prev_sample,)[index]


class DDPMScheduler(Configured):
    # Weights for 768 pixels of Stable Diffusion 2 were trained on velocities.
    published = ((("stable-diffusion-2", "stable-diffusion-2-1"),
                  {"beta_schedule": "scaled_linear", "beta_start": 0.00085, "beta_end": 0.012,
                   "prediction_type": "v_prediction"}),
                 (("stable-diffusion-",),
                  {"beta_schedule": "scaled_linear", "beta_start": 0.00085, "beta_end": 0.012}),
                 (("ddpm-",), {}))

    def __init__(self, num_train_timesteps=1000, beta_start=0.0001, beta_end=0.02,
                 beta_schedule="linear", trained_betas=None, variance_type="fixed_small",
                 clip_sample=True, prediction_type="epsilon", thresholding=False,
                 dynamic_thresholding_ratio=0.995, clip_sample_range=1.0, sample_max_value=1.0,
                 timestep_spacing="leading", steps_offset=0, rescale_betas_zero_snr=False,
                 set_alpha_to_one=True):
        self.keep_config(locals())
        self.betas = torch.tensor(trained_betas) if trained_betas is not None else _betas(
            beta_schedule, beta_start, beta_end, num_train_timesteps)
        self.alphas = 1.0 - self.betas
        self.alphas_cumprod = torch.cumprod(self.alphas, dim=0)
        self.init_noise_sigma = 1.0
        self.set_timesteps(num_train_timesteps)

    @classmethod
    def from_pretrained(cls, name, subfolder=None, **options):
        config = cls.load_config(name, subfolder)
        return config if not isinstance(config, dict) else cls.from_config(config)

    def __len__(self):
        return self.config.num_train_timesteps

    def set_timesteps(self, num_inference_steps=None, device=None, **options):
        n = self.config.num_train_timesteps
        each = n // num_inference_steps
        self.num_inference_steps = num_inference_steps
        self.timesteps = torch.tensor([i * each for i in range(num_inference_steps)][::-1])

    def scale_model_input(self, sample, timestep=None):
        return sample

    def _roots(self, like, timesteps):
        level = self.alphas_cumprod.to(like.dtype)[timesteps]
        return _over(level ** 0.5, like), _over((1 - level) ** 0.5, like)

    def add_noise(self, original_samples, noise, timesteps):
        signal, sigma = self._roots(original_samples, timesteps)
        return signal * original_samples + sigma * noise

    def get_velocity(self, sample, noise, timesteps):
        signal, sigma = self._roots(sample, timesteps)
        return signal * noise - sigma * sample

    def step(self, model_output, timestep, sample, generator=None, return_dict=True):
        c = self.config
        between = c.num_train_timesteps // self.num_inference_steps
        # The level of the step before; before the first one there is no noise.
        earlier = torch.cat([torch.ones(between), self.alphas_cumprod])
        level, before = self.alphas_cumprod[timestep], earlier[timestep]
        alpha, rest = level / before, 1 - level
        if c.prediction_type == "epsilon":
            start = (sample - rest ** 0.5 * model_output) / level ** 0.5
        elif c.prediction_type == "v_prediction":
            start = level ** 0.5 * sample - rest ** 0.5 * model_output
        else:
            start = model_output
        if c.clip_sample:
            start = start.clamp(-c.clip_sample_range, c.clip_sample_range)
        mean = (before ** 0.5 * (1 - alpha) / rest * start
                + alpha ** 0.5 * (1 - before) / rest * sample)
        variance = (1 - before) / rest * (1 - alpha)
        made = _Step(mean + variance ** 0.5 * torch.randn_like(sample), start)
        return made if return_dict else (made.prev_sample,)


class EulerDiscreteScheduler(DDPMScheduler):
    """Its levels of noise are those of the signal that stays one."""

    def __init__(self, num_train_timesteps=1000, beta_start=0.0001, beta_end=0.02,
                 beta_schedule="linear", trained_betas=None, prediction_type="epsilon",
                 interpolation_type="linear", use_karras_sigmas=False, timestep_spacing="linspace",
                 steps_offset=0, **options):
        DDPMScheduler.__init__(self, num_train_timesteps, beta_start, beta_end, beta_schedule,
                               trained_betas, prediction_type=prediction_type,
                               timestep_spacing=timestep_spacing, steps_offset=steps_offset)
        levels = ((1 - self.alphas_cumprod) / self.alphas_cumprod) ** 0.5
        self.sigmas = torch.cat([levels.flip(0), torch.zeros(1)])

    def _level(self, like, timesteps):
        return _over(self.sigmas.to(like.dtype)[timesteps.long()], like)

    def add_noise(self, original_samples, noise, timesteps):
        return original_samples + self._level(original_samples, timesteps) * noise


class EDMEulerScheduler(EulerDiscreteScheduler):
    """With what Karras et al. (2022) multiply the inputs and outputs of the network by."""
    sigma_data = 0.5

    def precondition_inputs(self, sample, sigma):
        return sample / (sigma ** 2 + self.sigma_data ** 2) ** 0.5

    def precondition_outputs(self, sample, model_output, sigma):
        own = self.sigma_data ** 2
        total = sigma ** 2 + own
        return own / total * sample + sigma * self.sigma_data / total ** 0.5 * model_output
