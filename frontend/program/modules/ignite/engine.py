"""An engine runs its function on each batch. Handlers of events see its state."""

import _python
import torch
from _tilewise_nothing import module

__getattr__ = module("ignite.engine")


class _Event:
    def __init__(self, name):
        self.name = name

    def __call__(self, event_filter=None, every=None, once=None, before=None, after=None):
        return self

    def __or__(self, other):
        return self


class _Events:
    def __init__(self):
        for name in ("started", "epoch_started", "iteration_started", "get_batch_started",
                     "get_batch_completed", "iteration_completed", "epoch_completed", "completed",
                     "exception_raised", "terminate", "interrupt", "dataloader_stop_iteration",
                     "terminate_single_epoch"):
            setattr(self, name.upper(), _Event(name))

    def __getitem__(self, name):
        return getattr(self, name)

    def __iter__(self):
        return iter(vars(self).values())


Events = _Events()


class EventEnum:
    pass


class State:
    def __init__(self, **kwargs):
        self.iteration = self.epoch = 0
        self.output = self.batch = self.dataloader = self.seed = None
        self.max_epochs = self.epoch_length = None
        self.metrics, self.times = {}, {}
        for name, value in kwargs.items():
            setattr(self, name, value)


class Engine:
    def __init__(self, process_function):
        import logging
        self._process_function, self.state = process_function, State()
        self._handlers, self.should_terminate = [], False
        self.logger = logging.getLogger("ignite")

    def on(self, event, *args, **kwargs):
        def decorate(handler):
            self.add_event_handler(event, handler, *args, **kwargs)
            return handler
        return decorate

    def add_event_handler(self, event, handler, *args, **kwargs):
        self._handlers.append((event, handler, args, kwargs))
        return _Removable()

    def has_event_handler(self, handler, event=None):
        return any([h is handler for _, h, _, _ in self._handlers])

    def remove_event_handler(self, handler, event):
        self._handlers = [row for row in self._handlers if row[1] is not handler]

    def register_events(self, *names, **kwargs):
        pass

    def terminate(self, *args, **kwargs):
        pass

    terminate_epoch = terminate

    def fire_event(self, event):
        for known, handler, args, kwargs in self._handlers:
            if known is event:
                rows = _python.signature(handler)
                if rows or args:
                    handler(self, *args, **kwargs)
                else:
                    handler()

    def run(self, data=None, max_epochs=None, epoch_length=None, seed=None):
        self.state.dataloader, self.state.max_epochs = data, max_epochs or 1
        self.state.epoch_length = epoch_length if epoch_length is not None else \
            len(data) if hasattr(data, "__len__") else None
        self.fire_event(Events.STARTED)
        for epoch in range(self.state.max_epochs):
            self.state.epoch += 1
            self.fire_event(Events.EPOCH_STARTED)
            for batch in data if data is not None else range(epoch_length or 1):
                self.state.iteration += 1
                self.state.batch = batch
                self.fire_event(Events.ITERATION_STARTED)
                self.state.output = self._process_function(self, batch)
                self.fire_event(Events.ITERATION_COMPLETED)
            self.fire_event(Events.EPOCH_COMPLETED)
        self.fire_event(Events.COMPLETED)
        return self.state

    def state_dict(self):
        return {}

    def load_state_dict(self, state_dict):
        pass


class _Removable:
    def remove(self):
        pass


def convert_tensor(input_, device=None, non_blocking=False):
    return input_


def _prepare_batch(batch, device=None, non_blocking=False):
    x, y = batch
    return x, y


def create_supervised_trainer(model, optimizer, loss_fn, device=None, non_blocking=False,
                              prepare_batch=_prepare_batch, model_transform=lambda output: output,
                              output_transform=lambda x, y, y_pred, loss: loss.item(),
                              deterministic=False, amp_mode=None, scaler=False,
                              gradient_accumulation_steps=1, model_fn=lambda model, x: model(x)):
    def update(engine, batch):
        model.train()
        if (engine.state.iteration - 1) % gradient_accumulation_steps == 0:
            optimizer.zero_grad()
        x, y = prepare_batch(batch, device=device, non_blocking=non_blocking)
        with torch.autocast("cuda", enabled=amp_mode == "amp"):
            y_pred = model_transform(model_fn(model, x))
            loss = loss_fn(y_pred, y)
        (loss / gradient_accumulation_steps).backward()
        if engine.state.iteration % gradient_accumulation_steps == 0:
            optimizer.step()
        return output_transform(x, y, y_pred, loss)
    return Engine(update)


def create_supervised_evaluator(model, metrics=None, device=None, non_blocking=False,
                                prepare_batch=_prepare_batch,
                                model_transform=lambda output: output,
                                output_transform=lambda x, y, y_pred: (y_pred, y),
                                amp_mode=None, model_fn=lambda model, x: model(x)):
    def evaluate(engine, batch):
        model.eval()
        with torch.no_grad():
            x, y = prepare_batch(batch, device=device, non_blocking=non_blocking)
            y_pred = model_transform(model_fn(model, x))
        return output_transform(x, y, y_pred)
    engine = Engine(evaluate)
    for name, metric in (metrics or {}).items():
        metric.attach(engine, name)
    return engine
