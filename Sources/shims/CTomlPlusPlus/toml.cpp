// SPDX-License-Identifier: MIT
#include "CTomlPlusPlus.h"
// Some malformed texts, such as "[=]", violate assertions of toml++. With NDEBUG, the assertions become assumptions of
// the compiler. Either could end the daemon. With both disabled, the parser reports an ordinary error right afterwards.
#undef NDEBUG
#define TOML_ASSERT(expression) static_cast<void>(0)
#define TOML_ENABLE_FORMATTERS 0
#define TOML_ENABLE_WINDOWS_COMPAT 0
#define TOML_MAX_NESTED_VALUES 16
#include <cstring>
#include <string_view>
#include <toml++/toml.h>

namespace {

ctoml_range range_of(const toml::source_region &source) {
    return {source.begin.line, source.begin.column, source.end.line, source.end.column};
}

struct Walk {
    ctoml_visitor visitor;
    void *context;

    void end(ctoml_kind kind) const {
        ctoml_event event{};
        event.kind = kind;
        visitor(&event, context);
    }

    // The recursion is bounded: TOML_MAX_NESTED_VALUES limits the nesting of values, and the caller limits the number
    // of dots in a line.
    void node(const toml::key *key, const toml::node &node) const {
        ctoml_event event{};
        if (key) {
            event.key = key->str().data();
            event.key_length = key->str().size();
            event.key_range = range_of(key->source());
        }
        event.range = range_of(node.source());
        if (auto table = node.as_table()) {
            event.kind = CTOML_TABLE;
            visitor(&event, context);
            for (auto &&[name, value] : *table) this->node(&name, value);
            end(CTOML_TABLE_END);
        } else if (auto array = node.as_array()) {
            event.kind = CTOML_ARRAY;
            visitor(&event, context);
            for (auto &&value : *array) this->node(nullptr, value);
            end(CTOML_ARRAY_END);
        } else {
            scalar(event, node);
            visitor(&event, context);
        }
    }

    static void scalar(ctoml_event &event, const toml::node &node) {
        if (auto string = node.as_string()) {
            event.kind = CTOML_STRING;
            event.string = string->get().data();
            event.string_length = string->get().size();
        } else if (auto integer = node.as_integer()) {
            event.kind = CTOML_INTEGER;
            event.integer = integer->get();
        } else if (auto number = node.as_floating_point()) {
            event.kind = CTOML_FLOAT;
            event.number = number->get();
        } else if (auto boolean = node.as_boolean()) {
            event.kind = CTOML_BOOLEAN;
            event.integer = boolean->get();
        } else {
            event.kind = CTOML_DATE;
        }
    }
};

} // namespace

extern "C" int ctoml_parse(const char *text, size_t length, ctoml_visitor visitor, void *context,
                           ctoml_range *error_range, char *error, size_t error_size) {
    auto result = toml::parse(std::string_view(text, length));
    if (!result) {
        const auto description = result.error().description();
        const size_t count = description.size() < error_size ? description.size() : error_size - 1;
        std::memcpy(error, description.data(), count);
        error[count] = 0;
        *error_range = range_of(result.error().source());
        return -1;
    }
    Walk{visitor, context}.node(nullptr, result.table());
    return 0;
}
