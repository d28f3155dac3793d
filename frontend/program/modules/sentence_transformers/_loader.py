"""fit() of loaders of InputExamples, as it was before there were trainers."""

import _tilewise


def texts_of(loader):
    """How many texts an example of the loader has; None: not known."""
    try:
        example = loader.dataset[0]
    except (IndexError, KeyError, TypeError, AttributeError):
        return None
    texts = getattr(example, "texts", None)
    return len(texts) if isinstance(texts, (list, tuple)) else None


def size_of(loader):
    size = getattr(loader, "batch_size", None)
    return _tilewise.unknown("the batch of a loader") if size is None else size


def fit(model, objectives, epochs, optimizer_class, optimizer_params, weight_decay,
        max_grad_norm, use_amp, trainer=None):
    from sentence_transformers.trainer import SentenceTransformerTrainer
    from sentence_transformers.training_args import SentenceTransformerTrainingArguments
    if _tilewise.is_unknown(objectives):
        _tilewise.note("what the model is trained with is not known: " +
                       _tilewise.reason(objectives))
        return
    objectives = list(objectives)
    if len(objectives) > 1:
        _tilewise.note("of " + str(len(objectives)) + " losses that take turns the first is "
                       "simulated")
    loader, loss = objectives[0]
    args = SentenceTransformerTrainingArguments(
        per_device_train_batch_size=size_of(loader), num_train_epochs=epochs, fp16=use_amp,
        max_grad_norm=max_grad_norm, weight_decay=weight_decay)
    made = (trainer or SentenceTransformerTrainer)(model, args, loader, loss=loss)
    made._texts_known = texts_of(loader)
    weights = [p for p in made._trained().parameters() if p.requires_grad]
    made.optimizer = optimizer_class(weights, **optimizer_params)
    made.train()
