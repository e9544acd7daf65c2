// docs/task.schema.json: what the reader of task.yaml accepts, as far as JSON Schema (draft 7, which editors know) can say it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "cli/options.hpp"
#include "model/fill_table.hpp"
#include "model/names.hpp"
#include "model/task_limits.hpp"
#include "model/task_reader.hpp"
#include "model/task_words.hpp"

namespace mskb::cli {

namespace {

using Json = nlohmann::ordered_json;

Json of(const char* definition) { return {{"$ref", fmt::format("#/definitions/{}", definition)}}; }

Json list_of(const Json& item, int at_least = 1) { return {{"type", "array"}, {"minItems", at_least}, {"items", item}}; }

// A map that must hold `needed` and may hold `possible` beside them.
Json map_of(const Json& needed, const Json& possible = Json::object()) {
  Json properties = needed, names = Json::array();
  for (const auto& [name, value] : needed.items()) {
    names.push_back(name);
  }
  properties.update(possible);
  return {{"type", "object"}, {"required", names}, {"additionalProperties", false}, {"properties", properties}};
}

// A map of any keys.
Json map_to(const Json& value) { return {{"type", "object"}, {"additionalProperties", value}}; }

template <class Infos>
Json names_of(const Infos& infos) {
  Json names = Json::array();
  for (const auto& info : infos) {
    names.push_back(info.name);
  }
  return {{"enum", names}};
}

Json by_precision(const Json& value) {
  Json map = Json::object();
  for (const Precision precision : precisions) {
    map[std::string(to_string(precision))] = value;
  }
  return map;
}

// Its range holds for what is written as a number.
Json parameter(const FillParameter& allowed) {
  if (!allowed.whole) {
    return of("expression");
  }
  return {{"type", {"string", "number"}}, {"minLength", 1}, {"multipleOf", 1}, {"minimum", allowed.least}, {"maximum", allowed.most}};
}

// A number, or an expression without names, whose value as a number is limited.
Json number(const Json& limits) {
  Json all{{"type", {"string", "number"}}, {"minLength", 1}};
  all.update(limits);
  return all;
}

Json variable() {
  return {{"type", "string"},
          {"pattern", word_pattern},
          {"not", {{"anyOf", {{{"enum", reserved_words()}}, {{"pattern", reserved_pattern}}}}}}};
}

Json fill() {
  Json kinds = Json::object();
  for (const FillInfo& info : fills) {
    Json list{{"type", "array"}, {"minItems", info.count()}, {"maxItems", info.count()}, {"items", Json::array()}};
    for (std::size_t i = 0; i < info.count(); ++i) {
      list["items"].push_back(parameter(info.parameters[i]));
    }
    const Json parameters = info.count() == 1 ? Json{{"anyOf", {list["items"][0], list}}} : list;
    kinds[std::string(info.name)] = {{"description", info.meaning}};
    kinds[std::string(info.name)].update(parameters);
  }
  return {{"type", "object"}, {"minProperties", 1}, {"maxProperties", 1}, {"additionalProperties", false}, {"properties", kinds}};
}

Json argument() {
  const Json named{{"name", of("variable")}, {"role", names_of(roles)}};
  const Json with_default{{"default", {{"type", "boolean"}}}};
  const Json scalar_types = {{"enum", {"real", "f32"}}};
  const auto when = [&](const Json& role_names, Json needed, const Json& possible = Json::object()) {
    Json optional = with_default;
    optional.update(possible);
    Json all = named;
    all.update(needed);
    return Json{{"if", {{"properties", {{"role", {{"enum", role_names}}}}}}}, {"then", map_of(all, optional)}};
  };
  const Json buffer{{"type", names_of(argument_types)}, {"shape", list_of(of("expression"))}};
  Json filled = buffer;
  filled["fill"] = of("fill");
  return {{"type", "object"},
          {"required", {"name", "role"}},
          {"properties", named},
          {"allOf",
           {when({"in", "inout"}, filled), when(Json::array({"out"}), buffer), when(Json::array({"dim"}), Json::object()),
            when(Json::array({"scalar"}), {{"value", of("scalar")}}, {{"type", scalar_types}})}}};
}

// Needs `why` in a check case.
Json one_case(bool check) {
  Json size = list_of(number({{"minimum", 0}, {"maximum", 2147483647}, {"multipleOf", 1}}));
  size["maxItems"] = max_dims;
  Json needed{{"size", size}};
  Json possible{{"fills", map_to(of("fill"))}, {"scalars", map_to(of("scalar"))}};
  (check ? needed : possible)["why"] = of("text");
  const Json map = map_of(needed, possible);
  return check ? map : Json{{"if", {{"type", "array"}}}, {"then", size}, {"else", map}};
}

Json cases() {
  Json sets = Json::object();
  for (const std::string_view set : size_sets) {
    sets[std::string(set)] = {{"if", {{"type", "array"}}},
                              {"then", list_of(of(set == "check" ? "check_case" : "case"))},
                              {"else", map_of({{"empty", of("text")}})}};
  }
  return map_of(sets);
}

Json exactly_one(const char* first, const char* second) {
  return {{{"required", Json::array({first})}}, {{"required", Json::array({second})}}};
}

Json acceptance() {
  Json bounds = map_of(Json::object(), {{"elementwise", map_of({{"rel", of("bound")}, {"mag", of("bound")}})},
                                        {"normwise", map_of({{"l2", of("bound")}, {"peak", of("bound")}})}});
  bounds["oneOf"] = exactly_one("elementwise", "normwise");
  return {{"if", {{"type", "string"}}}, {"then", {{"enum", {"exact", "order"}}}}, {"else", bounds}};
}

Json definitions() {
  const double most_float = std::numeric_limits<float>::max();
  return {{"text", {{"type", "string"}, {"minLength", 1}, {"maxLength", 4000}, {"pattern", "^[^\\u0000-\\u001f\\u007f]*$"}}},
          {"word", {{"type", "string"}, {"pattern", word_pattern}}},
          {"variable", variable()},
          {"scalar", number({{"minimum", -most_float}, {"maximum", most_float}})},
          {"bound", number({{"minimum", 0}})},
          {"expression", {{"description", "An expression over the dims."}, {"type", {"string", "number"}}, {"minLength", 1}}},
          {"number", {{"description", "A number, or an expression without names."}, {"type", {"string", "number"}}, {"minLength", 1}}},
          {"fill", fill()},
          {"argument", argument()},
          {"case", one_case(false)},
          {"check_case", one_case(true)},
          {"acceptance", acceptance()}};
}

// Of the keys whose value is neither a text nor an expression.
Json parts() {
  Json dims = map_to(of("text")), derived = map_to(of("expression"));
  for (Json* names : {&dims, &derived}) {
    (*names)["propertyNames"] = {{"allOf", {of("variable"), {{"not", {{"enum", expression_words}}}}}}};
    (*names)["maxProperties"] = max_dims;
  }
  Json signature = list_of(of("argument"));
  signature["maxItems"] = max_arguments;
  signature["contains"] = {{"properties", {{"role", {{"enum", {"out", "inout"}}}}}}};
  const Json above_zero = number({{"exclusiveMinimum", 0}});
  Json published = map_of(Json::object(), {{"absolute", above_zero}, {"relative", above_zero}, {"share", number({{"minimum", 0}, {"maximum", 1}})}});
  published["oneOf"] = exactly_one("absolute", "relative");
  Json prologue = map_of(Json::object(), {{"copy_zero", of("text")}, {"set_zero", of("text")}});
  prologue["oneOf"] = exactly_one("copy_zero", "set_zero");
  Json baselines = map_to(of("text"));
  baselines["propertyNames"] = of("word");
  baselines["if"] = {{"required", Json::array({"none"})}};
  baselines["then"] = {{"maxProperties", 1}};
  return {{"task", {{"allOf", {of("variable"), {{"not", {{"pattern", fmt::format("({})$", fmt::join(entry_endings, "|"))}}}}}}}},
          {"scenario", {{"enum", scenarios}}},
          {"family", {{"allOf", Json::array({of("word")})}}},
          {"dims", dims},
          {"derived", derived},
          {"valid", list_of(of("expression"), 0)},
          {"signature", signature},
          {"cases", cases()},
          {"cost", map_of({{"bytes", of("expression")}, {"flops", of("expression")}, {"fixed", {{"type", "boolean"}}}})},
          {"accept", map_to({{"if", {{"type", "string"}}}, {"then", of("acceptance")}, {"else", map_of(by_precision(of("acceptance")))}})},
          {"origin_error", map_of(Json::object(), by_precision(number({{"exclusiveMinimum", 0.5}})))},
          {"paper_accept", published},
          {"paper_prologue", prologue},
          {"baselines", baselines},
          {"decisions", list_of(of("text"), 0)}};
}

}  // namespace

void print_task_schema() {
  const Json part = parts();
  Json needed = Json::object(), possible = Json::object();
  for (const TaskKey& key : task_keys()) {
    const std::string name(key.name);
    Json value{{"description", key.meaning}};
    if (std::holds_alternative<TaskPartReader>(key.read)) {
      value.update(part.at(name));
    } else {  // draft 7 ignores what stands beside a $ref
      value["allOf"] = Json::array({of(std::holds_alternative<TextOf>(key.read) ? "text" : "expression")});
    }
    (key.optional ? possible : needed)[name] = value;
  }
  Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
              {"$comment", "Printed by `mskb help --schema`."},
              {"title", "task.yaml"},
              {"description", "What a task of MSKernelBench computes; docs/task-format.md explains every key."}};
  schema.update(map_of(needed, possible));
  schema["definitions"] = definitions();
  fmt::print("{}\n", schema.dump(2));
}

}  // namespace mskb::cli
