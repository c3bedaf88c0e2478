// Reads back as much of USD's text as show/usd.h writes; knows nothing of the writer.
#pragma once

#include <cctype>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace coracle {

struct UsdaAttribute {
  std::string type, value;  // value: as text; "" where there are samples alone
  std::map<double, std::string> samples;
  std::map<std::string, std::string> metadata;
};

struct UsdaPrim {
  std::string type;
  std::map<std::string, std::string> metadata;
  std::map<std::string, UsdaAttribute> attributes;
};

struct UsdaLayer {
  std::map<std::string, std::string> metadata;
  std::map<std::string, UsdaPrim> prims;  // by path: /run/water
};

class UsdaReader {
 public:
  static UsdaLayer read(const std::string& text) {
    if (!text.starts_with("#usda 1.0\n")) throw std::runtime_error("no usda layer");
    UsdaReader reader(text.substr(10));
    if (reader.peek() == "(") reader.read_metadata(reader.layer_.metadata);
    while (!reader.peek().empty()) reader.read_prim("");
    return reader.layer_;
  }

 private:
  explicit UsdaReader(std::string text) : text_(std::move(text)) { next_ = token(); }

  // A bracket, a sign, a string, @file@, </path>, [list] or (tuple) as one piece of text, or a word.
  std::string token() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    if (at_ == text_.size()) return "";
    const std::size_t start = at_;
    const char c = text_[at_++];
    const auto until = [&](char end) {
      while (text_.at(at_) != end) at_ += text_[at_] == '\\' ? 2 : 1;
      ++at_;
    };
    if (c == '"' || c == '@')
      until(c);
    else if (c == '<')
      until('>');
    else if (c == '[' && text_.at(at_) != ']')
      until(']');
    else if (c == '[')
      ++at_;
    else if (std::string("(){}=,:").find(c) == std::string::npos)
      while (at_ < text_.size() && !std::isspace(static_cast<unsigned char>(text_[at_])) &&
             std::string("(){}=,").find(text_[at_]) == std::string::npos &&
             !(text_[at_] == ':' && std::isspace(static_cast<unsigned char>(text_[at_ + 1]))))
        ++at_;
    return text_.substr(start, at_ - start);
  }
  const std::string& peek() const { return next_; }
  std::string take() {
    std::string t = next_;
    next_ = token();
    return t;
  }
  void expect(const std::string& what) {
    if (const std::string got = take(); got != what) throw std::runtime_error("'" + what + "', not '" + got + "'");
  }
  // One token, or a tuple put together again.
  std::string value() {
    if (peek() != "(") return take();
    std::string text;
    do text += take();
    while (peek() != ")");
    return text + take();
  }
  void read_metadata(std::map<std::string, std::string>& into) {
    expect("(");
    while (peek() != ")") {
      std::string key = take();
      if (key == "prepend") key = take();
      expect("=");
      into[key] = value();
    }
    expect(")");
  }
  void read_prim(const std::string& parent) {
    expect("def");
    const std::string type = take(), name = take();
    const std::string path = parent + "/" + name.substr(1, name.size() - 2);
    UsdaPrim& prim = layer_.prims[path];
    prim.type = type;
    if (peek() == "(") read_metadata(prim.metadata);
    expect("{");
    while (peek() != "}") peek() == "def" ? read_prim(path) : read_attribute(prim);
    expect("}");
  }
  void read_attribute(UsdaPrim& prim) {
    std::string type = take();
    if (type == "uniform") type = take();
    std::string name = take();
    const std::size_t dot = name.find(".timeSamples");
    const bool sampled = dot != std::string::npos;
    if (sampled) name.resize(dot);
    UsdaAttribute& a = prim.attributes[name];
    a.type = type;
    if (sampled) {
      expect("=");
      expect("{");
      while (peek() != "}") {
        const double time = std::stod(take());
        expect(":");
        a.samples[time] = value();
        expect(",");
      }
      expect("}");
    } else if (peek() == "=") {
      take();
      a.value = value();
    }
    if (peek() == "(") read_metadata(a.metadata);
  }

  std::string text_, next_;
  std::size_t at_ = 0;
  UsdaLayer layer_;
};

// Every number of an array's text, brackets aside.
inline std::vector<float> usda_numbers(const std::string& text) {
  std::vector<float> numbers;
  for (const char* at = text.c_str(); *at != '\0';) {
    char* end = nullptr;
    const float x = std::strtof(at, &end);
    if (end != at) numbers.push_back(x);
    at = end != at ? end : at + 1;
  }
  return numbers;
}

}  // namespace coracle
