#include "core/error_text.h"

#include <cctype>

namespace td {

namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// "of std::vector<c10::Half>" becomes "of vector<Half>".
void remove_namespaces(std::string& s) {
  for (const char* name : {"std::", "c10::", "at::", "torch::", "caffe2::"}) {
    const std::string word = name;
    for (size_t at = 0; (at = s.find(word, at)) != s.npos;)
      if (at == 0 || !is_word(s[at - 1]))
        s.erase(at, word.size());
      else
        at += word.size();
  }
}

// "CPULongType{[4, 3]}" becomes "[4, 3]".
void remove_types(std::string& s) {
  const std::string mark = "Type{[";
  for (size_t at = 0; (at = s.find(mark, at)) != s.npos;) {
    size_t begin = at, end = s.find("]}", at);
    while (begin > 0 && is_word(s[begin - 1])) --begin;
    if (begin == at || end == s.npos) {
      at += mark.size();
      continue;
    }
    s.erase(end + 1, 1);
    s.erase(begin, at + mark.size() - 1 - begin);
    at = begin;
  }
}

// "Output 0 of autograd::CppNode<td::Passage<...> > is a view": such nodes of the graph are made by backward hooks
// only.
void remove_nodes(std::string& s) {
  const std::string mark = "autograd::CppNode<";
  const size_t begin = s.find(mark);
  if (begin == s.npos) return;
  size_t end = begin + mark.size();
  for (int open = 1; open > 0 && end < s.size(); ++end) open += s[end] == '<' ? 1 : s[end] == '>' ? -1 : 0;
  s.replace(begin, end - begin, "a backward hook");
}

// "false INTERNAL ASSERT FAILED at \"../x.cpp\":7, please report a bug to PyTorch. No such dim" keeps the last words.
void remove_places(std::string& s) {
  if (s.rfind("[enforce fail at ", 0) == 0 && s.find("] ") != s.npos) {  // "[enforce fail at x.cpp:7] condition. Words"
    s.erase(0, s.find("] ") + 2);
    s.erase(0, s.find(". ") == s.npos ? 0 : s.find(". ") + 2);
  }
  if (s.find("INTERNAL ASSERT FAILED") == s.npos) return;
  const std::string before = "report a bug to PyTorch.";
  const size_t at = s.find(before);
  std::string rest = at == s.npos ? std::string() : s.substr(at + before.size());
  rest.erase(0, rest.find_first_not_of(' '));
  s = "LibTorch failed with an internal error" + (rest.empty() ? rest : ": " + rest);
}

}  // namespace

std::string plain_words(const char* text) {
  std::string s = text;
  s = s.substr(0, s.find("\nException raised from"));
  s = s.substr(0, s.find('\n'));
  remove_places(s);
  remove_types(s);
  remove_namespaces(s);
  remove_nodes(s);
  return s.empty() ? std::string("LibTorch failed without a message") : s;
}

}  // namespace td
