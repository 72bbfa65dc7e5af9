#include "core/storage/redis/values.h"

#include <boost/json/array.hpp>

#include "core/error.h"
#include "core/storage/data_json.h"
#include "core/storage/pickle.h"

namespace td::storage::redis {

namespace {

// The other formats keep a pickled value in a dict under "data". A pickle is put into one, and taken out of it again,
// by what stands around it.
constexpr std::string_view before = std::string_view(
                               "\x80\x04}\x8c\x04"
                               "data",
                               9),
                           after = "s.";

std::string in_dict(std::string_view pickle) {
  if (pickle.size() < 3 || pickle.front() != '\x80' || pickle.back() != '.')
    throw Error(Code::corrupt, "the value is not a pickle that can be read");
  pickle.remove_suffix(1);
  return std::string(before) + std::string(pickle) + std::string(after);
}

optional<std::string> out_of_dict(std::string_view pickle) {
  const bool ours = pickle.size() > before.size() + after.size() && pickle.substr(0, before.size()) == before &&
                    pickle.substr(pickle.size() - after.size()) == after;
  if (!ours) return nullopt;
  return std::string(pickle.substr(before.size(), pickle.size() - before.size() - after.size())) + '.';
}

bool has_bytes(const Data& data) {
  bool found = false;
  for (const Value* v : data.values()) found = found || v->kind == Value::Kind::bytes;
  return found;
}

Encoded encode_one(const Value& value, PathView path) {
  if (value.kind == Value::Kind::bytes) return {"pickle", pickle_bytes({&value}, {})};
  if (value.kind != Value::Kind::pickle) {
    Encoded made{"json", ""};
    append_value(made.text, value, 0, path);
    return made;
  }
  if (value.pickle && value.pickle->count < 0)
    if (optional<std::string> pickle = out_of_dict(value.pickle->bytes)) return {"pickle", *pickle};
  throw Error(Code::unsupported, "a pickle of another format cannot be stored on a server").key(to_string(path));
}

}  // namespace

Encoded encode(const Data& data, PathView path) {
  if (!data.stacked()) return encode_one(data.value(), path);
  if (has_bytes(data)) {
    for (const Value* v : data.values())
      if (v->kind != Value::Kind::bytes)
        throw Error(Code::unsupported, "a stack of bytes and other values cannot be stored on a server")
            .key(to_string(path));
    return {"pickle", pickle_bytes(data.values(), data.batch())};
  }
  Encoded made{"json_array", ""};
  append_lists(made.text, data, 0, path);
  return made;
}

DataPtr decode(const std::string& encoding, const std::string& text, at::IntArrayRef batch) {
  if (encoding == "pickle") {
    if (optional<std::vector<Value>> one = unpickle_bytes(text, {})) return Data::uniform(one->at(0), batch);
    if (!batch.empty())
      if (optional<std::vector<Value>> all = unpickle_bytes(text, batch)) return Data::stack(std::move(*all), batch);
    Value value;
    value.kind = Value::Kind::pickle;
    value.pickle = std::make_shared<const Pickle>(Pickle{in_dict(text), -1});
    return Data::uniform(std::move(value), batch);
  }
  const boost::json::value json = parse_json(text, "the value");
  if (encoding == "json" || batch.empty()) return Data::uniform(value_of(json), batch);
  const boost::json::array* rows = json.if_array();
  if (!rows || static_cast<int64_t>(rows->size()) != batch[0])
    throw Error(Code::corrupt, "it does not have a value for each of the " + std::to_string(batch[0]) + " rows");
  try {
    if (batch.size() > 1) {
      DataPtr stack = stack_of_lists(json, batch);
      if (stack->batch().size() == batch.size()) return stack;
    }
  } catch (const Error&) {  // NOLINT: then each is the value of a row
  }
  std::vector<Value> values;
  for (const boost::json::value& row : *rows) values.push_back(value_of(row));
  DataPtr stack = Data::stack(std::move(values), batch.slice(0, 1));
  Dims alone(batch.size(), 1);
  alone[0] = batch[0];
  return stack->with(stack->ids().view(alone).expand(batch), true);
}

}  // namespace td::storage::redis
