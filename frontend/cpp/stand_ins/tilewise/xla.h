// Stand-in for XLA's client interfaces: builder, shapes, literals, PjRt.
#ifndef TILEWISE_STAND_IN_XLA
#define TILEWISE_STAND_IN_XLA

#include <array>
#include <complex>
#include <cstdint>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"

#ifndef TF_ASSIGN_OR_RETURN
#define TF_ASSIGN_OR_RETURN(lhs, expression) lhs = *(expression)
#define TF_RETURN_IF_ERROR(expression) static_cast<void>(expression)
#define TF_CHECK_OK(expression) static_cast<void>(expression)
#define TF_RET_CHECK(condition) (std::cerr << !(condition))
#endif
#ifndef XLA_CHECK
#define XLA_CHECK(condition) (std::cerr << !(condition))
#define XLA_CHECK_EQ(a, b) (std::cerr << ((a) == (b)))
#define XLA_CHECK_GT(a, b) (std::cerr << ((a) > (b)))
#define XLA_CHECK_LT(a, b) (std::cerr << ((a) < (b)))
#define XLA_CHECK_GE(a, b) (std::cerr << ((a) >= (b)))
#define XLA_ERROR() (std::cerr << 0)
#endif

namespace tsl {
using absl::Status;
template <class T>
using StatusOr = absl::StatusOr<T>;
}  // namespace tsl

