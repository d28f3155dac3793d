// The table, and a reader of expressions.

#include "tests/formats/functions.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <stdexcept>

namespace tilewise::formats {
namespace {

constexpr std::string_view kErfGelu =
    "multiply(multiply(x,0.5),add(erf(multiply(x,0.70710678)),1))";
constexpr std::string_view kTanhGelu =
    "multiply(multiply(x,0.5),add(tanh(multiply(add(x,multiply(power(x,3),0.044715)),"
    "0.7978845608)),1))";
constexpr std::string_view kSoftplus =
    "add(maximum(x,0),log-plus-one(exponential(negate(abs(x)))))";
constexpr std::string_view kMish =
    "multiply(x,tanh(add(maximum(x,0),log-plus-one(exponential(negate(abs(x))))"
    ")"
    "))";

constexpr Function kFunctions[] = {
    // Activations.
    {"relu", 1, "a:relu", "Relu(x)", "Relu(x)", "maximum(x,0)"},
    {"relu6", 1, "l:ReLU max_value=6.0", "Relu6(x)", "Clip(x,0,6)", "minimum(maximum(x,0),6)"},
    {"leaky_relu", 1, "l:LeakyReLU alpha=0.2", "LeakyRelu(x;alpha=0.2)", "LeakyRelu(x;alpha=0.2)",
     "select(compare(x,0;direction=GT),x,multiply(x,0.2))"},
    {"elu", 1, "a:elu", "Elu(x)", "Elu(x;alpha=1.0)",
     "select(compare(x,0;direction=GT),x,exponential-minus-one(x))"},
    {"selu", 1, "a:selu", "Selu(x)", "Selu(x)",
     "select(compare(x,0;direction=GT),multiply(x,1.0507),"
     "multiply(exponential-minus-one(x),1.7581))"},
    {"softplus", 1, "a:softplus", "Softplus(x)", "Softplus(x)", kSoftplus},
    {"softsign", 1, "a:softsign", "Softsign(x)", "Softsign(x)", "divide(x,add(abs(x),1))"},
    {"gelu", 1, "a:gelu", "Mul(Mul(0.5,x),AddV2(1.0,Erf(RealDiv(x,1.41421356))))",
     "Gelu(x;approximate=none)", kErfGelu},
    {"gelu_tanh", 1, "f:nn.gelu approximate=true",
     "Mul(Mul(0.5,x),AddV2(1.0,Tanh(Mul(0.7978845608,AddV2(x,"
     "Mul(0.044715,Pow(x,3.0)))))))",
     "Gelu(x;approximate=tanh)", kTanhGelu},
    {"swish", 1, "a:swish", "Mul(x,Sigmoid(x))", "Mul(x,Sigmoid(x))", "multiply(x,logistic(x))"},
    {"mish", 1, "a:mish", "Mul(x,Tanh(Softplus(x)))", "Mish(x)", kMish},
    {"hard_sigmoid", 1, "a:hard_sigmoid", "ClipByValue(AddV2(Mul(x,0.2),0.5),0.0,1.0)",
     "HardSigmoid(x;alpha=0.2,beta=0.5)", "clamp(0,add(multiply(x,0.2),0.5),1)"},
    {"hard_swish", 1, "a:hard_swish", "Mul(x,ClipByValue(AddV2(Mul(x,0.16666667),0.5),0.0,1.0))",
     "HardSwish(x)", "multiply(x,clamp(0,add(multiply(x,0.16666667),0.5),1))"},
    {"sigmoid", 1, "a:sigmoid", "Sigmoid(x)", "Sigmoid(x)", "logistic(x)"},
    {"log_sigmoid", 1, "f:math.log_sigmoid", "Neg(Softplus(Neg(x)))", "Log(Sigmoid(x))",
     "negate(add(maximum(negate(x),0),log-plus-one(exponential(negate("
     "abs(negate(x)))))))"},
    {"tanh", 1, "a:tanh", "Tanh(x)", "Tanh(x)", "tanh(x)"},
    {"thresholded_relu", 1, "l:ThresholdedReLU theta=1.0",
     "Mul(x,Cast(Greater(x,1.0);SrcT=pred,DstT=f32))", "ThresholdedRelu(x;alpha=1.0)",
     "select(compare(x,1;direction=GT),x,0)"},

    // Functions of one operand.
    {"exp", 1, "a:exponential", "Exp(x)", "Exp(x)", "exponential(x)"},
    {"log", 1, "f:math.log", "Log(x)", "Log(x)", "log(x)"},
    {"log1p", 1, "f:math.log1p", "Log1p(x)", "Log(Add(x,1))", "log-plus-one(x)"},
    {"expm1", 1, "f:math.expm1", "Expm1(x)", "Sub(Exp(x),1)", "exponential-minus-one(x)"},
    {"sqrt", 1, "f:math.sqrt", "Sqrt(x)", "Sqrt(x)", "sqrt(x)"},
    {"rsqrt", 1, "f:math.rsqrt", "Rsqrt(x)", "Reciprocal(Sqrt(x))", "rsqrt(x)"},
    {"square", 1, "f:math.square", "Square(x)", "Mul(x,x)", "multiply(x,x)"},
    {"reciprocal", 1, "f:math.reciprocal", "Reciprocal(x)", "Reciprocal(x)", "divide(1,x)"},
    {"abs", 1, "f:math.abs", "Abs(x)", "Abs(x)", "abs(x)"},
    {"neg", 1, "f:math.negative", "Neg(x)", "Neg(x)", "negate(x)"},
    {"sign", 1, "f:math.sign", "Sign(x)", "Sign(x)", "sign(x)"},
    {"floor", 1, "f:math.floor", "Floor(x)", "Floor(x)", "floor(x)"},
    {"ceil", 1, "f:math.ceil", "Ceil(x)", "Ceil(x)", "ceil(x)"},
    {"round", 1, "f:math.round", "Round(x)", "Round(x)", "round-nearest-even(x)"},
    {"sin", 1, "f:math.sin", "Sin(x)", "Sin(x)", "sine(x)"},
    {"cos", 1, "f:math.cos", "Cos(x)", "Cos(x)", "cosine(x)"},
    {"tan", 1, "f:math.tan", "Tan(x)", "Tan(x)", "tan(x)"},
    {"asin", 1, "f:math.asin", "Asin(x)", "Asin(x)", "asin(x)"},
    {"acos", 1, "f:math.acos", "Acos(x)", "Acos(x)", "acos(x)"},
    {"atan", 1, "f:math.atan", "Atan(x)", "Atan(x)", "atan(x)"},
    {"sinh", 1, "f:math.sinh", "Sinh(x)", "Sinh(x)", "sinh(x)"},
    {"cosh", 1, "f:math.cosh", "Cosh(x)", "Cosh(x)", "cosh(x)"},
    {"asinh", 1, "f:math.asinh", "Asinh(x)", "Asinh(x)", "asinh(x)"},
    {"acosh", 1, "f:math.acosh", "Acosh(x)", "Acosh(x)", "acosh(x)"},
    {"atanh", 1, "f:math.atanh", "Atanh(x)", "Atanh(x)", "atanh(x)"},
    {"erf", 1, "f:math.erf", "Erf(x)", "Erf(x)", "erf(x)"},
    {"erfc", 1, "f:math.erfc", "Erfc(x)", "Sub(1,Erf(x))", "subtract(1,erf(x))"},
    {"erfinv", 1, "f:math.erfinv", "Erfinv(x)", "", "erf-inv(x)"},
    {"is_nan", 1, "f:math.is_nan", "IsNan(x)", "IsNaN(x)", "compare(x,x;direction=NE)", "pred"},
    {"clip", 1, "f:clip_by_value clip_value_min=-1.0,clip_value_max=1.0", "ClipByValue(x,-1.0,1.0)",
     "Clip(x,-1,1)", "clamp(-1,x,1)"},

    // Functions of two operands, and a choice.
    {"add", 2, "l:Add", "AddV2(x,y)", "Add(x,y)", "add(x,y)"},
    {"sub", 2, "l:Subtract", "Sub(x,y)", "Sub(x,y)", "subtract(x,y)"},
    {"mul", 2, "l:Multiply", "Mul(x,y)", "Mul(x,y)", "multiply(x,y)"},
    {"div", 2, "f:math.divide", "RealDiv(x,y)", "Div(x,y)", "divide(x,y)"},
    {"pow", 2, "f:math.pow", "Pow(x,y)", "Pow(x,y)", "power(x,y)"},
    {"maximum", 2, "l:Maximum", "Maximum(x,y)", "Max(x,y)", "maximum(x,y)"},
    {"minimum", 2, "l:Minimum", "Minimum(x,y)", "Min(x,y)", "minimum(x,y)"},
    {"average", 2, "l:Average", "Mul(AddV2(x,y),0.5)", "Mean(x,y)", "multiply(add(x,y),0.5)"},
    {"fmod", 2, "", "Mod(x,y)", "Mod(x,y;fmod=1)", "remainder(x,y)"},
    {"squared_difference", 2, "f:math.squared_difference", "SquaredDifference(x,y)",
     "Mul(Sub(x,y),Sub(x,y))", "multiply(subtract(x,y),subtract(x,y))"},
    {"greater", 2, "f:math.greater", "Greater(x,y)", "Greater(x,y)", "compare(x,y;direction=GT)",
     "pred"},
    {"less_equal", 2, "f:math.less_equal", "LessEqual(x,y)", "LessOrEqual(x,y)",
     "compare(x,y;direction=LE)", "pred"},
    {"equal", 2, "f:math.equal", "Equal(x,y)", "Equal(x,y)", "compare(x,y;direction=EQ)", "pred"},
    {"select", 3, "f:where", "SelectV2(x,y,z)", "Where(x,y,z)", "select(x,y,z)"},
};

struct Term {
  std::string name;  // of an operand or a call
  std::optional<double> number;
  std::vector<Term> operands;
  Attrs attrs;
};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Term Parse() {
    Term term;
    if (IsNumber(Peek())) {
      term.number = std::stod(Word());
      return term;
    }
    term.name = Word();
    if (!Take('(')) return term;
    do {
      term.operands.push_back(Parse());
    } while (Take(','));
    if (Take(';')) {
      do {
        const std::string key = Word();
        if (!Take('=')) throw std::invalid_argument("expected =");
        term.attrs[key] = Word();
      } while (Take(','));
    }
    if (!Take(')')) throw std::invalid_argument("expected )");
    return term;
  }

