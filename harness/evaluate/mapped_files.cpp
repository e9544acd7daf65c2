#include "evaluate/mapped_files.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace mskb {

std::set<std::string> mapped_code(pid_t process) {
  std::set<std::string> files;
  std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
  for (std::string line; std::getline(maps, line);) {
    // 7f0000-7f1000 r-xp 00000000 08:01 1234   /usr/lib/libc.so.6
    std::istringstream words(line);
    std::string addresses, rights, offset, device, node, path;
    words >> addresses >> rights >> offset >> device >> node >> std::ws;
    std::getline(words, path);
    std::error_code error;
    const bool is_device = path.starts_with("/dev/") && std::filesystem::is_character_file(path, error);
    if (rights.find('x') != std::string::npos && path.starts_with('/') && !is_device && !path.starts_with("/memfd:")) {
      files.insert(path);
    }
  }
  return files;
}

}  // namespace mskb
