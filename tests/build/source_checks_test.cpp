#include "build/source_checks.hpp"

#include "build_fixture.hpp"

namespace mskb::testing {

TEST(OutsideInclude, IsRefused) {
  for (const char* text :
       {"#include \"/etc/passwd\"\n", "#include </etc/passwd>\n", "  #  include \"../secret.h\"\n",
        "#include \"a/../../secret.h\"\n", "#include /* why */ \"/etc/passwd\"\n", "#inc\\\nlude \"/etc/passwd\"\n",
        "#define FILE \"/etc/passwd\"\n#include FILE\n", "%:include \"/etc/passwd\"\n",
        "#include_next \"/etc/passwd\"\n", "#inc\\ \t\nlude \"/etc/passwd\"\n", "#inc\\\r\nlude \"/etc/passwd\"\n",
        "#embed \"/etc/passwd\"\n", "#if __has_include(\"/etc/passwd\")\n#endif\n", "#if __has_include(NAME)\n#endif\n",
        "#define ASK __has_include\n#if ASK(\"/etc/passwd\")\n#endif\n", "asm(\".include \\\"/etc/passwd\\\"\");\n", "asm(\".incbin \\\"/etc/passwd\\\"\");\n"}) {
    EXPECT_TRUE(find_outside_include(candidate_of(text))) << text;
  }
  EXPECT_THAT(*find_outside_include(candidate_of("\n\n#include \"../x.h\"\n")),
              StartsWith("scale.cu:3: #include of ../x.h reaches outside"));
}

TEST(OutsideInclude, OwnAndInstalledHeadersPass) {
  Candidate candidate = candidate_of(
      "#include <cuda_runtime.h>\n#include \"sub/tile.cuh\"\n#include <cub/block/block_reduce.cuh>\n"
      "#ifdef __has_include\n#if __has_include(<cuda_fp16.h>)\n#endif\n#endif\n"
      "// #include \"/etc/passwd\"\nconst char* text = \"#include </etc/passwd>\";\n");
  candidate.sources["sub/tile.cuh"] = "#include \"../other.cuh\"\n";
  EXPECT_FALSE(find_outside_include(candidate));
}

TEST(OutsideInclude, FileNamesStayInside) {
  for (const char* name : {"../x.cuh", "/tmp/x.cuh", "a/../../x.cuh", "", "mskb_shim.cu", "a\"b.cuh", "a\nb.cuh",
                           "a\\b.cuh", "folder/", "scale.cu/x.cuh", "candidate.yaml"}) {
    Candidate candidate = candidate_of(good_source);
    candidate.sources[name] = "";
    EXPECT_TRUE(find_outside_include(candidate)) << name;
  }
}

TEST_F(BuildTest, FilesThatAreNoCodeAreLeftAlone) {
  Candidate candidate = candidate_of("#include \"sub/value.txt\"\n#include \"sub/more.cuh\"\n" + good_source);
  candidate.sources["sub/value.txt"] = "static_assert(__LINE__ == 1, \"not translated\");\n";
  candidate.sources["sub/more.cuh"] = "#include \"../top.hpp\"\n";
  candidate.sources["top.hpp"] = "#pragma once\n";
  candidate.sources["notes.md"] = "launch it as k<<<1, 1>( and see __shared__ int\n";
  const BuildResult result = build(candidate);
  EXPECT_EQ(result.verdict, Verdict::passed) << result.detail;
}

TEST(EntryPoint, PrefersADefinedHostFunction) {
  const auto name = [](const char* text) { return find_entry_point(candidate_of(text), "scale").name; };
  EXPECT_EQ(name("void scale() {}"), "scale");
  EXPECT_EQ(name("void scale_optimized() {}"), "scale_optimized");
  EXPECT_EQ(name("void scale() {} void scale_optimized() { scale(); }"), "scale_optimized");
  EXPECT_EQ(name("__global__ void scale_optimized() {}\nvoid scale() { scale_optimized<<<1, 1>>>(); }"), "scale");
  EXPECT_EQ(name("__global__ void scale() {}\nvoid scale_optimized() { scale<<<1, 1>>>(); }"), "scale_optimized");
  EXPECT_EQ(name("// replaces scale_optimized\nvoid scale() noexcept {}"), "scale");
  EXPECT_EQ(name("void start(void (*scale_optimized)()); void scale() {}"), "scale");
}

TEST(EntryPoint, TellsWhatIsMissing) {
  EXPECT_TRUE(
      find_entry_point(candidate_of("void scaled() {} // scale\n const char* s = \"scale\";"), "scale").missing);
  EXPECT_TRUE(find_entry_point(candidate_of("extern \"C\" __global__ void scale() {}"), "scale").device_function);
  EXPECT_FALSE(find_entry_point(candidate_of("__host__ __device__ void scale() {}"), "scale").device_function);
  EXPECT_FALSE(find_entry_point(candidate_of("#define ENTRY scale\nvoid ENTRY() {}"), "scale").missing);
}

}  // namespace mskb::testing
