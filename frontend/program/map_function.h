// What the function of a data set's map does: the library calls in its body and
// in the functions of the program that it calls.

#pragma once

#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "frontend/program/source_texts.h"
#include "pipeline/pipeline.h"
#include "python/interpreter.h"

namespace tilewise::program {

// Bodies of functions by file, cell and first byte.
using FunctionBodies = std::set<std::tuple<std::string, int32_t, int64_t>>;

class MapFunctions {
 public:
  // `program`: the file that is read.
  MapFunctions(std::string program, SourceTexts& texts)
      : program_(std::move(program)), texts_(texts) {}
  // `written`: the argument as the call has it; null where there is none. A tuple of names is what
  // a function of an own module is called and calls.
  MapFunction Read(const py::Value& function, python::Node written, const std::string& file);
  // What makes an item of a loader's data set, and the steps that the loader takes with it; null:
  // none.
  MapFunction ReadItems(const py::Value& data, const py::Sequence* steps);
  // These are the functions of the user's files that data sets call.
  const FunctionBodies& bodies() const { return bodies_; }
  const std::string& program() const { return program_; }

 private:
  class Reader;
  std::string program_;
  SourceTexts& texts_;
  FunctionBodies bodies_;
};

}  // namespace tilewise::program
