#pragma once

#include <algorithm>

namespace coracle {
namespace stencil_detail {

// Corners sorted as inside, on the surface, outside; the volume stays positive.
inline StencilTet sorted(StencilTet t) {
  bool odd = false;
  for (int last = 3; last > 0; --last)
    for (int i = 0; i < last; ++i)
      if (t.sign[i] < t.sign[i + 1]) {
        std::swap(t.sign[i], t.sign[i + 1]);
        std::swap(t.v[i], t.v[i + 1]);
        odd = !odd;
      }
  // Two of the four corners have the same sign: swap them.
  for (int i = 0; odd; ++i)
    if (t.sign[i] == t.sign[i + 1]) {
      std::swap(t.v[i], t.v[i + 1]);
      odd = false;
    }
  return t;
}

// The prism between triangles p and q, where (p0, p1, p2, any q) is positive: move the corners one after another from p
// to q; each move gives one tet. before[i][j]: corner i moves before j, so the diagonal goes from p[j] to q[i].
inline std::array<Vec4i, 3> split_prism(const Vec3i& p, const Vec3i& q, const bool (&before)[3][3]) {
  int order[3] = {};
  for (int i = 0; i < 3; ++i) {
    int rank = 0;
    for (int j = 0; j < 3; ++j) rank += j != i && before[j][i];
    order[rank] = i;
  }
  std::array<Vec4i, 3> tets;
  Vec3i front = p;
  for (int k = 0; k < 3; ++k) {
    tets[k] << front, q[order[k]];
    front[order[k]] = q[order[k]];
  }
  return tets;
}

}  // namespace stencil_detail

template <class Cut, class DiagonalAt, class Quality>
void apply_stencil(const StencilTet& tet, Cut&& cut, DiagonalAt&& diagonal_at, Quality&& quality,
                   std::vector<Vec4i>& tets) {
  const auto [v, sign] = stencil_detail::sorted(tet);
  const auto count = std::count(sign.begin(), sign.end(), 1), outside = std::count(sign.begin(), sign.end(), -1);
  if (count == 0) return;
  if (count == 1 || outside == 0) {  // truncate at the outside corners
    Vec4i kept = v;
    for (int i = 1; i < 4; ++i)
      if (sign[i] < 0) kept[i] = cut(v[0], v[i]);
    tets.push_back(kept);
  } else if (count == 2 && outside == 1) {  // a pyramid: its base in face 0, 1, 3, its tip at corner 2
    const int q[2] = {cut(v[0], v[3]), cut(v[1], v[3])};
    if (diagonal_at(v[0], v[1], v[3]) == v[1]) {
      tets.emplace_back(v[0], v[1], v[2], q[0]);
      tets.emplace_back(q[0], v[1], v[2], q[1]);
    } else {
      tets.emplace_back(v[0], v[1], v[2], q[1]);
      tets.emplace_back(v[0], q[1], v[2], q[0]);
    }
  } else if (count == 3) {  // a prism between the inner face and the cut
    bool before[3][3] = {};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        before[i][j] = i != j && diagonal_at(v[std::min(i, j)], v[std::max(i, j)], v[3]) == v[j];
    const Vec3i p(v[0], v[1], v[2]), q(cut(v[0], v[3]), cut(v[1], v[3]), cut(v[2], v[3]));
    const auto parts = stencil_detail::split_prism(p, q, before);
    tets.insert(tets.end(), parts.begin(), parts.end());
  } else {  // a prism between a triangle at each inner corner; its side 1, 2 is the surface
    const Vec3i p(v[0], cut(v[0], v[2]), cut(v[0], v[3])), q(v[1], cut(v[1], v[2]), cut(v[1], v[3]));
    bool before[3][3] = {};
    for (int i = 1; i < 3; ++i) {
      before[0][i] = diagonal_at(v[0], v[1], v[i + 1]) == v[1];
      before[i][0] = !before[0][i];
    }
    const auto split = [&](bool first) {
      before[1][2] = first;
      before[2][1] = !first;
      return stencil_detail::split_prism(p, q, before);
    };
    auto parts = split(before[1][0]);
    if (before[1][0] == before[2][0])  // both diagonals of the surface are possible
      if (const auto others = split(!before[1][0]); quality(others) > quality(parts)) parts = others;
    tets.insert(tets.end(), parts.begin(), parts.end());
  }
}

}  // namespace coracle
