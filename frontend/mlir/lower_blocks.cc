// Blocks that jump to each other, as control flow without regions has them.

#include <string_view>
#include <utility>

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include "frontend/mlir/emit_loop.h"

namespace tilewise::mlir {
namespace {

using hlo::Opcode;

using BlockTable = absl::flat_hash_map<std::string_view, const Block*>;

const Operation* Terminator(const Block& block) {
  return block.operations.empty() ? nullptr : &block.operations.back();
}

// The blocks from `from` to the one that jumps back to `header`, when all
// between jump on without a choice; empty: they do not lead there.
std::vector<const Block*> ChainTo(const BlockTable& blocks, const Block* from,
                                  const Block* header) {
  std::vector<const Block*> chain;
  while (from != nullptr && chain.size() <= blocks.size()) {
    chain.push_back(from);
    const Operation* last = Terminator(*from);
    if (last == nullptr || last->successors.size() != 1) return {};
    const auto next = blocks.find(last->successors[0].block);
    if (next == blocks.end()) return {};
    if (next->second == header) return chain;
    from = next->second;
  }
  return {};
}

absl::StatusOr<std::vector<Index>> SuccessorValues(Body& body, const Operation& jump,
                                                   size_t successor) {
  std::vector<Index> values;
  for (ValueId value : jump.successors[successor].operands) {
    TW_ASSIGN_OR_RETURN(const Index index, body.Value(jump, value));
    values.push_back(index);
  }
  return values;
}

// The jumps at the end of a loop's header.
struct Header {
  const Block* block;
  std::vector<const Block*> chain;
  size_t inside = 0;  // the successor that goes round again
};

absl::Status StepOfBlocks(Body& inner, const Header& header) {
  const Block* at = header.block;
  size_t taken = header.inside;
  for (const Block* next : header.chain) {
    TW_ASSIGN_OR_RETURN(const std::vector<Index> values,
                        SuccessorValues(inner, *Terminator(*at), taken));
    TW_RETURN_IF_ERROR(BindAll(inner, *Terminator(*at), next->arguments, values));
    TW_RETURN_IF_ERROR(inner.LowerBlock(*next));
    at = next;
    taken = 0;
  }
  TW_ASSIGN_OR_RETURN(std::vector<Index> results, SuccessorValues(inner, *Terminator(*at), taken));
  inner.SetResults(std::move(results));
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Index>> LoopOfBlocks(Body& body, const Header& header,
                                                std::vector<Index> initial) {
  const Operation& jump = *Terminator(*header.block);
  absl::flat_hash_set<ValueId> seen;
  std::vector<ValueId> uses;
  CollectUses(*header.block, seen, uses);
  for (const Block* block : header.chain) CollectUses(*block, seen, uses);
  std::vector<ValueId> outer;
  for (ValueId value : uses) {
    if (body.Has(value)) outer.push_back(value);
  }
  const auto enter = [&](Body& inner, const std::vector<Index>& parts) {
    const absl::Status bound = BindAll(inner, jump, header.block->arguments, parts);
    return bound.ok() ? inner.LowerBlock(*header.block) : bound;
  };
  const auto condition = [&](Body& inner, const std::vector<Index>& parts) {
    TW_RETURN_IF_ERROR(enter(inner, parts));
    TW_ASSIGN_OR_RETURN(Index goes_on, inner.Operand(jump, 0));
    if (header.inside == 1) {
      goes_on = inner.Make(jump, Opcode::kNot, ArrayShape(DType::kPred, {}), {goes_on});
    }
    inner.SetResults({goes_on});
    return absl::OkStatus();
  };
  const auto step = [&](Body& inner, const std::vector<Index>& parts) {
    const absl::Status entered = enter(inner, parts);
    return entered.ok() ? StepOfBlocks(inner, header) : entered;
  };
  return EmitLoop(body, jump, std::move(initial), outer, condition, step);
}

}  // namespace

// Blocks that jump: straight on, and loops with one way out of their header.
absl::Status Body::LowerLoopOfBlocks(const Region& region) {
  BlockTable blocks;
  for (const Block& block : region.blocks) blocks[block.label] = &block;
  const Block* at = &region.blocks[0];
  for (size_t step = 0; step <= 2 * region.blocks.size(); ++step) {
    TW_RETURN_IF_ERROR(LowerBlock(*at));
    const Operation* last = Terminator(*at);
    if (last == nullptr || last->successors.empty()) return absl::OkStatus();
    size_t taken = 0;
    if (last->successors.size() > 1) {
      return lowering_.Error(*last, "expected a jump back to it, or none");
    }
    const auto next = blocks.find(last->successors[0].block);
    if (next == blocks.end()) return lowering_.Error(*last, "no such block");
    TW_ASSIGN_OR_RETURN(std::vector<Index> values, SuccessorValues(*this, *last, taken));
    at = next->second;
    const Operation* choice = Terminator(*at);
    if (choice != nullptr && choice->successors.size() == 2) {
      Header header{at, {}, 0};
      for (size_t way = 0; way < 2 && header.chain.empty(); ++way) {
        const auto inside = blocks.find(choice->successors[way].block);
        if (inside == blocks.end()) continue;
        header.chain = ChainTo(blocks, inside->second, at);
        header.inside = way;
      }
      if (header.chain.empty()) {
        return lowering_.Error(*choice, "expected a loop");
      }
      TW_ASSIGN_OR_RETURN(values, LoopOfBlocks(*this, header, std::move(values)));
      // The header runs once more, to leave the loop.
      TW_RETURN_IF_ERROR(BindAll(*this, *choice, at->arguments, values));
      TW_RETURN_IF_ERROR(LowerBlock(*at));
      taken = 1 - header.inside;
      const auto exit = blocks.find(choice->successors[taken].block);
      if (exit == blocks.end()) return lowering_.Error(*choice, "no such block");
      TW_ASSIGN_OR_RETURN(values, SuccessorValues(*this, *choice, taken));
      at = exit->second;
      last = choice;
    }
    TW_RETURN_IF_ERROR(BindAll(*this, *last, at->arguments, values));
  }
  return lowering_.Error(region.blocks[0].operations[0], "found jumps without an end");
}

}  // namespace tilewise::mlir
