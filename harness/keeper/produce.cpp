#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "keeper/keeper.hpp"

namespace mskb::keeper {

using wire::Damage;

namespace {
constexpr std::uint64_t piece = 1 << 20;  // elements of the true output at a time

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

template <class Body>
void Keeper::over_truth(int k, const Body& body) {
  const wire::ArgumentSpec& output = argument(k);
  const std::uint64_t n = output.elements, size = element_bytes(output.type);
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
      allow(module_->want(view(), static_cast<std::uint32_t>(k), count, index, want, nullptr, device_->stream()),
            "want");
    }
    body(at, count, want);
  }
}

double Keeper::spread_one(int k, wire::Spread& spread) {
  const auto n = static_cast<double>(argument(k).elements);
  std::vector<double> values;
  double sum = 0, squares = 0, smallest = std::numeric_limits<double>::infinity(), largest = -smallest, origin = 0;
  over_truth(k, [&](std::uint64_t at, std::uint64_t count, const double* want) {
    values.resize(count);
    device_->copy_to_host(values.data(), want, count * sizeof(double));
    if (at == 0) {
      origin = values[0];
    }
    for (const double value : values) {
      sum += value - origin;
      squares += (value - origin) * (value - origin);
      smallest = std::fmin(smallest, value);
      largest = std::fmax(largest, value);
    }
  });
  spread.mean[k] = origin + sum / n;
  spread.deviation[k] = std::sqrt(std::fmax(0.0, squares / n - (sum / n) * (sum / n)));
  spread.smallest[k] = smallest;
  spread.largest[k] = largest;
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
  const std::uint64_t rotate = request.damage == Damage::swapped ? n / 2 : 0;
  const std::uint64_t limit = request.damage == Damage::skipped_tail ? n - std::max<std::uint64_t>(1, n / 16) : n;
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
