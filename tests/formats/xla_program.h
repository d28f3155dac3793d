// Programs of XLA's operations, printed as StableHLO and as HLO text.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/formats/functions.h"
#include "tests/formats/model.h"

namespace tilewise::formats {

class XlaProgram final : public Caller {
 public:
  Value Call(const std::string& op, const std::vector<Value>& operands,
             const Attrs& attrs) override;
  Value Number(double number, const Value& beside) override;

  Value Input(const Value& input);
  Value Weight(const std::string& name, const Dims& dims);
  Value Scalar(double number, const std::string& type);

  Value Unary(const std::string& op, const Value& x) { return Call(op, {x}, {}); }
  Value Binary(const std::string& op, const Value& x, const Value& y) {
    return Call(op, {x, y}, {});
  }
  // Beside a number.
  Value With(const std::string& op, const Value& x, double number) {
    return Call(op, {x, Number(number, x)}, {});
  }
  Value Convert(const Value& x, const std::string& type);
  Value Broadcast(const Value& x, const Dims& dims, const Dims& mapping);
  Value Reshape(const Value& x, const Dims& dims);
  Value Transpose(const Value& x, const Dims& order);
  Value Reverse(const Value& x, const Dims& dims);
  Value Slice(const Value& x, const Dims& starts, const Dims& sizes);
  Value Pad(const Value& x, const Dims& low, const Dims& high);
  Value Concatenate(const std::vector<Value>& parts, int64_t axis);
  Value Iota(const Dims& dims, int64_t axis);
  // "add", "multiply", "maximum", "minimum", "and", "or".
  Value Reduce(const std::string& op, const Value& x, const Dims& over);
  Value ArgReduce(bool max, const Value& x, int64_t axis);
  // Windows over all dims.
  Value ReduceWindow(const std::string& op, const Value& x, const Window& window);
  struct Contraction {
    Dims lhs_batch, rhs_batch, lhs, rhs;
  };
  Value Dot(const Value& x, const Value& y, const Contraction& over);
  // `kernel` is [sizes.., features in, features out], or out before in.
  Value Convolution(const Value& x, const Value& kernel, const Window& window, int64_t groups,
                    const Dims& dilated_input, bool out_before_in);
  Value BatchNormInference(const std::vector<Value>& operands, double epsilon);
  Value TakeRows(const Value& table, const Value& ids);
  Value Sort(const Value& x, int64_t axis);
  Value TopK(const Value& x, int64_t k);

  // Whole files with this result.
  std::string Mlir(const Value& result) const;
  std::string Hlo(const Value& result) const;
  // Whether all instructions have a word in HLO.
  bool hlo_says() const { return hlo_says_; }

 private:
  // `hlo` and `mlir` are what stands behind the equals sign.
  Value Add(Dims dims, const std::string& type, const std::string& hlo, const std::string& mlir);
  Value Parameter(const std::string& name, const Dims& dims, const std::string& type,
                  const std::string& op_name);
  // The name of the computation that joins two scalars; made if it is new.
  std::string Joiner(const std::string& op, const std::string& type);
  static double Neutral(const std::string& op);

  int next_ = 0;
  bool hlo_says_ = true;
  std::vector<std::string> mlir_arguments_;
  std::string hlo_parameters_, hlo_computations_;
  std::string hlo_, mlir_;
  std::vector<std::string> joiners_;
};

}  // namespace tilewise::formats
