// Stand-in for LibTorch: what programs name of its public interface, without definitions. Real
// headers come first wherever they are installed.
#ifndef TILEWISE_STAND_IN_TORCH
#define TILEWISE_STAND_IN_TORCH

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#define AT_ASSERT(...) static_cast<void>(__VA_ARGS__)
#define AT_ASSERTM(condition, ...) static_cast<void>(condition)
#define TORCH_CHECK(condition, ...) static_cast<void>(condition)
#define TORCH_INTERNAL_ASSERT(condition, ...) static_cast<void>(condition)
#define TORCH_WARN(...) static_cast<void>(0)
#define TORCH_MODULE_IMPL(Name, ImplType)                              \
  class Name : public torch::nn::ModuleHolder<ImplType> {              \
   public:                                                             \
    using torch::nn::ModuleHolder<ImplType>::ModuleHolder;             \
    using Impl = ImplType;                                             \
  }
#define TORCH_MODULE(Name) TORCH_MODULE_IMPL(Name, Name##Impl)
#define TORCH_ARG(T, name)                  \
  auto name(const T& value)->decltype(*this); \
  const T& name() const noexcept;           \
  T name##_

namespace c10 {
template <class T>
using optional = std::optional<T>;
using std::nullopt;
using nullopt_t = std::nullopt_t;
template <class T>
class ArrayRef {
 public:
  constexpr ArrayRef() {}
  constexpr ArrayRef(const T& one) {}
  ArrayRef(const std::vector<T>& list) {}
  template <std::size_t N>
  constexpr ArrayRef(const std::array<T, N>& list) {}
  template <std::size_t N>
  constexpr ArrayRef(const T (&list)[N]) {}
  constexpr ArrayRef(const std::initializer_list<T>& list) {}
  constexpr ArrayRef(const T* data, std::size_t size) {}
  std::size_t size() const;
  const T& operator[](std::size_t index) const;
  const T* begin() const;
  const T* end() const;
  std::vector<T> vec() const;
};
using IntArrayRef = ArrayRef<std::int64_t>;
template <class T>
using intrusive_ptr = std::shared_ptr<T>;
enum class DeviceType : std::int8_t { CPU = 0, CUDA = 1, XLA = 9, MPS = 13 };
constexpr DeviceType kCPU = DeviceType::CPU;
constexpr DeviceType kCUDA = DeviceType::CUDA;
constexpr DeviceType kXLA = DeviceType::XLA;
constexpr DeviceType kMPS = DeviceType::MPS;
using DeviceIndex = std::int8_t;
struct Device {
  Device(DeviceType type, DeviceIndex index = -1) {}
  Device(const std::string& name) {}
  bool is_cuda() const;
  bool is_cpu() const;
  DeviceType type() const;
  DeviceIndex index() const;
  std::string str() const;
};
std::ostream& operator<<(std::ostream& out, const Device& device);
enum class ScalarType : std::int8_t {
  Byte, Char, Short, Int, Long, Half, Float, Double, ComplexHalf, ComplexFloat, ComplexDouble,
  Bool, BFloat16
};
constexpr ScalarType kByte = ScalarType::Byte, kChar = ScalarType::Char, kShort = ScalarType::Short,
                     kInt = ScalarType::Int, kLong = ScalarType::Long, kHalf = ScalarType::Half,
                     kFloat = ScalarType::Float, kDouble = ScalarType::Double,
                     kBool = ScalarType::Bool, kBFloat16 = ScalarType::BFloat16,
                     kComplexFloat = ScalarType::ComplexFloat,
                     kComplexDouble = ScalarType::ComplexDouble;
struct Scalar {
  template <class T>
  Scalar(T value) {}
  template <class T>
  T to() const;
  float toFloat() const;
  double toDouble() const;
  std::int64_t toLong() const;
  int toInt() const;
  bool toBool() const;
};
struct TensorOptions {
  TensorOptions() {}
  TensorOptions(Device device) {}
  TensorOptions(DeviceType device) {}
  TensorOptions(ScalarType dtype) {}
  TensorOptions dtype(ScalarType dtype) const;
  TensorOptions device(Device device) const;
  TensorOptions requires_grad(bool value = true) const;
  TensorOptions layout(int layout) const;
};
enum class MemoryFormat { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };
struct ListHolder;
}  // namespace c10

