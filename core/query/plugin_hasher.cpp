#include <cstring>
#include <set>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "core/error.h"
#include "core/fork.h"
#include "core/plugin/catalogue.h"
#include "core/plugin/plugin_instance.h"
#include "core/plugin/tables.h"
#include "core/query/hasher.h"

namespace td {

namespace {

using plugin::text;

class PluginHasher final : public Hasher {
 public:
  PluginHasher(const plugin::Type& type, std::string_view config) : config_(config), instance_(type) {
    const auto& t = table();
    instance_.create(config_, t.destroy, [&](const td_config* c, void** self, td_error** err) {
      return t.create(&plugin::host(), c, self, err);
    });
  }
  // The frame of a clone: the instance is taken into it, so that none is lost without memory for the frame.
  explicit PluginHasher(const PluginHasher& other) : config_(other.config_), instance_(other.type()) {}

  const td_hash_type& table() const { return instance_.table<td_hash_type>(); }
  const plugin::Type& type() const { return instance_.type(); }

  bool takes_bytes() const override { return !offers(&td_hash_type::hash_tensor); }
  bool thread_safe() const override { return table().type.flags & TD_PLUGIN_THREAD_SAFE; }

  void hash(const uint8_t* rows, size_t n, size_t row_bytes, size_t stride, int64_t* out) const override {
    if (!takes_bytes()) throw Error(Code::unsupported, "the hash type hashes tensors, not bytes").where(type().id);
    auto* hashes = reinterpret_cast<uint64_t*>(out);
    instance_.call(
        [&](td_error** err) { return table().hash_rows(instance_.self(), rows, n, row_bytes, stride, hashes, err); });
  }

  HasherPtr clone() const override {
    if (!offers(&td_hash_type::clone)) {
      auto made = c10::make_intrusive<PluginHasher>(type(), config_);
      if (offers(&td_hash_type::save)) restore_state(*made, saved_state(*this));
      return made;
    }
    auto made = c10::make_intrusive<PluginHasher>(*this);
    void* self = nullptr;
    instance_.call([&](td_error** err) { return table().clone(instance_.self(), &self, err); });
    made->instance_.take(self, table().destroy);
    return made;
  }

  std::string describe() const override {
    boost::json::array flags;
    for (const char* flag : plugin::flag_names(table().type.flags)) flags.emplace_back(flag);
    std::string_view version = text(table().type.version);
    return boost::json::serialize(
        boost::json::object{{"type", type().id},
                            {"version", boost::json::string_view(version.data(), version.size())},
                            {"config", config_},
                            {"takes", takes_bytes() ? "bytes" : "tensor"},
                            {"flags", flags}});
  }
  std::string identity() const override { return type().id + " " + config_; }

  void save(const td_writer& to) const override {
    uint32_t head[2] = {state_magic, offers(&td_hash_type::save) ? table().state_version : 0};
    instance_.call([&](td_error** err) { return to.write(to.userdata, head, sizeof head, err); });
    if (head[1] == 0) return;
    instance_.call([&](td_error** err) { return table().save(instance_.self(), &to, err); });
  }

  void load(const td_reader& from) override {
    uint32_t head[2] = {0, 0};
    size_t got = 0;
    instance_.call([&](td_error** err) { return from.read(from.userdata, head, sizeof head, &got, err); });
    if (got != sizeof head || head[0] != state_magic)
      throw Error(Code::corrupt, "not the state of a hash").where(type().id);
    bool stateful = offers(&td_hash_type::load);
    if (head[1] > (stateful ? table().state_version : 0))
      throw Error(Code::version, "the state has version " + std::to_string(head[1]) +
                                     ", but the hash type reads versions up to " +
                                     std::to_string(stateful ? table().state_version : 0))
          .where(type().id);
    if (head[1] == 0) return;
    instance_.call([&](td_error** err) { return table().load(instance_.self(), head[1], &from, err); });
  }

 private:
  static constexpr uint32_t state_magic = 0x53484454;  // "TDHS"

  // Whether the table is new enough to have the function, and has one.
  template <class F>
  bool offers(F td_hash_type::*function) const {
    const auto* at = reinterpret_cast<const char*>(&(table().*function));
    bool there =
        table().type.struct_size >= static_cast<size_t>(at - reinterpret_cast<const char*>(&table())) + sizeof(F);
    return there && table().*function;
  }

  at::Tensor hash_tensor(const at::Tensor& rows) const override {
    td_tensor* out = nullptr;
    instance_.call(
        [&](td_error** err) { return table().hash_tensor(instance_.self(), plugin::borrow(rows), &out, err); });
    at::Tensor hashes = plugin::adopt(out);
    if (!hashes.defined()) throw Error(Code::plugin, "the hash type returned success but no hashes").where(type().id);
    return hashes;
  }

  std::string config_;
  PluginInstance instance_;
};

// Hashes the input in several rows that lie apart, so that paths for batches are checked as well.
void verify(const plugin::Type& type, size_t number, const td_hash_vector& vector) {
  constexpr size_t copies = 37, gap = 3;
  PluginHasher hasher(type, text(vector.config));
  std::string_view input = text(vector.input);
  size_t stride = input.size() + gap;
  std::vector<uint8_t> rows(copies * stride, 0xa5);
  for (size_t i = 0; i < copies && !input.empty(); ++i) std::memcpy(&rows[i * stride], input.data(), input.size());
  std::vector<int64_t> hashes(copies);
  hasher.hash(rows.data(), copies, input.size(), stride, hashes.data());
  for (int64_t hash : hashes)
    if (static_cast<uint64_t>(hash) != vector.hash)
      throw Error(Code::plugin, "the hash type returned " + std::to_string(static_cast<uint64_t>(hash)) +
                                    " for its own test vector " + std::to_string(number) + ", which expects " +
                                    std::to_string(vector.hash))
          .where(type.id)
          .hint("the plugin is broken or was built for another machine; its hashes cannot be trusted");
}

ProcessMutex verified_mutex;
auto& verified = *new std::set<const td_plugin_type*>;

void verify_once(const plugin::Type& type) {
  const td_plugin_type* head = type.table;
  const auto& table = *reinterpret_cast<const td_hash_type*>(head);
  {
    ProcessLock hold(verified_mutex);
    if (verified.count(head)) return;
  }
  for (size_t i = 0; i < table.n_vectors; ++i) verify(type, i, table.vectors[i]);
  ProcessLock hold(verified_mutex);
  verified.insert(head);
}

}  // namespace

HasherPtr make_hasher(std::string_view type, std::string_view config) {
  const plugin::Type& found = plugin::find(TD_PLUGIN_KIND_HASH, type);
  verify_once(found);
  return c10::make_intrusive<PluginHasher>(found, config);
}

}  // namespace td
