// Micro-workloads: one op or a few, without weights, as kernels are measured.

#include <fmt/format.h>

#include "library/activations.h"
#include "library/term.h"
#include "zoo/models.h"
#include "zoo/net.h"
#include "zoo/spec.h"

namespace tilewise {
namespace {

constexpr std::string_view kAnyType = "f32|bf16|f16|f8e4m3|f8e5m2|s4|s8|u8|s16|u16|s32|u32";
constexpr ZooParameter kOperandType = {"dtype", "bf16", "type of operands and result", kAnyType};
constexpr ZooParameter kPrecision = {"precision", "default",
                                     "bf16 passes of f32 operands: 1, 3 or 6 (jax.lax.Precision)",
                                     "default|high|highest"};

// Attributes::precision_passes of a matmul.
int64_t PrecisionPasses(const ZooSpec& spec) {
  const std::string_view word = spec.Word("precision");
  if (word == "highest") return 6;
  return word == "high" ? 3 : 1;
}

// How many elements of `dtype` the parameter `bytes` holds. Error unless it is
// a whole number of them.
absl::StatusOr<int64_t> ElementsOf(const ZooSpec& spec) {
  const int64_t bytes = spec.Integer("bytes");
  const int64_t bits = BitWidth(spec.Type("dtype"));
  if (8 * bytes % bits == 0) return 8 * bytes / bits;
  return InvalidInput(
      fmt::format("parameter 'bytes': found {}, expected a multiple of {}", bytes, bits / 8));
}

// One collective among the cores of a target.
constexpr ZooParameter kCollectiveParameters[] = {
    {"kind", "all_reduce", "what is exchanged",
     "all_reduce|all_gather|reduce_scatter|all_to_all|permute"},
    {"bytes",
     "16777216",
     "of each core's operand; all_gather gives cores times as much",
     {},
     1,
     int64_t{1} << 40},
    {"cores", "4", "cores that take part, neighbours on the mesh", {}, 2, 1 << 20},
    kOperandFloatType,
};

// `x` has one dim.
OpId Collective(GraphBuilder& b, std::string_view kind, OpId x, int64_t cores) {
  if (kind == "all_gather") return b.AllGather(x, 0, cores);
  if (kind == "reduce_scatter") return b.ReduceScatter(x, 0, cores);
  if (kind == "all_to_all") return b.AllToAll(x, 0, 0, cores);
  if (kind == "permute") return b.CollectivePermute(x, 1, cores);
  return b.AllReduce(x, cores);
}

absl::StatusOr<Graph> BuildCollective(const ZooSpec& spec) {
  TW_ASSIGN_OR_RETURN(const int64_t elements, ElementsOf(spec));
  Net net(spec);
  const std::string_view kind = spec.Word("kind");
  net.Layer(kind);
  const OpId x = net.Operand("x", {elements});
  return net.Finish({Collective(net.builder, kind, x, spec.Integer("cores"))});
}

// One convolution without bias.
constexpr ZooParameter kConvParameters[] = {
    {"batch", "128", "images"},
    {"height", "56", "of the input in pixels"},
    {"width", "56", "of the input in pixels"},
    {"channels", "64", "features of the input"},
    {"filters", "64", "features of the result"},
    {"kernel", "3", "height and width of the kernel", {}, 1, 1 << 12},
    {"stride", "1", "of both dims", {}, 1, 1 << 12},
    {"padding", "same", "same: kernel / 2 on each side; valid: none", "same|valid"},
    {"groups", "1", "groups of features that are convolved apart"},
    kOperandType,
    kPrecision,
};

absl::StatusOr<Graph> BuildConv(const ZooSpec& spec) {
  const int64_t channels = spec.Integer("channels");
  const int64_t groups = spec.Integer("groups");
  TW_RETURN_IF_ERROR(CheckDivides("groups", groups, channels));
  Net net(spec);
  net.Layer("conv");
  const int64_t size = spec.Integer("kernel");
  const int64_t pad = spec.Word("padding") == "same" ? size / 2 : 0;
  const WindowDim dim = {size, spec.Integer("stride"), pad, pad, 1};
  const OpId x = net.Operand(
      "x", {spec.Integer("batch"), spec.Integer("height"), spec.Integer("width"), channels});
  const OpId kernel =
      net.Operand("kernel", {size, size, channels / groups, spec.Integer("filters")});
  return net.Finish(
      {net.builder.Convolution(x, kernel, {dim, dim}, groups, false, PrecisionPasses(spec))});
}

// A copy of one array: every byte is read once and written once.
constexpr ZooParameter kCopyParameters[] = {
    {"bytes", "0", "size of a one-dimensional array; 0: dim0 x dim1", {}, 0, int64_t{1} << 40},
    {"dim0", "4096", "rows", {}, 1, int64_t{1} << 30},
    {"dim1", "4096", "columns", {}, 1, int64_t{1} << 30},
    kOperandType,
};

absl::StatusOr<Graph> BuildCopy(const ZooSpec& spec) {
  Net net(spec);
  net.Layer("copy");
  std::vector<int64_t> sizes = {spec.Integer("dim0"), spec.Integer("dim1")};
  if (spec.Integer("bytes") > 0) {
    TW_ASSIGN_OR_RETURN(const int64_t elements, ElementsOf(spec));
    sizes = {elements};
  }
  const OpId x = net.Operand("x", sizes);
  return net.Finish({net.builder.Unary(OpKind::kCopy, x)});
}

// One elementwise op or activation on a matrix, as vector kernels are measured.
constexpr ZooParameter kElementwiseParameters[] = {
    {"op", "add",
     "two operands: add to div; activations of one: linear (a x + b) to binary_step; parametric "
     "has a slope per column",
     "add|sub|mul|div|linear|relu|leaky|parametric|elu|selu|gelu|tanh|sigmoid|binary_step"},
    {"dim0", "1024", "rows", {}, 1, int64_t{1} << 30},
    {"dim1", "1024", "columns; 1 for a vector", {}, 1, int64_t{1} << 30},
    {"vector", "0", "1: one dim of dim0 x dim1 elements", kFlagWords},
    kOperandFloatType,
};

struct BinaryName {
  std::string_view word;
  OpKind kind;
};
constexpr BinaryName kBinary[] = {
    {"add", OpKind::kAdd},
    {"sub", OpKind::kSubtract},
    {"mul", OpKind::kMultiply},
    {"div", OpKind::kDivide},
};

OpId Activated(Net& net, std::string_view word, OpId op) {
  GraphBuilder& b = net.builder;
  const Term x(b, op);
  if (word == "linear") return (x * 2 + 1).id;
  if (word == "relu") return Relu(b, op);
  if (word == "leaky") return LeakyRelu(b, op, 0.01);
  if (word == "parametric") {  // slopes along the last dim
    return Prelu(b, op, net.Operand("slope", {net.last_dim(op)}));
  }
  if (word == "elu") return Elu(b, op);
  if (word == "selu") return Selu(b, op);
  if (word == "gelu") return b.Gelu(op, true);
  if (word == "tanh") return Tanh(x).id;
  if (word == "sigmoid") return Sigmoid(x).id;
  return Where(Compared(Comparison::kGe, x, 0), x.Like(1), x.Like(0)).id;
}

absl::StatusOr<Graph> BuildElementwise(const ZooSpec& spec) {
  Net net(spec);
  const std::string_view word = spec.Word("op");
  net.Layer(word);
  std::vector<int64_t> sizes = {spec.Integer("dim0"), spec.Integer("dim1")};
  if (spec.Flag("vector")) sizes = {sizes[0] * sizes[1]};
  const OpId x = net.Operand("x", sizes);
  for (const BinaryName& binary : kBinary) {
    if (binary.word != word) continue;
    const OpId y = net.Operand("y", sizes);
    return net.Finish({net.builder.Binary(binary.kind, x, y)});
  }
  return net.Finish({Activated(net, word, x)});
}

// One lookup of rows in a table.
constexpr ZooParameter kEmbeddingParameters[] = {
    {"vocab", "32768", "rows of the table", {}, 1, int64_t{1} << 31},
    {"features", "1024", "columns of the table"},
    {"ids", "8192", "rows that are looked up"},
    kOperandType,
};

absl::StatusOr<Graph> BuildEmbedding(const ZooSpec& spec) {
  Net net(spec);
  net.Layer("embedding");
  const OpId table = net.Operand("table", {spec.Integer("vocab"), spec.Integer("features")});
  const OpId ids = net.builder.Parameter(Shape::Of(DType::kS32, {spec.Integer("ids")}), "ids");
  return net.Finish({net.builder.Gather(table, ids)});
}

// One matmul [m,k] x [k,n], or a batch of them.
constexpr ZooParameter kGemmParameters[] = {
    {"m", "1024", "rows of the result"},
    {"n", "1024", "columns of the result"},
    {"k", "1024", "contracted size"},
    {"batch", "1", "products side by side"},
    kOperandType,
    kPrecision,
};

absl::StatusOr<Graph> BuildGemm(const ZooSpec& spec) {
  Net net(spec);
  net.Layer("gemm");
  const int64_t batch = spec.Integer("batch");
  std::vector<int64_t> x = {spec.Integer("m"), spec.Integer("k")};
  std::vector<int64_t> y = {spec.Integer("k"), spec.Integer("n")};
  DotDims dims = {{}, {}, {1}, {0}};
  if (batch > 1) {
    x.insert(x.begin(), batch);
    y.insert(y.begin(), batch);
    dims = {{0}, {0}, {2}, {1}};
  }
  const OpId lhs = net.Operand("x", x);
  const OpId rhs = net.Operand("y", y);
  return net.Finish({net.builder.Dot(lhs, rhs, dims, PrecisionPasses(spec))});
}

// One layer norm over the columns of a matrix, computed in f32.
constexpr ZooParameter kRowParameters[] = {
    {"rows", "8192", "independent rows"},
    {"columns", "1024", "elements that are normalised together"},
    kOperandFloatType,
};

absl::StatusOr<Graph> BuildLayernorm(const ZooSpec& spec) {
  Net net(spec);
  net.Layer("layernorm");
  GraphBuilder& b = net.builder;
  const int64_t columns = spec.Integer("columns");
  const OpId x = net.Operand("x", {spec.Integer("rows"), columns});
  const Shape weights = Shape::Of(DType::kF32, {columns});
  const OpId scale = b.Parameter(weights, "gamma");
  const OpId offset = b.Parameter(weights, "beta");
  const OpId y = b.LayerNorm(b.Convert(x, DType::kF32), scale, offset, {1}, 1e-6);
  return net.Finish({b.Convert(y, net.compute_type())});
}

// One softmax over the columns of a matrix, computed in f32.
absl::StatusOr<Graph> BuildSoftmax(const ZooSpec& spec) {
  Net net(spec);
  net.Layer("softmax");
  GraphBuilder& b = net.builder;
  const OpId x = net.Operand("x", {spec.Integer("rows"), spec.Integer("columns")});
  const OpId y = b.Softmax(b.Convert(x, DType::kF32), 1);
  return net.Finish({b.Convert(y, net.compute_type())});
}

}  // namespace

ZooModel CollectiveModel() {
  return {"collective", "one exchange between cores", kCollectiveParameters, BuildCollective};
}

ZooModel ConvModel() { return {"conv", "one convolution", kConvParameters, BuildConv}; }

ZooModel CopyModel() { return {"copy", "a memory copy", kCopyParameters, BuildCopy}; }

ZooModel ElementwiseModel() {
  return {"elementwise", "one elementwise op or activation", kElementwiseParameters,
          BuildElementwise};
}

ZooModel EmbeddingModel() {
  return {"embedding", "one lookup in a table", kEmbeddingParameters, BuildEmbedding};
}

ZooModel GemmModel() { return {"gemm", "one matrix product", kGemmParameters, BuildGemm}; }

ZooModel LayernormModel() {
  return {"layernorm", "one layer norm", kRowParameters, BuildLayernorm};
}

ZooModel SoftmaxModel() { return {"softmax", "one softmax", kRowParameters, BuildSoftmax}; }

}  // namespace tilewise
