// What the text of a program alone says, without running it: its calls, what
// stands around them, what they are bound to, its imports and the versions it
// names. Names are full dotted names with import aliases resolved; what is not
// a library's is as written.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/location.h"
#include "base/units.h"

namespace tilewise {

// What the text alone says of an argument.
struct SourceArgument {
  std::string keyword;  // empty: positional
  // An integer literal, or a list or tuple of nothing else; empty: other.
  std::vector<int64_t> integers = {};
  // The first parameter (after self) of the function around the call, or its
  // shape: inputs, tf.shape(inputs), inputs.shape.
  bool of_parameter = false;
  // These are like `integers`, with arithmetic and with names that the file binds once, to a number
  // that can be computed: (SEQ, 2 * SEQ).
  std::vector<int64_t> sizes = {};
  std::string text = {};  // as written, at most 200 bytes
  std::string name = {};  // of a name or a chain of attributes: "jax.numpy.pi"
  std::optional<std::string> string = std::nullopt;  // a literal's
  std::vector<std::string> names = {};               // variables read, in order, once each
  int32_t call = -1;  // in SourceFacts::calls, when it is a call itself
  Span span = {};     // of C++: of the value, empty where a macro wrote it
};

// A call in a source file, by its full dotted name ("tensorflow.nn.moments").
// A method of an expression has a name that starts with a dot (".item").
struct SourceCall {
  std::string name;
  Location location;
  std::string function;                          // the function definition around it, if any
  bool in_dataset_function = false;              // inside a function given to Dataset.map & co.
  std::string class_name = {};                   // the class around that function, if any
  std::vector<SourceArgument> arguments = {};    // of a Python call, as written
  bool open = false;                             // has *args or **kwargs
  std::string receiver = {};                     // of a method, as written, at most 200 bytes
  std::vector<std::string> receiver_names = {};  // variables read there
  // Variables that the call's value is bound to as it is: `a, b = f()`, and
  // attributes: "self.step".
  std::vector<std::string> results = {};
  int32_t context = -1;      // in SourceFacts::contexts; -1: at the top
  int32_t outer = -1;        // the call that this one is (part of) an argument of
  Span arguments_span = {};  // between the parentheses
  Span name_span = {};       // of C++: the last part of the name
  Span statement = {};       // when the call alone is a statement; else empty
};

// A decorator: "jax.jit" with what it is given. functools.partial(f, ...) is
// f with those arguments.
struct SourceDecorator {
  std::string name;
  Location location;
  std::vector<SourceArgument> arguments;
  bool called = false;       // has parentheses
  Span arguments_span = {};  // between them
};

enum class ContextKind : uint8_t {
  kFunction,
  kLambda,
  kClass,
  kFor,
  kWhile,
  kComprehension,
  kIf,    // where `text` holds; also a case and an except clause
  kElse,  // where it does not; also behind `if text: continue`
  kWith,
  kModule,  // a file that the program imports: around all that stands at its top
};

// A block of code and what it depends on.
struct SourceContext {
  ContextKind kind = ContextKind::kFunction;
  int32_t parent = -1;  // in SourceFacts::contexts; -1: the top
  Location location;
  // Function, class: its name. With: the context manager's
  // ("strategy.scope", "tensorflow.device"). Module: the name by which calls from
  // other files go to what it defines ("engine.train_fn").
  std::string name;
  // A condition, or what a loop runs over, at most 200 bytes.
  std::string text;
  // Variables that `text` reads; of a function, those its body reads.
  std::vector<std::string> names;
  // Parameters, loop variables, what `as` binds.
  std::vector<std::string> targets;
  std::vector<SourceDecorator> decorators;  // of a function or class
  std::vector<std::string> bases;           // of a class
  int32_t call = -1;                        // what a loop runs over, the manager: in `calls`
};

// What the syntax tells of a value being an array of true and false.
struct MaskEvidence {
  bool sure = false;  // a comparison, ~x, isnan(x), x.bool()
  // It is one where one of these variables is: x, x & y, x.unsqueeze(-1).
  std::vector<std::string> if_any = {};
};

// `targets = value`, also with +=.
struct SourceAssignment {
  std::vector<std::string> targets;  // "x", "self.x", "cfg['x']"
  Location location;
  std::string text;                // of the value, at most 200 bytes
  std::string name;                // of a value that is a name or a chain of attributes
  std::vector<std::string> names;  // variables that the value reads
  int32_t call = -1;               // in `calls`, when the value is one
  int32_t context = -1;
  bool augmented = false;
  MaskEvidence mask = {};
};

// `object[index]`, read or assigned to.
struct SourceSubscript {
  Location location;                      // of the object
  std::string object;                     // as written, at most 200 bytes
  std::vector<std::string> object_names;  // variables read there
  std::string index;                      // as written, at most 200 bytes
  MaskEvidence mask;                      // of the index, or of a part of x[:, index]
  std::string function;                   // the function definition around it, if any
  bool in_dataset_function = false;       // as of a call
  int32_t context = -1;
  int32_t outer = -1;     // the call that it is (part of) an argument or receiver of
  bool assigned = false;  // object[index] = value, also with +=
  std::string value;      // that value, as written, at most 200 bytes
};

struct SourceImport {
  std::string name;  // as written: "keras.layers.Dense", "torch_xla"
  Location location;
};

// A version that the program asks for or checks: "tensorflow == 2.3".
struct PackageVersion {
  std::string package;   // "tensorflow", "keras", "jax", "torch_xla"
  std::string relation;  // "==", ">=", "<=", "~=", "<", ">"
  int32_t major = 0;
  int32_t minor = -1;  // -1: not stated
  Location location;
};

struct SourceSetting {
  std::string name;  // of an environment variable: "KERAS_BACKEND"
  std::string value;
  Location location;
};

struct SourceFacts {
  std::vector<SourceCall> calls;  // in file order
  // These calls are of modules that the program imports: what loads data, and what divides tensors
  // among cores.
  std::vector<SourceCall> imported_calls;
  // The program sets this with tf.keras.mixed_precision: "mixed_bfloat16", "float32",
  // "mixed_float16".
  std::optional<std::string> precision_policy;
  Location precision_policy_location;
  bool tpu_strategy = false;
  std::vector<SourceContext> contexts;  // outer before inner
  std::vector<SourceAssignment> assignments;
  std::vector<SourceSubscript> subscripts;  // in the order of the walk
  std::vector<SourceImport> imports;
  std::vector<PackageVersion> versions;
  std::vector<SourceSetting> environment;  // os.environ, %env

  // Puts what another file says behind what this one does.
  void Append(SourceFacts other);
};

// A file that the program imports, with what its text says.
struct ImportedFile {
  std::string path;
  SourceFacts facts;
};

// Appends what the imported files hold of functions and classes that the program
// comes to from its own file, each below a context of its file, and renames calls
// that go from one file to another to what DefinitionOf() finds. Returns the paths of
// the files of which anything was appended.
std::vector<std::string> AppendReached(std::vector<ImportedFile> files, SourceFacts& facts);

// Keras' warning in a log: "Method (on_train_batch_end) is slow compared to
// the batch update (0.12). Check your callbacks."
struct SlowBatchHook {
  std::string method;  // "on_train_batch_end"
  Location location;
  Seconds batch, hook;  // what each takes; 0: not said
};

}  // namespace tilewise
