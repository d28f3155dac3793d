// What surrounds a program that is run: where its modules and files come from.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "python/node.h"
#include "python/value.h"

namespace tilewise::py {

// What a module's source is and whose it is.
struct ModuleSource {
  Module::Origin origin = Module::Origin::kUser;
  std::string file;
  std::string text;
  std::string_view parsed;  // of tilewise's own, in place of the text (parsed_code.h)
  bool package = false;
  std::string folder;     // of a package
  std::string note;       // what is to be said of it
  LinePlaces lines = {};  // as ParseCode takes them
};

// What surrounds the program.
class Host {
 public:
  virtual ~Host() = default;
  // The source of a module; nullopt: there is none. `path`: the folders of the
  // package it is in, empty at the top. `for_own`: tilewise's own code asks.
  virtual std::optional<ModuleSource> FindModule(const std::string& dotted,
                                                 const std::vector<std::string>& path,
                                                 bool for_own) = 0;
  // Whether that is a module of tilewise's own.
  virtual bool KnowsModule(const std::string&) { return false; }
  // Adds native functions to a module that was made without source; false when
  // there is no such module.
  virtual bool FillNative(Interpreter&, Module&) { return false; }
  // A file beside the program; nullopt: it is not there.
  virtual std::optional<std::string> ReadFile(const std::string&) { return std::nullopt; }
  // Whether a text is a name that stands for those of files that are not here: what else they have
  // in their names is not known.
  virtual bool IsStandIn(std::string_view) { return false; }
  // What the program prints.
  virtual void Print(const std::string&) {}
  // Whether a condition that is not known (of an if, a conditional expression or
  // a case clause: `node`) is to be taken as true or false; nullopt: both ways run.
  virtual std::optional<bool> Decide(Interpreter&, const Node*) { return std::nullopt; }
  // Tells that the branch of `node` that first built something was taken.
  virtual void TookBuilder(Interpreter&, const Node*) {}
  // A round of a loop trained; loops tell it from the innermost on. `rounds`: how many there
  // are, where it goes over a range of numbers.
  virtual void LoopTrained(Interpreter&, const Node*, std::optional<int64_t> /*rounds*/) {}
  // How much of what the program computes was built so far, as a count of its own.
  virtual int64_t Built() const { return 0; }
  // A loop whose rounds cannot be counted ended, none of which trained; the round that was read
  // began when so much was `built`.
  virtual void RoundsUncounted(Interpreter&, int64_t /*built*/, const Unknown& /*why*/) {}
  // Whether an if within a loop trains in one of several rounds, and is taken in this one too:
  // its condition is `truth`.
  virtual bool TrainsInSomeRounds(Interpreter&, const Node*, bool /*truth*/) { return false; }
  // A name of the program's was given to an instance.
  virtual void Named(Symbol, Instance&) {}
  // Whether of two instances like this one, of two ways that may both run, the
  // first is as good as not knowing which.
  virtual bool TakesFirst(const Instance&) { return false; }
  // A value for what a check of the program finds missing; not set: there is none.
  virtual Value Missing(Interpreter&, Symbol /*name*/) { return {}; }
  // A method of what is not known; not set: it is not known either. `callee`: the
  // attribute, `value`: what it gave.
  virtual Value UnknownMethod(Interpreter&, const Node* /*callee*/, const Value& /*value*/) {
    return {};
  }
  // A name that nothing defines; not set: that is an error.
  virtual Value UndefinedName(Interpreter&, Symbol) { return {}; }
};

}  // namespace tilewise::py
