// Calls in Python sources that become ops of the model.

#pragma once

#include <string>
#include <string_view>

#include "rules/rule.h"

namespace tilewise {

// Whether the call's name, without the package and compat prefixes, is
// `name`: "nn.moments" matches tensorflow.nn.moments and
// tensorflow.compat.v1.nn.moments.
bool IsCallOf(const SourceCall& call, std::string_view name);

// Whether the model has an op at the call's place, or the call lies in a
// function that by its name runs in every step: call, forward, train_step, loss
// functions. Functions of the input pipeline and code that runs once do not.
bool RunsInStep(const Facts& facts, const SourceCall& call);

// The op is there because of the call.
bool IsOpOf(const Op& op, const SourceCall& call);

// "call()", "the model" outside functions.
std::string CallerOf(const SourceCall& call);

}  // namespace tilewise
