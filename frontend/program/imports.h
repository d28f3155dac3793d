// What a text imports, told without parsing it.

#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace tilewise::program {

// Packages that models are written with.
inline constexpr std::string_view kFrameworks[] = {"torch",
                                                   "jax",
                                                   "flax",
                                                   "haiku",
                                                   "tensorflow",
                                                   "keras",
                                                   "tf_keras",
                                                   "lightning",
                                                   "transformers",
                                                   "pytorch_lightning",
                                                   "accelerate",
                                                   "equinox",
                                                   "optax",
                                                   "keras_hub",
                                                   "keras_nlp",
                                                   "keras_core",
                                                   "sentence_transformers"};

// Whether a folder is the checkout of a package under its name or another one: albert-master,
// my-albert.
bool IsCheckoutOf(const std::filesystem::path& folder, const std::string& package);

// Whether a text imports one of the packages.
bool Imports(std::string_view text, std::span<const std::string_view> packages);

// Whether it imports a module of the user's: one that lies beside it, or in a folder above.
bool ImportsBeside(std::string_view text, const std::string& path);

// Whether it makes the configuration that a training program is started with.
bool MakesConfiguration(std::string_view text);

}  // namespace tilewise::program
