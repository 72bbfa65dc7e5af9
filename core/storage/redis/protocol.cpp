#include "core/storage/redis/protocol.h"

#include <hiredis/hiredis.h>

#include "core/error.h"
#include "core/tensor/memory.h"

namespace td::storage::redis {

namespace {

constexpr size_t max_items = size_t{1} << 26;

void append_word(std::string& out, std::string_view word) {
  out += '$' + std::to_string(word.size()) + "\r\n";
  out += word;
  out += "\r\n";
}

// ---- What libhiredis makes answers with: null, which it calls a lack of memory, refuses one -----------------------

// Items are made in their order, so the last of a list is the one that is being filled.
void* make_reply(const redisReadTask* task, Reply::Kind kind, const char* text, size_t size, int64_t integer) {
  try {
    Reply* made = nullptr;
    if (task->parent) {
      auto& items = static_cast<Reply*>(task->parent->obj)->items;
      items.emplace_back();
      made = &items.back();
    } else {
      made = new Reply;
    }
    made->kind = kind;
    made->integer = integer;
    if (size) made->text.assign(text, size);
    return made;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void* make_text(const redisReadTask* task, char* text, size_t size) {
  switch (task->type) {
    case REDIS_REPLY_STRING:
      return make_reply(task, Reply::Kind::text, text, size, 0);
    case REDIS_REPLY_STATUS:
      return make_reply(task, Reply::Kind::status, text, size, 0);
    case REDIS_REPLY_ERROR:
      return make_reply(task, Reply::Kind::error, text, size, 0);
    default:
      return nullptr;
  }
}

// The type of `elements` is not the same in all releases.
template <class N>
void* make_list(const redisReadTask* task, N elements) {
  if (task->type != REDIS_REPLY_ARRAY || static_cast<size_t>(elements) > max_items) return nullptr;
  return make_reply(task, Reply::Kind::list, nullptr, 0, 0);
}

void* make_integer(const redisReadTask* task, long long n) {
  return make_reply(task, Reply::Kind::integer, nullptr, 0, n);
}

void* make_nil(const redisReadTask* task) {
  return make_reply(task, Reply::Kind::nil, nullptr, 0, 0);
}

void free_reply(void* reply) {
  delete static_cast<Reply*>(reply);
}

// Newer releases read RESP 3, which nobody asks for.
template <class F>
auto refuse_others(F& makers, int) -> decltype(void(makers.createDouble)) {
  makers.createDouble = [](const redisReadTask*, double, char*, size_t) -> void* { return nullptr; };
  makers.createBool = [](const redisReadTask*, int) -> void* { return nullptr; };
}
template <class F>
void refuse_others(F&, long) {}

redisReplyObjectFunctions* reply_makers() {
  static redisReplyObjectFunctions makers = [] {
    redisReplyObjectFunctions made{};
    made.createString = make_text;
    made.createArray = make_list;
    made.createInteger = make_integer;
    made.createNil = make_nil;
    made.freeObject = free_reply;
    refuse_others(made, 0);
    return made;
  }();
  return &makers;
}

struct Refusal {
  std::string_view word;
  Code code;
  const char* hint;
};

// By the first word of what the server says.
constexpr Refusal refusals[] = {
    {"OOM", Code::nospace, "the server has no memory left: raise its maxmemory, or delete something"},
    {"READONLY", Code::locked, "the server is a replica: write to its primary"},
    {"MISCONF", Code::nospace, "the server cannot save to its disk"},
    {"NOAUTH", Code::io, "give the password in the URL"},
    {"WRONGPASS", Code::io, "give the right user and password in the URL"},
    {"NOPERM", Code::io, "the user may not use this command or key"},
    {"WRONGTYPE", Code::corrupt, "other software uses the key"},
    {"MOVED", Code::unsupported, "clusters are not supported: give the server that has the dict"},
    {"ASK", Code::unsupported, "clusters are not supported: give the server that has the dict"},
    {"CLUSTERDOWN", Code::unsupported, "clusters are not supported"},
    {"LOADING", Code::closed, "the server is reading its data: try again"},
    {"BUSY", Code::busy, "a script runs on the server: try again"},
    {"MASTERDOWN", Code::closed, "the server has lost its primary: try again"},
};

[[noreturn]] void refuse(const std::string& says) {
  Error e(Code::io, "the server says: " + says);
  const std::string_view word = std::string_view(says).substr(0, says.find(' '));
  for (const Refusal& r : refusals)
    if (word == r.word) throw Error(r.code, e.message()).hint(r.hint);
  auto has = [&](const char* part) { return says.find(part) != says.npos; };
  if (has("invalid bulk length") || has("exceeds maximum allowed size"))
    throw Error(Code::nospace, e.message()).hint("raise proto-max-bulk-len of the server");
  if (has("invalid password") || has("without any password"))
    throw e.hint("give the right user and password in the URL");
  throw e;
}

[[noreturn]] void wrong_kind() {
  throw Error(Code::corrupt, "the server's answer has the wrong type");
}

}  // namespace

std::string& Request::tail() {
  if (chunks_.empty() || chunks_.back().owner.defined()) chunks_.emplace_back();
  return chunks_.back().own;
}

Request& Request::add(const Words& words, const at::Tensor& bytes) {
  std::string_view all;
  if (bytes.defined()) all = {static_cast<const char*>(data(bytes)), static_cast<size_t>(bytes.nbytes())};
  return add(words, bytes, all);
}

Request& Request::add(const Words& words, const at::Tensor& owner, std::string_view bytes) {
  constexpr size_t small = 4096;
  tail() += '*' + std::to_string(words.size() + (owner.defined() ? 1 : 0)) + "\r\n";
  for (const std::string& word : words) append_word(tail(), word);
  if (owner.defined() && bytes.size() <= small) {
    append_word(tail(), bytes);
  } else if (owner.defined()) {
    tail() += '$' + std::to_string(bytes.size()) + "\r\n";
    chunks_.push_back({{}, bytes, owner});
    tail() += "\r\n";
  }
  ++commands_;
  return *this;
}

void Request::append(const Request& other) {
  for (const Chunk& c : other.chunks_) {
    if (c.owner.defined())
      chunks_.push_back(c);
    else
      tail() += c.own;
  }
  commands_ += other.commands_;
}

ReplyReader::ReplyReader() : reader_(redisReaderCreateWithFunctions(reply_makers()), redisReaderFree) {
  if (!reader_) throw std::bad_alloc();
}

void ReplyReader::feed(const char* bytes, size_t n) {
  if (redisReaderFeed(reader_.get(), bytes, n) != REDIS_OK) throw std::bad_alloc();
}

bool ReplyReader::next(Reply& out) {
  void* made = nullptr;
  if (redisReaderGetReply(reader_.get(), &made) != REDIS_OK)
    throw Error(Code::corrupt, std::string("the server's answer is not in the Redis protocol: ") + reader_->errstr);
  if (!made) return false;
  std::unique_ptr<Reply> owner(static_cast<Reply*>(made));
  out = std::move(*owner);
  return true;
}

const Reply& accepted(const Reply& reply) {
  if (reply.kind == Reply::Kind::error) refuse(reply.text);
  return reply;
}

const std::string& text_of(const Reply& reply) {
  if (accepted(reply).kind != Reply::Kind::text) wrong_kind();
  return reply.text;
}

const std::vector<Reply>& list_of(const Reply& reply) {
  if (accepted(reply).kind != Reply::Kind::list) wrong_kind();
  return reply.items;
}

int64_t integer_of(const Reply& reply) {
  if (accepted(reply).kind != Reply::Kind::integer) wrong_kind();
  return reply.integer;
}

bool is_nil(const Reply& reply) {
  return accepted(reply).kind == Reply::Kind::nil;
}

}  // namespace td::storage::redis
