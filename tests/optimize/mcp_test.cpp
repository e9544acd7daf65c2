// The server of docs/mcp.md, message by message, over pipes; the session is a few lines of this test.
#include <gmock/gmock.h>
#include <unistd.h>

#include "base/unique_fd.hpp"
#include "optimize/mcp_channel.hpp"

namespace mskb {
namespace {

using ::testing::HasSubstr;

class Mcp : public ::testing::Test {
 protected:
  Mcp() {
    int in[2], out[2];
    EXPECT_EQ(::pipe(in) + ::pipe(out), 0);
    to_ = UniqueFd(in[1]), input_ = UniqueFd(in[0]), from_ = UniqueFd(out[0]), output_ = UniqueFd(out[1]);
    channel_ = std::make_unique<McpChannel>(input_.get(), output_.get(), "1.2.3");
    channel_->send(R"({"type": "start", "task": "copy", "cases": {"smoke": [], "check": []}})", {});
  }
  void say(const std::string& line) { ASSERT_EQ(::write(to_.get(), (line + "\n").data(), line.size() + 1), static_cast<ssize_t>(line.size() + 1)); }
  void say(int id, const std::string& method, const Json& params) {
    say(one_line({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}}));
  }
  void initialize() {
    say(0, "initialize", {{"protocolVersion", "2025-06-18"}, {"capabilities", Json::object()}, {"clientInfo", Json::object()}});
    say(R"({"jsonrpc": "2.0", "method": "notifications/initialized"})");
    serve();
    answer();
  }
  // What the session gets to see, all else being answered.
  ReceivedLine serve() { return channel_->receive(OptimizerChannel::Clock::now() + std::chrono::milliseconds(50)); }
  Json answer() {
    std::string line;
    for (char c = 0; ::read(from_.get(), &c, 1) == 1 && c != '\n';) {
      line += c;
    }
    return Json::parse(line);
  }
  Json answer_to(const std::string& line) {
    say(line);
    EXPECT_EQ(serve().kind, ReceivedLine::Kind::timed_out);
    return answer();
  }

