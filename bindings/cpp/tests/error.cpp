#include <stdexcept>
#include <thread>

#include "check.hpp"

using namespace tensordict;

TEST(error, has_a_class_a_key_a_hint_and_a_message) {
  Dict td({2});
  td["obs"] = Tensor::zeros({2});
  try {
    td.get({"next", "obs"});
    CHECK(false);
  } catch (const KeyError& e) {
    CHECK_EQ(e.status(), TD_ERR_KEY);
    CHECK_EQ(e.status_name(), "TD_ERR_KEY");
    CHECK(e.key().find("next") != std::string_view::npos);
    CHECK(std::string(e.what()).find("obs") != std::string::npos);
  }
}

TEST(error, is_caught_by_its_base_and_outlives_its_copies) {
  std::optional<Error> kept;
  try {
    Dict({-1});
  } catch (const Error& e) {
    kept = e;
  }
  CHECK(kept && kept->status() == TD_ERR_SHAPE);
  const Error copy = *kept;
  kept.reset();
  CHECK(copy.message().size() > 5);
  CHECK(!copy.cause());
}

TEST(error, of_an_empty_handle_is_an_argument_error) {
  Dict td({2});
  Dict taken = std::move(td);
  CHECK(!td.defined());
  CHECK(taken.defined());
  CHECK_THROWS(ArgumentError, td.get("a"));
  CHECK_EQ(td.batch_dims(), 0u);
}

TEST(error, a_callbacks_own_exception_arrives) {
  struct Mine : std::runtime_error {
    using std::runtime_error::runtime_error;
    int number = 7;
  };
  Dict td({{"a", Tensor::zeros({2})}}, {2});
  try {
    td.map([](const Tensor&) -> Tensor { throw Mine("no luck"); });
    CHECK(false);
  } catch (const Mine& e) {
    CHECK_EQ(e.number, 7);
  }
  CHECK_THROWS(LockedError, td.map([](const Tensor&) -> Tensor { throw LockedError("mine"); }));
  struct NoException {};
  bool caught = false;
  try {
    td.map([](const Tensor&) -> Tensor { throw NoException(); });
  } catch (const NoException&) {
    caught = true;
  }
  CHECK(caught);
}

TEST(error, a_callbacks_own_exception_arrives_through_modules_and_on_other_threads) {
  struct Mine : std::runtime_error {
    using std::runtime_error::runtime_error;
  };
  const Module inner = Module::function([](const Tensor&) -> Tensor { throw Mine("no luck"); });
  const Module outer = Module::sequential({Module::tensordict(inner, {"a"}, {"b"})});
  bool caught = false;
  std::thread([&] {
    Dict td({{"a", Tensor::zeros({2})}}, {2});
    try {
      outer.forward(td);
    } catch (const Mine& e) {
      caught = std::string(e.what()) == "no luck";
    }
  }).join();
  CHECK(caught);
}

TEST(error, an_exception_from_within_the_library_keeps_its_parts) {
  Dict td({{"a", Tensor::zeros({2})}}, {2});
  try {
    td.map([&](const Tensor&) { return td.get({"x", "y"}); });
    CHECK(false);
  } catch (const KeyError& e) {
    CHECK(e.key().find("\"x\"") != std::string_view::npos);
  }
}

TEST(error, one_that_was_handled_inside_does_not_come_back_later) {
  Dict td({{"a", Tensor::zeros({2})}}, {2});
  td.map([&](const Tensor& x) {
    try {
      td.map([](const Tensor&) -> Tensor { throw std::logic_error("inner"); });
    } catch (const std::logic_error&) {
    }
    return x.share();
  });
  CHECK_THROWS(KeyError, td.get("b"));
}

namespace {

int warnings = 0;
void count_warning(std::string_view text, std::string_view) noexcept {
  warnings += !text.empty();
}

}  // namespace

TEST(error, warnings_go_to_who_asks_for_them) {
  set_warning_callback(count_warning);
  const Tensor x = Tensor::zeros({2, 3, 4});
  x.op("numpy_T");
  set_warning_callback(nullptr);
  const int heard = warnings;
  CHECK(heard > 0);
  x.op("numpy_T");
  CHECK_EQ(warnings, heard);
}
