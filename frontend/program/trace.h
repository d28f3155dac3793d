// A program while it is read: the interpreter's values for tensors, what the
// framework modules recorded, and the tracer that makes the ops.

#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/program/tracer.h"
#include "frontend/slice_shape.h"
#include "python/interpreter.h"

namespace tilewise::program {

// A tensor of the program.
struct Tensor : py::Opaque {
  Tensor(Value v, Shape s) : value(std::move(v)), shape(std::move(s)) {}
  bool Alike(const py::Opaque& other) const override {
    const auto* tensor = dynamic_cast<const Tensor*>(&other);
    return tensor != nullptr && tensor->shape == shape && value.kind == tensor->value.kind &&
           value.kind == Value::Kind::kOp;
  }
  Value value;
  Shape shape;
};

// This is where the user's code is: the statement, and the call in it that is evaluated.
struct Place : py::Opaque {
  bool Alike(const py::Opaque& other) const override {
    return dynamic_cast<const Place*>(&other) != nullptr;
  }
  Location location;
  Span statement, call;  // empty ranges: there is none
};

// What a framework module says of the program, at the user's line.
struct Record {
  std::string kind;  // "loss", "optimizer", "step" ...
  Location location;
  Span statement, call;
  std::vector<std::pair<std::string, py::Value>> fields;
  const py::Value* Find(std::string_view name) const;
  // The field as a tensor, a text, a number; null or nullopt when it is none.
  const Tensor* tensor(std::string_view name) const;
  const std::string* text(std::string_view name) const;
  std::optional<double> number(std::string_view name) const;
  std::vector<const Tensor*> tensors(std::string_view name) const;
};

// Ops of a loop whose rounds cannot be counted: those of the round that was read.
struct UncountedRounds {
  Location location;
  OpId first = OpId(0), end = OpId(0);
  std::string why;
};

struct Trace {
  explicit Trace(std::string name) : tracer(std::move(name)) {}
  Tracer tracer;
  std::vector<Record> records;
  std::vector<UncountedRounds> uncounted;
  std::string scope;
  int64_t replicas = 8;
  bool asks_devices = false;  // for their number: it is made for several
  int64_t hosts = 1;
  SliceShape shape;
  // Sizes that stand for a dim that is not known: large primes, so that what
  // is computed of them can be told.
  std::vector<int64_t> open_dims;
  // Whether a size of weights and of results that is not known is taken as one.
  bool assumes_sizes = false;
  bool assumed_size = false;  // one was
  // Those that were taken, by why they are not known: what results have of them agrees.
  std::map<std::string, int64_t, std::less<>> taken_sizes;
  // The size that was taken for what is not known; null: none was, or it is known.
  const int64_t* TakenSize(const py::Value& value) const;
  // Whether a size of the shape is one of them, or is computed of one.
  bool StandsIn(const Shape& shape) const;
  // The sizes that placeholders are fed, by the order in which they are made; 0: not known.
  std::map<int64_t, std::vector<int64_t>> fed;
  // Names that stand for those of files that are not here, without their endings.
  std::set<std::string, std::less<>> assumed_names;
  // The class of data sets, once one was made, and the names of the program that
  // hold them: the last one of each.
  const py::Class* chain_type = nullptr;
  std::map<const py::Object*, std::string> chain_names;
};

// The name of a file without its folder and its endings.
std::string_view StemOf(std::string_view path);

// The location in the user's code now.
void FillPlace(const py::Interpreter& in, Location& location, Span& statement, Span& call);

// Says at the user's line that the model has less than the program.
void NoteLowerBound(py::Interpreter& in, std::string_view what, const py::Unknown& why);
// Says of each loop of uncounted rounds that the step needs that one round is counted.
void NoteUncountedRounds(py::Interpreter& in, const Trace& trace, const StepRequest& request);
// The size that is taken for one that is not known, with a note.
int64_t AssumedSize(py::Interpreter& in, const py::Unknown& why);

// Fills `_tilewise`.
void DefineTensors(py::Interpreter& in, py::Module& module);
// The part of it that says what is open.
void DefineOpen(py::Interpreter& in, py::Module& module);
// The part of it that marks what is traced.
void DefineMarks(py::Interpreter& in, py::Module& module);
// Fills `_python`: files, patterns and signatures.
void DefineHelpers(py::Interpreter& in, py::Module& module);
void DefineNumberLists(py::Interpreter& in, py::Module& module);

// The trace of the program that `in` runs.
Trace& TraceOf(py::Interpreter& in);

}  // namespace tilewise::program
