// Tests in one process: each is a function, and must give back every object that it got.
//
//     TEST(dict, keeps_the_order_of_keys) { CHECK_EQ(td.keys()[0], Key("b")); }
#ifndef TENSORDICT_TESTS_CHECK_HPP
#define TENSORDICT_TESTS_CHECK_HPP

#include <sstream>
#include <string>
#include <tensordict.hpp>
#include <vector>

namespace check {

struct Case {
  const char *suite, *name;
  void (*run)();
};

std::vector<Case>& cases();
void fail(const char* file, int line, const std::string& what);
int failed();  // how many checks have failed so far
bool add(Case one);

template <class T, class = void>
struct Printed : std::false_type {};
template <class T>
struct Printed<T, std::void_t<decltype(std::declval<std::ostream&>() << std::declval<const T&>())>> : std::true_type {};

template <class T>
std::string text(const T& value) {
  if constexpr (Printed<T>::value) {
    std::ostringstream out;
    out << value;
    return out.str();
  } else {
    return "something else";
  }
}

template <class A, class B>
void equal(const A& a, const B& b, const char* what, const char* file, int line) {
  if (!(a == b)) fail(file, line, std::string(what) + ": " + text(a) + " is not " + text(b));
}

// What a thrown exception of type E says; a failed check if it is none.
template <class E, class F>
std::string thrown(F&& body, const char* what, const char* file, int line) {
  try {
    body();
  } catch (const E& e) {
    return e.what();
  } catch (const std::exception& e) {
    fail(file, line, std::string(what) + ": threw something else: " + e.what());
    return "";
  }
  fail(file, line, std::string(what) + ": did not throw");
  return "";
}

// A path in a directory that is removed at the end.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// A name for shared memory that no other process uses.
std::string unique_name(const std::string& stem);

}  // namespace check

#define TEST(suite, name)                                                                 \
  static void suite##_##name();                                                           \
  static const bool suite##_##name##_added = check::add({#suite, #name, suite##_##name}); \
  static void suite##_##name()
#define CHECK(...)                                                     \
  do {                                                                 \
    if (!(__VA_ARGS__)) check::fail(__FILE__, __LINE__, #__VA_ARGS__); \
  } while (0)
#define CHECK_EQ(a, ...) check::equal((a), (__VA_ARGS__), #a " == " #__VA_ARGS__, __FILE__, __LINE__)
#define CHECK_THROWS(E, ...) check::thrown<E>([&] { (void)(__VA_ARGS__); }, #__VA_ARGS__, __FILE__, __LINE__)

#endif
