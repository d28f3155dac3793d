from accelerate import AcceleratorState, GradientState, PartialState
