// What every command takes that lowers a program for a machine.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/options/arguments.h"
#include "cli/options/config_options.h"
#include "cli/options/target_options.h"
#include "cli/options/training_options.h"

namespace tilewise {

// The user's program: files, folders, models of the zoo; and their format.
struct InputOptions {
  std::vector<std::string> files;
  std::string format;  // of all of them; empty: the content decides
};

void Add(Arguments& arguments, InputOptions& options);
// The same where no file is needed; `help`: what files mean then.
void AddOptional(Arguments& arguments, const std::string& help, InputOptions& options);

struct LoweringOptions {
  std::vector<std::string> disabled_passes;
  std::string dump_folder;  // for the program after every pass; empty: none
};

void Add(Arguments& arguments, LoweringOptions& options);

// --dump-lowering.
void AddDump(Arguments& arguments, LoweringOptions& options);

struct SearchOptions {
  int64_t max_global_batch = 0;  // 0: any
};

void Add(Arguments& arguments, SearchOptions& options);

struct ModelOptions {
  InputOptions inputs;
  ConfigOptions config;
  TargetOptions target;
  TrainingOptions training;
  LoopOptions loop;
  LoweringOptions lowering;
};

// All but those of the lowering.
void Add(Arguments& arguments, ModelOptions& options);

}  // namespace tilewise
