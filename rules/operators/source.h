// What the sources and files say of the ops of the model: calls in Python that
// become ops, and ops of the model's file that the reader points out.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/rule.h"

namespace tilewise {

// Whether the call's name, without the package and compat prefixes, is
// `name`: "nn.moments" matches tensorflow.nn.moments and
// tensorflow.compat.v1.nn.moments.
bool IsCallOf(const SourceCall& call, std::string_view name);
bool IsCallOfOne(const SourceCall& call, std::span<const std::string_view> names);

// Whether the model has an op at the call's location, or the call lies in a
// function that by its name runs in every step: call, forward, train_step, loss
// functions. Functions of the input pipeline and code that runs once do not.
bool RunsInStep(const Facts& facts, const SourceCall& call);

// Whether the call makes a layer that takes every pixel of an image from an address of its own.
bool IsWarpOfImages(const SourceCall& call);

// The op is there because of the call.
bool IsOpOf(const Op& op, const SourceCall& call);

// Whether the model was followed through the call: its ops say what it costs.
bool IsFollowed(const Facts& facts, const SourceCall& call);

// "call()", "the model" outside functions.
std::string CallerOf(const SourceCall& call);

// Shapes of the call's first operand at the batch of the facts, one for each
// time the model runs it: from the op that the model has at the call's
// location, or, when the operand is the input of the layer class around the
// call, from that layer's locations in the model. Empty when neither is there,
// or when the operand is itself something whose shape was only assumed.
std::vector<Shape> OperandShapes(const Facts& facts, const SourceCall& call);
// Shapes of the result of a call that is told its shape, first or as `shape`: a
// literal, or that of the operand as above.
std::vector<Shape> AskedShapes(const Facts& facts, const SourceCall& call);

// The integer literals of the argument at `position` or of that name; empty
// when there is no such argument or it is something else.
std::vector<int64_t> LiteralArgument(const SourceCall& call, size_t position,
                                     std::string_view keyword);

// Returns why the shapes are not known, for Cost::unknown. `what` is "the
// tensor it normalises".
std::string WhyNoShape(const Facts& facts, std::string_view what);

// What a call costs; without a time the reason, for which `what` is as above.
Cost CostOfCall(const Facts& facts, std::optional<Seconds> time, std::string_view what);

// Simulated device time per step of all that the op became; zero when that is
// nothing.
Seconds TimeOfSource(const Facts& facts, const SourceOp& op);

// Its last op of the graph, whose shape is that of its result; kNoOp when it
// became none.
OpId ResultOfSource(const Facts& facts, const SourceOp& op);

// "PyFunc (map/PyFunc)": kind and name.
std::string NameOfSource(const SourceOp& op);

// Returns for each op of Facts::source whether it is computed from what the
// file's ops of this trait became.
std::vector<bool> ComputedFrom(const Facts& facts, OpTrait trait);

}  // namespace tilewise
