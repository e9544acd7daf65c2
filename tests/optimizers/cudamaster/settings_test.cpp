#include <gmock/gmock.h>

#include <stdexcept>

#include "cudamaster/loop.hpp"

namespace mskb::cudamaster {
namespace {

using ::testing::HasSubstr;

TEST(CudaMasterSettings, AreThePapersWhereNothingIsSaid) {
  const Settings settings = settings_from({{"rounds", ""}, {"model", "m"}});
  EXPECT_EQ(settings.rounds, 3);
  EXPECT_EQ(settings.debug, 3);
  EXPECT_TRUE(settings.profile);
  EXPECT_EQ(settings.original_sizes, "");
}

TEST(CudaMasterSettings, TakeEveryAblationOfThePaper) {
  const Settings settings = settings_from({{"rounds", "1"}, {"debug", "0"}, {"profile", "none"}});
  EXPECT_EQ(settings.rounds, 1);
  EXPECT_EQ(settings.debug, 0);
  EXPECT_FALSE(settings.profile);
  EXPECT_TRUE(settings_from({{"profile", "full"}}).profile);
}

TEST(CudaMasterSettings, SayWhatToMend) {
  for (const auto& [name, value, message] :
       {std::tuple("rounds", "0", "option rounds: '0' is not a number from 1 to 100"),
        std::tuple("rounds", "three", "option rounds: 'three'"), std::tuple("debug", "-1", "option debug: '-1'"),
        std::tuple("debug", "3x", "option debug: '3x'"),
        std::tuple("profile", "all", "write none, filtered or full")}) {
    try {
      settings_from({{name, value}});
      ADD_FAILURE() << name << "=" << value << " was taken";
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), HasSubstr(message));
    }
  }
}

TEST(Manner, ReadsModelAndTemperature) {
  const agents::Manner manner =
      agents::manner_of({{"model", "m"}, {"temperature", "0.5"}, {"max_output_tokens", "1000"}});
  EXPECT_EQ(manner.model, "m");
  EXPECT_EQ(manner.temperature, 0.5);
  EXPECT_EQ(manner.max_output_tokens, 1000);
  EXPECT_EQ(agents::manner_of({{"temperature", ""}}).temperature, std::nullopt);
  EXPECT_THROW(agents::manner_of({{"temperature", "hot"}}), std::invalid_argument);
  EXPECT_THROW(agents::manner_of({{"temperature", "nan"}}), std::invalid_argument);
}

}  // namespace
}  // namespace mskb::cudamaster
