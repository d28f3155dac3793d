from trl import KTOConfig, KTOTrainer
