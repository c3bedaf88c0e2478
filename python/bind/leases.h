// NumPy arrays that share memory with the state of a simulation.
//
// An array holds a lease of the vector whose memory it shows. Before the state changes, every lease that an array still
// holds takes the memory out of the state, and the state goes on with a copy. So an array costs nothing until the next
// step, keeps its values from then on, and may outlive the simulation. An array is read-only: the state changes by
// steps and controls alone.
#pragma once

#include "bind/arrays.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace coracle {

class Leases {
 public:
  Leases() = default;
  ~Leases() {  // the state ends: the arrays take the memory, and nobody needs a copy
    for (auto& [owner, lease] : leases_)
      if (const auto held = lease.lock()) held->take(false);
  }
  Leases(const Leases&) = delete;
  Leases& operator=(const Leases&) = delete;

  // An array over the memory of `owner`, which must stay where it is as long as this object lives.
  template <class T>
  py::array view(std::vector<T>& owner) {
    return array_over(owner, lease_of(owner));
  }
  template <class T>
  py::array view(Array3<T>& owner) {
    return array_over(owner, lease_of(owner.data));
  }

  // Before the state changes. If memory runs out, nothing has changed, and it may be called again.
  void detach() {
    for (auto at = leases_.begin(); at != leases_.end(); at = leases_.erase(at))
      if (const auto held = at->second.lock()) held->take(true);
  }

 private:
  struct Lease {
    virtual ~Lease() = default;
    virtual void take(bool leave_a_copy) = 0;
  };
  template <class T>
  struct VectorLease : Lease {
    explicit VectorLease(std::vector<T>& o) : owner(o) {}
    void take(bool leave_a_copy) override {
      std::vector<T> rest = leave_a_copy ? owner : std::vector<T>();
      kept = std::move(owner);  // the memory stays where it is
      owner = std::move(rest);
    }
    std::vector<T>& owner;
    std::vector<T> kept;
  };

  template <class T>
  std::shared_ptr<Lease> lease_of(std::vector<T>& owner) {
    std::weak_ptr<Lease>& known = leases_[&owner];
    if (auto held = known.lock()) return held;
    auto fresh = std::make_shared<VectorLease<T>>(owner);
    known = fresh;
    return fresh;
  }

  std::map<const void*, std::weak_ptr<Lease>> leases_;
};

}  // namespace coracle
