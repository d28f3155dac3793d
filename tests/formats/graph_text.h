// Nodes of a GraphDef in text form.

#pragma once

#include <string>
#include <vector>

#include "tests/formats/functions.h"
#include "tests/formats/model.h"

namespace tilewise::formats {

class GraphText final : public Caller {
 public:
  // Attributes: "true", "f32", "8", "0.5", "[1,2]", words.
  Value Call(const std::string& op, const std::vector<Value>& operands,
             const Attrs& attrs) override;
  Value Number(double number, const Value& beside) override;

  void Input(const Value& input);
  Value Node(const std::string& op, const std::vector<Value>& operands, const Dims& dims,
             const Attrs& attrs = {});
  Value Ints(const Dims& numbers);
  Value Int(int64_t number);
  // `shape` and `values` as fields of a TensorProto.
  Value Constant(const std::string& type, const std::string& shape, const std::string& values);
  // [low, high] for each dim.
  Value Pairs(const Dims& low, const Dims& high);
  // The handle of a variable, and its value.
  Value Handle(const std::string& name, const Dims& dims);
  Value Weight(const std::string& name, const Dims& dims);
  // With an open batch.
  Value Reshaped(const Value& x, const Dims& dims);
  Value Reduced(const std::string& op, const Value& x, const Dims& over, bool keep);

  std::string Text(const Value& result) const;

 private:
  Value Add(const std::string& name, const std::string& op, const std::vector<Value>& operands,
            const std::string& attrs, const Value& like);
  std::string New() { return "n" + std::to_string(next_++); }

  int next_ = 0;
  std::string nodes_;
};

}  // namespace tilewise::formats
