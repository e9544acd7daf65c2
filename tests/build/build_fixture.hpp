#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/files.hpp"
#include "base/subprocess.hpp"
#include "build/builder.hpp"
#include "build/compiler.hpp"

namespace mskb::testing {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

inline Argument argument_of(std::string name, Role role, bool real = true) {
  Argument argument;
  argument.name = std::move(name);
  argument.role = role;
  argument.real = real;
  argument.type = role == Role::dim ? ElementType::i32 : ElementType::f32;
  if (argument.is_buffer()) {
    argument.shape.emplace_back("n");
  }
  return argument;
}

// out[i] = factor * in[i], factor with a published default; the entry points are scale and scale_bf16.
inline Task scale_task() {
  Task task;
  task.name = std::string("scale");
  task.dims = {{"n", "elements"}};
  task.signature = {argument_of("in", Role::in), argument_of("out", Role::out), argument_of("n", Role::dim, false),
                    argument_of("factor", Role::scalar)};
  task.signature.back().has_default = true;
  return task;
}

inline const std::string good_source =
    "extern \"C\" void scale_optimized(const float* in, float* out, int n, float factor) {\n"
    "  for (int i = 0; i < n; ++i) out[i] = factor * in[i];\n"
    "}\n";

inline Candidate candidate_of(const std::string& source, const std::string& origin = "file:scale.cu") {
  Candidate candidate;
  candidate.origin = origin;
  candidate.main_source = "scale.cu";
  candidate.sources["scale.cu"] = source;
  return candidate;
}

// Builds for the CPU backend into a cache of its own.
class BuildTest : public ::testing::Test {
 protected:
  BuildResult build(const std::string& source) { return build(candidate_of(source)); }
  BuildResult build(const Candidate& candidate) { return builder().candidate(problem(), candidate); }

  Problem problem() const { return {&task_, precision_}; }
  Builder builder() const { return Builder(MSKB_SOURCE_DIR, cache(), options_); }
  std::filesystem::path cache() const { return folder_.path() / "cache"; }
  const std::filesystem::path& folder() const { return folder_.path(); }

  // A program that stands in for the compiler: a shell script. `--version` is answered for it. It may
  // write into the test's folder, so it runs without a sandbox.
  void use_compiler(const std::string& script) {
    const std::filesystem::path path = folder_.path() / "compiler";
    write_file_atomically(path, "#!/bin/sh\nif [ \"$1\" = --version ]; then echo fake 1; exit 0; fi\n" + script + "\n");
    std::filesystem::permissions(path, std::filesystem::perms(0755));
    options_.compiler = path;
    options_.sandbox = SandboxLevel::none;
  }
  // The real compiler, with one line added to calls.txt per run.
  void count_compiler_runs() {
    use_compiler("echo run >> '" + (folder_.path() / "calls.txt").string() + "'\nexec g++ \"$@\"");
  }
  int compiler_runs() const {
    const std::filesystem::path calls = folder_.path() / "calls.txt";
    return std::filesystem::exists(calls) ? static_cast<int>(read_file(calls).size() / 4) : 0;
  }

  Task task_ = scale_task();
  Precision precision_ = Precision::fp32;
  BuildOptions options_;

 private:
  TemporaryDirectory folder_;
};

inline bool have_nvcc() { return !find_compiler(Backend::cuda).empty(); }

}  // namespace mskb::testing
