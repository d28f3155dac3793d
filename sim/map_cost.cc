// A walk over the calls of a function with the size of its element. Sizes inside
// a function are known where the reader found them; else a decoder leaves what
// its bytes or the function's result tell, and a resize the function's result.

#include "sim/map_cost.h"

#include <algorithm>
#include <string_view>

#include "pipeline/chain.h"

namespace tilewise {
namespace {

constexpr int64_t kUnresolvedNodes = 3;  // cast, scale, tuple
constexpr int64_t kMostPasses = 16;      // further operators work on small parts
constexpr double kChannels = 3;
constexpr double kFloatBytes = 4;
constexpr std::string_view kDecoder = "tensorflow.io.decode_jpeg";

std::string_view OpName(std::string_view call) { return call.substr(call.rfind('.') + 1); }

bool HasWord(std::string_view call, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) {
    return OpName(call).find(word) != std::string_view::npos;
  });
}

bool IsPng(std::string_view call) { return HasWord(call, {"png", "Png"}); }

bool ChangesSize(std::string_view call) {
  return HasWord(call, {"resize", "Resize", "crop", "Crop", "resizing", "thumbnail"});
}

bool MakesFloats(std::string_view call) {
  return HasWord(call, {"cast", "Cast", "convert", "to_float", "normal", "standard", "scal"}) ||
         ChangesSize(call);
}

// A method of a value, what Python has built in, what runs once, when the function is traced, and
// what takes an id: they move no numbers.
bool IsPlumbing(std::string_view call) {
  constexpr std::string_view kGroups[] = {".",
                                          "builtins.",
                                          "logging.",
                                          "absl.logging.",
                                          "inspect.",
                                          "functools.",
                                          "numpy.iinfo",
                                          "numpy.finfo",
                                          "tensorflow.bitcast",
                                          "tensorflow.debugging.",
                                          "tensorflow.name_scope",
                                          "tensorflow.type_spec",
                                          "tensorflow.strings.to_hash_bucket"};
  return call.empty() || std::ranges::any_of(kGroups, [&](std::string_view group) {
           return call.starts_with(group);
         });
}

// A method of an image that Pillow has decoded, where arrays have none of that name.
bool IsPillowMethod(std::string_view call) {
  constexpr std::string_view kMethods[] = {".resize", ".thumbnail", ".crop", ".rotate"};
  return std::ranges::find(kMethods, call) != std::end(kMethods);
}

// Returns the numbers of the leaves where their dims are known, else by bytes, four each once
// something made floats.
double NumbersOut(const Stage& stage, const MapElement& element) {
  if (const auto numbers = NumbersOf(stage)) return *numbers;
  const MapFunction& function = stage.function;
  const bool bytes = function.decodes && !function.calls.empty() &&
                     std::ranges::none_of(function.calls, MakesFloats);
  return element.bytes_out / (bytes ? 1 : kFloatBytes);
}

// Time of a core over the reference's for one op of one library.
double CoreTime(std::string_view call, const Host& host) {
  const std::string_view library = call.substr(0, call.find('.'));
  for (const CpuOp& own : host.cpu.ops) {
    if (own.library == library && OpName(call) == own.op) return own.core_time;
  }
  return host.cpu.core_time;
}

class FunctionWalk {
 public:
  FunctionWalk(const Stage& stage, const MapElement& element, const Host& host)
      : function_(stage.function),
        host_(host),
        numbers_out_(NumbersOut(stage, element)),
        encoded_(element.bytes_in),
        bytes_(element.bytes_in) {
    resizes_ = std::ranges::any_of(function_.calls, ChangesSize);
    bytes_known_ = element.bytes_in_known || resizes_;
    if (function_.decodes) return;
    numbers_ = element.numbers_in.value_or(resizes_ ? bytes_ / kFloatBytes : numbers_out_);
  }

  // Writes down what each call of known cost takes.
  void Record(std::vector<MapCalls::Call>* calls) { recorded_ = calls; }

  MapCost Cost() {
    cost_.work = Costs().map_call * host_.cpu.core_time;
    // A function that is known to decode, with calls that are not.
    const bool listed = std::ranges::any_of(function_.calls, [](const std::string& call) {
      return DecodesImage(call) || HasWord(call, {"parse_", "Parse", "raw", "Raw"});
    });
    if (function_.decodes && !listed) ChargeCall(kDecoder, Decoded(kDecoder));
    for (size_t i = 0; i < function_.calls.size(); ++i) Charge(i);
    ChargeOperators();
    return cost_;
  }