namespace at {
using namespace c10;
class Tensor;
struct GradNode {
  std::string name() const;
};
namespace indexing {
struct None_t {};
struct Ellipsis_t {};
constexpr None_t None{};
constexpr Ellipsis_t Ellipsis{};
struct Slice {
  template <class... A>
  Slice(A... bounds) {}
};
struct TensorIndex {
  TensorIndex(None_t none) {}
  TensorIndex(Ellipsis_t ellipsis) {}
  TensorIndex(const char* ellipsis) {}
  TensorIndex(std::int64_t index) {}
  TensorIndex(int index) {}
  TensorIndex(bool index) {}
  TensorIndex(Slice slice) {}
  TensorIndex(const Tensor& tensor) {}
};
}  // namespace indexing
struct Generator {};
using TensorList = ArrayRef<Tensor>;
using Dimname = std::string;

template <class T, std::size_t N>
class TensorAccessor {
 public:
  TensorAccessor<T, N - 1> operator[](std::int64_t index) const;
  std::int64_t size(std::int64_t dim) const;
};
template <class T>
class TensorAccessor<T, 1> {
 public:
  T& operator[](std::int64_t index) const;
  std::int64_t size(std::int64_t dim) const;
};

// Methods that give a tensor whatever they take.
#define TILEWISE_TENSOR_METHODS(_)                                                                 \
  _(abs) _(add) _(add_) _(addcdiv_) _(addcmul_) _(addmm) _(all) _(amax) _(amin) _(any) _(argmax)   \
  _(argmin) _(argsort) _(baddbmm) _(bernoulli) _(bernoulli_) _(bitwise_and) _(bmm) _(ceil)         \
  _(clamp) _(clamp_) _(clamp_max) _(clamp_min) _(clip) _(clone) _(contiguous) _(copy_) _(cos)      \
  _(cpu) _(cross) _(cuda) _(cumprod) _(cumsum) _(data) _(detach) _(detach_) _(diag) _(diagonal)    \
  _(div) _(div_) _(dot) _(eq) _(erf) _(exp) _(exp_) _(expand_as) _(exponential_) _(fill_)          \
  _(flatten) _(flip) _(floor) _(floor_divide) _(fmod) _(gather) _(ge) _(grad) _(gt) _(half)        \
  _(hardtanh) _(index_add_) _(index_copy_) _(index_fill_) _(index_select) _(inverse) _(isfinite)   \
  _(isinf) _(isnan) _(le) _(leaky_relu) _(lerp) _(lerp_) _(log) _(log10) _(log1p) _(log2)          \
  _(log_) _(log_softmax) _(logical_and) _(logical_not) _(logical_or) _(logsumexp) _(lt)            \
  _(masked_fill) _(masked_fill_) _(masked_scatter) _(masked_select) _(matmul) _(mean) _(median)    \
  _(mm) _(mul) _(mul_) _(multinomial) _(mv) _(narrow) _(ne) _(neg) _(neg_) _(nonzero) _(norm)      \
  _(normal_) _(one_hot) _(outer) _(pin_memory) _(pow) _(pow_) _(prod) _(random_) _(reciprocal)     \
  _(relu) _(relu_) _(remainder) _(repeat_interleave) _(requires_grad_) _(reshape_as) _(roll)       \
  _(round) _(rsqrt) _(scatter) _(scatter_) _(scatter_add) _(scatter_add_) _(select) _(selu)        \
  _(sigmoid) _(sigmoid_) _(sign) _(sin) _(slice) _(softmax) _(softplus) _(sqrt) _(sqrt_)           \
  _(square) _(squeeze) _(squeeze_) _(std) _(sub) _(sub_) _(sum) _(t) _(take) _(tan) _(tanh)        \
  _(tanh_) _(tensor_data) _(to) _(toType) _(trace) _(transpose) _(transpose_) _(tril) _(triu)      \
  _(type) _(type_as) _(unfold) _(uniform_) _(unsqueeze) _(unsqueeze_) _(var) _(variable_data)      \
  _(view_as) _(where) _(zero_) _(bfloat16) _(triu_) _(tril_) _(nan_to_num) _(set_data)             \
  _(new_tensor) _(index_put) _(einsum) _(unfold_) _(erfinv_) _(index_reduce) _(log_normal_)
// Those that take sizes.
#define TILEWISE_TENSOR_SIZES(_)                                                              \
  _(expand) _(new_empty) _(new_full) _(new_ones) _(new_zeros) _(permute) _(repeat) _(reshape) \
  _(resize_) _(sum_to_size) _(tile) _(view) _(view_) _(as_strided) _(flip) _(mean) _(sum) _(std) \
  _(var) _(amax) _(amin) _(roll)

class Tensor {
 public:
  Tensor() {}
#define TILEWISE_METHOD(name) \
  template <class... A>       \
  Tensor name(A&&... arguments) const;
  TILEWISE_TENSOR_METHODS(TILEWISE_METHOD)
#undef TILEWISE_METHOD
#define TILEWISE_METHOD(name) \
  template <class... A>       \
  Tensor name(IntArrayRef sizes, A&&... arguments) const;
  TILEWISE_TENSOR_SIZES(TILEWISE_METHOD)
#undef TILEWISE_METHOD
  template <class T>
  T item() const;
  Scalar item() const;
  template <class T>
  T* data_ptr() const;
  void* data_ptr() const;
  template <class T>
  T* mutable_data_ptr() const;
  template <class T>
  const T* const_data_ptr() const;
  template <class T, std::size_t N>
  TensorAccessor<T, N> accessor() const;
  template <class T>
  T* data() const;
  void backward(const Tensor& gradient = {}, std::optional<bool> retain_graph = std::nullopt,
                bool create_graph = false) const;
  std::int64_t dim() const;
  std::int64_t ndimension() const;
  std::shared_ptr<GradNode> grad_fn() const;
  const Tensor& register_hook(std::function<Tensor(Tensor)> hook) const;
  std::int64_t size(std::int64_t dim) const;
  IntArrayRef sizes() const;
  IntArrayRef strides() const;
  std::int64_t numel() const;
  std::int64_t nbytes() const;
  std::size_t element_size() const;
  bool defined() const;
  bool requires_grad() const;
  bool is_cuda() const;
  bool is_contiguous() const;
  bool equal(const Tensor& other) const;
  bool allclose(const Tensor& other, double rtol = 1e-5, double atol = 1e-8) const;
  Device device() const;
  TensorOptions options() const;
  ScalarType dtype() const;
  ScalarType scalar_type() const;
  Tensor& mutable_grad();
  Tensor& set_requires_grad(bool value);
  void set_data(const Tensor& data);
  void reset();
  void print() const;
  std::string toString() const;
  std::tuple<Tensor, Tensor> max(std::int64_t dim, bool keepdim = false) const;
  Tensor max() const;
  Tensor max(const Tensor& other) const;
  std::tuple<Tensor, Tensor> min(std::int64_t dim, bool keepdim = false) const;
  Tensor min() const;
  std::tuple<Tensor, Tensor> sort(std::int64_t dim = -1, bool descending = false) const;
  std::tuple<Tensor, Tensor> topk(std::int64_t k, std::int64_t dim = -1, bool largest = true,
                                  bool sorted = true) const;
  std::vector<Tensor> chunk(std::int64_t chunks, std::int64_t dim = 0) const;
  std::vector<Tensor> split(std::int64_t size, std::int64_t dim = 0) const;
  std::vector<Tensor> unbind(std::int64_t dim = 0) const;
  Tensor index(std::initializer_list<indexing::TensorIndex> indices) const;
  Tensor index(const std::vector<indexing::TensorIndex>& indices) const;
  template <class V>
  Tensor& index_put_(std::initializer_list<indexing::TensorIndex> indices, const V& value);
  template <class I>
  Tensor operator[](const I& index) const;
  template <class T>
  Tensor& operator+=(const T& other);
  template <class T>
  Tensor& operator-=(const T& other);
  template <class T>
  Tensor& operator*=(const T& other);
  template <class T>
  Tensor& operator/=(const T& other);
  Tensor operator-() const;
  Tensor operator~() const;
};
#define TILEWISE_OPERATOR(op)                          \
  Tensor operator op(const Tensor& a, const Tensor& b); \
  Tensor operator op(const Tensor& a, const Scalar& b); \
  Tensor operator op(const Scalar& a, const Tensor& b);
TILEWISE_OPERATOR(+)
TILEWISE_OPERATOR(-)
TILEWISE_OPERATOR(*)
TILEWISE_OPERATOR(/)
TILEWISE_OPERATOR(%)
TILEWISE_OPERATOR(==)
TILEWISE_OPERATOR(!=)
TILEWISE_OPERATOR(<)
TILEWISE_OPERATOR(<=)
TILEWISE_OPERATOR(>)
TILEWISE_OPERATOR(>=)
TILEWISE_OPERATOR(&)
TILEWISE_OPERATOR(|)
#undef TILEWISE_OPERATOR
std::ostream& operator<<(std::ostream& out, const Tensor& tensor);

// Functions that give a tensor whatever they take.
#define TILEWISE_TENSOR_FUNCTIONS(_)                                                             \
  _(abs) _(adaptive_avg_pool2d) _(add) _(addmm) _(all) _(amax) _(any) _(arange) _(argmax)        \
  _(argmin) _(argsort) _(avg_pool1d) _(avg_pool2d) _(avg_pool3d) _(batch_norm) _(bernoulli)      \
  _(binary_cross_entropy) _(binary_cross_entropy_with_logits) _(bmm) _(ceil) _(celu) _(clamp)    \
  _(conv1d) _(conv2d) _(conv3d) _(conv_transpose2d) _(cos) _(cosine_similarity) _(cross)         \
  _(cumprod) _(cumsum) _(diag) _(div) _(dot) _(dropout) _(einsum)          \
  _(elu) _(embedding) _(empty_like) _(eq) _(erf) _(exp) _(eye) _(flatten) _(flip) _(floor)       \
  _(from_blob) _(full_like) _(gather) _(ge) _(gelu) _(gt) _(group_norm) _(index_select)          \
  _(instance_norm) _(isfinite) _(isnan) _(l1_loss) _(layer_norm) _(le) _(leaky_relu)             \
  _(leaky_relu_) _(lerp) _(linear) _(linspace) _(log) _(log1p) _(log2) _(log_softmax)            \
  _(logical_and) _(logical_not) _(logical_or) _(logspace) _(logsumexp) _(lt) _(masked_fill)      \
  _(masked_select) _(matmul) _(max_pool1d) _(max_pool2d) _(max_pool3d) _(mean) _(minimum)        \
  _(maximum) _(mm) _(mse_loss) _(mul) _(multinomial) _(mv) _(ne) _(neg) _(nonzero) _(unique_dim) \
  _(norm) _(normal) _(one_hot) _(ones_like) _(outer) _(pixel_shuffle) _(pow) _(prelu) _(prod)    \
  _(rand_like) _(randint_like) _(randn_like) _(randperm) _(range) _(relu) _(relu_)               \
  _(repeat_interleave) _(roll) _(round) _(rrelu) _(rsqrt) _(scatter) _(select) _(selu)           \
  _(sigmoid) _(sign) _(silu) _(sin) _(smooth_l1_loss) _(softmax) _(softplus) _(sqrt) _(square)   \
  _(squeeze) _(std) _(sub) _(sum) _(tan) _(tanh) _(tensordot) _(transpose) _(tril) _(triu)       \
  _(unsqueeze) _(upsample_bilinear2d) _(upsample_nearest2d) _(var) _(where) _(zeros_like)        \
  _(constant_pad_nd) _(kl_div) _(hardtanh) _(relu6) _(bilinear) _(cdist) _(clip) _(narrow)
#define TILEWISE_FUNCTION(name) \
  template <class... A>         \
  Tensor name(A&&... arguments);
TILEWISE_TENSOR_FUNCTIONS(TILEWISE_FUNCTION)
#undef TILEWISE_FUNCTION
Tensor nll_loss(const Tensor& x, const Tensor& target, const Tensor& weight = {},
                std::int64_t reduction = 1, std::int64_t ignore_index = -100);
Tensor cross_entropy_loss(const Tensor& x, const Tensor& target, const Tensor& weight = {},
                          std::int64_t reduction = 1, std::int64_t ignore_index = -100);
Tensor zeros(IntArrayRef size, TensorOptions options = {});
Tensor ones(IntArrayRef size, TensorOptions options = {});
Tensor empty(IntArrayRef size, TensorOptions options = {});
Tensor rand(IntArrayRef size, TensorOptions options = {});
Tensor randn(IntArrayRef size, TensorOptions options = {});
Tensor full(IntArrayRef size, Scalar value, TensorOptions options = {});
Tensor randint(std::int64_t high, IntArrayRef size, TensorOptions options = {});
Tensor randint(std::int64_t low, std::int64_t high, IntArrayRef size, TensorOptions options = {});
Tensor from_blob(void* data, IntArrayRef sizes, TensorOptions options = {});
Tensor max_pool2d(const Tensor& x, IntArrayRef kernel, IntArrayRef stride = {},
                  IntArrayRef padding = {}, IntArrayRef dilation = {}, bool ceil_mode = false);
Tensor avg_pool2d(const Tensor& x, IntArrayRef kernel, IntArrayRef stride = {},
                  IntArrayRef padding = {});
Tensor reshape(const Tensor& x, IntArrayRef shape);
Tensor permute(const Tensor& x, IntArrayRef dims);
Tensor tile(const Tensor& x, IntArrayRef dims);
Tensor broadcast_to(const Tensor& x, IntArrayRef size);
Tensor cat(TensorList tensors, std::int64_t dim = 0);
Tensor concat(TensorList tensors, std::int64_t dim = 0);
Tensor stack(TensorList tensors, std::int64_t dim = 0);
Tensor hstack(TensorList tensors);
Tensor vstack(TensorList tensors);
std::vector<Tensor> meshgrid(TensorList tensors);
std::vector<Tensor> split(const Tensor& x, std::int64_t size, std::int64_t dim = 0);
std::vector<Tensor> chunk(const Tensor& x, std::int64_t chunks, std::int64_t dim = 0);
std::tuple<Tensor, Tensor> max(const Tensor& x, std::int64_t dim, bool keepdim = false);
Tensor max(const Tensor& x);
Tensor max(const Tensor& x, const Tensor& y);
std::tuple<Tensor, Tensor> lstsq(const Tensor& x, const Tensor& y);
std::tuple<Tensor, Tensor> min(const Tensor& x, std::int64_t dim, bool keepdim = false);
Tensor min(const Tensor& x);
Tensor min(const Tensor& x, const Tensor& y);
std::tuple<Tensor, Tensor> sort(const Tensor& x, std::int64_t dim = -1, bool descending = false);
std::tuple<Tensor, Tensor> topk(const Tensor& x, std::int64_t k, std::int64_t dim = -1,
                                bool largest = true, bool sorted = true);
bool equal(const Tensor& x, const Tensor& y);
bool allclose(const Tensor& x, const Tensor& y, double rtol = 1e-5, double atol = 1e-8);
}  // namespace at

