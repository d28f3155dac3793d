from pydantic import field_validator, model_validator
