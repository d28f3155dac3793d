// What data sets and transforms of libraries hold of the program, and what they do themselves.

#pragma once

#include <string>
#include <vector>

#include "python/interpreter.h"

namespace tilewise::program {

// The data set under one that only picks items of it: Subset(data, ..); null: there is none.
const py::Value* DataUnder(const py::Instance& data);
// What a data set gives its items to, in order.
std::vector<py::Value> StepsOf(const py::Instance& data);
// The transforms that one of a library is made of.
std::vector<py::Value> PartsOf(const py::Instance& transform);
// Whether one of its parts runs for an item.
bool RunsOnePart(const py::Instance& transform);
// The function that a step of a loader holds for an item: map() of the program's class; null: it
// has none.
const py::Value* ItemFunctionOf(const py::Instance& step);
// What a class or function of a library calls for one item, as it says itself: "_item_calls".
std::vector<std::string> StatedCalls(const py::Value& value);
// "torchvision.transforms.Resize" of a class of a library.
std::string LibraryClassName(const py::Class& type);

}  // namespace tilewise::program
