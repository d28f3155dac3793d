"""Trainings and evaluations by the epoch."""

import sys

import torch
from tqdm import tqdm


class Epoch:
    def __init__(self, model, loss, metrics, stage_name, device="cpu", verbose=True):
        self.model, self.loss, self.metrics = model.to(device), loss.to(device), metrics
        self.stage_name, self.device, self.verbose = stage_name, device, verbose

    def on_epoch_start(self):
        pass

    def run(self, dataloader):
        self.on_epoch_start()
        logs = {}
        for x, y in tqdm(dataloader, desc=self.stage_name, file=sys.stdout):
            x, y = x.to(self.device), y.to(self.device)
            loss, y_pred = self.batch_update(x, y)
            logs[self.loss.__name__] = loss.item()
            for metric in self.metrics:
                logs[metric.__name__] = metric(y_pred, y).item()
        return logs


class TrainEpoch(Epoch):
    def __init__(self, model, loss, metrics, optimizer, device="cpu", verbose=True):
        super().__init__(model, loss, metrics, "train", device, verbose)
        self.optimizer = optimizer

    def on_epoch_start(self):
        self.model.train()

    def batch_update(self, x, y):
        self.optimizer.zero_grad()
        prediction = self.model.forward(x)
        loss = self.loss(prediction, y)
        loss.backward()
        self.optimizer.step()
        return loss, prediction


class ValidEpoch(Epoch):
    def __init__(self, model, loss, metrics, device="cpu", verbose=True):
        super().__init__(model, loss, metrics, "valid", device, verbose)

    def on_epoch_start(self):
        self.model.eval()

    def batch_update(self, x, y):
        with torch.no_grad():
            prediction = self.model.forward(x)
            return self.loss(prediction, y), prediction
