#pragma once
#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

#include "truth/compare.hpp"
#include "truth/module_body.hpp"
#include "truth/sums.hpp"

namespace mskb::truth {

// The loops of a task module on the host. Pieces of a loop are fixed by its length alone, so that results do not depend
// on the number of threads.
struct HostSide {
  static constexpr std::uint64_t scratch_doubles = 0;

  template <class Item, class Case, class Stages>
  static int fill(const Case& x, const Stages& s, double* to, std::int64_t count, Arithmetic arithmetic, double*,
                  void*) {
    over_pieces(count, [&](std::int64_t begin, std::int64_t end, std::int64_t) {
      for (std::int64_t i = begin; i < end; ++i) {
        to[i] = stored(element<Item>(x, s, i, arithmetic).want, arithmetic);
      }
    });
    return 0;
  }

  static int sort(double* values, std::int64_t count, void*) {
    std::sort(values, values + count);
    return 0;
  }

  template <class Item, class Case, class Stages>
  static int check(const Case& x, const Stages& s, ElementType type, const OutputRequest& request,
                   Arithmetic arithmetic, wire::OutputFindings* findings, double*, void*) {
    const auto count = static_cast<std::int64_t>(request.count);
    std::vector<OutputTally> tallies(static_cast<std::size_t>(pieces(count)), empty_tally());
    over_pieces(count, [&](std::int64_t begin, std::int64_t end, std::int64_t piece) {
      for (std::int64_t k = begin; k < end; ++k) {
        const std::uint64_t i = request.index == nullptr ? static_cast<std::uint64_t>(k) : request.index[k];
        tally_element(tallies[static_cast<std::size_t>(piece)], request, type, i,
                      element<Item>(x, s, static_cast<std::int64_t>(i), arithmetic));
      }
    });
    OutputTally total = empty_tally();
    for (const OutputTally& tally : tallies) {
      merge(total, tally);
    }
    *findings = conclude(total, request.accept);
    return 0;
  }

  template <class Item, class Case, class Stages>
  static int want(const Case& x, const Stages& s, std::uint64_t count, const std::uint64_t* index, double* wanted,
                  double* magnitude, Arithmetic arithmetic, double*, void*) {
    over_pieces(static_cast<std::int64_t>(count), [&](std::int64_t begin, std::int64_t end, std::int64_t) {
      for (std::int64_t k = begin; k < end; ++k) {
        const Value value = element<Item>(x, s, index == nullptr ? k : static_cast<std::int64_t>(index[k]), arithmetic);
        wanted[k] = value.want;
        if (magnitude != nullptr) {
          magnitude[k] = value.magnitude;
        }
      }
    });
    return 0;
  }

 private:
  template <class Item, class Case, class Stages>
  static Value element(const Case& x, const Stages& s, std::int64_t i, Arithmetic arithmetic) {
    if constexpr (SumOfTerms<Item, Case, Stages>) {
      return host_sum<Item>(x, s, i, arithmetic);
    } else {
      return direct<Item>(x, s, i);
    }
  }

  static constexpr std::int64_t piece_size = 1024;
  static std::int64_t pieces(std::int64_t count) { return (count + piece_size - 1) / piece_size; }

  // body(begin, end, piece) for every piece, on as many threads as there are processors; a loop of one piece starts
  // none.
  template <class Body>
  static void over_pieces(std::int64_t count, const Body& body) {
    const std::int64_t all = pieces(count);
    const auto run = [&](std::int64_t first, std::int64_t step) {
      for (std::int64_t piece = first; piece < all; piece += step) {
        body(piece * piece_size, std::min(count, (piece + 1) * piece_size), piece);
      }
    };
    const std::int64_t threads = std::min<std::int64_t>(all, std::max(1u, std::thread::hardware_concurrency()));
    std::vector<std::jthread> others;
    for (std::int64_t k = 1; k < threads; ++k) {
      others.emplace_back([&run, k, threads] { run(k, threads); });
    }
    if (all > 0) {
      run(0, std::max<std::int64_t>(threads, 1));
    }
  }
};

using ModuleSide = HostSide;

}  // namespace mskb::truth
