#include "coracle/world/archive.h"

#include "coracle/base/parallel.h"

#include <cstring>
#include <utility>
#include <vector>

namespace coracle {
namespace {

// Names and bytes of the kept state, in order.
struct Collect {
  struct Piece {
    std::string name;
    const void* data;
    std::size_t bytes;
  };
  std::vector<Piece> pieces;

  template <class T>
  void value(const std::string& name, const T& x) {
    pieces.push_back({name, &x, sizeof x});
  }
  template <class T>
  void array(const std::string& name, const std::vector<T>& x) {
    pieces.push_back({name, x.data(), x.size() * sizeof(T)});
  }
  template <class T>
  void bulky(const std::string& name, const std::vector<T>& x) {
    array(name, x);
  }
  template <class T>
  void grid(const std::string& name, const Array3<T>& x) {
    array(name, x.data);
  }
  template <class T>
  void list(const std::string& name, const std::vector<T>& x) {
    pieces.push_back({name, nullptr, x.size()});
  }
};

// Copying takes two visits: Addresses collects the source addresses, FillIn copies from them.
struct Addresses {
  std::vector<const void*> list_of;

  template <class T>
  void value(const std::string&, const T& x) {
    list_of.push_back(&x);
  }
  template <class T>
  void array(const std::string&, const std::vector<T>& x) {
    list_of.push_back(&x);
  }
  template <class T>
  void bulky(const std::string&, const std::vector<T>&) {}
  template <class T>
  void grid(const std::string&, const Array3<T>& x) {
    list_of.push_back(&x);
  }
  template <class T>
  void list(const std::string&, const std::vector<T>& x) {
    list_of.push_back(&x);
  }
};

struct FillIn {
  const std::vector<const void*>& from;
  std::size_t next = 0;

  template <class T>
  const T& other(const T&) {
    return *static_cast<const T*>(from[next++]);
  }
  template <class T>
  void value(const std::string&, T& x) {
    x = other(x);
  }
  template <class T>
  void array(const std::string&, std::vector<T>& x) {
    x = other(x);
  }
  template <class T>
  void bulky(const std::string&, std::vector<T>&) {}
  template <class T>
  void grid(const std::string&, Array3<T>& x) {
    const Array3<T>& source = other(x);
    x.n = source.n;
    copy(source.data, x.data);
  }
  template <class T>
  void list(const std::string&, std::vector<T>& x) {
    x = other(x);
  }
};

// Copy the kept state without the bulky arrays, and the solids.
void copy_kept(const World& from, World& to) {
  to.solids = from.solids;
  to.bodies.resize(from.bodies.size());
  if (to.fluid.index() != from.fluid.index())
    std::visit([&](const auto& fluid) { to.fluid.emplace<std::decay_t<decltype(fluid)>>(); }, from.fluid);
  std::visit(
      [&](const auto& fluid) {
        if constexpr (requires { fluid.skins; })
          std::get<std::decay_t<decltype(fluid)>>(to.fluid).skins.resize(fluid.skins.size());
      },
      from.fluid);
  Addresses places;
  visit_kept(places, from);
  FillIn fill{.from = places.list_of};
  visit_kept(fill, to);
}

}  // namespace

std::string first_difference(const World& a, const World& b) {
  Collect of_a, of_b;
  visit_kept(of_a, a);
  visit_kept(of_b, b);
  for (std::size_t i = 0; i < of_a.pieces.size() && i < of_b.pieces.size(); ++i) {
    const Collect::Piece &p = of_a.pieces[i], &q = of_b.pieces[i];
    if (p.name != q.name || p.bytes != q.bytes) return p.name;
    if (p.data && p.bytes > 0 && std::memcmp(p.data, q.data, p.bytes) != 0) return p.name;
  }
  if (of_a.pieces.size() != of_b.pieces.size()) return "their numbers of quantities";
  return "";
}

void Rollback::remember(const World& world) { copy_kept(world, kept_); }

void Rollback::restore(World& world) const { copy_kept(kept_, world); }

}  // namespace coracle
