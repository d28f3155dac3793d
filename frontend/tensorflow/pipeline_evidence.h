// What the nodes of a tf.data graph tell beyond their stages: the tensors of an
// element, the files of a source, the options.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/location.h"
#include "frontend/tensorflow/graph_def.h"
#include "pipeline/pipeline.h"

namespace tilewise::tf {

// Reads the attributes of a dataset; nothing when it does not state them.
std::optional<std::vector<Leaf>> LeavesOf(const NodeDef& node);

// Bytes of one item of what a dataset gives, the first `batches` dims of which
// are those of batches; nothing when a size is not known.
std::optional<int64_t> ItemBytes(const NodeDef& node, size_t batches);

// The encoded options of an OptionsDataset as Python writes them. Fields that
// are not known, and bytes that are malformed, add nothing.
void AddOptions(std::string_view serialized, const Location& place, Pipeline& pipeline);

// What the dataset that a function makes begins with, and how many files that
// reads at once.
void DescribeInner(const GraphDef& graph, std::string_view function, Stage& stage);

}  // namespace tilewise::tf
