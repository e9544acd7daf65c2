#include "store/record.hpp"

#include <algorithm>

#include "store/record_json.hpp"

namespace mskb {

template <class Archive>
void describe(Archive& archive, Like<OutputError> auto& error) {
  archive.field("output", error.output);
  archive.extra("checked", error.checked);
  archive.extra("refused", error.refused);
  archive.extra("unwritten", error.unwritten);
  archive.extra("not_finite", error.not_finite);
  archive.extra("worst_ratio", error.worst_ratio);
  archive.extra("l2", error.l2);
  archive.extra("worst_absolute", error.worst_absolute);
  archive.extra("first_refused", error.first_refused);
  archive.extra("got", error.got);
  archive.extra("want", error.want);
}

template <class Archive>
void describe(Archive& archive, Like<KernelLaunch> auto& launch) {
  archive.field("kernel", launch.kernel);
  archive.extra("grid", launch.grid);
  archive.extra("block", launch.block);
  archive.extra("registers", launch.registers);
  archive.extra("static_shared", launch.static_shared);
  archive.extra("dynamic_shared", launch.dynamic_shared);
  archive.extra("count", launch.count);
}

template <class Archive>
void describe(Archive& archive, Like<ClockSamples> auto& clock) {
  archive.field("median", clock.median);
  archive.extra("rounds", clock.rounds);
}

template <class Archive>
void describe(Archive& archive, Like<SpeedupEstimate> auto& speedup) {
  archive.field("value", speedup.value);
  archive.field("low", speedup.low);
  archive.field("high", speedup.high);
  archive.extra("rounds", speedup.rounds);
  archive.extra("decided", speedup.decided);
  archive.extra("verdict", speedup.verdict);
}

template <class Archive>
void describe(Archive& archive, Like<Timing> auto& timing) {
  archive.field("protocol", timing.protocol);
  archive.field("clocks", timing.clocks);
  archive.extra("speedups", timing.speedups);
  archive.extra("null_kernel_us", timing.null_kernel_us);
  archive.extra("launch_bound", timing.launch_bound);
  archive.extra("stories_differ", timing.stories_differ);
  archive.extra("generations_differ", timing.generations_differ);
  archive.extra("first_call_us", timing.first_call_us);
  archive.extra("clock_mhz", timing.clock_mhz);
  archive.extra("dropped_rounds", timing.dropped_rounds);
  archive.extra("clock_unsteady", timing.clock_unsteady);
}

template <class Archive>
void describe(Archive& archive, Like<Evaluation> auto& evaluation) {
  archive.field("id", evaluation.id);
  archive.field("group", evaluation.group);
  archive.field("group_size", evaluation.group_size);
  archive.field("task", evaluation.task);
  archive.field("precision", evaluation.precision);
  archive.field("case", evaluation.case_name);
  archive.field("set", evaluation.set);
  archive.extra("size", evaluation.size);
  archive.field("weight", evaluation.weight);
  archive.extra("bytes", evaluation.bytes);
  archive.extra("flops", evaluation.flops);
  archive.field("candidate", evaluation.candidate);
  archive.field("origin", evaluation.origin);
  archive.field("backend", evaluation.backend);
  archive.field("device", evaluation.device);
  archive.field("verdict", evaluation.verdict);
  archive.extra("detail", evaluation.detail);
  archive.extra("paper_verdict", evaluation.paper_verdict);
  archive.extra("bitwise", evaluation.bitwise);
  archive.extra("origin_error", evaluation.origin_error);
  archive.extra("errors", evaluation.errors);
  archive.extra("launches", evaluation.launches);
  archive.extra("timing", evaluation.timing);
  archive.extra("build_log", evaluation.build_log);
  archive.extra("key", evaluation.key);
  archive.extra("sandbox", evaluation.sandbox);
  archive.extra("wall_s", evaluation.wall_s);
}

std::string record_line(const Evaluation& evaluation) {
  Json not_finite = Json::object();
  RecordWriter writer("", not_finite);
  describe(writer, evaluation);
  Json record = writer.take();
  if (!not_finite.empty()) {
    record["not_finite"] = not_finite;
  }
  return record.dump(-1, ' ', false, Json::error_handler_t::replace);
}

namespace {

// What the parser stumbled over, with the name of the field that it was reading.
std::string syntax_fault(std::string_view line, std::size_t byte) {
  const std::size_t at = std::min(byte == 0 ? 0 : byte - 1, line.size());
  const std::size_t brace = line.find('{');
  if (brace != 0) {
    return brace == std::string_view::npos ? "is not a record: there is no '{'" : "has text before '{'";
  }
  std::string fault = "is not JSON at byte " + std::to_string(at + 1);
  const std::size_t colon = line.substr(0, at).rfind("\":");
  if (colon != std::string_view::npos && colon > 0) {
    const std::size_t quote = line.rfind('"', colon - 1);
    if (quote != std::string_view::npos) {
      fault += ", in field '" + std::string(line.substr(quote + 1, colon - quote - 1)) + "'";
    }
  }
  const std::size_t from = at > 12 ? at - 12 : 0;
  return fault + ", near " + std::string(line.substr(from, 24));
}

}  // namespace

Evaluation parse_record(std::string_view line) {
  Json record;
  try {
    record = Json::parse(line);
  } catch (const Json::parse_error& error) {
    throw InputError(syntax_fault(line, error.byte));
  } catch (const Json::exception&) {
    throw InputError("holds a number outside the range of a double");
  }
  const Json not_finite = record.is_object() ? record.value("not_finite", Json::object()) : Json::object();
  RecordReader reader(record, "", not_finite);
  Evaluation evaluation;
  describe(reader, evaluation);
  return evaluation;
}

std::string record_fault(const Evaluation& evaluation) {
  if (evaluation.id.empty() || evaluation.group.empty() || evaluation.group_size < 1) {
    return "a record without an id or a group";
  }
  if (evaluation.task.empty() || evaluation.precision.empty() || evaluation.case_name.empty() ||
      evaluation.candidate.empty() || evaluation.origin.empty()) {
    return "record " + evaluation.id + " does not say which case or which candidate it is about";
  }
  if (evaluation.backend.empty() || evaluation.device.empty()) {
    return "record " + evaluation.id + " names no device";
  }
  if (evaluation.timing) {
    const bool published = evaluation.timing->protocol == "paper" && evaluation.paper_verdict == "passed";
    if (evaluation.verdict != Verdict::passed && !published) {
      return "record " + evaluation.id + " holds a timing without a pass (" +
             std::string(to_string(evaluation.verdict)) + ")";
    }
  }
  return {};
}

namespace {

bool was_refused(const OutputError& error, bool origin_error) {
  return error.refused > 0 || error.first_refused >= 0 || (!origin_error && error.worst_ratio > 1);
}

std::string pass_fault(const Evaluation& evaluation) {
  if (!evaluation.detail.empty()) {
    return "it passed, but says: " + evaluation.detail;
  }
  for (const OutputError& error : evaluation.errors) {
    if (error.unwritten > 0 || was_refused(error, evaluation.origin_error)) {
      return "it passed, but elements of " + error.output + " were refused";
    }
  }
  return "";
}

}  // namespace

std::string verdict_fault(const Evaluation& evaluation) {
  if (evaluation.verdict == Verdict::passed) {
    return pass_fault(evaluation);
  }
  const std::string called = "it is called " + std::string(to_string(evaluation.verdict)) + ", but ";
  if (evaluation.detail.empty()) {
    return called + "does not say why";
  }
  const auto any = [&](const auto& holds) { return std::any_of(evaluation.errors.begin(), evaluation.errors.end(), holds); };
  const bool refused = any([&](const OutputError& error) { return was_refused(error, evaluation.origin_error); });
  const bool compared = !evaluation.errors.empty();
  switch (evaluation.verdict) {
    case Verdict::mismatch:
    case Verdict::nondeterministic:
      return compared && !refused ? called + "no element was refused" : "";
    case Verdict::incomplete:
      return compared && !any([](const OutputError& error) { return error.unwritten > 0; }) ? called + "every element was written" : "";
    case Verdict::build_failed:
    case Verdict::crashed:
    case Verdict::timed_out:
    case Verdict::implausible:
    case Verdict::violation:
    case Verdict::skipped:
      return refused ? called + "elements were refused before" : "";
    default:
      return "";  // a launch that failed or a changed byte says nothing about the elements
  }
}

}  // namespace mskb