namespace xla {
using int64 = std::int64_t;
using absl::Status;
template <class T>
using StatusOr = absl::StatusOr<T>;
using complex64 = std::complex<float>;
struct half {};
struct bfloat16 {
  explicit bfloat16(float value) {}
};
enum PrimitiveType : int {
  PRIMITIVE_TYPE_INVALID = 0, PRED = 1, S4 = 21, S8 = 2, S16 = 3, S32 = 4, S64 = 5, U4 = 22, U8 = 6,
  U16 = 7, U32 = 8, U64 = 9, F16 = 10, F32 = 11, BF16 = 16, F64 = 12, F8E5M2 = 19, F8E4M3FN = 20,
  C64 = 15, C128 = 18, TUPLE = 13, OPAQUE_TYPE = 14, TOKEN = 17
};
class Layout {};
class Shape {
 public:
  Shape() {}
  PrimitiveType element_type() const;
  absl::Span<const std::int64_t> dimensions() const;
  std::int64_t dimensions(int index) const;
  std::int64_t dimensions_size() const;
  int rank() const;
  bool IsTuple() const;
  bool IsArray() const;
  bool is_dynamic_dimension(int dim) const;
  const Shape& tuple_shapes(int index) const;
  std::string ToString() const;
  const Layout& layout() const;
  void set_element_type(PrimitiveType type);
  void set_dimensions(int index, std::int64_t size);
};
class ShapeIndex {
 public:
  ShapeIndex() {}
  ShapeIndex(std::initializer_list<std::int64_t> list) {}
};
class ProgramShape {};
class ShapeUtil {
 public:
  static Shape MakeShape(PrimitiveType type, absl::Span<const std::int64_t> dims);
  static Shape MakeShape(PrimitiveType type, absl::Span<const std::int64_t> dims,
                         const std::vector<bool>& dynamic);
  static Shape MakeShapeWithLayout(PrimitiveType type, absl::Span<const std::int64_t> dims,
                                   absl::Span<const std::int64_t> minor_to_major);
  static Shape MakeShapeWithDenseLayout(PrimitiveType type, absl::Span<const std::int64_t> dims,
                                        absl::Span<const std::int64_t> minor_to_major);
  static Shape MakeTupleShape(absl::Span<const Shape> shapes);
  static Shape MakeScalarShape(PrimitiveType type);
  static std::int64_t ElementsIn(const Shape& shape);
  static bool IsScalar(const Shape& shape);
  static bool Compatible(const Shape& a, const Shape& b);
  static std::string HumanString(const Shape& shape);
  static const Shape& GetTupleElementShape(const Shape& shape, std::int64_t index);
  static Shape ChangeElementType(const Shape& shape, PrimitiveType type);
};
namespace primitive_util {
template <class T>
PrimitiveType NativeToPrimitiveType();
bool IsFloatingPointType(PrimitiveType type);
bool IsIntegralType(PrimitiveType type);
int BitWidth(PrimitiveType type);
}  // namespace primitive_util

class Literal {
 public:
  Literal() {}
  explicit Literal(const Shape& shape) {}
  const Shape& shape() const;
  template <class T>
  absl::Span<T> data();
  template <class T>
  T Get(absl::Span<const std::int64_t> index) const;
  template <class T>
  T GetFirstElement() const;
  template <class T>
  void Set(absl::Span<const std::int64_t> index, T value);
  const void* untyped_data() const;
  std::string ToString() const;
  Literal Clone() const;
};
using LiteralSlice = Literal;
class LiteralUtil {
 public:
  template <class T>
  static Literal CreateR0(T value);
  template <class T>
  static Literal CreateR1(absl::Span<const T> values);
  template <class T>
  static Literal CreateR2(std::initializer_list<std::initializer_list<T>> values);
  static Literal Zero(PrimitiveType type);
  static Literal One(PrimitiveType type);
  static Literal MinValue(PrimitiveType type);
  static Literal MaxValue(PrimitiveType type);
};

class XlaBuilder;
class XlaOp {
 public:
  XlaOp() {}
  XlaBuilder* builder() const;
  bool valid() const;
};
class XlaComputation {
 public:
  XlaComputation() {}
  StatusOr<ProgramShape> GetProgramShape() const;
  bool IsNull() const;
  const std::string& name() const;
};
class HloInputOutputAliasConfig {
 public:
  enum AliasKind { kMayAlias, kMustAlias };
};
struct Window {};
class WindowDimension {};
enum class Padding { kSame, kValid };
template <class... A>
std::vector<std::pair<std::int64_t, std::int64_t>> MakePadding(A&&... arguments);
struct ConvolutionDimensionNumbers {
  void set_input_batch_dimension(std::int64_t dim);
  void set_input_feature_dimension(std::int64_t dim);
  void set_output_batch_dimension(std::int64_t dim);
  void set_output_feature_dimension(std::int64_t dim);
  void set_kernel_input_feature_dimension(std::int64_t dim);
  void set_kernel_output_feature_dimension(std::int64_t dim);
  void add_input_spatial_dimensions(std::int64_t dim);
  void add_output_spatial_dimensions(std::int64_t dim);
  void add_kernel_spatial_dimensions(std::int64_t dim);
};
struct DotDimensionNumbers {
  void add_lhs_contracting_dimensions(std::int64_t dim);
  void add_rhs_contracting_dimensions(std::int64_t dim);
  void add_lhs_batch_dimensions(std::int64_t dim);
  void add_rhs_batch_dimensions(std::int64_t dim);
};
struct GatherDimensionNumbers {
  void add_offset_dims(std::int64_t dim);
  void add_collapsed_slice_dims(std::int64_t dim);
  void add_start_index_map(std::int64_t dim);
  void set_index_vector_dim(std::int64_t dim);
};
struct ScatterDimensionNumbers {
  void add_update_window_dims(std::int64_t dim);
  void add_inserted_window_dims(std::int64_t dim);
  void add_scatter_dims_to_operand_dims(std::int64_t dim);
  void set_index_vector_dim(std::int64_t dim);
};
struct PrecisionConfig {
  enum Precision { DEFAULT, HIGH, HIGHEST };
  void add_operand_precision(Precision precision);
};
struct PaddingConfigDimension {
  void set_edge_padding_low(std::int64_t size);
  void set_edge_padding_high(std::int64_t size);
  void set_interior_padding(std::int64_t size);
};
struct PaddingConfig {
  PaddingConfigDimension* add_dimensions();
};
PaddingConfig MakeEdgePaddingConfig(
    absl::Span<const std::pair<std::int64_t, std::int64_t>> padding);
PaddingConfig MakeNoPaddingConfig(std::int64_t rank);
struct ReplicaGroup {
  void add_replica_ids(std::int64_t id);
};
class XlaBuilder {
 public:
  XlaBuilder(const std::string& name) {}
  const std::string& name() const;
  StatusOr<XlaComputation> Build(bool remove_dynamic_dimensions = false);
  StatusOr<XlaComputation> Build(XlaOp root, bool remove_dynamic_dimensions = false);
  StatusOr<Shape> GetShape(XlaOp op) const;
  StatusOr<const Shape*> GetShapePtr(XlaOp op) const;
  std::unique_ptr<XlaBuilder> CreateSubBuilder(const std::string& name);
  void SetUpAlias(const ShapeIndex& output, std::int64_t parameter, const ShapeIndex& index,
                  HloInputOutputAliasConfig::AliasKind kind = HloInputOutputAliasConfig::kMayAlias);
  Status GetCurrentStatus() const;
  template <class F>
  XlaOp ReportErrorOrReturn(F function);
};
template <class T>
StatusOr<T> Unused();

XlaOp Parameter(XlaBuilder* builder, std::int64_t number, const Shape& shape,
                const std::string& name);
XlaOp ConstantLiteral(XlaBuilder* builder, const Literal& literal);
template <class T>
XlaOp ConstantR0(XlaBuilder* builder, T value);
template <class T>
XlaOp ConstantR1(XlaBuilder* builder, absl::Span<const T> values);
template <class T>
XlaOp ConstantR1(XlaBuilder* builder, std::int64_t length, T value);
template <class T>
XlaOp ConstantR2(XlaBuilder* builder, std::initializer_list<std::initializer_list<T>> values);
template <class T>
XlaOp ScalarLike(XlaOp like, T value);
template <class T>
XlaOp FullLike(XlaOp like, T value);
template <class T>
XlaOp ConstantR0WithType(XlaBuilder* builder, PrimitiveType type, T value);
XlaOp Zero(XlaBuilder* builder, PrimitiveType type);
XlaOp One(XlaBuilder* builder, PrimitiveType type);
XlaOp Zeros(XlaBuilder* builder, const Shape& shape);
XlaOp MinValue(XlaBuilder* builder, PrimitiveType type);
XlaOp MaxValue(XlaBuilder* builder, PrimitiveType type);
XlaOp MinFiniteValue(XlaBuilder* builder, PrimitiveType type);
XlaOp Epsilon(XlaBuilder* builder, PrimitiveType type);
XlaOp Iota(XlaBuilder* builder, PrimitiveType type, std::int64_t size);
XlaOp Iota(XlaBuilder* builder, const Shape& shape, std::int64_t dim);
XlaOp Broadcast(XlaOp x, absl::Span<const std::int64_t> sizes);
XlaOp BroadcastInDim(XlaOp x, absl::Span<const std::int64_t> sizes,
                     absl::Span<const std::int64_t> dims);
XlaOp DynamicBroadcastInDim(XlaOp x, XlaOp sizes, absl::Span<const std::int64_t> dims,
                            const Shape& shape);
XlaOp Pad(XlaOp x, XlaOp value, const PaddingConfig& config);
XlaOp PadInDim(XlaOp x, XlaOp value, std::int64_t dim, std::int64_t low, std::int64_t high);
XlaOp Reshape(XlaOp x, absl::Span<const std::int64_t> sizes);
XlaOp Reshape(XlaOp x, absl::Span<const std::int64_t> dims, absl::Span<const std::int64_t> sizes);
XlaOp Collapse(XlaOp x, absl::Span<const std::int64_t> dims);
XlaOp Slice(XlaOp x, absl::Span<const std::int64_t> from, absl::Span<const std::int64_t> to,
            absl::Span<const std::int64_t> strides);
XlaOp SliceInDim(XlaOp x, std::int64_t from, std::int64_t to, std::int64_t stride,
                 std::int64_t dim);
XlaOp DynamicSlice(XlaOp x, absl::Span<const XlaOp> starts, absl::Span<const std::int64_t> sizes);
XlaOp DynamicUpdateSlice(XlaOp x, XlaOp update, absl::Span<const XlaOp> starts);
XlaOp DynamicSliceInMinorDims(XlaOp x, absl::Span<const XlaOp> starts,
                              absl::Span<const std::int64_t> sizes);
XlaOp DynamicUpdateSliceInMinorDims(XlaOp x, XlaOp update, absl::Span<const XlaOp> starts);
XlaOp ConcatInDim(XlaBuilder* builder, absl::Span<const XlaOp> operands, std::int64_t dim);
XlaOp Select(XlaOp condition, XlaOp on_true, XlaOp on_false);
XlaOp Tuple(XlaBuilder* builder, absl::Span<const XlaOp> elements);
XlaOp GetTupleElement(XlaOp tuple, std::int64_t index);
XlaOp Dot(XlaOp x, XlaOp y, const PrecisionConfig* precision = nullptr,
          std::optional<PrimitiveType> type = std::nullopt);
XlaOp DotGeneral(XlaOp x, XlaOp y, const DotDimensionNumbers& dims,
                 const PrecisionConfig* precision = nullptr,
                 std::optional<PrimitiveType> type = std::nullopt);
XlaOp BatchDot(XlaOp x, XlaOp y, PrecisionConfig::Precision precision = PrecisionConfig::DEFAULT);
XlaOp Conv(XlaOp x, XlaOp kernel, absl::Span<const std::int64_t> strides, Padding padding,
           std::int64_t feature_group_count = 1, std::int64_t batch_group_count = 1,
           const PrecisionConfig* precision = nullptr);
XlaOp ConvWithGeneralPadding(XlaOp x, XlaOp kernel, absl::Span<const std::int64_t> strides,
                             absl::Span<const std::pair<std::int64_t, std::int64_t>> padding,
                             std::int64_t feature_group_count = 1,
                             std::int64_t batch_group_count = 1);
XlaOp ConvWithGeneralDimensions(XlaOp x, XlaOp kernel, absl::Span<const std::int64_t> strides,
                                Padding padding, const ConvolutionDimensionNumbers& dims,
                                std::int64_t feature_group_count = 1,
                                std::int64_t batch_group_count = 1);
XlaOp ConvGeneral(XlaOp x, XlaOp kernel, absl::Span<const std::int64_t> strides,
                  absl::Span<const std::pair<std::int64_t, std::int64_t>> padding,
                  const ConvolutionDimensionNumbers& dims, std::int64_t feature_group_count = 1,
                  std::int64_t batch_group_count = 1, const PrecisionConfig* precision = nullptr);
XlaOp ConvGeneralDilated(XlaOp x, XlaOp kernel, absl::Span<const std::int64_t> strides,
                         absl::Span<const std::pair<std::int64_t, std::int64_t>> padding,
                         absl::Span<const std::int64_t> lhs_dilation,
                         absl::Span<const std::int64_t> rhs_dilation,
                         const ConvolutionDimensionNumbers& dims,
                         std::int64_t feature_group_count = 1, std::int64_t batch_group_count = 1,
                         const PrecisionConfig* precision = nullptr);
XlaOp Reduce(XlaOp x, XlaOp init, const XlaComputation& function,
             absl::Span<const std::int64_t> dims);
XlaOp Reduce(XlaBuilder* builder, absl::Span<const XlaOp> x, absl::Span<const XlaOp> init,
             const XlaComputation& function, absl::Span<const std::int64_t> dims);
XlaOp ReduceAll(XlaOp x, XlaOp init, const XlaComputation& function);
XlaOp ReduceWindow(XlaOp x, XlaOp init, const XlaComputation& function,
                   absl::Span<const std::int64_t> window, absl::Span<const std::int64_t> strides,
                   Padding padding);
XlaOp ReduceWindowWithGeneralPadding(
    XlaOp x, XlaOp init, const XlaComputation& function, absl::Span<const std::int64_t> window,
    absl::Span<const std::int64_t> strides, absl::Span<const std::int64_t> base_dilations,
    absl::Span<const std::int64_t> window_dilations,
    absl::Span<const std::pair<std::int64_t, std::int64_t>> padding);
XlaOp SelectAndScatter(XlaOp x, const XlaComputation& select, absl::Span<const std::int64_t> window,
                       absl::Span<const std::int64_t> strides, Padding padding, XlaOp source,
                       XlaOp init, const XlaComputation& scatter);
XlaOp SelectAndScatterWithGeneralPadding(
    XlaOp x, const XlaComputation& select, absl::Span<const std::int64_t> window,
    absl::Span<const std::int64_t> strides,
    absl::Span<const std::pair<std::int64_t, std::int64_t>> padding, XlaOp source, XlaOp init,
    const XlaComputation& scatter);
struct TensorFormat {
  TensorFormat(int batch, int feature, absl::Span<const std::int64_t> spatial) {}
};
XlaOp MaxPool(XlaOp x, absl::Span<const std::int64_t> kernel, absl::Span<const std::int64_t> stride,
              Padding padding, const TensorFormat& format);
XlaOp AvgPool(XlaOp x, absl::Span<const std::int64_t> kernel, absl::Span<const std::int64_t> stride,
              absl::Span<const std::pair<std::int64_t, std::int64_t>> padding,
              const TensorFormat& format, bool counts_include_padding);
XlaOp BatchNormTraining(XlaOp x, XlaOp scale, XlaOp offset, float epsilon, std::int64_t feature);
XlaOp BatchNormInference(XlaOp x, XlaOp scale, XlaOp offset, XlaOp mean, XlaOp variance,
                         float epsilon, std::int64_t feature);
XlaOp BatchNormGrad(XlaOp x, XlaOp scale, XlaOp mean, XlaOp variance, XlaOp gradient, float epsilon,
                    std::int64_t feature);
XlaOp Transpose(XlaOp x, absl::Span<const std::int64_t> permutation);
XlaOp TransposeInMinorDims(XlaOp x);
XlaOp Rev(XlaOp x, absl::Span<const std::int64_t> dims);
XlaOp Sort(absl::Span<const XlaOp> operands, const XlaComputation& comparator,
           std::int64_t dim = -1, bool stable = false);
XlaOp TopK(XlaOp x, std::int64_t k, bool largest = true);
XlaOp Clamp(XlaOp min, XlaOp x, XlaOp max);
XlaOp Map(XlaBuilder* builder, absl::Span<const XlaOp> operands, const XlaComputation& function,
          absl::Span<const std::int64_t> dims);
XlaOp RngNormal(XlaOp mean, XlaOp stddev, const Shape& shape);
XlaOp RngUniform(XlaOp low, XlaOp high, const Shape& shape);
XlaOp While(const XlaComputation& condition, const XlaComputation& body, XlaOp init);
XlaOp Conditional(XlaOp predicate, XlaOp on_true, const XlaComputation& then, XlaOp on_false,
                  const XlaComputation& otherwise);
XlaOp Call(XlaBuilder* builder, const XlaComputation& function, absl::Span<const XlaOp> operands);
XlaOp CustomCall(XlaBuilder* builder, const std::string& target, absl::Span<const XlaOp> operands,
                 const Shape& shape, const std::string& opaque = "");
XlaOp Gather(XlaOp x, XlaOp indices, const GatherDimensionNumbers& dims,
             absl::Span<const std::int64_t> sizes, bool sorted = false);
XlaOp Scatter(XlaOp x, XlaOp indices, XlaOp updates, const XlaComputation& function,
              const ScatterDimensionNumbers& dims, bool sorted = false, bool unique = false);
XlaOp TorchGather(XlaOp x, XlaOp index, std::int64_t dim, bool sparse = true);
XlaOp TorchIndexSelect(XlaOp x, XlaOp index, std::int64_t dim, std::int64_t batch_dims = 0);
XlaOp ConvertElementType(XlaOp x, PrimitiveType type);
XlaOp BitcastConvertType(XlaOp x, PrimitiveType type);
XlaOp CrossReplicaSum(XlaOp x, absl::Span<const ReplicaGroup> groups = {});
XlaOp AllReduce(XlaOp x, const XlaComputation& function,
                absl::Span<const ReplicaGroup> groups = {});
XlaOp AllGather(XlaOp x, std::int64_t dim, std::int64_t shards,
                absl::Span<const ReplicaGroup> groups = {});
XlaOp Infeed(XlaBuilder* builder, const Shape& shape, const std::string& config = "");
void Outfeed(XlaOp x, const Shape& shape, const std::string& config);
XlaOp GetDimensionSize(XlaOp x, std::int64_t dim);
XlaOp SetDimensionSize(XlaOp x, XlaOp size, std::int64_t dim);
XlaOp RemoveDynamicDimension(XlaOp x, std::int64_t dim);
XlaOp OptimizationBarrier(XlaOp x);
XlaOp ReducePrecision(XlaOp x, int exponent_bits, int mantissa_bits);
XlaComputation CreateScalarAddComputation(PrimitiveType type, XlaBuilder* builder);
XlaComputation CreateScalarMaxComputation(PrimitiveType type, XlaBuilder* builder);
XlaComputation CreateScalarMinComputation(PrimitiveType type, XlaBuilder* builder);
XlaComputation CreateScalarMultiplyComputation(PrimitiveType type, XlaBuilder* builder);
XlaComputation CreateScalarGeComputation(PrimitiveType type, XlaBuilder* builder);
XlaComputation CreateScalarLtComputation(const std::vector<PrimitiveType>& types,
                                         XlaBuilder* builder);
XlaComputation CreateScalarGtComputation(const std::vector<PrimitiveType>& types,
                                         XlaBuilder* builder);
XlaOp Abs(XlaOp x);
XlaOp Neg(XlaOp x);
XlaOp Exp(XlaOp x);
XlaOp Expm1(XlaOp x);
XlaOp Log(XlaOp x);
XlaOp Log1p(XlaOp x);
XlaOp Floor(XlaOp x);
XlaOp Ceil(XlaOp x);
XlaOp Round(XlaOp x);
XlaOp RoundNearestEven(XlaOp x);
XlaOp Logistic(XlaOp x);
XlaOp Sign(XlaOp x);
XlaOp Cos(XlaOp x);
XlaOp Sin(XlaOp x);
XlaOp Tan(XlaOp x);
XlaOp Tanh(XlaOp x);
XlaOp Sqrt(XlaOp x);
XlaOp Rsqrt(XlaOp x);
XlaOp Cbrt(XlaOp x);
XlaOp Real(XlaOp x);
XlaOp Imag(XlaOp x);
XlaOp Conj(XlaOp x);
XlaOp IsFinite(XlaOp x);
XlaOp Not(XlaOp x);
XlaOp PopulationCount(XlaOp x);
XlaOp Clz(XlaOp x);
XlaOp Square(XlaOp x);
XlaOp Reciprocal(XlaOp x);
XlaOp Erf(XlaOp x);
XlaOp Erfc(XlaOp x);
XlaOp ErfInv(XlaOp x);
XlaOp Relu(XlaOp x);
XlaOp ZerosLike(XlaOp x);
XlaOp Copy(XlaOp x);
XlaOp Add(XlaOp x, XlaOp y, absl::Span<const std::int64_t> dims = {});
XlaOp Sub(XlaOp x, XlaOp y, absl::Span<const std::int64_t> dims = {});
XlaOp Mul(XlaOp x, XlaOp y, absl::Span<const std::int64_t> dims = {});
XlaOp Div(XlaOp x, XlaOp y, absl::Span<const std::int64_t> dims = {});
XlaOp Rem(XlaOp x, XlaOp y, absl::Span<const std::int64_t> dims = {});
XlaOp Max(XlaOp x, XlaOp y, absl::Span<const std::int64_t> dims = {});
XlaOp Min(XlaOp x, XlaOp y, absl::Span<const std::int64_t> dims = {});
XlaOp Eq(XlaOp x, XlaOp y, absl::Span<const std::int64_t> dims = {});
XlaOp Ne(XlaOp x, XlaOp y, absl::Span<const std::int64_t> dims = {});
XlaOp Ge(XlaOp x, XlaOp y, absl::Span<const std::int64_t> dims = {});
XlaOp Gt(XlaOp x, XlaOp y, absl::Span<const std::int64_t> dims = {});
XlaOp Le(XlaOp x, XlaOp y, absl::Span<const std::int64_t> dims = {});
XlaOp Lt(XlaOp x, XlaOp y, absl::Span<const std::int64_t> dims = {});
XlaOp And(XlaOp x, XlaOp y, absl::Span<const std::int64_t> dims = {});
XlaOp Or(XlaOp x, XlaOp y, absl::Span<const std::int64_t> dims = {});
XlaOp Xor(XlaOp x, XlaOp y, absl::Span<const std::int64_t> dims = {});
XlaOp Pow(XlaOp x, XlaOp y, absl::Span<const std::int64_t> dims = {});
XlaOp Atan2(XlaOp x, XlaOp y, absl::Span<const std::int64_t> dims = {});
XlaOp Complex(XlaOp x, XlaOp y, absl::Span<const std::int64_t> dims = {});
XlaOp ShiftLeft(XlaOp x, XlaOp y, absl::Span<const std::int64_t> dims = {});
XlaOp ShiftRightArithmetic(XlaOp x, XlaOp y, absl::Span<const std::int64_t> dims = {});
XlaOp ShiftRightLogical(XlaOp x, XlaOp y, absl::Span<const std::int64_t> dims = {});
XlaOp operator+(XlaOp x, XlaOp y);
XlaOp operator-(XlaOp x, XlaOp y);
XlaOp operator*(XlaOp x, XlaOp y);
XlaOp operator/(XlaOp x, XlaOp y);
XlaOp operator%(XlaOp x, XlaOp y);
XlaOp operator&(XlaOp x, XlaOp y);
XlaOp operator|(XlaOp x, XlaOp y);
XlaOp operator^(XlaOp x, XlaOp y);
XlaOp operator<<(XlaOp x, XlaOp y);
XlaOp operator>>(XlaOp x, XlaOp y);
XlaOp operator-(XlaOp x);
XlaOp operator~(XlaOp x);

class PjRtDevice {
 public:
  int id() const;
  int local_hardware_id() const;
  std::string ToString() const;
};
class PjRtMemorySpace {};
template <class T = void>
class PjRtFuture {
 public:
  T Await();
  template <class F>
  void OnReady(F callback);
};
class PjRtBuffer {
 public:
  StatusOr<std::shared_ptr<Literal>> ToLiteralSync();
  PjRtFuture<Status> ToLiteral(Literal* literal);
  PjRtFuture<Status> GetReadyFuture();
  Status BlockHostUntilReady();
  const Shape& on_device_shape() const;
  StatusOr<std::unique_ptr<PjRtBuffer>> CopyToDevice(PjRtDevice* device);
  void Delete();
  bool IsDeleted();
};
struct ExecuteOptions {
  bool arguments_are_tupled = false;
  bool untuple_result = false;
  int launch_id = 0;
  std::vector<int> non_donatable_input_indices;
};
struct CompileOptions {};
class ExecutableBuildOptions {};
class PjRtLoadedExecutable {
 public:
  StatusOr<std::vector<std::vector<std::unique_ptr<PjRtBuffer>>>> Execute(
      absl::Span<const std::vector<PjRtBuffer*>> arguments, const ExecuteOptions& options);
  StatusOr<std::vector<std::unique_ptr<PjRtBuffer>>> ExecuteSharded(
      absl::Span<PjRtBuffer* const> arguments, PjRtDevice* device, const ExecuteOptions& options);
  absl::Span<PjRtDevice* const> addressable_devices() const;
  std::string name() const;
};
using PjRtExecutable = PjRtLoadedExecutable;
class PjRtClient {
 public:
  enum class HostBufferSemantics {
    kImmutableOnlyDuringCall, kImmutableUntilTransferCompletes, kImmutableZeroCopy, kMutableZeroCopy
  };
  StatusOr<std::unique_ptr<PjRtLoadedExecutable>> Compile(const XlaComputation& computation,
                                                          CompileOptions options);
  StatusOr<std::unique_ptr<PjRtLoadedExecutable>> CompileAndLoad(const XlaComputation& computation,
                                                                 CompileOptions options);
  template <class... A>
  StatusOr<std::unique_ptr<PjRtBuffer>> BufferFromHostBuffer(
      const void* data, PrimitiveType type, absl::Span<const std::int64_t> dims,
      std::optional<absl::Span<const std::int64_t>> strides, HostBufferSemantics semantics,
      std::function<void()> on_done, A&&... place);
  StatusOr<std::unique_ptr<PjRtBuffer>> BufferFromHostLiteral(const Literal& literal,
                                                              PjRtDevice* device);
  absl::Span<PjRtDevice* const> devices() const;
  absl::Span<PjRtDevice* const> addressable_devices() const;
  int device_count() const;
  std::string platform_name() const;
};
struct CpuClientOptions {};
StatusOr<std::unique_ptr<PjRtClient>> GetTfrtCpuClient(bool asynchronous);
StatusOr<std::unique_ptr<PjRtClient>> GetPjRtCpuClient(CpuClientOptions options = {});
StatusOr<std::unique_ptr<PjRtClient>> GetCApiClient(const std::string& device_type);
StatusOr<std::unique_ptr<PjRtClient>> GetTpuClient(int max_inflight_computations);

class ShapedBuffer {};
class ScopedShapedBuffer : public ShapedBuffer {};
class GlobalData {};
class ExecutableRunOptions {};
class LocalExecutable {
 public:
  StatusOr<ScopedShapedBuffer> Run(absl::Span<const ShapedBuffer* const> arguments,
                                   ExecutableRunOptions options);
};
class LocalClient {
 public:
  StatusOr<std::vector<std::unique_ptr<LocalExecutable>>> Compile(
      const XlaComputation& computation, absl::Span<const Shape* const> layouts,
      const ExecutableBuildOptions& options);
  StatusOr<ScopedShapedBuffer> LiteralToShapedBuffer(const Literal& literal, int device);
  StatusOr<Literal> ShapedBufferToLiteral(const ShapedBuffer& buffer);
  StatusOr<Literal> ExecuteAndTransfer(const XlaComputation& computation,
                                       absl::Span<GlobalData* const> arguments);
  StatusOr<std::unique_ptr<GlobalData>> Execute(const XlaComputation& computation,
                                                absl::Span<GlobalData* const> arguments);
  StatusOr<std::unique_ptr<GlobalData>> TransferToServer(const Literal& literal);
  StatusOr<Literal> Transfer(const GlobalData& data, const Shape* layout = nullptr);
};
class ClientLibrary {
 public:
  static StatusOr<LocalClient*> GetOrCreateLocalClient();
  static LocalClient* LocalClientOrDie();
};
}  // namespace xla

#endif
