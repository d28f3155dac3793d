// What the models of ai.onnx.ml have in common: rows of features go in, scores
// and labels come out.

#pragma once

#include "frontend/onnx/node_context.h"

namespace tilewise::onnx {

// Operand 0 as f32[n, features]; fails when it is neither that nor one row.
OpId FeatureRows(NodeContext& ctx);

// Class labels: numbers, or strings, which stay on the host.
int64_t ClassCount(NodeContext& ctx);
// Result 0, from the indices of the largest scores [n, classes].
void SetLabels(NodeContext& ctx, OpId scores);

// `post_transform` of scores.
OpId Transformed(NodeContext& ctx, OpId scores);

// trees.cc
void TreeEnsemble(NodeContext& ctx);
void TreeEnsembleRegressor(NodeContext& ctx);
void TreeEnsembleClassifier(NodeContext& ctx);

// support_vectors.cc
void SvmRegressor(NodeContext& ctx);
void SvmClassifier(NodeContext& ctx);

}  // namespace tilewise::onnx
