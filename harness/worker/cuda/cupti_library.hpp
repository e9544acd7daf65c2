#pragma once
#ifdef MSKB_HAVE_CUPTI
#include <cupti.h>

#include <string>

namespace mskb::worker {

// The functions of CUPTI that we use, found at run time.
struct CuptiLibrary {
  decltype(&::cuptiActivityRegisterCallbacks) register_callbacks = nullptr;
  decltype(&::cuptiActivitySetAttribute) set_attribute = nullptr;
  decltype(&::cuptiActivityEnable) enable = nullptr;
  decltype(&::cuptiActivityDisable) disable = nullptr;
  decltype(&::cuptiActivityFlushAll) flush_all = nullptr;
  decltype(&::cuptiActivityGetNextRecord) next_record = nullptr;
  decltype(&::cuptiGetTimestamp) timestamp = nullptr;
  decltype(&::cuptiGetResultString) result_string = nullptr;

  // Empty when all were found, else why not.
  std::string open();
  std::string describe(CUptiResult result) const;
};

}  // namespace mskb::worker
#endif
