#include "core/nn/module_repr.h"

#include "core/nn/keyed_module.h"

namespace td {

namespace {

std::string indented(const std::string& text, size_t by) {
  std::string out;
  for (char c : text) {
    out += c;
    if (c == '\n') out.append(by, ' ');
  }
  return out;
}

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + '\'';
}

std::string key_text(const Path& key) {
  if (key.size() == 1) return quoted(key.keys()[0].text());
  std::string out = "(";
  for (size_t i = 0; i < key.size(); ++i) out += (i ? ", " : "") + quoted(key.keys()[i].text());
  return out + ')';
}

std::string keys_text(const Keys& keys) {
  std::string out = "[";
  for (size_t i = 0; i < keys.size(); ++i) out += (i ? ", " : "") + key_text(keys[i]);
  return out + ']';
}

// Fields one below the other: TensorDictModule(\n    module=..., in_keys=...).
std::string keyed_repr(const KeyedModule& m) {
  std::string fields;
  for (const Module::Child& c : m.children())
    if (c.module) fields += c.name.text() + '=' + module_repr(*c.module) + ",\n";
  fields += "in_keys=" + keys_text(m.in_keys()) + ",\nout_keys=" + keys_text(m.out_keys());
  std::string extra = m.extra_repr();
  if (!extra.empty()) fields += ",\n" + extra;
  return m.type_name() + "(\n    " + indented(fields, 4) + ')';
}

}  // namespace

std::string module_repr(const Module& m) {
  if (const KeyedModule* keyed = m.keyed()) return keyed_repr(*keyed);
  std::string extra = m.extra_repr(), lines;
  if (extra.find('\n') != std::string::npos) {  // the parts of a type that is one module here and several in Python
    if (extra.back() == '\n') extra.pop_back();
    lines = "  " + indented(extra, 2) + '\n';
    extra.clear();
  }
  for (const Module::Child& c : m.children()) {
    std::string child = c.module ? module_repr(*c.module) : "None";
    lines += "  (" + c.name.text() + "): " + indented(child, 2) + '\n';
  }
  if (lines.empty()) return m.type_name() + '(' + extra + ')';
  return m.type_name() + "(\n" + (extra.empty() ? "" : "  " + extra + '\n') + lines + ')';
}

}  // namespace td
