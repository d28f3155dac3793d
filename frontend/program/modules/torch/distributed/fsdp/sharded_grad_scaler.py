from ...amp import GradScaler as ShardedGradScaler
