"""The families of classification_models."""
