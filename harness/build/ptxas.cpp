#include "build/ptxas.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <regex>
#include <sstream>

namespace mskb {

namespace {

// The number before `unit` in a line such as "Used 14 registers, 128 bytes smem"; 0 when it is not there.
int number_before(const std::string& line, const std::string& unit) {
  const std::size_t at = line.find(" " + unit);
  if (at == std::string::npos) {
    return 0;
  }
  std::size_t begin = at;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') {
    --begin;
  }
  return std::atoi(line.substr(begin, at - begin).c_str());
}

}  // namespace

std::string demangle(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 && name ? name.get() : symbol;
}

std::vector<KernelResources> parse_ptxas(std::string_view text) {
  static const std::regex entry("Compiling entry function '([^']+)'");
  static const std::regex properties("Function properties for (\\S+)");
  std::vector<KernelResources> kernels;
  std::string symbol, current;  // the entry function; the function that the next lines speak of
  std::istringstream lines{std::string(text)};
  std::smatch found;
  for (std::string line; std::getline(lines, line);) {
    if (line.size() > 65536) {
      continue;
    }
    if (std::regex_search(line, found, entry)) {
      symbol = current = found[1];
      kernels.push_back({});
      kernels.back().kernel = demangle(symbol);
    } else if (std::regex_search(line, found, properties)) {
      current = found[1];
    } else if (kernels.empty() || current != symbol) {
      continue;
    } else if (line.find("bytes stack frame") != std::string::npos) {
      kernels.back().stack = number_before(line, "bytes stack frame");
      kernels.back().spill_stores = number_before(line, "bytes spill stores");
      kernels.back().spill_loads = number_before(line, "bytes spill loads");
    } else if (line.find("Used ") != std::string::npos && line.find(" registers") != std::string::npos) {
      kernels.back().registers = number_before(line, "registers");
      kernels.back().static_shared = number_before(line, "bytes smem");
    }
  }
  return kernels;
}

}  // namespace mskb
