// A set of small numbers as bits: threads may add to it at once, and it is visited in increasing order, at a cost of
// its size over 64 and of its members.
#pragma once

#include "coracle/base/parallel.h"

#include <atomic>
#include <cstdint>

namespace coracle {

class IndexSet {
 public:
  // No members; numbers below `size` can be added.
  void clear(std::size_t size) { words_.assign((size + 63) / 64, 0); }
  // The numbers below `size` for which `is_in` says so.
  template <class F>
  void set_where(std::size_t size, F&& is_in) {
    words_.resize((size + 63) / 64);
    for_blocks(size, block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t first = begin; first < end; first += 64) {
        Word word = 0;
        for (std::size_t i = first; i < std::min(end, first + 64); ++i) word |= Word(is_in(i) ? 1 : 0) << (i - first);
        words_[first / 64] = word;
      }
    });
  }
  // The members of another set for which `is_in` says so. Cheaper than to add them one by one.
  template <class F>
  void set_where(const IndexSet& from, F&& is_in) {
    words_.resize(from.words_.size());
    from.for_word_blocks(0, words_.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t w = begin; w < end; ++w) {
        Word word = 0;
        for (Word rest = from.words_[w]; rest != 0; rest &= rest - 1)
          if (const int bit = __builtin_ctzll(rest); is_in(64 * w + bit)) word |= Word(1) << bit;
        words_[w] = word;
      }
    });
  }

  bool has(std::size_t i) const { return load(i / 64) >> i % 64 & 1; }
  void add(std::size_t i) {
    if (!has(i)) std::atomic_ref<Word>(words_[i / 64]).fetch_or(Word(1) << i % 64, std::memory_order_relaxed);
  }
  bool empty() const {
    return std::all_of(words_.begin(), words_.end(), [](Word word) { return word == 0; });
  }
  std::size_t count() const { return count(0, words_.size()); }

  // f(i) for every member, in parallel. Members must not be added meanwhile, except to other sets.
  template <class F>
  void for_each(F&& f) const {
    for_each_word(0, words_.size(), f);
  }
  // The same for the members from `begin` to before `end`, both multiples of 64.
  template <class F>
  void for_each_in(std::size_t begin, std::size_t end, F&& f) const {
    for_each_word(begin / 64, end / 64, f);
  }
  // f(i) in order, one after another. f may add members: those above i are visited too.
  template <class F>
  void sweep(F&& f) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (Word done = 0, rest = words_[w]; rest != 0; rest = words_[w] & ~done) {
        const int bit = __builtin_ctzll(rest);
        done = bit < 63 ? (Word(2) << bit) - 1 : ~Word(0);
        f(64 * w + bit);
      }
  }

 private:
  using Word = std::uint64_t;
  static constexpr std::size_t block = 4096;  // numbers to a task, a multiple of 64
  static constexpr std::size_t few = 1024;    // members that are not worth a second thread

  Word load(std::size_t w) const {
    return std::atomic_ref<Word>(const_cast<Word&>(words_[w])).load(std::memory_order_relaxed);
  }
  std::size_t count(std::size_t begin, std::size_t end) const {
    std::size_t sum = 0;
    for (std::size_t w = begin; w < end; ++w) sum += __builtin_popcountll(words_[w]);
    return sum;
  }
  template <class F>
  void for_each_word(std::size_t begin, std::size_t end, F& f) const {
    for_word_blocks(begin, end, [&](std::size_t from, std::size_t to) {
      for (std::size_t w = from; w < to; ++w)
        for (Word rest = words_[w]; rest != 0; rest &= rest - 1) f(64 * w + __builtin_ctzll(rest));
    });
  }
  // f(from, to) on blocks of words; all at once if there are few members.
  template <class F>
  void for_word_blocks(std::size_t begin, std::size_t end, F&& f) const {
    if (count(begin, end) <= few) return f(begin, end);
    for_blocks(end - begin, block / 64, [&](std::size_t from, std::size_t to) { f(begin + from, begin + to); });
  }

  std::vector<Word> words_;
};

}  // namespace coracle
