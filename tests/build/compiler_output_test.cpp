#include "build/first_error.hpp"
#include "build_fixture.hpp"

namespace mskb::testing {

TEST_F(BuildTest, BytesThatAreNotTextAreReplacedInTheDetailAndKeptInTheLog) {
  use_compiler("printf 'scale.cu(3): error: bad \\261 byte \\033[31m\\n' >&2\nexit 1");
  const BuildResult result = build(good_source);
  EXPECT_EQ(result.verdict, Verdict::build_failed);
  EXPECT_EQ(result.detail, "scale.cu(3): error: bad \xEF\xBF\xBD byte  [31m");
  EXPECT_THAT(read_file(result.log), HasSubstr("bad \xB1 byte"));
  EXPECT_EQ(build(good_source).detail, result.detail);  // through the cache's JSON
}

TEST_F(BuildTest, FiftyMegabytesOfErrorsAreCut) {
  use_compiler("yes 'scale.cu(1): error: no end of it' | head -c 50000000 >&2\nexit 2");
  const BuildResult result = build(good_source);
  EXPECT_EQ(result.verdict, Verdict::build_failed);
  EXPECT_EQ(result.detail, "scale.cu(1): error: no end of it");
  const auto size = std::filesystem::file_size(result.log);
  EXPECT_GE(size, 1u << 20);
  EXPECT_LT(size, 2u << 20);
  EXPECT_THAT(read_file(result.log), HasSubstr("exit: 2"));
}

TEST_F(BuildTest, SilentFailureHasADetail) {
  use_compiler("exit 3");
  EXPECT_EQ(build(good_source).detail, "the compiler ended with exit code 3 and said nothing");
}

TEST_F(BuildTest, KilledCompilerIsNotKept) {
  const std::string marker = (folder() / "alive").string();
  use_compiler("[ -e '" + marker + "' ] || { touch '" + marker + "'; kill -9 $$; }\nexec g++ \"$@\"");
  EXPECT_EQ(build(good_source).detail, "the compiler ended by signal 9");
  EXPECT_EQ(build(good_source).verdict, Verdict::passed);
}

// As nvcc says it: it catches the signal.
TEST_F(BuildTest, TerminatedCompilerIsNotKept) {
  const std::string marker = (folder() / "alive").string();
  use_compiler("[ -e '" + marker + "' ] || { touch '" + marker + "'; echo 'nvcc: Terminated' >&2; exit 255; }\nexec g++ \"$@\"");
  EXPECT_EQ(build(good_source).detail, "nvcc: Terminated");
  EXPECT_EQ(build(good_source).verdict, Verdict::passed);
}

TEST(FirstError, IsTheFirstLineThatSaysError) {
  EXPECT_EQ(first_error("x.cu: In function f:\nx.cu:3:1: warning: hm\nx.cu:4:2: error: no\nx.cu:5: error: later\n"),
            "x.cu:4:2: error: no");
  EXPECT_EQ(first_error("\n/usr/bin/ld: x.o: undefined reference to `g'\n"),
            "/usr/bin/ld: x.o: undefined reference to `g'");
  EXPECT_EQ(first_error("ptxas fatal   : Unresolved extern function\n"), "ptxas fatal   : Unresolved extern function");
  EXPECT_EQ(first_error("\nonly this\n"), "only this");
  EXPECT_EQ(first_error(""), "");
}

TEST(DisplayLine, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(display_line("a\xFF"
                         "b"),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(display_line("\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80"), "\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80");
  EXPECT_EQ(display_line("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");  // overlong
  EXPECT_EQ(display_line("\xE2\x82"), "\xEF\xBF\xBD\xEF\xBF\xBD");  // cut
  EXPECT_EQ(display_line(std::string("\0x\t", 3)), "x");
  EXPECT_EQ(display_line(std::string(1000, 'x'), 10), "xxxxxxxxxx...");
}

}  // namespace mskb::testing
