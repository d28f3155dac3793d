// What the body of a function given to map, filter or interleave does.

#pragma once

#include <string_view>

#include "frontend/tensorflow/graph_def.h"
#include "pipeline/pipeline.h"

namespace tilewise::tf {

// Functions that it calls are looked into.
MapFunction DescribeFunction(const GraphDef& graph, std::string_view name);

}  // namespace tilewise::tf
