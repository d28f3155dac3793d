"""keras.wrappers: models for scikit-learn, whose fit makes the model and trains it."""


class _Wrapped:
    def __init__(self, model=None, build_fn=None, **kwargs):
        self._make = build_fn if build_fn is not None else model
        self.sk_params = kwargs

    def fit(self, X, y, **kwargs):
        import _python
        given = {name for name, _, _, _ in _python.signature(self._make)} \
            if callable(self._make) else ()
        options = {k: v for k, v in self.sk_params.items() if k in given}
        self.model = self._make(**options) if callable(self._make) else self._make
        rest = {k: v for k, v in self.sk_params.items()
                if k in ("epochs", "batch_size", "verbose")}
        rest.update(kwargs)
        return self.model.fit(X, y, **rest)

    def predict(self, X, **kwargs):
        return self.model.predict(X)

    predict_proba = predict

    def score(self, *args, **kwargs):
        return self.model.evaluate(*args)


class SKLearnClassifier(_Wrapped):
    pass


class SKLearnRegressor(_Wrapped):
    pass


class SKLearnTransformer(_Wrapped):
    pass


KerasClassifier, KerasRegressor = SKLearnClassifier, SKLearnRegressor


class scikit_learn:
    KerasClassifier, KerasRegressor = SKLearnClassifier, SKLearnRegressor
