// Options of a data set: tf.data.Options() as the program sets it.

#pragma once

#include "frontend/program/source_texts.h"
#include "pipeline/pipeline.h"
#include "python/value.h"

namespace tilewise::program {

// Adds those of `options`, an instance of tf.data.Options, with what they turn off.
void ApplyOptions(const py::Value* options, SourceTexts& texts, Pipeline& pipeline);

}  // namespace tilewise::program
