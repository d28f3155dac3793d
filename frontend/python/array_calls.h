// numpy, and TensorFlow ops outside models: what they do to dtype and shape.

#pragma once

#include <optional>
#include <string>

#include "frontend/python/value.h"

namespace tilewise::python {

class Interpreter;
struct Call;

std::optional<Value> CallArray(Interpreter& in, const Call& call);
std::optional<Value> CallArrayMethod(Interpreter& in, const Call& call);
// Broadcasts of + - * / and comparisons; an operand may be a number.
std::optional<Value> ArrayOperator(Interpreter& in, std::string_view op, const Value& a,
                                   const Value& b);
// x[...] of an array: only leading integer indices and slices are followed.
std::optional<Value> ArraySubscript(Interpreter& in, const Array& array,
                                    const std::vector<Node>& subscripts);
// "float32" of "float32", tf.float32, np.float32; empty when not known.
std::string DTypeOf(const Value& value);

}  // namespace tilewise::python