 private:
  static bool IsNumber(char c) {
    return c == '-' || std::isdigit(static_cast<unsigned char>(c)) != 0;
  }
  char Peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool Take(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }
  std::string Word() {
    Peek();
    const size_t end = std::min(text_.find_first_of("(),;= ", at_), text_.size());
    std::string word(text_.substr(at_, end - at_));
    at_ = end;
    return word;
  }

  std::string_view text_;
  size_t at_ = 0;
};

Value ValueOf(const Term& term, const std::vector<Value>& operands, Caller& caller) {
  if (term.operands.empty()) {
    return operands.at(std::string_view("xyzw").find(term.name));
  }
  std::vector<Value> values(term.operands.size());
  const Value* beside = nullptr;
  for (size_t i = 0; i < values.size(); ++i) {
    if (term.operands[i].number) continue;
    values[i] = ValueOf(term.operands[i], operands, caller);
    // The numbers of a select stand beside its last operand.
    if (beside == nullptr || beside->type == "pred") beside = &values[i];
  }
  for (size_t i = 0; i < values.size(); ++i) {
    const std::optional<double> number = term.operands[i].number;
    if (number) values[i] = caller.Number(*number, *beside);
  }
  return caller.Call(term.name, values, term.attrs);
}

}  // namespace

std::vector<Function> Functions() { return {std::begin(kFunctions), std::end(kFunctions)}; }

const Function* FindFunction(std::string_view name) {
  const auto* found = std::ranges::find(kFunctions, name, &Function::name);
  return found == std::end(kFunctions) ? nullptr : found;
}

Value Like(const std::vector<Value>& operands) {
  const bool chooses = operands.size() == 3 && operands[0].type == "pred";
  return {"", std::ranges::max_element(operands, {}, &Value::rank)->dims,
          operands[chooses ? 1 : 0].type};
}

Value Evaluate(std::string_view expression, const std::vector<Value>& operands, Caller& caller) {
  return ValueOf(Parser(expression).Parse(), operands, caller);
}

}  // namespace tilewise::formats
