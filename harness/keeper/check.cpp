#include <algorithm>
#include <vector>

#include "keeper/keeper.hpp"
#include "keeper/oracle_guard.hpp"

namespace mskb::keeper {

namespace {
// Bytes behind the case's range that are looked at in every check; whole checks look to the arena's end.
constexpr std::uint64_t beyond_bytes = 32u << 20;

bool is_whole(const wire::Check& request, const truth::Sample& sample) {
  return request.whole != 0 || sample.count() >= sample.n;
}

truth::Sample sample_of(const wire::Check& request, std::uint64_t n, int k) {
  return {n, std::clamp<std::uint64_t>(request.sample_count, 1, n), argument_key(request.sample_key, k)};
}

Acceptance relaxed(Acceptance accept, double factor) {
  accept.rel *= factor;
  accept.mag *= factor;
  accept.l2 *= factor;
  accept.peak *= factor;
  return accept;
}
}  // namespace

// `at` is the workspace's next free place for a sample.
void Keeper::launch_truth(const Arena& arena, int k, const wire::Check& request, std::uint64_t& at) {
  const wire::ArgumentSpec& output = argument(k);
  Results* results = device_->results();
  const std::byte* got = buffer(arena, k);
  const std::uint64_t n = output.elements, poison_key = argument_key(arena.poison_key, k);
  const truth::Sample sample = sample_of(request, n, k);
  const bool in_order = output.accept.kind == AcceptKind::order;
  std::uint64_t* index = nullptr;
  if (!in_order && !is_whole(request, sample)) {
    index = reinterpret_cast<std::uint64_t*>(workspace_->data() + at);
    at += sample.count() * sizeof(std::uint64_t);
    device_->run(WriteSample{sample, index}, sample.count());
  }
  device_->run(
      Survey{got, n, output.type, arena.poison, poison_key,
             index == nullptr ? nullptr : index + sample.strata + truth::border_elements, &results->suspects[k]},
      quads(n), &results->survey[k]);
  if (in_order) {
    const std::uint64_t key = argument_key(request.sample_key, k);
    device_->run(Descents{Multiset{got, key, output.type}}, n, &results->order[k]);
    device_->run(Multiset{contents(k), key, output.type}, n, &results->contents[k]);
    return;
  }
  const truth::OutputRequest asked{static_cast<std::uint32_t>(k),
                                   got,
                                   index == nullptr ? n : sample.count(),
                                   index,
                                   relaxed(output.accept, request.relax),
                                   poison_key,
                                   arena.poison};
  allow(in_oracle([&] { return module_->check(view(), asked, &results->truth[k], device_->stream()); }), "check");
}

wire::Findings Keeper::check(const wire::Check& request) {
  require_contents();
  Arena& from = prepared_arena(request.arena);
  fill_stages(truth::Arithmetic::exact, truth::InputRounding::none);
  std::uint64_t sample_bytes = 0;
  for (int k = 0; k < argument_count(); ++k) {
    if (argument(k).is_buffer() && argument(k).is_written()) {
      const truth::Sample sample = sample_of(request, argument(k).elements, k);
      sample_bytes += is_whole(request, sample) ? 0 : sample.count() * sizeof(std::uint64_t);
    }
  }
  workspace(sample_bytes);
  device_->clear_results();
  Results* results = device_->results();
  const Guards inside = guards(from);
  device_->run(CheckGuards{inside}, inside.chunks(), &results->guards);
  const std::uint64_t end = from.memory->bytes(), used = from.layout.used;
  const Guards outside = beyond(from, used, request.whole != 0 ? end : std::min(end, used + beyond_bytes));
  device_->run(CheckGuards{outside}, outside.chunks(), &results->beyond);
  const bool compared =
      request.compare != 0 && kept_valid_ && kept_step_ == step_ && spec_.paper_rule.kind != PaperRuleKind::none;
  std::uint64_t at = 0;
  for (int k = 0; k < argument_count(); ++k) {
    const wire::ArgumentSpec& spec = argument(k);
    if (!spec.is_buffer()) {
      continue;
    }
    if (!spec.is_written()) {
      device_->run(CountChanged{buffer(from, k), contents(k), spec.elements, spec.type}, quads(spec.elements),
                   &results->changed[k]);
      continue;
    }
    launch_truth(from, k, request, at);
    if (compared) {
      device_->run(PaperViolations{buffer(from, k), kept(k), spec.type, spec_.paper_rule}, spec.elements,
                   &results->paper[k]);
    }
    if (request.keep_as_reference != 0) {
      device_->copy(kept(k), buffer(from, k), wire::buffer_bytes(spec));
    }
  }
  const Results found = device_->fetch_results();
  if (request.keep_as_reference != 0) {
    kept_valid_ = true;
    kept_step_ = step_;
  }

  wire::Findings findings{};
  find_guards(from, found, findings);
  if (found.beyond.count > 0) {
    from.beyond_from = end;  // written anew by the next prepare
  }
  findings.modified_input = -1;
  findings.paper_compared = compared ? 1 : 0;
  for (int k = 0; k < argument_count(); ++k) {
    if (!argument(k).is_buffer()) {
      continue;
    }
    if (!argument(k).is_written()) {
      if (found.changed[k].count > 0 && findings.modified_input < 0) {
        findings.modified_input = k;
        findings.modified_elements = found.changed[k].count;
      }
      continue;
    }
    findings.paper_violations += found.paper[k].count;
    wire::OutputFindings& output = findings.outputs[k];
    output = found.truth[k];
    if (argument(k).accept.kind == AcceptKind::order) {
      find_order(from, k, found, output);
    }
    output.fingerprint = found.survey[k].sum;
  }
  return findings;
}

void Keeper::find_guards(const Arena& arena, const Results& results, wire::Findings& findings) const {
  findings.guard_bytes_changed = results.guards.count + results.beyond.count;
  findings.guard_argument = -1;
  if (findings.guard_bytes_changed == 0) {
    return;
  }
  const auto place =
      static_cast<std::int64_t>(results.guards.count > 0 ? results.guards.first() : results.beyond.first());
  for (int b = 0; b < arena.layout.buffers; ++b) {
    const int k = arena.layout.order[static_cast<std::size_t>(b)];
    const auto begin = static_cast<std::int64_t>(arena.layout.offsets[k]);
    const auto end = begin + static_cast<std::int64_t>(wire::buffer_bytes(argument(k)));
    const std::int64_t distance = place < begin ? place - begin : place - end + 1;
    if (findings.guard_argument < 0 || std::abs(distance) < std::abs(findings.guard_distance)) {
      findings.guard_argument = k;
      findings.guard_distance = distance;
    }
  }
}

// Sortedness and the multiset need no oracle; where they fail, the true order is made to say where.
void Keeper::find_order(const Arena& arena, int k, const Results& results, wire::OutputFindings& found) {
  const wire::ArgumentSpec& output = argument(k);
  found = wire::OutputFindings{};
  found.checked = output.elements;
  found.not_finite = results.survey[k].count;
  found.first_refused = -1;
  if (results.order[k].count == 0 && results.order[k].sum == results.contents[k].sum) {
    return;
  }
  const std::uint64_t n = output.elements, bytes = wire::buffer_bytes(output);
  std::byte* sorted = workspace(wire::aligned(bytes));
  device_->copy(sorted, contents(k), bytes);
  device_->sort(sorted, n, output.type);
  device_->clear_results();
  device_->run(CountChanged{buffer(arena, k), sorted, n, output.type}, quads(n), &device_->results()->changed[k]);
  const Tally different = device_->fetch_results().changed[k];
  found.refused = std::max<std::uint64_t>(different.count, 1);
  found.worst_ratio = truth::no_finite_ratio;
  const std::uint64_t first = different.count > 0          ? different.first()
                              : results.order[k].count > 0 ? results.order[k].first()
                                                           : 0;
  found.first_refused = static_cast<std::int64_t>(first);
  std::uint32_t got = 0, want = 0;
  const std::uint64_t size = element_bytes(output.type);
  device_->copy_to_host(&got, buffer(arena, k) + first * size, size);
  device_->copy_to_host(&want, sorted + first * size, size);
  found.got = truth::decode_bits(got, output.type);
  found.want = truth::decode_bits(want, output.type);
}

}  // namespace mskb::keeper
