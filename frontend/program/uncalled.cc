// Which functions are run, in which order, and what is kept of them.

#include "frontend/program/uncalled.h"

#include <algorithm>
#include <array>
#include <set>

namespace tilewise::program {
namespace {

using py::NodeKind;

// Names of what a body calls or passes on: "f" of f(x), map(f), self.f().
void CollectCallees(const py::Node* node, std::set<py::Symbol>& names) {
  if (node == nullptr) return;
  const auto last = [&names](const py::Node* part) {
    if (part->kind == NodeKind::kName || part->kind == NodeKind::kAttribute) {
      names.insert(part->name);
    }
  };
  if (node->kind == NodeKind::kCall) {
    last(node->a);
    for (const py::Node* argument : node->list) {
      last(argument->kind == NodeKind::kKeyword ? argument->a : argument);
    }
  }
  for (const py::Node* part : {node->a, node->b, node->c, node->d}) CollectCallees(part, names);
  for (const py::Node* part : node->list) CollectCallees(part, names);
}

// Whether a text may make data sets, or says how a model is trained.
bool MayBuild(std::string_view text) {
  constexpr std::array<std::string_view, 9> kSigns = {
      "ataset", "tf.data", ".batch(", "tfds", "_ds", "ds.", ".fit(", ".compile(", "TPUStrategy"};
  return std::ranges::any_of(
      kSigns, [text](std::string_view sign) { return text.find(sign) != std::string_view::npos; });
}

bool IsKept(const Record& record) {
  constexpr std::array<std::string_view, 12> kKeptKinds = {
      "chain",    "use",      "input",      "input_end", "compile", "fitting",
      "strategy", "resolver", "iterations", "precision", "run",     "uncalled"};
  return std::ranges::count(kKeptKinds, record.kind) > 0;
}

class Uncalled {
 public:
  Uncalled(py::Interpreter& in, ProgramHost& host, const std::string& path)
      : in_(in), host_(host), path_(path) {}

  void Run() {
    constexpr int kMostFunctions = 200;
    std::set<py::Symbol> mentioned;
    for (const py::Function* function : in_.user_functions()) {
      if (function->called) called_.insert(function->node);
      std::set<py::Symbol> names;
      CollectCallees(function->node->a, names);
      names.erase(function->name);
      mentioned.merge(names);
    }
    int functions = 0;
    for (const bool roots : {true, false}) {
      for (size_t i = 0; i < in_.user_functions().size(); ++i) {
        const py::Function& function = *in_.user_functions()[i];
        if (function.called) called_.insert(function.node);
        if (function.module->file != path_ || called_.contains(function.node)) continue;
        if (roots && mentioned.contains(function.name)) continue;
        const py::Node* node = function.node;
        if (!MayBuild(host_.texts().Text(Span{path_, node->cell, node->begin, node->end}))) {
          continue;
        }
        if (++functions > kMostFunctions || left_ <= 0) return;
        called_.insert(node);
        CallOne(function);
      }
    }
  }

 private:
  void CallOne(const py::Function& function) {
    constexpr int64_t kSteps = 1'000'000;
    const int64_t steps = std::min(kSteps, left_);
    left_ -= steps / 8;
    in_.GuardSteps(steps, [&] {
      const py::Value entry = in_.Import("_tilewise_uncalled");
      py::Value owner = py::None();
      std::string kind = "plain";
      if (function.owner != nullptr) {
        const py::Value* member = function.owner->members.Find(function.name);
        const py::Wrapped* wrapped = member == nullptr ? nullptr : member->as<py::Wrapped>();
        if (wrapped != nullptr) {
          kind = wrapped->kind == py::Kind::kStaticMethod ? "static" : "class";
        }
        // A function within a method has the class as well, and is no member.
        const bool held = member != nullptr && (wrapped != nullptr || member->object == &function);
        if (held) owner = function.owner;
      }
      in_.Call(in_.Attribute(entry, in_.Name("call")),
               {const_cast<py::Function*>(&function), owner, in_.Text(kind)});
    });
  }

  py::Interpreter& in_;
  ProgramHost& host_;
  const std::string& path_;
  std::set<const py::Node*> called_;
  int64_t left_ = 4'000'000;
};

}  // namespace

void RunUncalledFunctions(py::Interpreter& in, ProgramHost& host, const std::string& path) {
  if (!in.Loaded("tensorflow")) return;
  std::vector<Record>& records = host.trace().records;
  const size_t kept = records.size();
  std::vector<Diagnostic> before = in.notes();
  in.notes().clear();
  // Nobody calls what makes a data set from here on.
  records.push_back({.kind = "uncalled"});
  const bool idle = in.idle;
  in.idle = true;
  Uncalled(in, host, path).Run();
  in.idle = idle;
  records.erase(std::remove_if(records.begin() + static_cast<std::ptrdiff_t>(kept), records.end(),
                               [](const Record& record) { return !IsKept(record); }),
                records.end());
  // What was decided on the way is said, what failed there is not.
  for (Diagnostic& note : in.notes()) {
    if (note.message.starts_with("cannot tell")) before.push_back(std::move(note));
  }
  in.notes() = std::move(before);
}

}  // namespace tilewise::program
