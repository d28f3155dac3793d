from trl import CPOConfig, CPOTrainer
