#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace mskb {

using Variables = std::map<std::string, double, std::less<>>;

// Arithmetic of task.yaml: numbers, names, + - * / % ^, parentheses, comparisons (< <= > >= == !=), `and`, `or`, and the functions
// log2, sqrt, floor, ceil, min, max, abs, pow2(x) (1 if x is a power of two). Evaluated in double: exact for integers up to 2^53.
// Throws InputError naming the expression, the position and the reason (unknown name, division by zero, stray text).
double evaluate_expression(std::string_view expression, const Variables& variables);

// The same, and refuses a result that is not an integer in [0, 2^53].
std::int64_t evaluate_count(std::string_view expression, const Variables& variables);

}  // namespace mskb
