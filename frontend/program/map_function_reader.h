// Reads the bodies of functions of maps, one reader a function.

#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/program/function_scope.h"
#include "frontend/program/map_function.h"

namespace tilewise::program {

class MapFunctions::Reader {
 public:
  Reader(MapFunctions& all, MapFunction& out) : all_(all), out_(out) {}
  void Count(std::string_view name, bool aside = false);
  // Takes a partial, before its function is read.
  void Take(const py::Instance& partial) { partial_ = &partial; }
  // What a function of an own module calls: its name, then theirs.
  void CountStated(const py::Sequence& stated);
  // A callee, or the function given to map itself.
  void ReadValue(const py::Value& value, const std::string& written, int nesting);
  // An item of a data set, whose class is the program's or a library's.
  void ReadItem(const py::Value& data, int nesting);
  // A step that a loader takes with each item: a function, or an object with one.
  void ReadStep(const py::Value& step, int nesting);

 private:
  // What an item of a library's class needs: its data, and what the program gave it.
  void ReadLibraryItem(const py::Instance& data, int nesting);
  // A transform of a library, or those that it is made of.
  void ReadLibraryObject(const py::Instance& object, int nesting);
  // A function that a call gives to a parameter. False: it is not known.
  bool ReadGiven(const GivenFunction& given, int nesting);
  // The function that a library's call runs: tf.py_function(f, ..).
  void ReadArgument(const py::Node* call, const py::Function& function, int nesting);
  // Counts what was read since then as often as a loop goes round.
  void Repeat(const py::Node* loop, size_t first_call, int64_t nodes);
  // What super().name(..) calls.
  bool ReadSuper(const py::Node* callee, const py::Function& function, int nesting);
  bool CountStatedCalls(const py::Value& value);
  // A function of a class, whose first parameter is `self`.
  void ReadBound(const py::Value& value, const py::Value* self, const std::string& written,
                 int nesting);
  void ReadLayer(const py::Instance& instance, const std::string& written, int nesting);
  void ReadFunction(const py::Function& function, const py::Value* self, int nesting);
  SmallValues SmallOf(const py::Function& function, const py::Value* self) const;
  void Walk(const py::Node* node, const py::Function& function, int nesting);
  // False: a statement of a block has returned.
  bool WalkParts(const py::Node* node, const py::Function& function, int nesting);
  // The branch that runs, where that is known; of two, else, what is typical of them.
  void WalkIf(const py::Node* node, const py::Node* condition, const py::Node* yes,
              const py::Node* no, const py::Function& function, int nesting);
  // Reads what self.name(..) calls, where that is known of the object.
  bool ReadMember(const py::Node* callee, const py::Function& function, int nesting);
  // Reads the functions of a table that the code around the call takes its callee from: each where
  // they run in turn, otherwise what is typical of them: a condition around the call picks one.
  bool ReadTable(const py::Node* callee, const py::Function& function, int nesting);
  void ReadCall(const py::Node* call, const py::Function& function, int nesting);
  void ReadCallee(const py::Node* callee, const py::Function& function, int nesting);
  void CountOperator(const py::Node* node);
  // The full name of a library's function; "" of anything else.
  std::string ImportedName(const py::Node* callee, const py::Function& function) const;
  // One of the functions runs for an element: what is typical of them is the work.
  bool ReadBranches(const py::Node* call, const py::Function& function, int nesting);
  // Sorts an argument's functions from what else it holds.
  void FindBranches(const py::Node* node, const py::Function& function,
                    std::vector<const py::Node*>& branches, std::vector<const py::Node*>& others);
  // Whether a name is that of a function, of the program or of a library.
  bool IsFunction(const py::Node* node, const py::Function& function) const;
  // What `reads` finds, by itself.
  template <typename Reads>
  MapFunction Apart(Reads reads) {
    MapFunction read;
    Reader reader(all_, read);
    reader.scope_ = scope_;
    reader.scope_.call = nullptr;
    reader.around_ = around_;
    reader.visited_ = visited_;
    reader.steps_ = steps_;
    reads(reader);
    steps_ = reader.steps_;
    return read;
  }
  MapFunction ReadBranch(const py::Node* branch, const py::Function& function, int nesting);
  void Add(const std::vector<MapFunction>& branches);

  static constexpr int kMaxNesting = 16;
  static constexpr int64_t kMaxSteps = 200'000;
  MapFunctions& all_;
  MapFunction& out_;
  int64_t steps_ = 0;
  FunctionScope scope_{{[](const py::Node*) { return ""; }, [](const py::Node*) { return false; }}};
  const py::Instance* partial_ = nullptr;  // whose function is read next
  bool of_item_ = false;                   // what is read next takes the number of an item
  const py::Function* around_ = nullptr;   // whose body is read
  std::set<const py::Node*> visited_;
};

}  // namespace tilewise::program
