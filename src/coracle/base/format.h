// fmt without a copy of its formatter in every source that calls fmt::format_to. The library of fmt 9 has the
// formatter, but its header does not declare it as extern; each copy costs 2.5 s of compile time.
#pragma once

#include <fmt/format.h>

#if FMT_VERSION < 100000
extern template void fmt::detail::vformat_to(buffer<char>&, string_view, basic_format_args<buffer_context<char>>,
                                             locale_ref);
#endif
