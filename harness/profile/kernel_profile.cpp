#include "profile/kernel_profile.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.hpp"

namespace mskb {

std::vector<KernelProfile> kernels_by_time(const std::vector<LaunchProfile>& launches) {
  std::vector<KernelProfile> kernels;
  double total = 0;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const auto duration = launches[i].duration_us();
    if (!duration) {
      throw InputError(fmt::format("profiler's report: launch {} of {} has no gpu__time_duration.sum in a known unit", i, launches[i].kernel));
    }
    auto found = std::find_if(kernels.begin(), kernels.end(), [&](const KernelProfile& one) { return one.kernel == launches[i].kernel; });
    if (found == kernels.end()) {
      found = kernels.insert(kernels.end(), KernelProfile{});
      found->kernel = launches[i].kernel;
    }
    if (found->launches == 0 || *duration > found->longest_us) {
      found->longest_us = *duration;
      found->longest_launch = i;
    }
    ++found->launches;
    found->total_us += *duration;
    total += *duration;
  }
  for (KernelProfile& kernel : kernels) {
    kernel.share = total > 0 ? kernel.total_us / total : 1.0 / static_cast<double>(kernels.size());
  }
  std::stable_sort(kernels.begin(), kernels.end(), [](const auto& a, const auto& b) { return a.total_us > b.total_us; });
  return kernels;
}

}  // namespace mskb
