#include "coracle/base/parallel.h"

#include <tbb/global_control.h>
#include <tbb/info.h>

namespace coracle {

struct ThreadLimit::Impl {
  tbb::global_control control;
};

ThreadLimit::ThreadLimit(int threads)
    : impl_(new Impl{
          tbb::global_control(tbb::global_control::max_allowed_parallelism,
                              threads > 0 ? std::size_t(threads) : std::size_t(tbb::info::default_concurrency()))}) {}

ThreadLimit::~ThreadLimit() { delete impl_; }

}  // namespace coracle
