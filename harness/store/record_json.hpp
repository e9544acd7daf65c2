#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "model/verdict.hpp"

// How C++ values become JSON and back: a structure is described once, by describe(archive, structure), for both directions.
namespace mskb {

using Json = nlohmann::ordered_json;

template <class T>
struct IsMap : std::false_type {};
template <class T>
struct IsMap<std::map<std::string, T>> : std::true_type {};
template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

// Lets one describe() serve const and non-const structures.
template <class T, class U>
concept Like = std::is_same_v<std::remove_const_t<T>, U>;

inline std::string join_path(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "/" + name;
}

class RecordWriter {
 public:
  RecordWriter(std::string path, Json& not_finite) : path_(std::move(path)), not_finite_(not_finite) {}

  // Always written; required when read.
  template <class T>
  void field(const char* name, const T& value) {
    object_[name] = write(value, join_path(path_, name));
  }
  // Left out when it is empty; optional when read.
  template <class T>
  void extra(const char* name, const T& value) {
    if constexpr (IsOptional<T>::value) {
      if (value) {
        field(name, *value);
      }
    } else if constexpr (requires { value.empty(); }) {
      if (!value.empty()) {
        field(name, value);
      }
    } else {
      field(name, value);
    }
  }
  Json take() { return std::move(object_); }

 private:
  template <class T>
  Json write(const T& value, const std::string& path) {
    if constexpr (std::is_same_v<T, Verdict>) {
      return std::string(to_string(value));
    } else if constexpr (std::is_floating_point_v<T>) {
      if (std::isfinite(value)) {
        return value;
      }
      not_finite_[path] = std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
      return nullptr;
    } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
      return value;
    } else if constexpr (IsVector<T>::value || std::is_array_v<T>) {
      Json list = Json::array();
      for (const auto& item : value) {
        list.push_back(write(item, join_path(path, std::to_string(list.size()))));
      }
      return list;
    } else if constexpr (IsMap<T>::value) {
      Json object = Json::object();
      for (const auto& [name, item] : value) {
        object[name] = write(item, join_path(path, name));
      }
      return object;
    } else {
      RecordWriter nested(path, not_finite_);
      describe(nested, value);
      return nested.take();
    }
  }

  std::string path_;
  Json& not_finite_;
  Json object_ = Json::object();
};

class RecordReader {
 public:
  RecordReader(const Json& object, std::string path, const Json& not_finite)
      : object_(object), path_(std::move(path)), not_finite_(not_finite) {
    if (!object.is_object()) {
      fail(path_, "is not an object");
    }
  }

  template <class T>
  void field(const char* name, T& value) {
    const auto found = object_.find(name);
    if (found == object_.end()) {
      fail(join_path(path_, name), "is missing");
    }
    read(*found, value, join_path(path_, name));
  }
  template <class T>
  void extra(const char* name, T& value) {
    const auto found = object_.find(name);
    if (found == object_.end()) {
      return;
    }
    if constexpr (IsOptional<T>::value) {
      read(*found, value.emplace(), join_path(path_, name));
    } else {
      read(*found, value, join_path(path_, name));
    }
  }

 private:
  [[noreturn]] static void fail(const std::string& path, const std::string& what) {
    throw InputError((path.empty() ? std::string("the record") : "field '" + path + "'") + " " + what);
  }

  template <class T>
  void read(const Json& json, T& value, const std::string& path) const {
    if constexpr (std::is_same_v<T, Verdict>) {
      for (const VerdictInfo& known : verdicts) {
        if (json.is_string() && json.get_ref<const std::string&>() == known.name) {
          value = known.verdict;
          return;
        }
      }
      fail(path, "is no verdict that this program knows");
    } else if constexpr (std::is_same_v<T, bool>) {
      if (!json.is_boolean()) {
        fail(path, "is neither true nor false");
      }
      value = json.get<bool>();
    } else if constexpr (std::is_floating_point_v<T>) {
      value = read_real(json, path);
    } else if constexpr (std::is_integral_v<T>) {
      read_integer(json, value, path);
    } else if constexpr (std::is_same_v<T, std::string>) {
      if (!json.is_string()) {
        fail(path, "is not a text");
      }
      value = json.get<std::string>();
    } else if constexpr (std::is_array_v<T>) {
      if (!json.is_array() || json.size() != std::extent_v<T>) {
        fail(path, "is not a list of " + std::to_string(std::extent_v<T>));
      }
      for (std::size_t i = 0; i < json.size(); ++i) {
        read(json[i], value[i], join_path(path, std::to_string(i)));
      }
    } else if constexpr (IsVector<T>::value) {
      if (!json.is_array()) {
        fail(path, "is not a list");
      }
      value.clear();
      for (std::size_t i = 0; i < json.size(); ++i) {
        read(json[i], value.emplace_back(), join_path(path, std::to_string(i)));
      }
    } else if constexpr (IsMap<T>::value) {
      if (!json.is_object()) {
        fail(path, "is not an object");
      }
      value.clear();
      for (const auto& [name, item] : json.items()) {
        read(item, value[name], join_path(path, name));
      }
    } else {
      RecordReader nested(json, path, not_finite_);
      describe(nested, value);
    }
  }

  double read_real(const Json& json, const std::string& path) const {
    if (json.is_number()) {
      return json.get<double>();
    }
    if (json.is_null() && not_finite_.is_object()) {
      const auto named = not_finite_.find(path);
      if (named != not_finite_.end()) {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        return *named == "inf" ? infinity : *named == "-inf" ? -infinity : std::numeric_limits<double>::quiet_NaN();
      }
    }
    fail(path, "is not a number");
  }

  template <class T>
  static void read_integer(const Json& json, T& value, const std::string& path) {
    bool fits = json.is_number_integer();
    if (fits && json.is_number_unsigned()) {
      fits = json.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    } else if (fits) {
      const std::int64_t number = json.get<std::int64_t>();
      fits = std::is_signed_v<T> && number >= static_cast<std::int64_t>(std::numeric_limits<T>::min());
    }
    if (!fits) {
      fail(path, "is not an integer in range");
    }
    value = json.get<T>();
  }

  const Json& object_;
  std::string path_;
  const Json& not_finite_;
};

}  // namespace mskb
