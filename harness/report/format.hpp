#pragma once

namespace mskb {

enum class Format { text, markdown, csv, json, latex, html };

}  // namespace mskb
