#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "keeper/keeper.hpp"
#include "keeper/oracle_guard.hpp"

namespace mskb::keeper {

using wire::Damage;

namespace {
constexpr std::uint64_t piece = 1 << 20;        // elements of the true output at a time
constexpr std::uint64_t most_moments = 1 << 16;  // partial sums of a spread

truth::Arithmetic arithmetic_of(Damage damage) {
  switch (damage) {
    case Damage::forward_fp32: return truth::Arithmetic::forward_fp32;
    case Damage::blocked_fp32: return truth::Arithmetic::blocked_fp32;
    case Damage::strided_fp32: return truth::Arithmetic::strided_fp32;
    case Damage::dropped_term: return truth::Arithmetic::dropped_term;
    case Damage::bf16_accumulate: return truth::Arithmetic::bf16_accumulate;
    default: return truth::Arithmetic::exact;
  }
}

bool is_honest(Damage damage) {
  return damage == Damage::none || damage == Damage::forward_fp32 || damage == Damage::blocked_fp32 ||
         damage == Damage::strided_fp32;
}

truth::InputRounding rounding_of(Damage damage) {
  return damage == Damage::bf16_inputs   ? truth::InputRounding::bf16
         : damage == Damage::tf32_inputs ? truth::InputRounding::tf32
                                         : truth::InputRounding::none;
}
}  // namespace

const double* Keeper::held_truth(int k) {
  const wire::ArgumentSpec& output = argument(k);
  if (!generated_ || arithmetic_ != truth::Arithmetic::exact || rounding_ != truth::InputRounding::none ||
      output.accept.kind == AcceptKind::order) {
    return nullptr;
  }
  HeldTruth& held = held_[k];
  const std::uint64_t bytes = output.elements * sizeof(double);
  if (!held.asked) {
    held.asked = true;
    if (bytes <= device_->facts().free_bytes / 4) {
      held.memory = device_->allocate(bytes);
    }
  }
  if (held.memory == nullptr) {
    return nullptr;
  }
  auto* want = reinterpret_cast<double*>(held.memory->data());
  if (!held.filled) {
    allow(in_oracle([&] {
            return module_->want(view(), static_cast<std::uint32_t>(k), output.elements, nullptr, want, nullptr, device_->stream());
          }),
          "want");
    held.filled = true;
  }
  return want;
}

template <class Body>
void Keeper::over_truth(int k, const Body& body) {
  const wire::ArgumentSpec& output = argument(k);
  const std::uint64_t n = output.elements, size = element_bytes(output.type);
  if (const double* held = held_truth(k)) {
    body(0, n, held);
    return;
  }
  const std::uint64_t step = std::min(piece, n);
  const bool in_order = output.accept.kind == AcceptKind::order;
  std::byte* memory = workspace(2 * wire::aligned(step * sizeof(double)) + (in_order ? wire::aligned(n * size) : 0));
  auto* want = reinterpret_cast<double*>(memory);
  auto* index = reinterpret_cast<std::uint64_t*>(memory + wire::aligned(step * sizeof(double)));
  std::byte* sorted = memory + 2 * wire::aligned(step * sizeof(double));
  if (in_order) {
    device_->copy(sorted, contents(k), n * size);
    if (rounding_ != truth::InputRounding::none && output.type == ElementType::f32) {
      device_->run(RoundElements{rounding_, reinterpret_cast<float*>(sorted)}, n);
    }
    device_->sort(sorted, n, output.type);
  }
  for (std::uint64_t at = 0; at < n; at += step) {
    const std::uint64_t count = std::min(step, n - at);
    if (in_order) {
      device_->run(ReadValues{sorted, at, output.type, want}, count);
    } else {
      device_->run(WriteRange{at, index}, count);
      allow(in_oracle([&] {
            return module_->want(view(), static_cast<std::uint32_t>(k), count, index, want, nullptr, device_->stream());
          }),
          "want");
    }
    body(at, count, want);
  }
}

double Keeper::spread_one(int k, wire::Spread& spread) {
  const auto n = static_cast<double>(argument(k).elements);
  const std::unique_ptr<Memory> memory = device_->allocate(most_moments * sizeof(Moments));
  auto* partial = reinterpret_cast<Moments*>(memory->data());
  std::vector<Moments> parts;
  Moments total = no_moments();
  double origin = 0;
  over_truth(k, [&](std::uint64_t at, std::uint64_t count, const double* want) {
    if (at == 0) {
      device_->copy_to_host(&origin, want, sizeof origin);
    }
    parts.resize(std::min(count, most_moments));
    device_->run(AddMoments{want, count, parts.size(), origin, partial}, parts.size());
    device_->copy_to_host(parts.data(), partial, parts.size() * sizeof(Moments));
    for (const Moments& part : parts) {
      total.merge(part);
    }
  });
  spread.mean[k] = origin + total.sum / n;
  spread.deviation[k] = std::sqrt(std::fmax(0.0, total.squares / n - (total.sum / n) * (total.sum / n)));
  spread.smallest[k] = total.smallest;
  spread.largest[k] = total.largest;
  return spread.mean[k];
}

wire::Spread Keeper::spread() {
  require_contents();
  fill_stages(truth::Arithmetic::exact, truth::InputRounding::none);
  wire::Spread spread{};
  device_->clear_results();
  for (int k = 0; k < argument_count(); ++k) {
    if (argument(k).is_buffer() && argument(k).is_read()) {
      device_->run(Fingerprint{contents(k), argument(k).elements, argument(k).type}, quads(argument(k).elements),
                   &device_->results()->contents[k]);
    }
  }
  const Results found = device_->fetch_results();
  for (int k = 0; k < argument_count(); ++k) {
    if (argument(k).is_buffer() && argument(k).is_read()) {
      spread.contents_hash += argument_key(found.contents[k].sum, k);
    }
    if (argument(k).is_buffer() && argument(k).is_written()) {
      spread_one(k, spread);
    }
  }
  return spread;
}

void Keeper::write_damaged(const Arena& arena, int k, const wire::Produce& request) {
  const wire::ArgumentSpec& output = argument(k);
  const std::uint64_t n = output.elements;
  std::byte* to = buffer(arena, k);
  if (request.damage == Damage::zeros || request.damage == Damage::constant) {
    wire::Spread spread{};
    const Fill fill{FillKind::constant, 0, request.damage == Damage::zeros ? 0.0 : spread_one(k, spread), 0.0, 0.0};
    device_->run(WriteFill{fill, n, 0, output.type, to}, quads(n));
    return;
  }
  const bool first_only = request.damage == Damage::first_only;
  if (first_only) {
    device_->run(WriteFill{Fill{FillKind::constant, 0, 0.0, 0.0, 0.0}, n, 0, output.type, to}, quads(n));
  }
  const std::uint64_t rotate = request.damage == Damage::swapped ? n / 2 : 0;
  const std::uint64_t limit = first_only                                ? 1
                              : request.damage == Damage::skipped_tail ? n - std::max<std::uint64_t>(1, n / 16)
                                                                       : n;
  over_truth(k, [&](std::uint64_t at, std::uint64_t count, const double* want) {
    device_->run(WriteValues{want, at, n, rotate, limit, output.type, to}, count);
  });
}

std::uint64_t Keeper::count_different(const Arena& arena, int k) {
  device_->clear_results();
  over_truth(k, [&](std::uint64_t at, std::uint64_t count, const double* want) {
    device_->run(CountDifferent{want, at, argument(k).type, buffer(arena, k)}, count, &device_->results()->changed[k]);
  });
  return device_->fetch_results().changed[k].count;
}

std::uint64_t Keeper::produce(const wire::Produce& request) {
  require_contents();
  const Arena& to = prepared_arena(request.arena);
  const truth::Arithmetic arithmetic = arithmetic_of(request.damage);
  const truth::InputRounding rounding = rounding_of(request.damage);
  if (arithmetic != truth::Arithmetic::exact && module_->has_sums() == 0) {
    throw DoesNotFit("no output is a sum of terms");
  }
  bool has_fp32_input = false;
  for (int k = 0; k < argument_count(); ++k) {
    has_fp32_input =
        has_fp32_input || (argument(k).is_buffer() && argument(k).is_read() && argument(k).type == ElementType::f32);
  }
  if (rounding != truth::InputRounding::none && !has_fp32_input) {
    throw DoesNotFit("no input is FP32");
  }
  Keys other;
  for (int k = 0; k < wire::max_arguments; ++k) {
    other[k] = argument_key(keys_[k], k);
  }
  if (request.damage == Damage::stale) {
    generated_ = false;
    write_contents(other);
  }
  fill_stages(arithmetic, rounding);
  const auto over_outputs = [&](const auto& body) {
    for (int k = 0; k < argument_count(); ++k) {
      if (argument(k).is_buffer() && argument(k).is_written()) {
        body(k);
      }
    }
  };
  if (request.damage != Damage::unwritten) {
    over_outputs([&](int k) { write_damaged(to, k, request); });
  }
  if (request.damage == Damage::stale) {
    write_contents(keys_);
    generated_ = true;
  }
  fill_stages(truth::Arithmetic::exact, truth::InputRounding::none);
  std::uint64_t different = 0;
  over_outputs([&](int k) { different += count_different(to, k); });
  if (different == 0 && !is_honest(request.damage)) {
    throw DoesNotFit("this damage changes no element of this case");
  }
  return different;
}

}  // namespace mskb::keeper
