from trl import ORPOConfig, ORPOTrainer