  UniqueFd to_, input_, from_, output_;
  std::unique_ptr<McpChannel> channel_;
};

TEST_F(Mcp, AgreesOnAVersion) {
  for (const auto& [wanted, given] : std::map<std::string, std::string>{{"2024-11-05", "2024-11-05"}, {"2025-06-18", "2025-06-18"}, {"1999-01-01", "2025-11-25"}}) {
    say(1, "initialize", {{"protocolVersion", wanted}});
    serve();
    const Json reply = answer();
    EXPECT_EQ(reply["result"]["protocolVersion"], given);
    EXPECT_EQ(reply["result"]["serverInfo"]["version"], "1.2.3");
    EXPECT_TRUE(reply["result"]["capabilities"].contains("tools"));
  }
}

TEST_F(Mcp, RefusesWhatIsNoRequest) {
  EXPECT_EQ(answer_to("nonsense")["error"]["code"], -32700);
  EXPECT_EQ(answer_to("[]")["error"]["code"], -32600);
  EXPECT_EQ(answer_to(R"({"jsonrpc": "2.0", "id": )" + std::string(20000, '[') + std::string(20000, ']') + "}")["error"]["message"],
            "a message may nest 32 levels at most");
  EXPECT_EQ(answer_to(R"({"id": 1, "method": "ping"})")["error"]["code"], -32600);
  EXPECT_EQ(answer_to(R"({"jsonrpc": "2.0", "id": 7, "method": "tools/list"})")["error"]["message"], "initialize comes first");
  initialize();
  const Json unknown = answer_to(R"({"jsonrpc": "2.0", "id": "a", "method": "resources/list"})");
  EXPECT_EQ(unknown["error"]["code"], -32601);
  EXPECT_EQ(unknown["id"], "a");
  EXPECT_EQ(answer_to(R"({"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": {"name": "sing"}})")["error"]["code"], -32602);
  EXPECT_EQ(answer_to(R"({"jsonrpc": "2.0", "id": 9, "method": "ping"})")["result"], Json::object());
}

TEST_F(Mcp, ListsToolsWithTheSizeSetsOfTheTask) {
  initialize();
  const Json tools = answer_to(R"({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})")["result"]["tools"];
  ASSERT_EQ(tools.size(), 4u);
  EXPECT_EQ(tools[1]["name"], "evaluate");
  EXPECT_EQ(tools[1]["inputSchema"]["properties"]["cases"]["items"]["enum"], Json::array({"smoke", "check"}));
  for (const Json& tool : tools) {
    EXPECT_EQ(tool["inputSchema"]["type"], "object");
    EXPECT_FALSE(tool["description"].get<std::string>().empty());
  }
}

TEST_F(Mcp, TheTaskIsAnsweredWithoutTheSession) {
  initialize();
  const Json reply = answer_to(R"({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "task"}})");
  EXPECT_EQ(reply["result"]["structuredContent"]["task"], "copy");
  EXPECT_EQ(reply["result"]["isError"], false);
}

TEST_F(Mcp, ACallBecomesAMessageAndTheReplyItsResult) {
  initialize();
  say(5, "tools/call", {{"name", "profile"}, {"arguments", {{"source", "int a;"}, {"cases", {"smoke"}}}}});
  const ReceivedLine line = serve();
  ASSERT_EQ(line.kind, ReceivedLine::Kind::line);
  EXPECT_EQ(Json::parse(line.text), Json::parse(R"({"type": "evaluate", "cases": ["smoke"], "sources": {"kernel.cu": "int a;"}, "profile": true})"));
  channel_->send(R"({"type": "evaluation", "id": "abc", "verdict": "passed"})", {});
  const Json reply = answer();
  EXPECT_EQ(reply["id"], 5);
  EXPECT_EQ(reply["result"]["structuredContent"]["id"], "abc");
  EXPECT_THAT(reply["result"]["content"][0]["text"].get<std::string>(), HasSubstr("\"verdict\": \"passed\""));
}

TEST_F(Mcp, ErrorsAndStopsAreResultsThatSaySo) {
  initialize();
  for (const char* line : {R"({"type": "error", "message": "mend it", "left": 7})", R"({"type": "stop", "reason": "mend it"})"}) {
    say(6, "tools/call", {{"name", "submit"}, {"arguments", {{"id", "abc"}}}});
    EXPECT_EQ(serve().text, R"({"type":"submit","id":"abc"})");
    channel_->send(line, {});
    const Json reply = answer();
    EXPECT_EQ(reply["result"]["isError"], true);
    EXPECT_EQ(reply["result"]["content"][0]["text"], "mend it");
  }
}

TEST_F(Mcp, AStopThatNobodyAskedForIsNotSent) {
  initialize();
  channel_->send(R"({"type": "stop", "reason": "time"})", {});
  EXPECT_EQ(answer_to(R"({"jsonrpc": "2.0", "id": 9, "method": "ping"})")["id"], 9);
}

TEST_F(Mcp, TheSubmissionIsAnsweredAfterTheSession) {
  initialize();
  say(6, "tools/call", {{"name", "submit"}, {"arguments", {{"id", "abc"}}}});
  serve();
  channel_->answer_submission("a table", false);
  EXPECT_EQ(answer()["result"]["content"][0]["text"], "a table");
  say(7, "tools/call", {{"name", "evaluate"}, {"arguments", Json::object()}});
  to_.reset();
  channel_->serve_the_rest();
  EXPECT_EQ(answer()["result"]["isError"], true);
}

TEST_F(Mcp, AClosedEndIsTold) {
  to_.reset();
  EXPECT_EQ(serve().kind, ReceivedLine::Kind::closed);
}

}  // namespace
}  // namespace mskb
