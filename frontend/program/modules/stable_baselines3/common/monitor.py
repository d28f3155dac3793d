"""stable_baselines3.common.monitor."""

from _tilewise_gymwrap import same

Monitor = same("Monitor")
