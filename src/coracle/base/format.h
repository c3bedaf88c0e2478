// fmt, without its formatter in every source that calls fmt::format_to: fmt 9 has it in its library and fails to say so
// in its header, which costs 2.5 s a source.
#pragma once

#include <fmt/format.h>

#if FMT_VERSION < 100000
extern template void fmt::detail::vformat_to(buffer<char>&, string_view, basic_format_args<buffer_context<char>>,
                                             locale_ref);
#endif
