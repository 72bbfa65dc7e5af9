// An instance of a plugin type: made once, destroyed once, called under the type's own promise about threads.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "core/plugin/call.h"
#include "core/plugin/config.h"
#include "core/plugin/registry.h"

namespace td {

class PluginInstance {
 public:
  PluginInstance(td_plugin_kind kind, std::string_view type_id);
  explicit PluginInstance(plugin::Type type);
  const plugin::Type& type() const { return type_; }
  PluginInstance(const PluginInstance&) = delete;
  PluginInstance& operator=(const PluginInstance&) = delete;
  ~PluginInstance();

  const std::string& id() const { return id_; }
  void* self() const { return self_; }

  // The type's table, T being the struct of its kind.
  template <class T>
  const T& table() const {
    return *reinterpret_cast<const T*>(type_.table);
  }

  // Makes the instance: `create(config, &self, &err)`. Throws Error(argument) for a member that the type did not ask
  // for, but for the one that the host reads itself.
  template <class F>
  void create(std::string_view json, void (*destroy)(void*), F&& create, const char* hosts_own = "");

  // Takes over an instance that the type made by other means.
  void take(void* self, void (*destroy)(void*)) { self_ = self, destroy_ = destroy; }

  // `function(&err)` returns a td_status.
  template <class F>
  void call(F&& function) const;

 private:
  plugin::Type type_;
  std::string id_;
  void* self_ = nullptr;
  void (*destroy_)(void*) = nullptr;
  mutable std::mutex one_at_a_time_;
};

template <class F>
void PluginInstance::create(std::string_view json, void (*destroy)(void*), F&& create, const char* hosts_own) {
  plugin::Config config(json, type_.owner.get());
  if (type_.schema) {
    boost::json::object members = config.object();
    members.erase(hosts_own);
    type_.schema->check(members, id_);
    config.take_unsigned();
  }
  plugin::call(id_, [&](td_error** err) { return create(config.handle(), &self_, err); });
  destroy_ = destroy;
  // A type of this process without a schema reads its config itself, as it likes.
  if (!type_.schema && !type_.owner) config.check_all_used(id_);
}

template <class F>
void PluginInstance::call(F&& function) const {
  std::unique_lock<std::mutex> lock(one_at_a_time_, std::defer_lock);
  if (!(type_.table->flags & TD_PLUGIN_THREAD_SAFE)) lock.lock();
  plugin::call(id_, function);
}

}  // namespace td
