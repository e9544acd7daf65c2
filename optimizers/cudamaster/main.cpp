// CUDAMaster over the language model that its options name.
#include <cstdlib>

#include "common/deadline_chat.hpp"
#include "common/session_options.hpp"
#include "cudamaster/loop.hpp"

namespace {

class CudaMaster : public mskb::Optimizer {
  static mskb::agents::Prompts own_prompts() {
    const char* folder = std::getenv("MSKB_OPTIMIZER_DIR");
    return mskb::agents::Prompts(std::string(folder != nullptr ? folder : ".") + "/prompts");
  }

  void check(const mskb::optimizer::Check& session) override {
    own_prompts().check(mskb::cudamaster::prompt_values());
    mskb::cudamaster::settings_from(session.options);
    mskb::agents::manner_of(session.options);
    mskb::agents::check_chat(mskb::agents::session_options(session));
  }

  mskb::optimizer::Submission optimize(const mskb::optimizer::Start& start,
                                       mskb::optimizer::Harness& harness) override {
    const auto deadline = mskb::agents::deadline_of(start.budget);
    const mskb::agents::Prompts prompts = own_prompts();
    const auto options = mskb::agents::session_options(start);
    const auto settings = mskb::cudamaster::settings_from(start.options);
    mskb::agents::DeadlineChat chat(mskb::agents::make_chat(options), deadline);
    mskb::agents::Agents agents(chat, harness, prompts, mskb::agents::manner_of(start.options), start.budget);
    return mskb::cudamaster::Loop(start, harness, agents, settings).run();
  }
};

}  // namespace

MSKB_OPTIMIZER_MAIN(CudaMaster)
