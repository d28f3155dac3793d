// The order is that of the help.

#include "cli/options/model_options.h"

namespace tilewise {

void Add(Arguments& arguments, ModelOptions& options) {
  Add(arguments, options.inputs);
  Add(arguments, options.config);
  Add(arguments, options.target);
  Add(arguments, options.training);
  Add(arguments, options.loop);
}

}  // namespace tilewise
