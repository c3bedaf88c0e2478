// The value of --frame.
#pragma once

#include <string>
#include <vector>

namespace coracle {

// N, A:B, A: or :B of the frames that are there, increasing and at least one; all of them if the text is empty. Throws
// SceneError.
std::vector<int> read_frames(const std::string& text, const std::vector<int>& there);

}  // namespace coracle
