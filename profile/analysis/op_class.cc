// Names as XLA, TensorFlow, PyTorch, CUDA and ROCm write them.

#include "profile/analysis/op_class.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <initializer_list>

namespace tilewise {
namespace {

bool Contains(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

bool ContainsAny(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return Contains(text, word); });
}

bool StartsWithAny(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.starts_with(word); });
}

// "fusion.3" -> "fusion".
std::string_view Base(std::string_view name) {
  if (name.starts_with('%')) name.remove_prefix(1);
  const size_t dot = name.find_last_of('.');
  if (dot == std::string_view::npos || dot == 0) return name;
  const std::string_view digits = name.substr(dot + 1);
  const bool number = !digits.empty() && std::ranges::all_of(digits, [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
  return number ? name.substr(0, dot) : name;
}

bool IsCollectiveName(std::string_view text) {
  return StartsWithAny(text, {"all-reduce", "all-gather", "reduce-scatter", "all-to-all",
                              "collective-permute", "collective-broadcast", "ragged-all-to-all",
                              "all_reduce", "all_gather", "reduce_scatter", "nccl", "rccl",
                              "CollectiveReduce", "CrossReplicaSum", "NcclAllReduce"}) ||
         ContainsAny(text, {"all-reduce-scatter", "ncclDevKernel", "ncclKernel"});
}

bool IsMatmulName(std::string_view text) {
  return ContainsAny(text, {"convolution", "Conv2D", "Conv3D", "MatMul", "gemm", "Gemm", "GEMM",
                            "Cijk_", "cublas", "cudnn", "xmma", "DepthwiseConv", "Conv1D"}) ||
         text == "dot" || text.starts_with("dot_general");
}

bool IsCopyName(std::string_view text) {
  return StartsWithAny(text, {"copy", "data formatting", "transpose", "bitcast-convert",
                              "MEMCPYDtoD", "Memcpy DtoD", "reshape"});
}

// A copy's HLO line has both of its ends; host memory is space 5.
bool CrossesToHost(const ProfileOp& op, std::string_view base) {
  if (StartsWithAny(base, {"copy-start", "copy-done", "async-copy", "slice-start", "slice-done",
                           "dynamic-slice-start", "dynamic-update-slice-start"}) ||
      op.kind.starts_with("copy-")) {
    return Contains(op.hlo, "S(5)");
  }
  return StartsWithAny(op.kind, {"host send", "host recv", "host-send", "host-recv", "MEMCPYHtoD",
                                 "MEMCPYDtoH"}) ||
         ContainsAny(op.name, {"MEMCPYHtoD", "MEMCPYDtoH", "Memcpy HtoD", "Memcpy DtoH",
                               "MemcpyH2D", "MemcpyD2H", "CopyHostToDevice", "CopyDeviceToHost"});
}

bool IsNetwork(const ProfileOp& op) {
  return op.kind == "RecvTensor" || op.kind == "_Recv" || op.kind == "_HostRecv" ||
         op.kind == "_Send" || op.kind == "_HostSend" ||
         (op.kind.empty() && op.name == "RecvTensor");
}

int BitsOf(std::string_view type) {
  if (type == "pred" || type.starts_with("s8") || type.starts_with("u8") ||
      type.starts_with("f8")) {
    return 8;
  }
  if (type == "bf16" || type == "f16" || type == "s16" || type == "u16") return 16;
  if (type == "f32" || type == "s32" || type == "u32") return 32;
  if (type == "f64" || type == "s64" || type == "u64" || type == "c64") return 64;
  return type == "s4" || type == "u4" ? 4 : 0;
}

}  // namespace

std::string_view ProfileOpClassName(ProfileOpClass kind) {
  switch (kind) {
    case ProfileOpClass::kMatmul:
      return "matmul";
    case ProfileOpClass::kCompute:
      return "other compute";
    case ProfileOpClass::kCopy:
      return "copy";
    case ProfileOpClass::kCollective:
      return "collective";
    case ProfileOpClass::kHostTransfer:
      return "host transfer";
    case ProfileOpClass::kInfeed:
      return "input wait";
    case ProfileOpClass::kOutfeed:
      return "output";
    case ProfileOpClass::kNetwork:
      return "network wait";
    case ProfileOpClass::kContainer:
      return "loop";
    case ProfileOpClass::kIgnored:
      break;
  }
  return "marker";
}

bool IsQueueDequeue(std::string_view kind) {
  return StartsWithAny(kind, {"QueueDequeue", "ReaderRead", "QueueSize", "FIFOQueueDequeue",
                              "PaddingFIFOQueueDequeue", "RandomShuffleQueueDequeue",
                              "StageDequeue", "Unstage", "TPUInfeedDequeue"});
}

bool IsGetNext(std::string_view kind) {
  return StartsWithAny(kind, {"IteratorGetNext", "MultiDeviceIteratorGetNext", "OptionalGetValue",
                              "IteratorGetDevice"});
}

ProfileOpClass ClassOf(const ProfileOp& op) {
  const std::string_view base = Base(op.name);
  const std::string_view kind = op.kind.empty() ? base : std::string_view(op.kind);
  if (kind == "while" || kind == "conditional" || kind == "call") return ProfileOpClass::kContainer;
  if (kind == "NoOp") return ProfileOpClass::kIgnored;
  if (IsNetwork(op)) return ProfileOpClass::kNetwork;
  if (kind.starts_with("infeed") || base.starts_with("infeed") || IsQueueDequeue(kind) ||
      IsGetNext(kind) || kind == "PyFunc" || kind == "EagerPyFunc" || kind == "PyFuncStateless") {
    return ProfileOpClass::kInfeed;
  }
  if (kind.starts_with("outfeed") || base.starts_with("outfeed")) return ProfileOpClass::kOutfeed;
  if (CrossesToHost(op, base)) return ProfileOpClass::kHostTransfer;
  if (IsCollectiveName(kind) || IsCollectiveName(base)) return ProfileOpClass::kCollective;
  if (StartsWithAny(kind, {"send", "recv"})) return ProfileOpClass::kNetwork;
  if (IsMatmulName(kind) || IsMatmulName(base)) return ProfileOpClass::kMatmul;
  if (IsCopyName(kind) || (op.kind.empty() && IsCopyName(base))) return ProfileOpClass::kCopy;
  return ProfileOpClass::kCompute;
}

std::string_view HostClassName(HostClass kind) {
  switch (kind) {
    case HostClass::kInput:
      return "input";
    case HostClass::kCompile:
      return "compile";
    case HostClass::kTransfer:
      return "transfer";
    case HostClass::kDispatch:
      return "dispatch";
    case HostClass::kWaitsForDevice:
      return "waits for the device";
    case HostClass::kOther:
      break;
  }
  return "other";
}

HostClass HostClassOf(const ProfileOp& op) {
  const std::string_view name = op.name;
  const std::string_view kind = op.kind;
  if (IsQueueDequeue(kind) || IsGetNext(kind) || IsQueueDequeue(name) || IsGetNext(name) ||
      StartsWithAny(name, {"enumerate(DataLoader)", "InfeedEnqueue", "TransferToInfeed"}) ||
      name == "wait for input" ||
      ContainsAny(name, {"DataLoaderIter.__next__", "DataIterator.__next__", "get_next_batch"})) {
    return HostClass::kInput;
  }
  if (ContainsAny(name,
                  {"XlaCompil", "backend_compile", "PJRT_Client_Compile", "PjRtClient::Compile",
                   "PjRtStreamExecutorClient::Compile", "LocalClient::Compile", "TpuCompil",
                   "TpuCompilationCache", "compile_or_get_cached", "RunHloPasses", "RunBackend",
                   "XlaJitCompile", "CompileOnly", "TfrtTpuClient::Compile", "BuildExecutable"})) {
    return HostClass::kCompile;
  }
  if (name == "wait for the transfer" ||
      ContainsAny(name, {"TransferTo", "TransferFrom", "BufferFromHost", "device_put", "ToLiteral",
                         "CopyToHost", "CopyToDevice", "cudaMemcpy", "hipMemcpy", "TransferLiteral",
                         "H2D", "D2H"})) {
    return HostClass::kTransfer;
  }
  if (ContainsAny(
          name, {"block_until_ready", "BlockHostUntilReady", "BlockUntilReady", "Await",
                 "StreamSynchronize", "DeviceSynchronize", "_local_scalar_dense", "aten::item"})) {
    return HostClass::kWaitsForDevice;
  }
  if (name == "dispatch" ||
      ContainsAny(name, {"Execute", "PjitFunction", "LaunchKernel", "EnqueueProgram", "RunGraph",
                         "FunctionRun", "ExecutorState"})) {
    return HostClass::kDispatch;
  }
  return HostClass::kOther;
}

double LargestArrayBytes(std::string_view hlo) {
  double largest = 0;
  for (size_t open = hlo.find('['); open != std::string_view::npos;
       open = hlo.find('[', open + 1)) {
    size_t begin = open;
    while (begin > 0 && std::isalnum(static_cast<unsigned char>(hlo[begin - 1])) != 0) --begin;
    const int bits = BitsOf(hlo.substr(begin, open - begin));
    if (bits == 0) continue;
    double elements = 1;
    const char* at = hlo.data() + open + 1;
    const char* const end = hlo.data() + hlo.size();
    while (at < end && *at != ']') {
      int64_t dim = 0;
      const auto [next, error] = std::from_chars(at, end, dim);
      if (error != std::errc()) {
        ++at;
        continue;
      }
      elements *= static_cast<double>(dim);
      at = next;
    }
    largest = std::max(largest, elements * bits / 8);
  }
  return largest;
}

}  // namespace tilewise