namespace torch {
using namespace at;
namespace indexing = at::indexing;
using Dtype = c10::ScalarType;
using Tensor = at::Tensor;
constexpr auto kUInt8 = c10::kByte, kInt8 = c10::kChar, kInt16 = c10::kShort, kInt32 = c10::kInt,
               kInt64 = c10::kLong, kFloat16 = c10::kHalf, kFloat32 = c10::kFloat,
               kFloat64 = c10::kDouble, kU8 = c10::kByte, kI8 = c10::kChar, kI16 = c10::kShort,
               kI32 = c10::kInt, kI64 = c10::kLong, kF16 = c10::kHalf, kF32 = c10::kFloat,
               kF64 = c10::kDouble;
namespace enumtype {
struct Value {};
}  // namespace enumtype
constexpr enumtype::Value kMean, kSum, kNone, kNearest, kBilinear, kBicubic, kTrilinear, kLinear,
    kZeros, kBorder, kReflection, kReflect, kReplicate, kCircular, kConstant, kSame, kValid, kReLU,
    kGELU, kTanh, kSigmoid, kLeakyReLU, kFanIn, kFanOut, kBatchMean, kArea, kConv2D, kConv1D,
    kLSTM, kRNN_TANH, kRNN_RELU;
struct Reduction {
  enum Kind { None, Mean, Sum };
};
template <class T>
Tensor tensor(const T& value, TensorOptions options = {});
template <class T>
Tensor tensor(std::initializer_list<T> values, TensorOptions options = {});
template <class T>
Tensor tensor(std::initializer_list<std::initializer_list<T>> values, TensorOptions options = {});
TensorOptions dtype(ScalarType type);
TensorOptions device(Device device);
TensorOptions requires_grad(bool value = true);
TensorOptions layout(int layout);
void manual_seed(std::uint64_t seed);
void set_default_dtype(ScalarType type);
void set_num_threads(int threads);
int get_num_threads();
template <class T>
void save(const T& value, const std::string& path);
template <class T, class... A>
void load(T& value, const std::string& path, A&&... more);
struct NoGradGuard {
  NoGradGuard() {}
  ~NoGradGuard();
};
struct AutoGradMode {
  AutoGradMode(bool enabled) {}
};
namespace autograd {
using Variable = at::Tensor;
using variable_list = std::vector<Variable>;
variable_list grad(const variable_list& outputs, const variable_list& inputs,
                   const variable_list& gradients = {},
                   std::optional<bool> retain_graph = std::nullopt, bool create_graph = false,
                   bool allow_unused = false);
using tensor_list = std::vector<at::Tensor>;
struct AutogradContext {
  std::map<std::string, std::optional<std::int64_t>> saved_data;
  void save_for_backward(variable_list variables);
  variable_list get_saved_variables() const;
};
template <class Own>
struct Function {
  template <class F = Own, class... A>
  static Tensor apply(A&&... arguments);
};
}  // namespace autograd
namespace cuda {
bool is_available();
std::size_t device_count();
bool cudnn_is_available();
void synchronize(std::int64_t device = -1);
void manual_seed(std::uint64_t seed);
void manual_seed_all(std::uint64_t seed);
}  // namespace cuda
namespace serialize {
class InputArchive;
class OutputArchive;
}  // namespace serialize

template <class Key, class Value>
class OrderedDict {
 public:
  struct Item {
    const Key& key() const;
    Value& value();
    const Value& value() const;
    Value& operator*();
    Value* operator->();
  };
  std::size_t size() const;
  Value& operator[](const Key& key);
  Item* begin() const;
  Item* end() const;
  bool contains(const Key& key) const;
  Value* find(const Key& key);
  std::vector<Key> keys() const;
  std::vector<Value> values() const;
  std::vector<std::pair<Key, Value>> pairs() const;
};
template <std::size_t N, class T = std::int64_t>
class ExpandingArray {
 public:
  ExpandingArray(T one) {}
  ExpandingArray(std::initializer_list<T> list) {}
  ExpandingArray(std::vector<T> list) {}
  ExpandingArray(at::ArrayRef<T> list) {}
  ExpandingArray(std::array<T, N> list) {}
  ExpandingArray(enumtype::Value value) {}
};

namespace nn {
class Module : public std::enable_shared_from_this<Module> {
 public:
  Module() {}
  explicit Module(std::string name) {}
  virtual ~Module() = default;
  virtual void train(bool on = true);
  void eval();
  virtual bool is_training() const noexcept;
  virtual void to(Device device, ScalarType dtype, bool non_blocking = false);
  virtual void to(ScalarType dtype, bool non_blocking = false);
  virtual void to(Device device, bool non_blocking = false);
  virtual void zero_grad(bool set_to_none = false);
  virtual void pretty_print(std::ostream& out) const;
  virtual void reset();
  std::vector<Tensor> parameters(bool recurse = true) const;
  std::vector<Tensor> buffers(bool recurse = true) const;
  OrderedDict<std::string, Tensor> named_parameters(bool recurse = true) const;
  OrderedDict<std::string, Tensor> named_buffers(bool recurse = true) const;
  std::vector<std::shared_ptr<Module>> children() const;
  std::vector<std::shared_ptr<Module>> modules(bool include_self = true) const;
  OrderedDict<std::string, std::shared_ptr<Module>> named_children() const;
  OrderedDict<std::string, std::shared_ptr<Module>> named_modules(
      const std::string& prefix = "", bool include_self = true) const;
  void apply(const std::function<void(Module&)>& function);
  std::string name() const;
  Tensor& register_parameter(std::string name, Tensor tensor, bool requires_grad = true);
  Tensor& register_buffer(std::string name, Tensor tensor);
  template <class M>
  std::shared_ptr<M> register_module(std::string name, std::shared_ptr<M> module);
  template <class M>
  M register_module(std::string name, M module);
  template <class M>
  std::shared_ptr<M> replace_module(const std::string& name, std::shared_ptr<M> module);
  template <class M>
  typename M::ContainedType* as() noexcept;
  template <class M, class = std::enable_if_t<std::is_base_of_v<Module, M>>>
  M* as(int unused = 0) noexcept;
  void save(serialize::OutputArchive& archive) const;
  void load(serialize::InputArchive& archive);
  std::shared_ptr<Module> clone(std::optional<Device> device = std::nullopt) const;
};
std::ostream& operator<<(std::ostream& out, const Module& module);
template <class Derived>
class Cloneable : public Module {
 public:
  using Module::Module;
};
template <class Contained>
class ModuleHolder {
 public:
  using ContainedType = Contained;
  std::shared_ptr<Contained> impl_;
  ModuleHolder() {}
  ModuleHolder(std::nullptr_t) {}
  template <class Head, class... Tail>
  explicit ModuleHolder(Head&& head, Tail&&... tail)
      : impl_(new Contained(std::forward<Head>(head), std::forward<Tail>(tail)...)) {}
  ModuleHolder(std::shared_ptr<Contained> module) {}
  Contained* operator->();
  const Contained* operator->() const;
  Contained& operator*();
  const Contained& operator*() const;
  explicit operator bool() const noexcept;
  bool is_empty() const noexcept;
  Contained* get();
  const std::shared_ptr<Contained>& ptr() const;
  template <class... A>
  Tensor operator()(A&&... arguments);
};
template <class Contained>
std::ostream& operator<<(std::ostream& out, const ModuleHolder<Contained>& module);

#define TILEWISE_SETTER(Type, Value, name) \
  Type& name(Value value);                 \
  Value name() const;

template <std::size_t D>
struct ConvOptions {
  ConvOptions(std::int64_t in_channels, std::int64_t out_channels, ExpandingArray<D> kernel_size) {}
  TILEWISE_SETTER(ConvOptions, std::int64_t, in_channels)
  TILEWISE_SETTER(ConvOptions, std::int64_t, out_channels)
  TILEWISE_SETTER(ConvOptions, ExpandingArray<D>, kernel_size)
  TILEWISE_SETTER(ConvOptions, ExpandingArray<D>, stride)
  TILEWISE_SETTER(ConvOptions, ExpandingArray<D>, padding)
  TILEWISE_SETTER(ConvOptions, ExpandingArray<D>, output_padding)
  TILEWISE_SETTER(ConvOptions, ExpandingArray<D>, dilation)
  TILEWISE_SETTER(ConvOptions, std::int64_t, groups)
  TILEWISE_SETTER(ConvOptions, bool, bias)
  TILEWISE_SETTER(ConvOptions, bool, transposed)
  TILEWISE_SETTER(ConvOptions, enumtype::Value, padding_mode)
};
using Conv1dOptions = ConvOptions<1>;
using Conv2dOptions = ConvOptions<2>;
using Conv3dOptions = ConvOptions<3>;
template <std::size_t D>
struct ConvTransposeOptions {
  ConvTransposeOptions(std::int64_t in_channels, std::int64_t out_channels,
                       ExpandingArray<D> kernel_size) {}
  TILEWISE_SETTER(ConvTransposeOptions, ExpandingArray<D>, stride)
  TILEWISE_SETTER(ConvTransposeOptions, ExpandingArray<D>, padding)
  TILEWISE_SETTER(ConvTransposeOptions, ExpandingArray<D>, output_padding)
  TILEWISE_SETTER(ConvTransposeOptions, ExpandingArray<D>, dilation)
  TILEWISE_SETTER(ConvTransposeOptions, std::int64_t, groups)
  TILEWISE_SETTER(ConvTransposeOptions, bool, bias)
};
using ConvTranspose1dOptions = ConvTransposeOptions<1>;
using ConvTranspose2dOptions = ConvTransposeOptions<2>;
using ConvTranspose3dOptions = ConvTransposeOptions<3>;
struct LinearOptions {
  LinearOptions(std::int64_t in_features, std::int64_t out_features) {}
  TILEWISE_SETTER(LinearOptions, bool, bias)
};
struct EmbeddingOptions {
  EmbeddingOptions(std::int64_t num_embeddings, std::int64_t embedding_dim) {}
  TILEWISE_SETTER(EmbeddingOptions, std::int64_t, padding_idx)
};
struct BatchNormOptions {
  BatchNormOptions(std::int64_t num_features) {}
  TILEWISE_SETTER(BatchNormOptions, double, eps)
  TILEWISE_SETTER(BatchNormOptions, double, momentum)
  TILEWISE_SETTER(BatchNormOptions, bool, affine)
  TILEWISE_SETTER(BatchNormOptions, bool, track_running_stats)
};
using BatchNorm1dOptions = BatchNormOptions;
using BatchNorm2dOptions = BatchNormOptions;
using BatchNorm3dOptions = BatchNormOptions;
struct InstanceNormOptions {
  InstanceNormOptions(std::int64_t num_features) {}
  TILEWISE_SETTER(InstanceNormOptions, double, eps)
  TILEWISE_SETTER(InstanceNormOptions, double, momentum)
  TILEWISE_SETTER(InstanceNormOptions, bool, affine)
  TILEWISE_SETTER(InstanceNormOptions, bool, track_running_stats)
};
using InstanceNorm1dOptions = InstanceNormOptions;
using InstanceNorm2dOptions = InstanceNormOptions;
struct LayerNormOptions {
  LayerNormOptions(std::vector<std::int64_t> normalized_shape) {}
  TILEWISE_SETTER(LayerNormOptions, double, eps)
  TILEWISE_SETTER(LayerNormOptions, bool, elementwise_affine)
};
struct GroupNormOptions {
  GroupNormOptions(std::int64_t num_groups, std::int64_t num_channels) {}
  TILEWISE_SETTER(GroupNormOptions, double, eps)
  TILEWISE_SETTER(GroupNormOptions, bool, affine)
};
struct DropoutOptions {
  DropoutOptions(double p = 0.5) {}
  TILEWISE_SETTER(DropoutOptions, double, p)
  TILEWISE_SETTER(DropoutOptions, bool, inplace)
};
using Dropout2dOptions = DropoutOptions;
using Dropout3dOptions = DropoutOptions;
template <std::size_t D>
struct MaxPoolOptions {
  MaxPoolOptions(ExpandingArray<D> kernel_size) {}
  TILEWISE_SETTER(MaxPoolOptions, ExpandingArray<D>, kernel_size)
  TILEWISE_SETTER(MaxPoolOptions, ExpandingArray<D>, stride)
  TILEWISE_SETTER(MaxPoolOptions, ExpandingArray<D>, padding)
  TILEWISE_SETTER(MaxPoolOptions, ExpandingArray<D>, dilation)
  TILEWISE_SETTER(MaxPoolOptions, bool, ceil_mode)
};
using MaxPool1dOptions = MaxPoolOptions<1>;
using MaxPool2dOptions = MaxPoolOptions<2>;
using MaxPool3dOptions = MaxPoolOptions<3>;
template <std::size_t D>
struct AvgPoolOptions {
  AvgPoolOptions(ExpandingArray<D> kernel_size) {}
  TILEWISE_SETTER(AvgPoolOptions, ExpandingArray<D>, stride)
  TILEWISE_SETTER(AvgPoolOptions, ExpandingArray<D>, padding)
  TILEWISE_SETTER(AvgPoolOptions, bool, ceil_mode)
  TILEWISE_SETTER(AvgPoolOptions, bool, count_include_pad)
};
using AvgPool1dOptions = AvgPoolOptions<1>;
using AvgPool2dOptions = AvgPoolOptions<2>;
using AvgPool3dOptions = AvgPoolOptions<3>;
template <std::size_t D>
struct AdaptiveAvgPoolOptions {
  AdaptiveAvgPoolOptions(ExpandingArray<D> output_size) {}
};
using AdaptiveAvgPool1dOptions = AdaptiveAvgPoolOptions<1>;
using AdaptiveAvgPool2dOptions = AdaptiveAvgPoolOptions<2>;
using AdaptiveMaxPool2dOptions = AdaptiveAvgPoolOptions<2>;
struct LSTMOptions {
  LSTMOptions(std::int64_t input_size, std::int64_t hidden_size) {}
  TILEWISE_SETTER(LSTMOptions, std::int64_t, num_layers)
  TILEWISE_SETTER(LSTMOptions, bool, bias)
  TILEWISE_SETTER(LSTMOptions, bool, batch_first)
  TILEWISE_SETTER(LSTMOptions, double, dropout)
  TILEWISE_SETTER(LSTMOptions, bool, bidirectional)
};
struct GRUOptions {
  GRUOptions(std::int64_t input_size, std::int64_t hidden_size) {}
  TILEWISE_SETTER(GRUOptions, std::int64_t, num_layers)
  TILEWISE_SETTER(GRUOptions, bool, batch_first)
  TILEWISE_SETTER(GRUOptions, double, dropout)
  TILEWISE_SETTER(GRUOptions, bool, bidirectional)
};
struct RNNOptions {
  RNNOptions(std::int64_t input_size, std::int64_t hidden_size) {}
  TILEWISE_SETTER(RNNOptions, std::int64_t, num_layers)
  TILEWISE_SETTER(RNNOptions, bool, batch_first)
  TILEWISE_SETTER(RNNOptions, double, dropout)
  TILEWISE_SETTER(RNNOptions, bool, bidirectional)
  TILEWISE_SETTER(RNNOptions, enumtype::Value, nonlinearity)
};
struct MultiheadAttentionOptions {
  MultiheadAttentionOptions(std::int64_t embed_dim, std::int64_t num_heads) {}
  TILEWISE_SETTER(MultiheadAttentionOptions, double, dropout)
  TILEWISE_SETTER(MultiheadAttentionOptions, bool, bias)
};
struct TransformerEncoderLayerOptions {
  TransformerEncoderLayerOptions(std::int64_t d_model, std::int64_t nhead) {}
  TILEWISE_SETTER(TransformerEncoderLayerOptions, std::int64_t, dim_feedforward)
  TILEWISE_SETTER(TransformerEncoderLayerOptions, double, dropout)
};
struct TransformerDecoderLayerOptions {
  TransformerDecoderLayerOptions(std::int64_t d_model, std::int64_t nhead) {}
  TILEWISE_SETTER(TransformerDecoderLayerOptions, std::int64_t, dim_feedforward)
  TILEWISE_SETTER(TransformerDecoderLayerOptions, double, dropout)
};
struct UpsampleOptions {
  UpsampleOptions() {}
  TILEWISE_SETTER(UpsampleOptions, std::vector<double>, scale_factor)
  TILEWISE_SETTER(UpsampleOptions, std::vector<std::int64_t>, size)
  TILEWISE_SETTER(UpsampleOptions, enumtype::Value, mode)
  TILEWISE_SETTER(UpsampleOptions, bool, align_corners)
};
struct ReLUOptions {
  ReLUOptions(bool inplace = false) {}
  TILEWISE_SETTER(ReLUOptions, bool, inplace)
};
struct LeakyReLUOptions {
  LeakyReLUOptions() {}
  TILEWISE_SETTER(LeakyReLUOptions, double, negative_slope)
  TILEWISE_SETTER(LeakyReLUOptions, bool, inplace)
};
struct ELUOptions {
  ELUOptions() {}
  TILEWISE_SETTER(ELUOptions, double, alpha)
  TILEWISE_SETTER(ELUOptions, bool, inplace)
};
struct SoftmaxOptions {
  SoftmaxOptions(std::int64_t dim) {}
};
using LogSoftmaxOptions = SoftmaxOptions;
template <std::size_t D>
struct PadOptions {
  PadOptions(ExpandingArray<2 * D> padding) {}
  template <class P>
  PadOptions(ExpandingArray<2 * D> padding, P value) {}
};
using ReflectionPad2dOptions = PadOptions<2>;
using ReplicationPad2dOptions = PadOptions<2>;
using ZeroPad2dOptions = PadOptions<2>;
using ConstantPad2dOptions = PadOptions<2>;
struct FlattenOptions {
  FlattenOptions() {}
  TILEWISE_SETTER(FlattenOptions, std::int64_t, start_dim)
  TILEWISE_SETTER(FlattenOptions, std::int64_t, end_dim)
};
#define TILEWISE_LOSS_OPTIONS(Name)                   \
  struct Name {                                       \
    Name() {}                                         \
    Name(enumtype::Value reduction) {}                \
    TILEWISE_SETTER(Name, enumtype::Value, reduction) \
    TILEWISE_SETTER(Name, Tensor, weight)             \
    TILEWISE_SETTER(Name, std::int64_t, ignore_index) \
  };
TILEWISE_LOSS_OPTIONS(CrossEntropyLossOptions)
TILEWISE_LOSS_OPTIONS(NLLLossOptions)
TILEWISE_LOSS_OPTIONS(MSELossOptions)
TILEWISE_LOSS_OPTIONS(L1LossOptions)
TILEWISE_LOSS_OPTIONS(BCELossOptions)
TILEWISE_LOSS_OPTIONS(BCEWithLogitsLossOptions)
TILEWISE_LOSS_OPTIONS(SmoothL1LossOptions)
TILEWISE_LOSS_OPTIONS(KLDivLossOptions)

#define TILEWISE_LAYER(Name, ...)                                 \
  class Name##Impl : public Cloneable<Name##Impl> {               \
   public:                                                        \
    __VA_ARGS__                                                   \
    template <class... A>                                         \
    Tensor forward(const Tensor& x, A&&... more);                 \
    Tensor weight, bias, running_mean, running_var;               \
  };                                                              \
  TORCH_MODULE(Name);
#define TILEWISE_CONV(Name, D)                                                     \
  TILEWISE_LAYER(Name, Name##Impl(std::int64_t in_channels, std::int64_t out_channels, \
                                  ExpandingArray<D> kernel_size) {}                 \
                 explicit Name##Impl(Name##Options options) {})
TILEWISE_CONV(Conv1d, 1)
TILEWISE_CONV(Conv2d, 2)
TILEWISE_CONV(Conv3d, 3)
TILEWISE_CONV(ConvTranspose1d, 1)
TILEWISE_CONV(ConvTranspose2d, 2)
TILEWISE_CONV(ConvTranspose3d, 3)
#define TILEWISE_POOL(Name, D)                                           \
  TILEWISE_LAYER(Name, Name##Impl(ExpandingArray<D> kernel_size) {}       \
                 explicit Name##Impl(Name##Options options) {})
TILEWISE_POOL(MaxPool1d, 1)
TILEWISE_POOL(MaxPool2d, 2)
TILEWISE_POOL(MaxPool3d, 3)
TILEWISE_POOL(AvgPool1d, 1)
TILEWISE_POOL(AvgPool2d, 2)
TILEWISE_POOL(AvgPool3d, 3)
TILEWISE_POOL(AdaptiveAvgPool1d, 1)
TILEWISE_POOL(AdaptiveAvgPool2d, 2)
TILEWISE_POOL(AdaptiveMaxPool2d, 2)
#define TILEWISE_OF(Name, ...) \
  TILEWISE_LAYER(Name, Name##Impl(__VA_ARGS__) {} explicit Name##Impl(Name##Options options) {})
TILEWISE_OF(Linear, std::int64_t in_features, std::int64_t out_features)
TILEWISE_OF(Embedding, std::int64_t num_embeddings, std::int64_t embedding_dim)
TILEWISE_OF(BatchNorm1d, std::int64_t num_features)
TILEWISE_OF(BatchNorm2d, std::int64_t num_features)
TILEWISE_OF(BatchNorm3d, std::int64_t num_features)
TILEWISE_OF(InstanceNorm1d, std::int64_t num_features)
TILEWISE_OF(InstanceNorm2d, std::int64_t num_features)
TILEWISE_OF(LayerNorm, std::vector<std::int64_t> normalized_shape)
TILEWISE_OF(GroupNorm, std::int64_t num_groups, std::int64_t num_channels)
TILEWISE_OF(Dropout, double p = 0.5)
TILEWISE_OF(Dropout2d, double p = 0.5)
TILEWISE_OF(Dropout3d, double p = 0.5)
TILEWISE_OF(ReLU)
TILEWISE_OF(LeakyReLU)
TILEWISE_OF(ELU)
TILEWISE_OF(Softmax, std::int64_t dim)
TILEWISE_OF(LogSoftmax, std::int64_t dim)
TILEWISE_OF(Flatten)
TILEWISE_OF(Upsample)
TILEWISE_OF(ReflectionPad2d, ExpandingArray<4> padding)
TILEWISE_OF(ReplicationPad2d, ExpandingArray<4> padding)
TILEWISE_OF(ZeroPad2d, ExpandingArray<4> padding)
TILEWISE_OF(CrossEntropyLoss)
TILEWISE_OF(NLLLoss)
TILEWISE_OF(MSELoss)
TILEWISE_OF(L1Loss)
TILEWISE_OF(BCELoss)
TILEWISE_OF(BCEWithLogitsLoss)
TILEWISE_OF(SmoothL1Loss)
TILEWISE_OF(KLDivLoss)
TILEWISE_OF(TransformerEncoderLayer, std::int64_t d_model, std::int64_t nhead)
TILEWISE_OF(TransformerDecoderLayer, std::int64_t d_model, std::int64_t nhead)
TILEWISE_LAYER(Sigmoid, SigmoidImpl() {})
TILEWISE_LAYER(Tanh, TanhImpl() {})
TILEWISE_LAYER(SiLU, SiLUImpl() {})
TILEWISE_LAYER(GELU, GELUImpl() {})
TILEWISE_LAYER(SELU, SELUImpl() {})
TILEWISE_LAYER(Softplus, SoftplusImpl() {})
TILEWISE_LAYER(PReLU, PReLUImpl() {})
TILEWISE_LAYER(Identity, IdentityImpl() {})
TILEWISE_LAYER(PixelShuffle, PixelShuffleImpl(std::int64_t upscale_factor) {})
#define TILEWISE_RECURRENT(Name, State)                                                    \
  class Name##Impl : public Cloneable<Name##Impl> {                                        \
   public:                                                                                 \
    Name##Impl(std::int64_t input_size, std::int64_t hidden_size) {}                       \
    explicit Name##Impl(Name##Options options) {}                                          \
    std::tuple<Tensor, State> forward(const Tensor& x, std::optional<State> state = {});   \
    void flatten_parameters();                                                             \
    std::vector<Tensor> all_weights() const;                                               \
  };                                                                                       \
  TORCH_MODULE(Name);
using LSTMState = std::tuple<Tensor, Tensor>;
TILEWISE_RECURRENT(LSTM, LSTMState)
TILEWISE_RECURRENT(GRU, Tensor)
TILEWISE_RECURRENT(RNN, Tensor)
#define TILEWISE_CELL(Name, State)                                                       \
  class Name##Impl : public Cloneable<Name##Impl> {                                      \
   public:                                                                               \
    Name##Impl(std::int64_t input_size, std::int64_t hidden_size) {}                     \
    State forward(const Tensor& x, std::optional<State> state = {});                     \
  };                                                                                     \
  TORCH_MODULE(Name);
TILEWISE_CELL(LSTMCell, LSTMState)
TILEWISE_CELL(GRUCell, Tensor)
TILEWISE_CELL(RNNCell, Tensor)
class MultiheadAttentionImpl : public Cloneable<MultiheadAttentionImpl> {
 public:
  MultiheadAttentionImpl(std::int64_t embed_dim, std::int64_t num_heads) {}
  explicit MultiheadAttentionImpl(MultiheadAttentionOptions options) {}
  template <class... A>
  std::tuple<Tensor, Tensor> forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                     A&&... more);
};
TORCH_MODULE(MultiheadAttention);
class FunctionalImpl : public Cloneable<FunctionalImpl> {
 public:
  template <class F, class... A>
  explicit FunctionalImpl(F function, A&&... more) {}
  Tensor forward(Tensor x);
};
TORCH_MODULE(Functional);
class AnyModule {
 public:
  template <class M>
  AnyModule(M module) {}
  template <class R = Tensor, class... A>
  R forward(A&&... arguments);
};
struct NamedAnyModule {
  template <class M>
  NamedAnyModule(std::string name, M module) {}
};
class SequentialImpl : public Cloneable<SequentialImpl> {
 public:
  SequentialImpl() {}
  template <class... M>
  explicit SequentialImpl(M&&... modules) {}
  SequentialImpl(std::initializer_list<NamedAnyModule> modules) {}
  template <class R = Tensor, class... A>
  R forward(A&&... arguments);
  template <class M>
  void push_back(M module);
  template <class M>
  void push_back(std::string name, M module);
  std::shared_ptr<Module> ptr(std::size_t index) const;
  std::shared_ptr<Module> operator[](std::size_t index) const;
  std::size_t size() const noexcept;
  bool is_empty() const noexcept;
  AnyModule* begin();
  AnyModule* end();
};
class Sequential : public ModuleHolder<SequentialImpl> {
 public:
  using ModuleHolder<SequentialImpl>::ModuleHolder;
  Sequential() {}
  Sequential(std::initializer_list<NamedAnyModule> modules) {}
};
class ModuleListImpl : public Cloneable<ModuleListImpl> {
 public:
  ModuleListImpl() {}
  template <class... M>
  explicit ModuleListImpl(M&&... modules) {}
  template <class M>
  void push_back(M module);
  std::shared_ptr<Module> operator[](std::size_t index) const;
  std::size_t size() const noexcept;
  std::shared_ptr<Module>* begin();
  std::shared_ptr<Module>* end();
};
TORCH_MODULE(ModuleList);

