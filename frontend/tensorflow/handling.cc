// Which nodes are structure, and which are ops of the table.

#include <array>
#include <utility>

#include "frontend/tensorflow/evaluator.h"

namespace tilewise::tf {
namespace {

using H = Handling;

constexpr auto kHandlings = std::to_array<std::pair<std::string_view, Handling>>({
    {"Const", H::kConst},
    {"HostConst", H::kConst},
    {"Placeholder", H::kPlaceholder},
    {"PlaceholderV2", H::kPlaceholder},
    {"PlaceholderWithDefault", H::kPlaceholder},
    {"_Arg", H::kPlaceholder},
    {"_DeviceArg", H::kPlaceholder},
    {"_Retval", H::kForward},
    {"_DeviceRetval", H::kForward},
    {"VariableV2", H::kVariable},
    {"Variable", H::kVariable},
    {"AutoReloadVariable", H::kVariable},
    {"TemporaryVariable", H::kVariable},
    {"VarHandleOp", H::kVariable},
    {"_VarHandlesOp", H::kVariable},
    {"IteratorGetNext", H::kFeed},
    {"IteratorGetNextSync", H::kFeed},
    {"OptionalGetValue", H::kFeed},
    {"MultiDeviceIteratorGetNextFromShard", H::kFeed},
    {"OneShotIteratorGetNext", H::kFeed},
    {"InfeedDequeue", H::kFeed},
    {"InfeedDequeueTuple", H::kFeed},
    {"QueueDequeue", H::kFeed},
    {"QueueDequeueV2", H::kFeed},
    {"QueueDequeueMany", H::kFeed},
    {"QueueDequeueManyV2", H::kFeed},
    {"QueueDequeueUpTo", H::kFeed},
    {"QueueDequeueUpToV2", H::kFeed},
    {"Unstage", H::kFeed},
    {"_Recv", H::kFeed},
    {"_HostRecv", H::kFeed},
    {"DatasetToSingleElement", H::kFeed},
    {"IteratorGetNextAsOptional", H::kHost},
    {"ReaderReadV2", H::kHost},
    {"ReaderReadUpToV2", H::kHost},
    {"StackV2", H::kHost},
    {"Stack", H::kHost},
    {"FIFOQueueV2", H::kHost},
    {"FIFOQueue", H::kHost},
    {"PaddingFIFOQueueV2", H::kHost},
    {"RandomShuffleQueueV2", H::kHost},
    {"NoOp", H::kNothing},
    {"ControlTrigger", H::kNothing},
    {"Assert", H::kNothing},
    {"Print", H::kForward},
    {"PrintV2", H::kNothing},
    {"Enter", H::kForward},
    {"RefEnter", H::kForward},
    {"NextIteration", H::kForward},
    {"RefNextIteration", H::kForward},
    {"LoopCond", H::kForward},
    {"Exit", H::kExit},
    {"RefExit", H::kExit},
    {"Switch", H::kSwitch},
    {"RefSwitch", H::kSwitch},
    {"Merge", H::kMerge},
    {"RefMerge", H::kMerge},
    {"_XlaMerge", H::kMerge},
    {"StackPushV2", H::kForward},
    {"StackPush", H::kForward},
    {"StackPopV2", H::kPop},
    {"StackPop", H::kPop},
    {"PartitionedCall", H::kCall},
    {"StatefulPartitionedCall", H::kCall},
    {"TPUPartitionedCall", H::kCall},
    {"RemoteCall", H::kCall},
    {"XlaLaunch", H::kCall},
    {"XlaLaunchV2", H::kCall},
    {"BatchFunction", H::kCall},
    {"XlaCallModule", H::kUnknown},
    {"If", H::kIf},
    {"StatelessIf", H::kIf},
    {"XlaIf", H::kIf},
    {"Case", H::kCase},
    {"StatelessCase", H::kCase},
    {"While", H::kWhile},
    {"StatelessWhile", H::kWhile},
    {"XlaWhile", H::kWhile},
    {"TPUReplicate", H::kReplicate},
    {"_TPUReplicate", H::kReplicate},
    {"SymbolicGradient", H::kSymbolicGradient},
});

}  // namespace

Handling Evaluator::HandlingOf(std::string_view op) {
  for (const auto& [name, handling] : kHandlings) {
    if (name == op) return handling;
  }
  const bool host = op.find("Dataset") != std::string_view::npos ||
                    op.find("Iterator") != std::string_view::npos || op.ends_with("HashTableV2") ||
                    op.ends_with("HashTable") || op.ends_with("HashTableOfTensorsV2") ||
                    op.ends_with("ReaderV2");
  return host ? Handling::kHost : Handling::kUnknown;
}

Evaluator::OpEntry Evaluator::Entry(std::string_view op) {
  const auto [found, added] = ops_.try_emplace(op);
  if (!added) return found->second;
  OpEntry& entry = found->second;
  entry.handling = HandlingOf(op);
  if (entry.handling != Handling::kUnknown) return entry;
  entry.function = FindOp(op);
  if (entry.function != nullptr) {
    entry.handling = Handling::kPlain;
  } else if (state_.graph.Function(op) != nullptr) {
    entry.handling = Handling::kCall;
  }
  return entry;
}

}  // namespace tilewise::tf
