"""The older name of lightning.fabric."""

from lightning.fabric import Fabric, seed_everything
