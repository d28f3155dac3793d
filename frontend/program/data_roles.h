// What a data set is for, by names and by the loop that takes its elements.

#pragma once

#include <string>
#include <string_view>

#include "pipeline/pipeline.h"
#include "python/syntax.h"

namespace tilewise::program {

bool IsForEvaluation(std::string_view text);
PipelineRole RoleByName(const std::string& name);
// Whether the loop of that body leaves after its first element: a look at the data.
bool TakesOne(const python::Node& body);
// Whether the loop of that body only shows what it takes: it prints or draws, and calls nothing
// else.
bool OnlyShows(const python::Node& body);
// Whether a function that is named for training is called in it.
bool CallsToTrain(std::string_view body);
// Whether a program evaluates or asks a model by its file's name: "eval.py", "run_inference.py".
bool IsNamedForEvaluation(std::string_view path);
// The size of the batches that `last`, which makes one row of them for each core, is made of; 1
// without such. Rows of `steps` batches, each for a step of one execution, are none.
int64_t BatchBelow(const Pipeline& pipeline, const Stage& last, int64_t steps);
// "evaluation/coco.py" of the path of a module.
std::string_view FileAndFolder(std::string_view path);

}  // namespace tilewise::program
