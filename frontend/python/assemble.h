// What the interpreter found -> Workload.

#pragma once

#include "frontend/python/interpreter.h"
#include "workload/workload.h"

namespace tilewise::python {

// Takes notes, facts, pipelines, model and host loop out of `in`. `calls` and
// `files` are the caller's to fill.
Workload Assemble(Interpreter& in);

}  // namespace tilewise::python
