// What stands around a place in a script: functions, loops, conditions.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workload/source_facts.h"

namespace tilewise {

// The innermost context of that kind around `context`, itself included; -1:
// none.
int32_t Around(const SourceFacts& facts, int32_t context, ContextKind kind);
// The function or lambda around; -1: none.
int32_t FunctionAround(const SourceFacts& facts, int32_t context);
// The innermost loop around, within the same function; -1: none.
int32_t LoopAround(const SourceFacts& facts, int32_t context);
// Whether `context` is `outer` or inside it; -1 is the outermost.
bool IsInside(const SourceFacts& facts, int32_t context, int32_t outer);

// Whether what stands in `context` runs whenever `outer` does: between the two
// there are no conditions but those that pick one process of several, no other
// functions, no loops over something else.
bool RunsEachTime(const SourceFacts& facts, int32_t context, int32_t outer);
// Whether a condition around it, up to the function, speaks of debugging.
bool IsForDebugging(const SourceFacts& facts, int32_t context);

// The definition that a call of `name` ("f", "self.f", "Class.f") at `context` means: the
// nearest one by scope; -1: none in the files.
int32_t DefinitionOf(const SourceFacts& facts, std::string_view name, int32_t context);

const SourceArgument* ArgumentOf(const std::vector<SourceArgument>& arguments,
                                 std::string_view keyword);
// Whether False or false is written.
bool IsFalse(const SourceArgument& argument);
// Finds an argument by position, else by keyword; null: not given.
const SourceArgument* ArgumentOf(const SourceCall& call, size_t position, std::string_view keyword);

// Whether there is a program of a size that people write, up to 5,000 calls:
// rules on scripts compare calls with each other.
bool IsWritten(const SourceFacts& facts);

// The call at a place that a reader noted; null: none.
const SourceCall* CallAt(const SourceFacts& facts, const Location& place);

// "fit" of "model.fit" and of "fit".
std::string_view LastName(std::string_view dotted);
bool Contains(std::string_view text, std::string_view part);
// The same, whatever the case of `text`; `part` is in lower case.
bool Mentions(std::string_view text, std::string_view part);
bool IsOneOf(std::string_view name, const std::vector<std::string>& names);
bool IsOneOf(std::string_view name, std::span<const std::string_view> names);
// Whether a call of that name says how tensors are divided among cores: mark_sharding(..).
bool DividesTensors(std::string_view call);
// Whether a program of JAX names what has several devices work on a batch: Mesh, pmap.
bool NamesSharding(const SourceFacts& facts);
// Whether one of PyTorch/XLA names what starts a process for each device, or turns SPMD on.
bool NamesLaunch(const SourceFacts& facts);
// Whether `word` is one of "some|words".
bool IsOneOfWords(std::string_view word, std::string_view words);
bool HaveCommon(const std::vector<std::string>& a, const std::vector<std::string>& b);

// Whether a call of the files has that name, or one that starts with it and a
// dot.
bool Calls(const SourceFacts& facts, std::string_view name);
// Whether a file imports the package or a part of it.
bool Imports(const SourceFacts& facts, std::string_view package);

// Whether a loop runs a function that JAX compiles: the program does its work on the device without
// training a model.
bool LoopsOverCompiled(const SourceFacts& source);

}  // namespace tilewise
