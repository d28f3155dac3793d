// What a call names, and what an object holds that is called in its place.

#pragma once

#include <string>

#include "python/interpreter.h"

namespace tilewise::program {

// "tf.image.resize" of such a chain of attributes; "" of anything else.
std::string Written(const py::Node* node);
// What the program gave to a class or function of the own modules around it.
const py::Value* Inner(const py::Value& value);
bool IsOwn(const py::Module* module);
bool IsLayer(const py::Instance& instance);
bool IsParameter(const py::Function& function, py::Symbol name);

}  // namespace tilewise::program
