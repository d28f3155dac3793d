// Exceptions of Python said in words of C++, and calls that Clang leaves open.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/files/cpp_words.h"
#include "tests/cpp/model_reading.h"

namespace tilewise {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(CppWords, SaysWhatAClassHasNot) {
  EXPECT_EQ(InWordsOfCpp("what follows is read without this statement, which ends with "
                         "AttributeError: 'Net' object has no attribute 'fc' (in <torch/nn>:89:9)"),
            "what follows is read without this statement, which ends with 'Net' has no member "
            "'fc'");
}

TEST(CppWords, SaysWhereANameIsNot) {
  EXPECT_EQ(InWordsOfCpp("ImportError: cannot import name 'train' from '_cpp_train' (train.cpp)"),
            "'train' is not defined in the source that was read for it");
  EXPECT_EQ(InWordsOfCpp("NameError: name 'n' is not defined"), "'n' is not declared");
  EXPECT_EQ(InWordsOfCpp("this ends with TypeError: f() takes 2 values"),
            "this ends with f() takes 2 values");
}

TEST(CppWords, LeavesOtherNotesAlone) {
  EXPECT_EQ(InWordsOfCpp("the body of f() is in another file"),
            "the body of f() is in another file");
}

TEST(CppModel, GivesAFunctionOfTheProgramItsArgumentsInOrder) {
  EXPECT_THAT(
      Translated(std::string(kTorch) + "void train(torch::Device& device, Unknown& set) {}\n"
                                       "void f(torch::Device& device) { train(device, 3); }\n"),
      AllOf(HasSubstr("train(device, 3)"), Not(HasSubstr("_cpp.call(train"))));
}

}  // namespace
}  // namespace tilewise
