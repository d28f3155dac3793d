// Kinds of arguments that several options share, with their checks.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace tilewise {

// A whole number from `least` to `most`; the message names the option.
CLI::Option* AddNumber(CLI::App& app, const std::string& name, int64_t& value,
                       int64_t most, const std::string& help, const char* group,
                       int64_t least = 1);

// Rules, globs: separated by commas, and the option may be repeated.
CLI::Option* AddList(CLI::App& app, const std::string& name,
                     std::vector<std::string>& list, const std::string& help,
                     const char* type, const char* group);

// A validator for one of a few words, with a suggestion for a misspelt one.
CLI::Validator OneOf(std::vector<std::string> words);

}  // namespace tilewise
