// Shapes and element types of arrays through numpy and TensorFlow calls. What
// is not in these tables makes a value whose shape is not known.

#include "frontend/python/array_calls.h"

#include <algorithm>
#include <cmath>

#include "frontend/python/dataset_calls.h"
#include "frontend/python/import_names.h"
#include "frontend/python/interpreter.h"

namespace tilewise::python {
namespace {

// dtype and shape kept.
constexpr std::string_view kKeeping[] = {
    "identity",
    "random_flip_left_right",
    "random_flip_up_down",
    "flip_left_right",
    "flip_up_down",
    "clip_by_value",
    "random_brightness",
    "random_contrast",
    "random_saturation",
    "random_hue",
    "adjust_brightness",
    "adjust_contrast",
    "adjust_saturation",
    "rot90",
    "abs",
    "square",
    "sqrt",
    "exp",
    "log",
    "copy",
    "asarray",
    "convert_to_tensor",
    "constant",
    "array",
    "per_image_standardization",
    "stateless_random_flip_left_right",
    "stateless_random_brightness",
    "stateless_random_contrast",
    "squeeze_",
    "ensure_shape_",
    "shuffle",
    "permutation",
};

std::optional<std::vector<int64_t>> ShapeArgument(const Value* value) {
  if (value == nullptr) return std::nullopt;
  if (const std::optional<int64_t> one = AsInt(*value)) return {{*one}};
  const std::vector<Value>* items = Items(*value);
  if (items == nullptr) return std::nullopt;
  std::vector<int64_t> dims;
  for (const Value& item : *items) dims.push_back(AsInt(item).value_or(-2));
  return dims;
}

// The dim given as -1 is what the others leave.
std::optional<std::vector<int64_t>> Reshaped(const Array& array, std::vector<int64_t> dims) {
  double elements = 1, given = 1;
  for (const int64_t dim : array.dims) {
    elements *= dim < 0 ? NAN : static_cast<double>(dim);
  }
  int64_t* open = nullptr;
  for (int64_t& dim : dims) {
    if (dim < -1) return std::nullopt;
    if (dim == -1) {
      open = &dim;
    } else {
      given *= static_cast<double>(dim);
    }
  }
  const double rest = elements / given;
  const bool known = std::isfinite(rest) && rest >= 0 && rest < 1e15;
  if (open != nullptr) *open = known ? static_cast<int64_t>(rest) : -1;
  return dims;
}

std::optional<Value> Reshape(Interpreter& in, const Array& array, const Value* shape) {
  const auto wanted = ShapeArgument(shape);
  if (!wanted.has_value()) return std::nullopt;
  const auto dims = Reshaped(array, *wanted);
  if (!dims.has_value()) return std::nullopt;
  return in.MakeArray(array.dtype, *dims);
}

std::optional<Value> Cast(Interpreter& in, const Array& array, const Value* dtype) {
  if (dtype == nullptr) return std::nullopt;
  return in.MakeArray(DTypeOf(*dtype), array.dims);
}

std::optional<Value> OneHot(Interpreter& in, const Array& array, const Value* depth, bool squeeze) {
  std::vector<int64_t> dims = array.dims;
  // to_categorical drops a last dim of 1.
  if (squeeze && dims.size() > 1 && dims.back() == 1) dims.pop_back();
  dims.push_back(depth == nullptr ? -1 : AsInt(*depth).value_or(-1));
  return in.MakeArray("float32", dims);
}

std::optional<Value> Resize(Interpreter& in, const Array& array, const Value* size,
                            bool keeps_type) {
  const auto wanted = ShapeArgument(size);
  if (!wanted.has_value() || wanted->size() != 2 || array.dims.size() < 3) {
    return std::nullopt;
  }
  std::vector<int64_t> dims = array.dims;
  dims[dims.size() - 3] = std::max<int64_t>((*wanted)[0], -1);
  dims[dims.size() - 2] = std::max<int64_t>((*wanted)[1], -1);
  return in.MakeArray(keeps_type ? array.dtype : "float32", dims);
}

std::optional<Value> ExpandDims(Interpreter& in, const Array& array, const Value* axis) {
  const std::optional<int64_t> at = axis == nullptr ? std::nullopt : AsInt(*axis);
  if (!at.has_value()) return std::nullopt;
  std::vector<int64_t> dims = array.dims;
  const auto rank = static_cast<int64_t>(dims.size());
  const int64_t place = *at < 0 ? rank + 1 + *at : *at;
  if (place < 0 || place > rank) return std::nullopt;
  dims.insert(dims.begin() + place, 1);
  return in.MakeArray(array.dtype, dims);
}

std::optional<Value> MakeFilled(Interpreter& in, const Call& call) {
  const std::string_view last = LastPart(call.name);
  const bool uniform =
      call.name == "tensorflow.random.uniform" || call.name == "tensorflow.random.normal";
  if (!uniform && last != "zeros" && last != "ones" && last != "empty") {
    return std::nullopt;
  }
  const auto dims = ShapeArgument(call.arguments.Get(0, "shape"));
  if (!dims.has_value()) return std::nullopt;
  for (const int64_t dim : *dims) {
    if (dim < 0) return std::nullopt;
  }
  const Value* dtype = call.arguments.Keyword("dtype");
  if (dtype == nullptr && !uniform && call.arguments.positional.size() > 1) {
    dtype = &call.arguments.positional[1];
  }
  const bool numpy = Under(call.name, "numpy");
  return in.MakeArray(dtype != nullptr ? DTypeOf(*dtype) : (numpy ? "float64" : "float32"), *dims);
}

// numpy.random.rand(n, m): dims as arguments; random(size=...), randint.
std::optional<Value> NumpyRandom(Interpreter& in, const Call& call) {
  const std::string_view last = LastPart(call.name);
  if (last == "rand" || last == "randn") {
    std::vector<int64_t> dims;
    for (const Value& value : call.arguments.positional) {
      dims.push_back(AsInt(value).value_or(-1));
    }
    return in.MakeArray("float64", dims);
  }
  const size_t position = last == "random" ? 0 : 2;
  const auto dims = ShapeArgument(call.arguments.Get(position, "size"));
  if (!dims.has_value()) return std::nullopt;
  return in.MakeArray(last == "randint" ? "int64" : "float64", *dims);
}

}  // namespace

std::string DTypeOf(const Value& value) {
  std::string name;
  if (const std::string* text = value.as<std::string>()) name = *text;
  if (const Path* path = value.as<Path>()) {
    name = std::string(LastPart(path->name));
  }
  if (name == "float") name = "float64";
  if (name == "int") name = "int64";
  if (name == "half") name = "float16";
  if (name == "bool_") name = "bool";
  return DTypeBytes(name) > 0 ? name : "";
}

std::optional<Value> CallArray(Interpreter& in, const Call& call) {
  const bool numpy = Under(call.name, "numpy");
  if (!numpy && !Under(call.name, "tensorflow")) return std::nullopt;
  if (auto filled = MakeFilled(in, call)) return filled;
  if (Under(call.name, "numpy.random")) return NumpyRandom(in, call);
  const std::string_view last = LastPart(call.name);
  const Arguments& given = call.arguments;
  const Value* first = !given.positional.empty() ? &given.positional[0]
                       : !given.keyword.empty()  ? &given.keyword[0].second
                                                 : nullptr;
  const Array* array = first == nullptr ? nullptr : first->ref<Array>();
  if (array == nullptr) return std::nullopt;
  if (last == "cast") return Cast(in, *array, given.Get(1, "dtype"));
  if (last == "convert_image_dtype") {
    return Cast(in, *array, given.Get(1, "dtype"));
  }
  if (last == "reshape") {
    return Reshape(in, *array, given.Get(1, numpy ? "newshape" : "shape"));
  }
  if (last == "one_hot") return OneHot(in, *array, given.Get(1, "depth"), false);
  if (last == "to_categorical") {
    return OneHot(in, *array, given.Get(1, "num_classes"), true);
  }
  if (last == "expand_dims") return ExpandDims(in, *array, given.Get(1, "axis"));
  if (last == "resize") return Resize(in, *array, given.Get(1, "size"), false);
  if (last == "random_crop" || last == "ensure_shape") {
    const auto dims = ShapeArgument(given.Get(1, "size"));
    if (!dims.has_value()) return std::nullopt;
    return in.MakeArray(array->dtype, *dims);
  }
  if (last == "resize_with_crop_or_pad" && given.positional.size() == 3) {
    const Value size = in.MakeTuple({given.positional[1], given.positional[2]});
    return Resize(in, *array, &size, true);
  }
  if (std::find(std::begin(kKeeping), std::end(kKeeping), last) != std::end(kKeeping)) {
    const Value* dtype = given.Keyword("dtype");
    return dtype == nullptr ? *first : Cast(in, *array, dtype);
  }
  return std::nullopt;
}

std::optional<Value> CallArrayMethod(Interpreter& in, const Call& call) {
  const Array* array = call.self->ref<Array>();
  if (array == nullptr) return std::nullopt;
  const Arguments& given = call.arguments;
  if (call.name == "astype") return Cast(in, *array, given.Get(0, "dtype"));
  if (call.name == "numpy" || call.name == "copy") return *call.self;
  if (call.name == "flatten" || call.name == "ravel") {
    const Value all{int64_t{-1}};
    return Reshape(in, *array, &all);
  }
  if (call.name == "reshape") {
    if (given.positional.size() == 1) {
      return Reshape(in, *array, &given.positional[0]);
    }
    const Value shape = in.MakeTuple(given.positional);
    return Reshape(in, *array, &shape);
  }
  return std::nullopt;
}

}  // namespace tilewise::python
