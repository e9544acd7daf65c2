#include "wire/socket.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <thread>

#include "wire/keeper_messages.hpp"
#include "wire/worker_messages.hpp"

namespace mskb::wire {
namespace {

using namespace std::chrono_literals;

class Socket : public ::testing::Test {
 protected:
  SocketPair pair = make_socket_pair();
  std::uint32_t kind = 0;
  std::string body;
};

TEST_F(Socket, CarriesAMessage) {
  MapArena sent{};
  sent.bytes = 1234567890123;
  ASSERT_TRUE(send(pair.ours.get(), sent));
  ASSERT_EQ(receive_packet(pair.theirs.get(), kind, body, nullptr, 10s), Received::message);
  const auto received = decode<MapArena>(kind, body);
  ASSERT_TRUE(received.has_value());
  EXPECT_EQ(received->bytes, sent.bytes);
}

TEST_F(Socket, CarriesTheLargestMessages) {
  ASSERT_TRUE(send(pair.ours.get(), Findings{}));
  ASSERT_EQ(receive_packet(pair.theirs.get(), kind, body, nullptr, 10s), Received::message);
  EXPECT_TRUE(decode<Findings>(kind, body).has_value());
  ASSERT_TRUE(send(pair.ours.get(), OpenCase{}));
  ASSERT_EQ(receive_packet(pair.theirs.get(), kind, body, nullptr, 10s), Received::message);
  EXPECT_TRUE(decode<OpenCase>(kind, body).has_value());
}

TEST_F(Socket, KeepsMessagesApartAndInOrder) {
  for (std::uint32_t first = 0; first < 10; ++first) {
    ASSERT_TRUE(send(pair.ours.get(), AskLaunches{first}));
  }
  for (std::uint32_t first = 0; first < 10; ++first) {
    ASSERT_EQ(receive_packet(pair.theirs.get(), kind, body, nullptr, 10s), Received::message);
    EXPECT_EQ(decode<AskLaunches>(kind, body).value().first, first);
  }
}

TEST_F(Socket, CarriesADescriptor) {
  const UniqueFd memory(::memfd_create("test", MFD_CLOEXEC));
  ASSERT_EQ(::write(memory.get(), "contents", 8), 8);
  ASSERT_TRUE(send(pair.ours.get(), LoadCandidate{}, memory.get()));
  UniqueFd received;
  ASSERT_EQ(receive_packet(pair.theirs.get(), kind, body, &received, 10s), Received::message);
  ASSERT_TRUE(static_cast<bool>(received));
  EXPECT_NE(received.get(), memory.get());
  EXPECT_NE(::fcntl(received.get(), F_GETFD) & FD_CLOEXEC, 0);
  char text[9] = {};
  EXPECT_EQ(::pread(received.get(), text, 8, 0), 8);
  EXPECT_STREQ(text, "contents");
}

TEST_F(Socket, ClosesTheDescriptorsThatNobodyAskedFor) {
  const auto open_descriptors = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
  };
  const auto before = open_descriptors();
  std::uint32_t number = 7;
  iovec part{&number, sizeof number};
  alignas(cmsghdr) char control[CMSG_SPACE(3 * sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(3 * sizeof(int));
  const int sent[3] = {0, 1, 2};
  std::memcpy(CMSG_DATA(header), sent, sizeof sent);
  ASSERT_EQ(::sendmsg(pair.ours.get(), &message, 0), static_cast<ssize_t>(sizeof number));
  EXPECT_EQ(receive_packet(pair.theirs.get(), kind, body, nullptr, 1s), Received::message);
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(Socket, AMessageWithoutDescriptorLeavesNone) {
  ASSERT_TRUE(send(pair.ours.get(), LoadCandidate{}));
  UniqueFd received(::dup(0));
  ASSERT_EQ(receive_packet(pair.theirs.get(), kind, body, &received, 10s), Received::message);
  EXPECT_FALSE(static_cast<bool>(received));
}

TEST_F(Socket, TimesOut) { EXPECT_EQ(receive_packet(pair.theirs.get(), kind, body, nullptr, 1ms), Received::timed_out); }

TEST_F(Socket, ReportsAClosedEnd) {
  ASSERT_TRUE(send(pair.ours.get(), AskLaunches{3}));
  pair.ours.reset();
  EXPECT_EQ(receive_packet(pair.theirs.get(), kind, body, nullptr, 10s), Received::message);  // what was sent before still arrives
  EXPECT_EQ(receive_packet(pair.theirs.get(), kind, body, nullptr, 10s), Received::closed);
  EXPECT_FALSE(send(pair.theirs.get(), AskLaunches{4}));
}

TEST_F(Socket, WakesWhenTheOtherEndCloses) {
  std::thread closer([this] { pair.ours.reset(); });
  EXPECT_EQ(receive_packet(pair.theirs.get(), kind, body, nullptr, 60s), Received::closed);
  closer.join();
}

TEST_F(Socket, DecodeRefusesAnotherKindOrSize) {
  ASSERT_TRUE(send(pair.ours.get(), AskLaunches{3}));
  ASSERT_EQ(receive_packet(pair.theirs.get(), kind, body, nullptr, 10s), Received::message);
  EXPECT_FALSE(decode<MapArena>(kind, body).has_value());
  EXPECT_FALSE(decode<AskLaunches>(kind, body + "x").has_value());
  EXPECT_FALSE(decode<AskLaunches>(kind, body.substr(1)).has_value());
  EXPECT_TRUE(decode<AskLaunches>(kind, body).has_value());
}

TEST_F(Socket, ATooShortOrTooLongPacketEndsTheConversation) {
  ASSERT_EQ(::send(pair.ours.get(), "x", 1, 0), 1);
  EXPECT_EQ(receive_packet(pair.theirs.get(), kind, body, nullptr, 10s), Received::closed);
  const std::string large(100000, 'x');
  ASSERT_TRUE(send_packet(pair.ours.get(), 1, std::as_bytes(std::span(large))));
  EXPECT_EQ(receive_packet(pair.theirs.get(), kind, body, nullptr, 10s), Received::closed);
}

TEST(Messages, HaveDistinctKinds) {
  const std::uint32_t kinds[] = {WorkerReady::kind, WorkerFailure::kind, LoadCandidate::kind, Loaded::kind, MapArena::kind, Call::kind,
                                 Called::kind, AskLaunches::kind, LaunchPage::kind, AskLibraries::kind, LibraryPage::kind,
                                 Failure::kind, Done::kind, DeviceFacts::kind};
  for (std::size_t i = 0; i < std::size(kinds); ++i) {
    for (std::size_t j = i + 1; j < std::size(kinds); ++j) {
      EXPECT_NE(kinds[i], kinds[j]);
    }
  }
}

}  // namespace
}  // namespace mskb::wire
