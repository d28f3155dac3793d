from . import GradScaler
