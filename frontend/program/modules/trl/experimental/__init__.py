"""Trainers that later releases keep apart."""
