#include "optimize/mcp_tools.hpp"

#include <stdexcept>

namespace mskb {

namespace {

Json text(const char* description) { return {{"type", "string"}, {"description", description}}; }

Json candidate_properties(const std::vector<std::string>& sets) {
  return {{"source", text("The whole candidate as one .cu file that exports the task's entry point. Give this or `sources`.")},
          {"sources",
           {{"type", "object"},
            {"description", "File name to text, for a candidate of several files; names are relative paths inside its own folder."},
            {"additionalProperties", {{"type", "string"}}}}},
          {"main", text("With several files: the one that defines the entry point.")},
          {"flags",
           {{"type", "array"},
            {"items", {{"type", "string"}}},
            {"description", "Compiler flags from the allow-list, such as --use_fast_math."}}},
          {"cases",
           {{"type", "array"},
            {"items", {{"type", "string"}, {"enum", sets}}},
            {"description", "Size sets to judge and time it at; smoke when left out. The check cases always come first."}}}};
}

Json tool(const char* name, const char* title, const char* description, Json properties, Json required = Json::array()) {
  Json schema = {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  if (!required.empty()) {
    schema["required"] = std::move(required);
  }
  return {{"name", name}, {"title", title}, {"description", description}, {"inputSchema", std::move(schema)}};
}

}  // namespace

Json mcp_tools(const std::vector<std::string>& sets) {
  return Json::array(
      {tool("task", "The task",
            "The problem to solve: the declaration that a candidate exports, the original kernel's source, the sizes, the device, and what is left of "
            "the budget at the start. Costs nothing.",
            Json::object()),
       tool("evaluate", "Evaluate a candidate",
            "Builds a CUDA kernel, checks its outputs against the oracle and times it against the original. Answers with the candidate's id, its "
            "verdict, the first wrong element or compiler error, times and speedups per case, and what is left of the budget. Costs one evaluation.",
            candidate_properties(sets)),
       tool("profile", "Evaluate and profile a candidate",
            "The same, and a profile of its largest case that says what bounds the kernel. Costs one evaluation.", candidate_properties(sets)),
       tool("submit", "Submit a candidate",
            "Ends the session with the candidate that is to be measured for the record, by the id that evaluate answered; or with none. Answers "
            "when that measurement is done.",
            {{"id", {{"type", Json::array({"string", "null"})}, {"description", "Of an evaluated candidate; null for no proposal."}}},
             {"reason", text("Why there is no proposal.")}},
            {"id"})});
}

Json mcp_message(const std::string& tool, const Json& arguments) {
  if (!arguments.is_object()) {
    throw std::invalid_argument(tool + ": arguments must be an object");
  }
  Json message = {{"type", tool == "submit" ? "submit" : "evaluate"}};
  message.update(arguments);
  message["type"] = tool == "submit" ? "submit" : "evaluate";
  if (tool == "submit") {
    return message;
  }
  if (const auto source = arguments.find("source"); source != arguments.end()) {
    if (arguments.contains("sources") || !source->is_string()) {
      throw std::invalid_argument(tool + ": give the candidate's text as 'source', or its files as 'sources'");
    }
    message.erase("source");
    message["sources"] = {{"kernel.cu", *source}};
  }
  if (tool == "profile") {
    message["profile"] = true;
  }
  return message;
}

}  // namespace mskb