 private:
  static const PipelineCosts& Costs() { return PublishedPipelineCosts(); }

  // Whatever was decoded before, what is encoded is the element.
  double Decoded(std::string_view call) {
    if (!DecodesImage(call)) return numbers_out_;
    const double per_pixel =
        IsPng(call) ? Costs().png_bytes_per_pixel : Costs().jpeg_bytes_per_pixel;
    if (resizes_) return encoded_ / per_pixel * kChannels;
    // The function leaves all pixels.
    if (!bytes_known_) encoded_ = numbers_out_ / kChannels * per_pixel;
    return numbers_out_;
  }

  double NumbersAfter(size_t i) {
    const std::string& call = function_.calls[i];
    if (i < function_.elements_after.size() && function_.elements_after[i] > 0) {
      return function_.elements_after[i];
    }
    if (DecodesImage(call)) return Decoded(call);
    if (ChangesSize(call)) return numbers_out_;
    return numbers_;
  }

  void Charge(size_t i) {
    const std::string& call = function_.calls[i];
    const std::vector<double>& after = function_.elements_after;
    const bool aside = i < after.size() && after[i] == MapFunction::kAside;
    if (pillow_ && !aside && IsPillowMethod(call)) {
      return ChargeCall("PIL.Image" + call, NumbersAfter(i));
    }
    if (aside || IsPlumbing(call) || IsPythonCall(call)) {
      cost_.work += Costs().element * host_.cpu.core_time;
      return;
    }
    ChargeCall(call, NumbersAfter(i));
  }

  void ChargeCall(std::string_view call, double after) {
    if (DecodesImage(call)) bytes_ = encoded_;
    pillow_ = pillow_ || call.starts_with("PIL.");
    const double core = CoreTime(call, host_);
    const OpCost* op = FindOpCost(call);
    if (OpName(call) == "read_file" || OpName(call) == "ReadFile") {
      cost_.file += host_.store.file + Seconds{bytes_ / host_.store.stream.value};
    }
    if (op == nullptr) {
      cost_.unknown_ops.emplace_back(call);
      cost_.work += (Costs().element + Costs().elementwise * std::max(numbers_, after)) * core;
    } else {
      const Seconds work = (Costs().element + op->call + op->per_input_byte * bytes_ +
                            op->per_input_element * numbers_ + op->per_output_element * after) *
                           core;
      if (recorded_ != nullptr) recorded_->push_back({std::string(call), work});
      cost_.work += work;
      cost_.shared += op->memory_per_output_byte * bytes_;
    }
    if (DecodesImage(call)) bytes_ = after;
    numbers_ = after;
  }

  void ChargeOperators() {
    const auto calls = static_cast<int64_t>(function_.calls.size());
    const int64_t nodes = function_.resolved ? function_.nodes : kUnresolvedNodes;
    if (!function_.resolved) {
      cost_.unknown_ops.push_back(function_.name.empty() ? "lambda" : function_.name);
    }
    const int64_t operators = std::clamp<int64_t>(nodes - calls, 0, kMostPasses);
    cost_.work += (Costs().element + Costs().elementwise * std::max(numbers_, numbers_out_)) *
                  (static_cast<double>(operators) * host_.cpu.core_time);
  }

  const MapFunction& function_;
  const Host& host_;
  double numbers_out_;
  double encoded_;      // bytes of the element that reaches the function
  double bytes_;        // of the element where it stands
  double numbers_ = 0;  // its numbers; 0 while it is encoded
  bool resizes_ = false;
  bool bytes_known_ = false;
  bool pillow_ = false;  // it is an image of Pillow's
  std::vector<MapCalls::Call>* recorded_ = nullptr;
  MapCost cost_;
};

}  // namespace

std::optional<double> NumbersOf(const Stage& stage) {
  if (!stage.element || stage.element->empty()) return std::nullopt;
  double numbers = 0;
  for (const Leaf& leaf : *stage.element) {
    if (!leaf.bytes()) return std::nullopt;
    double product = 1;
    for (const int64_t dim : leaf.dims) product *= static_cast<double>(dim);
    numbers += product;
  }
  return numbers;
}

MapCost CostMapFunction(const Stage& stage, const MapElement& element, const Host& host) {
  return FunctionWalk(stage, element, host).Cost();
}

MapCalls CostCalls(const Stage& stage, const MapElement& element, const Host& host) {
  MapCalls map;
  FunctionWalk walk(stage, element, host);
  walk.Record(&map.calls);
  map.work = walk.Cost().work;
  return map;
}

}  // namespace tilewise
