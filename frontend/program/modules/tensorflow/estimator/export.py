"""tf.estimator.export: receivers and outputs hold what they are given."""


class _Holder:
    def __init__(self, *args, **kw):
        self.features = args[0] if args else kw.get("features")
        self.receiver_tensors = args[1] if len(args) > 1 else kw.get("receiver_tensors")
        self.outputs = args[0] if args else kw.get("outputs")


ServingInputReceiver = TensorServingInputReceiver = SupervisedInputReceiver = _Holder
ClassificationOutput = RegressionOutput = PredictOutput = ExportOutput = EvalOutput = _Holder


def build_raw_serving_input_receiver_fn(features, default_batch_size=None):
    return lambda: _Holder(features, features)


build_parsing_serving_input_receiver_fn = build_raw_serving_input_receiver_fn