namespace init {
#define TILEWISE_INIT(name) \
  template <class... A>     \
  Tensor name(Tensor tensor, A&&... arguments);
TILEWISE_INIT(constant_)
TILEWISE_INIT(kaiming_normal_)
TILEWISE_INIT(kaiming_uniform_)
TILEWISE_INIT(normal_)
TILEWISE_INIT(ones_)
TILEWISE_INIT(orthogonal_)
TILEWISE_INIT(uniform_)
TILEWISE_INIT(xavier_normal_)
TILEWISE_INIT(xavier_uniform_)
TILEWISE_INIT(zeros_)
}  // namespace init
namespace utils {
template <class P>
double clip_grad_norm_(P&& parameters, double max_norm, double norm_type = 2.0);
template <class P>
void clip_grad_value_(P&& parameters, double clip_value);
}  // namespace utils

namespace functional {
#define TILEWISE_FUNCTIONS(_)                                                                     \
  _(adaptive_avg_pool2d) _(avg_pool2d) _(batch_norm) _(binary_cross_entropy)                      \
  _(binary_cross_entropy_with_logits) _(conv1d) _(conv2d) _(conv3d) _(conv_transpose2d)           \
  _(cosine_similarity) _(cross_entropy) _(dropout) _(dropout2d) _(elu) _(embedding) _(gelu)       \
  _(grid_sample) _(affine_grid) _(instance_norm) _(interpolate) _(kl_div) _(l1_loss)              \
  _(layer_norm) _(leaky_relu) _(linear) _(log_softmax) _(logsigmoid) _(max_pool1d) _(max_pool2d)  \
  _(max_pool3d) _(mse_loss) _(nll_loss) _(normalize) _(one_hot) _(pad) _(pixel_shuffle) _(relu)   \
  _(relu6) _(selu) _(sigmoid) _(silu) _(smooth_l1_loss) _(softmax) _(softplus) _(tanh) _(unfold)  \
  _(fold) _(upsample) _(group_norm) _(adaptive_max_pool2d) _(avg_pool1d) _(prelu)
#define TILEWISE_FUNCTION(name) \
  template <class... A>         \
  Tensor name(const Tensor& x, A&&... arguments);
TILEWISE_FUNCTIONS(TILEWISE_FUNCTION)
#undef TILEWISE_FUNCTION
using MaxPool2dFuncOptions = MaxPool2dOptions;
using AvgPool2dFuncOptions = AvgPool2dOptions;
using AdaptiveAvgPool2dFuncOptions = AdaptiveAvgPool2dOptions;
using SoftmaxFuncOptions = SoftmaxOptions;
using LogSoftmaxFuncOptions = SoftmaxOptions;
using CrossEntropyFuncOptions = CrossEntropyLossOptions;
using MSELossFuncOptions = MSELossOptions;
using BinaryCrossEntropyFuncOptions = BCELossOptions;
using BinaryCrossEntropyWithLogitsFuncOptions = BCEWithLogitsLossOptions;
using LeakyReLUFuncOptions = LeakyReLUOptions;
using ReLUFuncOptions = ReLUOptions;
struct DropoutFuncOptions {
  DropoutFuncOptions() {}
  TILEWISE_SETTER(DropoutFuncOptions, double, p)
  TILEWISE_SETTER(DropoutFuncOptions, bool, training)
};
struct InterpolateFuncOptions {
  InterpolateFuncOptions() {}
  TILEWISE_SETTER(InterpolateFuncOptions, std::vector<std::int64_t>, size)
  TILEWISE_SETTER(InterpolateFuncOptions, std::vector<double>, scale_factor)
  TILEWISE_SETTER(InterpolateFuncOptions, enumtype::Value, mode)
  TILEWISE_SETTER(InterpolateFuncOptions, bool, align_corners)
};
struct PadFuncOptions {
  PadFuncOptions(std::vector<std::int64_t> pad) {}
  TILEWISE_SETTER(PadFuncOptions, enumtype::Value, mode)
  TILEWISE_SETTER(PadFuncOptions, double, value)
};
struct NormalizeFuncOptions {
  NormalizeFuncOptions() {}
  TILEWISE_SETTER(NormalizeFuncOptions, double, p)
  TILEWISE_SETTER(NormalizeFuncOptions, std::int64_t, dim)
};
template <std::size_t D>
struct ConvFuncOptions {
  ConvFuncOptions() {}
  TILEWISE_SETTER(ConvFuncOptions, Tensor, bias)
  TILEWISE_SETTER(ConvFuncOptions, ExpandingArray<D>, stride)
  TILEWISE_SETTER(ConvFuncOptions, ExpandingArray<D>, padding)
  TILEWISE_SETTER(ConvFuncOptions, ExpandingArray<D>, dilation)
  TILEWISE_SETTER(ConvFuncOptions, std::int64_t, groups)
};
using Conv1dFuncOptions = ConvFuncOptions<1>;
using Conv2dFuncOptions = ConvFuncOptions<2>;
}  // namespace functional

