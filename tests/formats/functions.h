// Functions of single elements, and how each format says them.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/formats/model.h"

namespace tilewise::formats {

// Expressions: "Mul(x, Sigmoid(x))", with the operands x, y, z, w, numbers, and
// attributes after a semicolon: "LeakyRelu(x; alpha=0.2)". Empty: the format
// has no word for the function.
struct Function {
  std::string_view name;
  int operands;
  // "a:relu", an activation; "l:ReLU max_value=6.0", a layer; "f:math.log y=2",
  // a function of the framework.
  std::string_view keras;
  std::string_view graphdef;
  std::string_view onnx;
  // Instructions of HLO, as TF2XLA or JAX export the function. erf and the like
  // are operations of CHLO in StableHLO.
  std::string_view xla;
  std::string_view result = "";  // the type, where it is not the operands'
};
std::vector<Function> Functions();
const Function* FindFunction(std::string_view name);

using Attrs = std::map<std::string, std::string>;

// What an expression's calls become in a format.
class Caller {
 public:
  virtual ~Caller() = default;
  virtual Value Call(const std::string& op, const std::vector<Value>& operands,
                     const Attrs& attrs) = 0;
  // A number beside an operand.
  virtual Value Number(double number, const Value& beside) = 0;
};
// The result's dims and type, without a name: the dims of the operand that has
// most, the type of the first that is no condition.
Value Like(const std::vector<Value>& operands);

Value Evaluate(std::string_view expression, const std::vector<Value>& operands, Caller& caller);

}  // namespace tilewise::formats
