"""Steps of tasks: lengths come from the features, so none of them is run."""


def _same(dataset, *args, **options):
    return dataset


tokenize = tokenize_and_append_eos = append_eos = append_eos_after_trim = rekey = _same
truncate_inputs_left = preprocess_tensorflow_examples = _same
