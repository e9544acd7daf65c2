#pragma once

namespace mskb {

enum class Format { text, markdown, json };

}  // namespace mskb
