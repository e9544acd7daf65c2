#pragma once
#include <sys/types.h>

#include <set>
#include <string>

namespace mskb {

// Paths of the files of which a process has code mapped, as the kernel lists them; empty where it may not be read.
std::set<std::string> mapped_code(pid_t process);

}  // namespace mskb
