// Follows sums, differences and products with numbers.

#include "python/linear_form.h"

#include "python/value.h"

namespace tilewise::py {
namespace {

// Numbers of rows and examples are less; sums and products of such do not overflow.
constexpr int64_t kMost = int64_t{1} << 30;

bool Small(int64_t number) { return number < kMost && number > -kMost; }

}  // namespace

void LinearForm::Add(const LinearForm& other, int64_t times) {
  sum_ += times * other.sum_;
  known_ = known_ && other.known_ && Small(sum_);
  for (const auto& [name, number] : other.times_) {
    int64_t& mine = times_[name];
    mine += times * number;
    known_ = known_ && Small(mine);
    if (mine == 0) times_.erase(name);
  }
}

LinearForm LinearForm::Of(const Node* expression, const Evaluate& evaluate) {
  LinearForm form;
  if (expression == nullptr) return form;  // a syntax error left it out
  const Node& node = *expression;
  const bool sum = node.op == Operator::kAdd || node.op == Operator::kSubtract;
  if (node.kind == NodeKind::kBinary && (sum || node.op == Operator::kMultiply)) {
    const LinearForm left = Of(node.a, evaluate), right = Of(node.b, evaluate);
    if (sum) {
      form = left;
      form.Add(right, node.op == Operator::kAdd ? 1 : -1);
    } else if (left.constant() || right.constant()) {
      form.known_ = true;
      form.Add(left.constant() ? right : left, left.constant() ? left.sum_ : right.sum_);
    }
    return form;
  }
  if (node.kind != NodeKind::kConstant && node.kind != NodeKind::kName &&
      node.kind != NodeKind::kAttribute) {
    return form;
  }
  const Value value = evaluate(node);
  if (const std::optional<int64_t> number = AsInt(value)) {
    form.known_ = Small(*number);
    form.sum_ = *number;
  } else if (IsUnknown(value) && node.kind == NodeKind::kName) {
    form.known_ = true;
    form.times_.emplace(node.name, 1);
  }
  return form;
}

std::optional<int64_t> LinearForm::Minus(const LinearForm& other) const {
  LinearForm difference = *this;
  difference.Add(other, -1);
  return difference.constant() ? std::optional(difference.sum_) : std::nullopt;
}

}  // namespace tilewise::py
