"""Writes the JSON of a NASNet-like Keras model of any depth, without TensorFlow.

    python3 examples/make_deep_cells.py 92 > deep.json

Each cell is a separable-convolution cell of eleven layers; 92 cells are about
1,000 layers, the size at which users saw compilation run for minutes.
"""

import json
import sys


def layer(class_name, name, config, inputs):
    return {
        "class_name": class_name,
        "name": name,
        "config": dict(config, name=name),
        "inbound_nodes": [[[source, 0, 0, {}] for source in inputs]] if inputs else [],
    }


def separable(layers, prefix, source, filters):
    relu, conv, norm = (f"{prefix}_{part}" for part in ("relu", "sep", "bn"))
    layers.append(layer("Activation", relu, {"activation": "relu"}, [source]))
    layers.append(layer("SeparableConv2D", conv, {
        "filters": filters, "kernel_size": [3, 3], "padding": "same", "use_bias": False}, [relu]))
    layers.append(layer("BatchNormalization", norm, {"axis": [3], "epsilon": 1e-3}, [conv]))
    return norm


def main():
    cells = int(sys.argv[1]) if len(sys.argv) > 1 else 92
    filters = 64
    layers = [layer("InputLayer", "image", {"batch_input_shape": [None, 32, 32, 3]}, [])]
    layers.append(layer("Conv2D", "stem", {
        "filters": filters, "kernel_size": [3, 3], "padding": "same"}, ["image"]))
    previous = "stem"
    for i in range(cells):
        left = separable(layers, f"cell{i}_left", previous, filters)
        right = separable(layers, f"cell{i}_right", previous, filters)
        middle = separable(layers, f"cell{i}_middle", left, filters)
        layers.append(layer("Add", f"cell{i}_join", {}, [middle, right]))
        layers.append(layer("Add", f"cell{i}_skip", {}, [f"cell{i}_join", previous]))
        previous = f"cell{i}_skip"
    layers.append(layer("GlobalAveragePooling2D", "pool", {}, [previous]))
    layers.append(layer("Dense", "classes", {"units": 10, "activation": "softmax"}, ["pool"]))
    json.dump({"class_name": "Functional", "keras_version": "2.12.0", "backend": "tensorflow",
               "config": {"name": "deep_cells", "layers": layers,
                          "input_layers": [["image", 0, 0]], "output_layers": [["classes", 0, 0]]}},
              sys.stdout)


main()
