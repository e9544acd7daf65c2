#pragma once
#include <array>
#include <set>
#include <string>
#include <string_view>

// What may be called how: names of task.yaml become names of C++ and of files.
namespace mskb {

// Letters of ASCII, digits and _, not beginning with a digit; at most 64. The pattern is the same as a regular expression.
bool is_word(std::string_view text);
inline constexpr const char* word_pattern = "^[A-Za-z_][A-Za-z0-9_]{0,63}$";

// Words that name neither a task nor a variable: C's and C++'s own, main, and those that oracle.hpp and the harness beside it define.
const std::set<std::string>& reserved_words();
inline constexpr const char* reserved_pattern = "^(mskb|MSKB)";

// Other tasks' entry points end so.
inline constexpr std::array entry_endings{"_bf16", "_optimized"};

// What expressions know beside the dims: s is the element size in costs, the others are functions.
inline constexpr std::array expression_words{"s", "log2", "sqrt", "floor", "ceil", "min", "max", "abs", "pow2"};

// Why there can be no such name, and how to mend it; empty where there can. A task's is that of its entry point, a C function; a dim's or an
// argument's is that of a variable of the oracle, an output's also of a type.
std::string fault_of_task_name(const std::string& name);
std::string fault_of_variable_name(const std::string& name);
std::string fault_of_dim_name(const std::string& name);

}  // namespace mskb
