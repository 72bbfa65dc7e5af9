// Non-tensor data: text, numbers, bytes or JSON under a key, one value for the whole batch or one for each element.
//
//     td.set("task", "digits");
//     std::string task = td.data("task")[0].text();
#ifndef TENSORDICT_DATA_HPP
#define TENSORDICT_DATA_HPP

#include <variant>

#include "key.hpp"

namespace tensordict {

struct Bytes {
  std::string bytes;
};
// A list, an object, or an integer beyond 64 bits.
struct Json {
  std::string text;
};
// What Python pickled, which is never run. `number` is its place in the list that was pickled, -1 for a value by itself.
struct Pickle {
  std::string bytes;
  std::int64_t number = -1;
};

// One value, which owns its text.
class Data {
 public:
  using Any = std::variant<std::monostate, bool, std::int64_t, double, std::string, Bytes, Json, Pickle>;

  Data() = default;  // none
  Data(std::nullptr_t) {}
  // A number says that it is data, since Python makes a tensor of one: `td.set("step", Data(3))`.
  template <class N, class = std::enable_if_t<std::is_arithmetic_v<N>>>
  explicit Data(N number) {
    if constexpr (std::is_same_v<N, bool>)
      any_ = number;
    else if constexpr (std::is_floating_point_v<N>)
      any_ = static_cast<double>(number);
    else
      any_ = static_cast<std::int64_t>(number);
  }
  Data(const char* text) : any_(std::string(text)) {}
  Data(std::string_view text) : any_(std::string(text)) {}
  Data(std::string text) : any_(std::move(text)) {}
  Data(Bytes bytes) : any_(std::move(bytes)) {}
  Data(Json json) : any_(std::move(json)) {}
  Data(Pickle pickle) : any_(std::move(pickle)) {}

  static Data copy_of(const td_data& raw) {
    const std::string text(detail::view(raw.text));
    switch (raw.kind) {
      case TD_DATA_BOOL:
        return Data(raw.i != 0);
      case TD_DATA_INT:
        return Data(raw.i);
      case TD_DATA_DOUBLE:
        return Data(raw.f);
      case TD_DATA_STR:
        return Data(text);
      case TD_DATA_BYTES:
        return Data(Bytes{text});
      case TD_DATA_JSON:
        return Data(Json{text});
      case TD_DATA_PICKLE:
        return Data(Pickle{text, raw.i});
      default:
        return Data();
    }
  }

  // For std::visit, std::get_if and their kin.
  const Any& any() const noexcept { return any_; }
  bool is_none() const noexcept { return any_.index() == 0; }

  // What it is; ArgumentError if it is something else.
  bool boolean() const { return need<bool>("a truth value"); }
  std::int64_t integer() const { return need<std::int64_t>("an integer"); }
  double real() const {
    if (const auto* i = std::get_if<std::int64_t>(&any_)) return static_cast<double>(*i);
    return need<double>("a number");
  }
  const std::string& text() const { return need<std::string>("text"); }
  const Bytes& bytes() const { return need<Bytes>("bytes"); }
  const Json& json() const { return need<Json>("JSON"); }

  // Borrows the text.
  td_data raw() const noexcept {
    struct Visitor {
      td_data operator()(std::monostate) const { return td_data_none(); }
      td_data operator()(bool b) const { return td_data_bool(b); }
      td_data operator()(std::int64_t i) const { return td_data_int(i); }
      td_data operator()(double f) const { return td_data_double(f); }
      td_data operator()(const std::string& s) const { return td_data_str(detail::str(s)); }
      td_data operator()(const Bytes& b) const { return td_data_bytes(b.bytes.data(), b.bytes.size()); }
      td_data operator()(const Json& j) const { return td_data_json(detail::str(j.text)); }
      td_data operator()(const Pickle& p) const {
        td_data out = td_data_pickle(p.bytes.data(), p.bytes.size());
        out.i = p.number;
        return out;
      }
    };
    return std::visit(Visitor(), any_);
  }

 private:
  template <class T>
  const T& need(const char* what) const {
    if (const T* value = std::get_if<T>(&any_)) return *value;
    throw ArgumentError(std::string("the data is not ") + what);
  }

  Any any_;
};

// The values of one entry, immutable.
class DataList : public Handle<DataList, td_data_list, td_data_list_retain, td_data_list_release> {
 public:
  explicit DataList(Adopted raw) noexcept : Handle(raw) {}
  // One value for a whole batch, or one for each element of a batch of that shape, row-major.
  explicit DataList(const Data& value) : DataList(made_of({value}, nullptr, 0)) {}
  DataList(const std::vector<Data>& values, Ints shape) : DataList(of_shape(values, shape)) {}

  // Whether each batch element has a value of its own.
  bool is_stack() const noexcept { return td_data_list_is_stack(get()); }
  Shape shape() const {
    return detail::sizes_of([&](std::int64_t* out, std::size_t n) { return td_data_list_shape(get(), out, n); });
  }
  // 1 for a value that stands for the whole batch.
  std::size_t size() const noexcept { return td_data_list_size(get()); }
  Data operator[](std::size_t i) const { return Data::copy_of(detail::got<td_data>(td_data_list_get, get(), i)); }
  std::vector<Data> to_vector() const {
    std::vector<Data> out;
    for (std::size_t i = 0; i < size(); ++i) out.push_back((*this)[i]);
    return out;
  }

 private:
  static DataList made_of(const std::vector<Data>& values, const std::int64_t* shape, std::size_t ndim) {
    std::vector<td_data> raws;
    for (const Data& value : values) raws.push_back(value.raw());
    return detail::made<DataList>(td_data_list_new, raws.data(), shape, ndim);
  }
  static DataList of_shape(const std::vector<Data>& values, Ints shape) {
    std::int64_t n = 1;
    for (const std::int64_t size : shape) n *= size;
    if (n != static_cast<std::int64_t>(values.size())) throw ArgumentError("there is not one value for each element");
    if (shape.size() > 0) return values.empty() ? none(shape) : made_of(values, shape.data(), shape.size());
    return made_of(values, nullptr, 0);
  }
  static DataList none(Ints shape) {
    const td_data nothing = td_data_none();
    return detail::made<DataList>(td_data_list_new, &nothing, shape.data(), shape.size());
  }
};

}  // namespace tensordict

#endif
