// The elements of a body's muscles.
#pragma once

#include "coracle/body.h"

namespace coracle {

// Fill rest.fibres. std::runtime_error if a muscle contains no element.
void find_fibres(const BodyOptions& options, BodyRest& rest);

}  // namespace coracle
