// A stage of a data set as the module tensorflow.data keeps it, and as the
// program wrote it.

#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "frontend/program/map_function.h"
#include "frontend/program/trace.h"
#include "pipeline/pipeline.h"

namespace tilewise::program {

struct StageFacts {
  std::string kind, name;        // "map"; "tf.data.Dataset.range"
  const Place* place = nullptr;  // null: not in the user's code
  py::Dict* facts = nullptr;
};
// The facts that the tuple of tensorflow.data holds; null facts: it is none.
StageFacts StageFactsOf(const py::Value& tuple);

// A count as data sets take it; None counts as absent.
Count ToCount(const py::Value* value);
// The tensors of an element; nothing when a part of it is not known. `batch`:
// how many of the first dims count examples.
struct PlacedLeaf {
  Leaf leaf;
  int64_t batch = 0;
};
std::optional<std::vector<PlacedLeaf>> LeavesOf(const py::Value& element);
// Bytes of one example. `batch`: of the items, where it is known, else 0; a map may have moved it
// away from the first dims.
std::optional<Bytes> ElementBytes(const std::vector<PlacedLeaf>& leaves, int64_t batch);
// The value of a fact; null: there is none.
const py::Value* FactOf(const StageFacts& stage, std::string_view name);

class StageReader {
 public:
  using NoteFunction = std::function<void(const Location&, std::string)>;
  StageReader(SourceTexts& texts, MapFunctions& functions, NoteFunction note)
      : texts_(texts), functions_(functions), note_(std::move(note)) {}
  // `next`: the stage behind it; null: there is none.
  Stage Read(const StageFacts& facts, const StageFacts* next);

 private:
  void ReadPlace(const StageFacts& facts, const StageFacts* next, Stage& stage);
  void ReadLegacy(const StageFacts& facts, python::Node apply, Stage& stage);
  void ReadAmounts(const StageFacts& facts, Stage& stage);
  void ReadPaths(const StageFacts& facts, Stage& stage);
  void NoteUnknown(std::string_view what, const py::Value& value, const Location& at,
                   std::string_view consequence);
  Location PlaceOf(const Stage& stage, python::Node call, std::string_view parameter) const;

  SourceTexts& texts_;
  MapFunctions& functions_;
  NoteFunction note_;
  python::Node call_;  // of the stage that is being read
};

// The location of a call's name: of `map` in `ds.map(f)`.
Location NamePlace(python::Node call);
// The bytes between the parentheses of a call.
Span ArgumentsOf(python::Node call);
// The arguments of a call as written, by the names of its parameters.
std::vector<WrittenArgument> WrittenArguments(python::Node call,
                                              std::span<const std::string_view> parameters);
// The argument's value; null: the call does not name it.
python::Node ArgumentNode(python::Node call, size_t position, std::string_view keyword);

}  // namespace tilewise::program
