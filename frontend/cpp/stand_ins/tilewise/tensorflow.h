// Stand-in for TensorFlow's C++ interface: scopes, ops, sessions, tensors, record readers.
#ifndef TILEWISE_STAND_IN_TENSORFLOW
#define TILEWISE_STAND_IN_TENSORFLOW

#include <cstdint>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

#define TF_RETURN_IF_ERROR(expression) static_cast<void>(expression)
#define TF_CHECK_OK(expression) static_cast<void>(expression)
#define TF_ASSERT_OK(expression) static_cast<void>(expression)
#define TF_EXPECT_OK(expression) static_cast<void>(expression)
#ifndef LOG
#define LOG(severity) std::cerr
#define VLOG(level) std::cerr
#define CHECK(condition) (std::cerr << !(condition))
#endif

namespace tensorflow {
using int64 = std::int64_t;
using int32 = std::int32_t;
using uint8 = std::uint8_t;
using std::string;
using tstring = std::string;
using Status = absl::Status;
using StringPiece = absl::string_view;
using Microseconds = std::int64_t;
enum DataType : int {
  DT_INVALID = 0, DT_FLOAT = 1, DT_DOUBLE = 2, DT_INT32 = 3, DT_UINT8 = 4, DT_INT16 = 5,
  DT_INT8 = 6, DT_STRING = 7, DT_COMPLEX64 = 8, DT_INT64 = 9, DT_BOOL = 10, DT_BFLOAT16 = 14,
  DT_HALF = 19, DT_COMPLEX128 = 18
};
namespace gtl {
template <class T>
class ArraySlice {
 public:
  ArraySlice() {}
  ArraySlice(std::initializer_list<T> list) {}
  ArraySlice(const std::vector<T>& list) {}
};
}  // namespace gtl
class TensorShape {
 public:
  TensorShape() {}
  TensorShape(std::initializer_list<std::int64_t> dims) {}
  TensorShape(const std::vector<std::int64_t>& dims) {}
  std::int64_t dim_size(int dim) const;
  int dims() const;
  std::int64_t num_elements() const;
  void AddDim(std::int64_t size);
  std::string DebugString() const;
};
using PartialTensorShape = TensorShape;
struct EigenMap {
  template <class... I>
  float& operator()(I... index) const;
  float* data() const;
  std::int64_t size() const;
  std::int64_t dimension(int dim) const;
  template <class V>
  EigenMap& operator=(const V& value);
  EigenMap& setZero();
};
class Tensor {
 public:
  Tensor() {}
  explicit Tensor(DataType type) {}
  Tensor(DataType type, const TensorShape& shape) {}
  template <class T>
  explicit Tensor(T value) {}
  DataType dtype() const;
  const TensorShape& shape() const;
  int dims() const;
  std::int64_t dim_size(int dim) const;
  std::int64_t NumElements() const;
  std::size_t TotalBytes() const;
  std::string DebugString() const;
  template <class T>
  EigenMap flat() const;
  template <class T>
  EigenMap vec() const;
  template <class T>
  EigenMap matrix() const;
  template <class T, std::size_t N>
  EigenMap tensor() const;
  template <class T>
  EigenMap scalar() const;
  absl::string_view tensor_data() const;
  bool CopyFrom(const Tensor& other, const TensorShape& shape);
};
class Node;
class Graph;
class GraphDef {
 public:
  int node_size() const;
  std::string DebugString() const;
};
class GraphDefBuilder {
 public:
  GraphDefBuilder() {}
  Status ToGraphDef(GraphDef* graph) const;
};
class MetaGraphDef {
 public:
  GraphDef& graph_def();
};
class ConfigProto {
 public:
  void set_log_device_placement(bool on);
  void set_allow_soft_placement(bool on);
  void set_intra_op_parallelism_threads(int threads);
  void set_inter_op_parallelism_threads(int threads);
};
class RunOptions {};
class RunMetadata {};
class CallableOptions {
 public:
  void add_feed(const std::string& name);
  void add_fetch(const std::string& name);
  void add_target(const std::string& name);
};
struct SessionOptions {
  std::string target;
  ConfigProto config;
};
class Session {
 public:
  using CallableHandle = std::int64_t;
  virtual ~Session() = default;
  Status Create(const GraphDef& graph);
  Status Extend(const GraphDef& graph);
  Status Run(const std::vector<std::pair<std::string, Tensor>>& inputs,
             const std::vector<std::string>& outputs, const std::vector<std::string>& targets,
             std::vector<Tensor>* results);
  Status Run(const RunOptions& options, const std::vector<std::pair<std::string, Tensor>>& inputs,
             const std::vector<std::string>& outputs, const std::vector<std::string>& targets,
             std::vector<Tensor>* results, RunMetadata* metadata);
  Status MakeCallable(const CallableOptions& options, CallableHandle* handle);
  Status RunCallable(CallableHandle handle, const std::vector<Tensor>& feeds,
                     std::vector<Tensor>* fetches, RunMetadata* metadata);
  Status Close();
};
Status NewSession(const SessionOptions& options, Session** session);
Session* NewSession(const SessionOptions& options);
struct SavedModelBundle {
  std::unique_ptr<Session> session;
  MetaGraphDef meta_graph_def;
  Session* GetSession() const;
};
using SavedModelBundleLite = SavedModelBundle;
Status LoadSavedModel(const SessionOptions& session, const RunOptions& run,
                      const std::string& folder, const std::unordered_set<std::string>& tags,
                      SavedModelBundle* bundle);

class Operation {
 public:
  Node* node() const;
};
class Output {
 public:
  Output() {}
  Output(Node* node, int index = 0) {}
  std::string name() const;
  DataType type() const;
  Node* node() const;
  Operation op() const;
};
class Input {
 public:
  Input(const Output& output) {}
  Input(const Tensor& tensor) {}
  template <class T, class = std::enable_if_t<std::is_arithmetic<T>::value>>
  Input(T value) {}
  Input(const char* text) {}
  Input(const std::string& text) {}
  Input(std::initializer_list<Input> list) {}
};
using OutputList = std::vector<Output>;
using InputList = std::vector<Input>;
class Scope {
 public:
  static Scope NewRootScope();
  Scope NewSubScope(const std::string& name) const;
  Scope WithOpName(const std::string& name) const;
  template <class... P>
  Scope WithOpName(P&&... parts) const;
  Scope WithDevice(const std::string& device) const;
  Scope WithControlDependencies(const std::vector<Operation>& operations) const;
  Scope WithControlDependencies(const Output& output) const;
  Scope ExitOnError() const;
  bool ok() const;
  Status status() const;
  Status ToGraphDef(GraphDef* graph) const;
  Status ToGraph(Graph* graph) const;
};
class ClientSession {
 public:
  using FeedType = std::unordered_map<std::string, Input>;
  explicit ClientSession(const Scope& scope) {}
  ClientSession(const Scope& scope, const std::string& target) {}
  ClientSession(const Scope& scope, const SessionOptions& options) {}
  Status Run(const std::vector<Output>& fetches, std::vector<Tensor>* results) const;
  template <class F>
  Status Run(const F& feeds, const std::vector<Output>& fetches,
             std::vector<Tensor>* results) const;
  Status Run(std::initializer_list<std::pair<Output, Input>> feeds,
             const std::vector<Output>& fetches, std::vector<Tensor>* results) const;
  template <class F>
  Status Run(const F& feeds, const std::vector<Output>& fetches,
             const std::vector<Operation>& targets, std::vector<Tensor>* results) const;
};
Status AddSymbolicGradients(const Scope& scope, const std::vector<Output>& outputs,
                            const std::vector<Output>& inputs, std::vector<Output>* gradients);

namespace ops {
// What an op takes, in whatever form: inputs, lists, attributes.
struct Argument {
  template <class T>
  Argument(const T& value) {}
  Argument(const char* text) {}
  Argument(std::initializer_list<Argument> list) {}
};
struct Attributes {
#define TILEWISE_ATTRIBUTE(Name) \
  template <class V>             \
  Attributes Name(V value);
  TILEWISE_ATTRIBUTE(AlignCorners)
  TILEWISE_ATTRIBUTE(Axis)
  TILEWISE_ATTRIBUTE(Channels)
  TILEWISE_ATTRIBUTE(DataFormat)
  TILEWISE_ATTRIBUTE(Dilations)
  TILEWISE_ATTRIBUTE(DctMethod)
  TILEWISE_ATTRIBUTE(DType)
  TILEWISE_ATTRIBUTE(Dtype)
  TILEWISE_ATTRIBUTE(ExclusiveMax)
  TILEWISE_ATTRIBUTE(ExpandAnimations)
  TILEWISE_ATTRIBUTE(ExplicitPaddings)
  TILEWISE_ATTRIBUTE(FancyUpscaling)
  TILEWISE_ATTRIBUTE(HalfPixelCenters)
  TILEWISE_ATTRIBUTE(IsTraining)
  TILEWISE_ATTRIBUTE(KeepDims)
  TILEWISE_ATTRIBUTE(NumSplit)
  TILEWISE_ATTRIBUTE(Padding)
  TILEWISE_ATTRIBUTE(Seed)
  TILEWISE_ATTRIBUTE(Seed2)
  TILEWISE_ATTRIBUTE(Shape)
  TILEWISE_ATTRIBUTE(SqueezeDims)
  TILEWISE_ATTRIBUTE(StrictWidth)
  TILEWISE_ATTRIBUTE(TransposeA)
  TILEWISE_ATTRIBUTE(TransposeB)
  TILEWISE_ATTRIBUTE(UseCudnnOnGpu)
  TILEWISE_ATTRIBUTE(UseLocking)
  TILEWISE_ATTRIBUTE(Epsilon)
  TILEWISE_ATTRIBUTE(Alpha)
  TILEWISE_ATTRIBUTE(Sorted)
  TILEWISE_ATTRIBUTE(ValidateIndices)
  TILEWISE_ATTRIBUTE(BeginMask)
  TILEWISE_ATTRIBUTE(EndMask)
  TILEWISE_ATTRIBUTE(ShrinkAxisMask)
  TILEWISE_ATTRIBUTE(Ratio)
  TILEWISE_ATTRIBUTE(ReshapeDims)
#undef TILEWISE_ATTRIBUTE
};
#define TILEWISE_OP(Name)                                                                      \
  class Name {                                                                                 \
   public:                                                                                     \
    using Attrs = Attributes;                                                                  \
    explicit Name(const Scope& scope) {}                                                       \
    Name(const Scope& scope, Argument a) {}                                                    \
    Name(const Scope& scope, Argument a, Argument b) {}                                        \
    Name(const Scope& scope, Argument a, Argument b, Argument c) {}                            \
    Name(const Scope& scope, Argument a, Argument b, Argument c, Argument d) {}                \
    Name(const Scope& scope, Argument a, Argument b, Argument c, Argument d, Argument e) {}    \
    Name(const Scope& scope, Argument a, Argument b, Argument c, Argument d, Argument e,       \
         Argument f) {}                                                                        \
    Name(const Scope& scope, Argument a, Argument b, Argument c, Argument d, Argument e,       \
         Argument f, Argument g) {}                                                            \
    operator ::tensorflow::Output() const;                                                     \
    operator ::tensorflow::Input() const;                                                      \
    ::tensorflow::Output operator[](std::size_t index) const;                                  \
    Node* node() const;                                                                        \
    template <class V>                                                                         \
    static Attrs DataFormat(V value);                                                          \
    template <class V>                                                                         \
    static Attrs Channels(V value);                                                            \
    template <class V>                                                                         \
    static Attrs IsTraining(V value);                                                          \
    template <class V>                                                                         \
    static Attrs Dilations(V value);                                                           \
    template <class V>                                                                         \
    static Attrs TransposeA(V value);                                                          \
    template <class V>                                                                         \
    static Attrs TransposeB(V value);                                                          \
    template <class V>                                                                         \
    static Attrs KeepDims(V value);                                                            \
    template <class V>                                                                         \
    static Attrs Seed(V value);                                                                \
    ::tensorflow::Output output, out, z, y, activations, backprops, loss, indices, values;     \
    ::tensorflow::Output image, batch_mean, batch_variance, product, sum, ref;                 \
    Operation operation;                                                                       \
  };
TILEWISE_OP(Abs)
TILEWISE_OP(Add)
TILEWISE_OP(AddN)
TILEWISE_OP(AddV2)
TILEWISE_OP(All)
TILEWISE_OP(Any)
TILEWISE_OP(ArgMax)
TILEWISE_OP(ArgMin)
TILEWISE_OP(AvgPool)
TILEWISE_OP(AvgPool3D)
TILEWISE_OP(BatchMatMul)
TILEWISE_OP(BatchMatMulV2)
TILEWISE_OP(BiasAdd)
TILEWISE_OP(Bincount)
TILEWISE_OP(BroadcastTo)
TILEWISE_OP(Cast)
TILEWISE_OP(Ceil)
TILEWISE_OP(Concat)
TILEWISE_OP(Conj)
TILEWISE_OP(Const3)
TILEWISE_OP(Conv2D)
TILEWISE_OP(Conv2DBackpropFilter)
TILEWISE_OP(Conv2DBackpropInput)
TILEWISE_OP(Conv3D)
TILEWISE_OP(Cos)
TILEWISE_OP(Cumsum)
TILEWISE_OP(DecodeBmp)
TILEWISE_OP(DecodeGif)
TILEWISE_OP(DecodeJpeg)
TILEWISE_OP(DecodePng)
TILEWISE_OP(DecodeRaw)
TILEWISE_OP(DepthwiseConv2dNative)
TILEWISE_OP(DequeueOp)
TILEWISE_OP(Diag)
TILEWISE_OP(Div)
TILEWISE_OP(DynamicPartition)
TILEWISE_OP(DynamicStitch)
TILEWISE_OP(Elu)
TILEWISE_OP(EncodeJpeg)
TILEWISE_OP(EncodePng)
TILEWISE_OP(Equal)
TILEWISE_OP(Erf)
TILEWISE_OP(Exp)
TILEWISE_OP(ExpandDims)
TILEWISE_OP(Fill)
TILEWISE_OP(Floor)
TILEWISE_OP(FloorDiv)
TILEWISE_OP(FusedBatchNorm)
TILEWISE_OP(FusedBatchNormV2)
TILEWISE_OP(FusedBatchNormV3)
TILEWISE_OP(Gather)
TILEWISE_OP(GatherV2)
TILEWISE_OP(GatherNd)
TILEWISE_OP(Greater)
TILEWISE_OP(GreaterEqual)
TILEWISE_OP(Identity)
TILEWISE_OP(InTopK)
TILEWISE_OP(Inv)
TILEWISE_OP(IsNan)
TILEWISE_OP(L2Loss)
TILEWISE_OP(LeakyRelu)
TILEWISE_OP(Less)
TILEWISE_OP(LessEqual)
TILEWISE_OP(Log)
TILEWISE_OP(Log1p)
TILEWISE_OP(LogSoftmax)
TILEWISE_OP(LogicalAnd)
TILEWISE_OP(LogicalNot)
TILEWISE_OP(LogicalOr)
TILEWISE_OP(LRN)
TILEWISE_OP(MatMul)
TILEWISE_OP(MatrixInverse)
TILEWISE_OP(Max)
TILEWISE_OP(MaxPool)
TILEWISE_OP(MaxPoolV2)
TILEWISE_OP(MaxPool3D)
TILEWISE_OP(Maximum)
TILEWISE_OP(Mean)
TILEWISE_OP(Merge)
TILEWISE_OP(Min)
TILEWISE_OP(Minimum)
TILEWISE_OP(MirrorPad)
TILEWISE_OP(Mod)
TILEWISE_OP(Mul)
TILEWISE_OP(Multinomial)
TILEWISE_OP(Multiply)
TILEWISE_OP(Neg)
TILEWISE_OP(Negate)
TILEWISE_OP(NoOp)
TILEWISE_OP(NotEqual)
TILEWISE_OP(OneHot)
TILEWISE_OP(OnesLike)
TILEWISE_OP(Pad)
TILEWISE_OP(PadV2)
TILEWISE_OP(ParseExample)
TILEWISE_OP(ParseSingleExample)
TILEWISE_OP(Placeholder)
TILEWISE_OP(PlaceholderWithDefault)
TILEWISE_OP(Pow)
TILEWISE_OP(Print)
TILEWISE_OP(Prod)
TILEWISE_OP(QuantizeV2)
TILEWISE_OP(Dequantize)
TILEWISE_OP(RandomNormal)
TILEWISE_OP(RandomShuffle)
TILEWISE_OP(RandomUniform)
TILEWISE_OP(RandomUniformInt)
TILEWISE_OP(Range)
TILEWISE_OP(Rank)
TILEWISE_OP(ReadFile)
TILEWISE_OP(Reciprocal)
TILEWISE_OP(Relu)
TILEWISE_OP(Relu6)
TILEWISE_OP(Reshape)
TILEWISE_OP(ResizeArea)
TILEWISE_OP(ResizeBicubic)
TILEWISE_OP(ResizeBilinear)
TILEWISE_OP(ResizeNearestNeighbor)
TILEWISE_OP(ReverseV2)
TILEWISE_OP(Reverse)
TILEWISE_OP(Round)
TILEWISE_OP(Rsqrt)
TILEWISE_OP(Select)
TILEWISE_OP(Selu)
TILEWISE_OP(Shape)
TILEWISE_OP(Sigmoid)
TILEWISE_OP(Sign)
TILEWISE_OP(Sin)
TILEWISE_OP(Size)
TILEWISE_OP(Slice)
TILEWISE_OP(Softmax)
TILEWISE_OP(SoftmaxCrossEntropyWithLogits)
TILEWISE_OP(Softplus)
TILEWISE_OP(SparseSoftmaxCrossEntropyWithLogits)
TILEWISE_OP(Split)
TILEWISE_OP(Sqrt)
TILEWISE_OP(Square)
TILEWISE_OP(SquaredDifference)
TILEWISE_OP(Squeeze)
TILEWISE_OP(Stack)
TILEWISE_OP(StridedSlice)
TILEWISE_OP(StringJoin)
TILEWISE_OP(Sub)
TILEWISE_OP(Subtract)
TILEWISE_OP(Sum)
TILEWISE_OP(Switch)
TILEWISE_OP(Tan)
TILEWISE_OP(Tanh)
TILEWISE_OP(Tile)
TILEWISE_OP(TopK)
TILEWISE_OP(Transpose)
TILEWISE_OP(TruncatedNormal)
TILEWISE_OP(Unique)
TILEWISE_OP(Unstack)
TILEWISE_OP(Variable)
TILEWISE_OP(VarIsInitializedOp)
TILEWISE_OP(Where)
TILEWISE_OP(Where3)
TILEWISE_OP(WriteFile)
TILEWISE_OP(ZerosLike)
TILEWISE_OP(Assign)
TILEWISE_OP(AssignAdd)
TILEWISE_OP(AssignSub)
TILEWISE_OP(ApplyAdam)
TILEWISE_OP(ApplyGradientDescent)
TILEWISE_OP(ApplyMomentum)
TILEWISE_OP(ScatterNd)
TILEWISE_OP(ScatterUpdate)
TILEWISE_OP(SegmentSum)
TILEWISE_OP(UnsortedSegmentSum)
TILEWISE_OP(TensorScatterUpdate)
TILEWISE_OP(DrawBoundingBoxes)
TILEWISE_OP(CropAndResize)
TILEWISE_OP(NonMaxSuppression)
TILEWISE_OP(SpaceToBatchND)
TILEWISE_OP(BatchToSpaceND)
TILEWISE_OP(SpaceToDepth)
TILEWISE_OP(DepthToSpace)
TILEWISE_OP(ExtractImagePatches)
TILEWISE_OP(FIFOQueue)
TILEWISE_OP(QueueDequeue)
TILEWISE_OP(QueueEnqueue)
TILEWISE_OP(TFRecordReader)
TILEWISE_OP(ReaderRead)
TILEWISE_OP(MatchingFiles)
TILEWISE_OP(Einsum)
TILEWISE_OP(MaxPoolGrad)
#undef TILEWISE_OP
::tensorflow::Output Const(const Scope& scope, std::initializer_list<Argument> values);
template <class V>
::tensorflow::Output Const(const Scope& scope, const V& value);
template <class V>
::tensorflow::Output Const(const Scope& scope, const V& value, const TensorShape& shape);
template <class T>
::tensorflow::Output Const(const Scope& scope, std::initializer_list<Argument> values);
template <class T>
::tensorflow::Output Const(const Scope& scope, std::initializer_list<Argument> values,
                           const TensorShape& shape);
using NodeOut = ::tensorflow::Output;
}  // namespace ops

class WritableFile;
class RandomAccessFile;
class Env {
 public:
  static Env* Default();
  Status NewRandomAccessFile(const std::string& path, std::unique_ptr<RandomAccessFile>* file);
  Status NewWritableFile(const std::string& path, std::unique_ptr<WritableFile>* file);
  Status GetFileSize(const std::string& path, std::uint64_t* size);
  Status FileExists(const std::string& path);
  Status GetMatchingPaths(const std::string& pattern, std::vector<std::string>* paths);
};
template <class Proto>
Status ReadBinaryProto(Env* env, const std::string& path, Proto* proto);
template <class Proto>
Status ReadTextProto(Env* env, const std::string& path, Proto* proto);
namespace io {
struct ZlibCompressionOptions {
  std::int64_t input_buffer_size;
};
struct RecordReaderOptions {
  enum CompressionType { NONE, ZLIB_COMPRESSION, SNAPPY_COMPRESSION };
  static RecordReaderOptions CreateRecordReaderOptions(const std::string& compression);
  CompressionType compression_type = NONE;
  std::int64_t buffer_size = 0;
  ZlibCompressionOptions zlib_options;
};
class RecordReader {
 public:
  explicit RecordReader(RandomAccessFile* file,
                        const RecordReaderOptions& options = RecordReaderOptions()) {}
  Status ReadRecord(std::uint64_t* offset, tstring* record);
};
class SequentialRecordReader {
 public:
  explicit SequentialRecordReader(RandomAccessFile* file,
                                  const RecordReaderOptions& options = RecordReaderOptions()) {}
  Status ReadRecord(tstring* record);
  std::uint64_t TellOffset();
};
std::string JoinPath(absl::string_view a, absl::string_view b);
}  // namespace io
class Flag {
 public:
  template <class T>
  Flag(const char* name, T* value, const std::string& usage) {}
};
class Flags {
 public:
  static bool Parse(int* argc, char** argv, const std::vector<Flag>& flags);
  static std::string Usage(const std::string& command, const std::vector<Flag>& flags);
};
namespace graph {
void SetDefaultDevice(const std::string& device, GraphDef* graph);
}  // namespace graph
namespace port {
void InitMain(const char* usage, int* argc, char*** argv);
}  // namespace port
namespace errors {
template <class... A>
Status NotFound(A&&... parts);
template <class... A>
Status InvalidArgument(A&&... parts);
}  // namespace errors
}  // namespace tensorflow

#endif
