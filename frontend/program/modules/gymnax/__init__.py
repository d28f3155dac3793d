"""gymnax: environments as functions; what they show has the published shape."""

from gymnax.environments.environment import Environment, EnvParams, EnvState
from gymnax.environments import environment, spaces
from gymnax import wrappers, registration

registered_envs = []


def make(env_id, **options):
    env = Environment(env_id)
    return env, env.default_params