namespace parallel {
template <class M>
Tensor data_parallel(M module, Tensor input, std::optional<std::vector<Device>> devices = {},
                     std::optional<Device> output_device = {}, std::int64_t dim = 0);
}  // namespace parallel
}  // namespace nn

namespace optim {
struct OptimizerOptions {};
struct OptimizerParamGroup {
  OptimizerParamGroup(std::vector<Tensor> parameters) {}
  template <class O>
  OptimizerParamGroup(std::vector<Tensor> parameters, O options) {}
  OptimizerOptions& options();
  std::vector<Tensor>& params();
};
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  Tensor step();
  Tensor step(std::function<Tensor()> closure);
  void zero_grad(bool set_to_none = false);
  std::vector<OptimizerParamGroup>& param_groups();
  OptimizerOptions& defaults();
  void add_param_group(const OptimizerParamGroup& group);
  std::vector<Tensor>& parameters();
  std::size_t size() const;
};
#define TILEWISE_OPTIMIZER(Name, ...)                                              \
  struct Name##Options : OptimizerOptions {                                        \
    Name##Options() {}                                                             \
    Name##Options(double lr) {}                                                    \
    TILEWISE_OPTION(Name##Options, double, lr)                                     \
    TILEWISE_OPTION(Name##Options, double, weight_decay)                           \
    __VA_ARGS__                                                                    \
  };                                                                               \
  class Name : public Optimizer {                                                  \
   public:                                                                         \
    Name(std::vector<Tensor> parameters, Name##Options options = {}) {}            \
    Name(std::vector<OptimizerParamGroup> groups, Name##Options options = {}) {}   \
  };
#define TILEWISE_OPTION(Type, Value, name) \
  Type& name(Value value);                 \
  Value& name();
using Betas = std::tuple<double, double>;
TILEWISE_OPTIMIZER(SGD, TILEWISE_OPTION(SGDOptions, double, momentum)
                            TILEWISE_OPTION(SGDOptions, double, dampening)
                                TILEWISE_OPTION(SGDOptions, bool, nesterov))
TILEWISE_OPTIMIZER(Adam, TILEWISE_OPTION(AdamOptions, Betas, betas)
                             TILEWISE_OPTION(AdamOptions, double, eps)
                                 TILEWISE_OPTION(AdamOptions, bool, amsgrad))
TILEWISE_OPTIMIZER(AdamW, TILEWISE_OPTION(AdamWOptions, Betas, betas)
                              TILEWISE_OPTION(AdamWOptions, double, eps))
TILEWISE_OPTIMIZER(RMSprop, TILEWISE_OPTION(RMSpropOptions, double, alpha)
                                TILEWISE_OPTION(RMSpropOptions, double, momentum))
TILEWISE_OPTIMIZER(Adagrad, TILEWISE_OPTION(AdagradOptions, double, lr_decay))
TILEWISE_OPTIMIZER(LBFGS, TILEWISE_OPTION(LBFGSOptions, std::int64_t, max_iter))
class LRScheduler {
 public:
  void step();
};
class StepLR : public LRScheduler {
 public:
  StepLR(Optimizer& optimizer, unsigned step_size, double gamma = 0.1) {}
};
}  // namespace optim

namespace data {
template <class Data = Tensor, class Target = Tensor>
struct Example {
  Example() {}
  Example(Data data, Target target) {}
  Data data;
  Target target;
};
using TensorExample = Example<Tensor, void*>;
namespace transforms {
template <class Input, class Output>
struct Transform {
  virtual ~Transform() = default;
};
template <class Target = Tensor>
struct TensorTransform {
  virtual ~TensorTransform() = default;
  virtual Tensor operator()(Tensor input) = 0;
};
template <class T = Tensor>
struct Normalize {
  Normalize(c10::ArrayRef<double> mean, c10::ArrayRef<double> stddev) {}
  Normalize(double mean, double stddev) {}
};
template <class T = Example<>>
struct Stack {
  Stack() {}
};
template <class Input, class Output = Input>
struct Lambda {
  template <class F>
  explicit Lambda(F function) {}
};
template <class T = Tensor, class U = Tensor>
struct TensorLambda {
  template <class F>
  explicit TensorLambda(F function) {}
};
}  // namespace transforms
namespace samplers {
struct Sampler {};
struct RandomSampler : Sampler {
  explicit RandomSampler(std::int64_t size) {}
};
struct SequentialSampler : Sampler {
  explicit SequentialSampler(std::size_t size) {}
};
struct DistributedRandomSampler : Sampler {
  DistributedRandomSampler(std::size_t size, std::size_t num_replicas = 1, std::size_t rank = 0,
                           bool allow_duplicates = true) {}
  void set_epoch(std::size_t epoch);
  std::size_t epoch() const;
};
struct DistributedSequentialSampler : Sampler {
  DistributedSequentialSampler(std::size_t size, std::size_t num_replicas = 1,
                               std::size_t rank = 0, bool allow_duplicates = true) {}
};
}  // namespace samplers
namespace datasets {
template <class Self, class Batch>
struct Mapped;
template <class Self, class Single = Example<>>
class Dataset {
 public:
  using ExampleType = Single;
  using BatchType = std::vector<Single>;
  virtual ~Dataset() = default;
  virtual Single get(std::size_t index);
  virtual std::optional<std::size_t> size() const;
  template <class T>
  Mapped<Self, Single> map(T transform) &&;
  template <class T>
  Mapped<Self, Single> map(T transform) &;
};
template <class Self, class Single>
struct Mapped : Dataset<Mapped<Self, Single>, Single> {};
template <class Self, class Batch = Example<>>
class StatefulDataset : public Dataset<Self, Batch> {
 public:
  virtual void reset();
};
template <class Self, class Batch = std::vector<Example<>>, class Request = std::size_t>
class BatchDataset : public Dataset<Self, Example<>> {
 public:
  virtual Batch get_batch(Request request);
};
template <class Reader, class Sampler = int, class ExampleSampler = int>
class ChunkDataset : public StatefulDataset<ChunkDataset<Reader, Sampler, ExampleSampler>> {};
class MNIST : public Dataset<MNIST> {
 public:
  enum class Mode { kTrain, kTest };
  explicit MNIST(const std::string& root, Mode mode = Mode::kTrain) {}
  const Tensor& images() const;
  const Tensor& targets() const;
};
class TensorDataset : public Dataset<TensorDataset> {
 public:
  explicit TensorDataset(const std::vector<Tensor>& tensors) {}
  explicit TensorDataset(Tensor tensor) {}
};
}  // namespace datasets
struct DataLoaderOptions {
  DataLoaderOptions() {}
  DataLoaderOptions(std::size_t batch_size) {}
  TILEWISE_OPTION(DataLoaderOptions, std::size_t, batch_size)
  TILEWISE_OPTION(DataLoaderOptions, std::size_t, workers)
  TILEWISE_OPTION(DataLoaderOptions, std::size_t, max_jobs)
  TILEWISE_OPTION(DataLoaderOptions, std::chrono::milliseconds, timeout)
  TILEWISE_OPTION(DataLoaderOptions, bool, enforce_ordering)
  TILEWISE_OPTION(DataLoaderOptions, bool, drop_last)
};
template <class Set, class Sampler>
class StatelessDataLoader {
 public:
  Example<>* begin();
  Example<>* end();
  const DataLoaderOptions& options() const noexcept;
  void join();
};
template <class Sampler = samplers::RandomSampler, class Set>
std::unique_ptr<StatelessDataLoader<Set, Sampler>> make_data_loader(
    Set dataset, DataLoaderOptions options = {});
template <class Set, class Sampler>
std::unique_ptr<StatelessDataLoader<Set, Sampler>> make_data_loader(Set dataset, Sampler sampler,
                                                                    DataLoaderOptions options = {});
}  // namespace data

namespace jit {
struct IValue {
  template <class T>
  IValue(T value) {}
  Tensor toTensor() const;
  IValue toTuple() const;
  std::vector<IValue> elements() const;
  double toDouble() const;
};
namespace script {
struct Module {
  Module() {}
  IValue forward(std::vector<IValue> inputs);
  IValue operator()(std::vector<IValue> inputs);
  void to(Device device, bool non_blocking = false);
  void eval();
  void train(bool on = true);
  IValue run_method(const std::string& name);
  std::vector<Tensor> parameters() const;
};
}  // namespace script
using Module = script::Module;
script::Module load(const std::string& path, std::optional<Device> device = std::nullopt);
}  // namespace jit
namespace fft {
template <class... A>
Tensor fft(A&&... arguments);
template <class... A>
Tensor ifft(A&&... arguments);
}  // namespace fft
}  // namespace torch

namespace c10 {
using torch::jit::IValue;
}  // namespace c10

#endif
