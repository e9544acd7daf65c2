// The kernels that a source declares, so that a launch can be written with the right kind of call.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "simt/tokens.hpp"

namespace mskb::simt {

struct KernelDeclarations {
  std::set<std::string> parameter_lists;  // the tokens of each distinct list
  bool is_template = false;
  bool has_pack = false;
  bool has_default_argument = false;
  std::size_t required_template_arguments = 0;  // parameters without a default, the most of any declaration
};

struct KernelTable {
  std::map<std::string, KernelDeclarations, std::less<>> kernels;
  bool complete = true;  // false: the source includes headers of its own, which may declare more
};

KernelTable find_kernels(const std::vector<TokenStream>& streams);

// Number of arguments between the brackets at `open` and `close`, separated by commas outside any bracket.
std::size_t count_arguments(const std::vector<Token>& tokens, std::size_t open, std::size_t close);

}  // namespace mskb::simt
