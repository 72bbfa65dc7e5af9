#include <poll.h>
#include <unistd.h>

#include <thread>

#include "check.hpp"

using namespace tensordict;

namespace {

Dict sample() {
  Dict td({{"a", Tensor::of({1.f, 2.f, 3.f})}, {{"n", "b"}, Tensor::zeros({3, 2})}}, {3});
  td["task"] = "digits";
  return td;
}

}  // namespace

TEST(storage, saves_and_opens_every_format) {
  const check::TemporaryDirectory directory;
  const Dict td = sample();
  const std::pair<const char*, Format> formats[] = {{"run", Format::memmap},
                                                    {"run.td", Format::consolidated},
                                                    {"run.tdz", Format::archive},
                                                    {"run.h5", Format::hdf5},
                                                    {"run.safetensors", Format::safetensors}};
  for (const auto& [name, format] : formats) {
    if ((format == Format::archive && !has_feature("archive")) || (format == Format::hdf5 && !has_feature("hdf5")))
      continue;
    const std::string path = directory / name;
    td.filter_non_tensor_data().save(path);
    CHECK(detect_format(path) == format);
    CHECK(format_of_ending(path) == format);
    CHECK(format_name(format).size() > 2);
    OpenOptions options;
    options.trusted = true;
    CHECK((Dict::open(path, options).get("a") == td.get("a")).op("all").item<bool>());
    if (format == Format::hdf5) CHECK_THROWS(UnsupportedError, Dict::open(path));
    CHECK_THROWS(ExistsError, td.save(path));
  }
  CHECK_THROWS(NotFoundError, Dict::open(directory / "none"));
}

TEST(storage, tells_progress_and_gives_up_when_told) {
  const check::TemporaryDirectory directory;
  SaveOptions options;
  std::int64_t told = 0;
  options.progress = [&](std::int64_t done, std::int64_t) { told = done; };
  sample().save(directory / "a.td", options);
  CHECK(told > 0);
  options.progress = [](std::int64_t, std::int64_t) { throw std::out_of_range("enough"); };
  CHECK_EQ(CHECK_THROWS(std::out_of_range, sample().save(directory / "b.td", options)), "enough");
  CHECK_THROWS(NotFoundError, Dict::open(directory / "b.td"));
}

TEST(storage, keeps_a_live_directory) {
  const check::TemporaryDirectory directory;
  const Dict td = sample();
  Dict live = td.memmap_like(directory / "live");
  CHECK(live.is_memmap());
  CHECK(live.is_locked());
  CHECK(live.saved_path()->find("live") != std::string::npos);
  live["a"].copy_from(td.get("a"));
  live.make_memmap("done", {3}, DType::bool_);
  CHECK_EQ(live.make_memmap({"n", "copy"}, td.get("a")).to_vector<float>()[2], 3.f);
  Dict other = Dict::open(directory / "live", {Mode::read_write});
  live.fill_("a", 7);
  CHECK_EQ(other.get("a")[0].item<float>(), 7.f);
  other.memmap_refresh();
  CHECK(other.contains("done"));
  CHECK_THROWS(LockedError, Dict::open(directory / "live").fill_("a", 1));
  CHECK(!td.python_class());
  CHECK_EQ(td.python_fields(), "{}");
  CHECK(td.consolidate().is_locked());
}

TEST(storage, opens_parts_and_appends_rows) {
  const check::TemporaryDirectory directory;
  sample().save(directory / "run");
  const Dict n = Dict::open_part(directory / "run", "n");
  CHECK(n.contains("b"));
  CHECK(!n.contains("a"));
  CHECK_THROWS(NotFoundError, Dict::open_part(directory / "run", "a"));
  CHECK_THROWS(NotFoundError, Dict::open_part(directory / "run", {"n", "x"}));
  sample().append_memmap(directory / "run", true);
  const Dict all = Dict::open(directory / "run");
  CHECK_EQ(all.batch_size()[0], 6);
  CHECK_EQ(all.get({"n", "b"}).shape()[0], 6);
  CHECK_EQ(all.get("a").to_vector<float>()[5], 3.f);
  CHECK_THROWS(KeyError, sample().select({"a"}).append_memmap(directory / "run"));
}

TEST(storage, keeps_a_tensor_in_a_file) {
  const check::TemporaryDirectory directory;
  Tensor t = Tensor::memmap_zeros(directory / "x", {2, 3}, DType::float32);
  const Tensor seen = Tensor::memmap_open(directory / "x", {2, 3}, DType::float32);
  t.copy_(Tensor::ones({2, 3}));
  CHECK_EQ(seen.to_vector<float>()[5], 1.f);
  CHECK_EQ(*seen.saved_path(), directory / "x");
  CHECK(!Tensor::ones({1}).saved_path());
  CHECK_THROWS(ExistsError, t.memmap(directory / "x"));
  CHECK_EQ(t.memmap(directory / "y").to_vector<float>()[0], 1.f);
  SaveOptions options;
  options.overwrite = true;
  CHECK_EQ(Tensor::memmap_full(directory / "y", {4}, 2.5, DType::float64, options).to_vector<double>()[3], 2.5);
  CHECK_THROWS(CorruptError, Tensor::memmap_open(directory / "y", {5}, DType::float64, Mode::copy_on_write));
}

TEST(storage, verifies_archives) {
  if (!has_feature("archive")) return;
  const check::TemporaryDirectory directory;
  SaveOptions options;
  options.compression = Compression::deflate;
  options.threads = 2;
  sample().save(directory / "a.tdz", options);
  verify_archive(directory / "a.tdz");
  sample().save(directory / "b.tdz");
  refresh_archive_checksums(directory / "b.tdz");
  CHECK_THROWS(NotFoundError, verify_archive(directory / "c.tdz"));
  if (!has_feature("lzma")) return;
  options.compression = Compression::lzma;
  sample().save(directory / "c.tdz", options);
  verify_archive(directory / "c.tdz");
  CHECK_EQ(Dict::open(directory / "c.tdz").get("a").to_vector<float>()[1], 2.f);
}

TEST(storage, keeps_dicts_in_files) {
  if (!has_feature("hdf5")) return;
  const check::TemporaryDirectory directory;
  PersistentOptions options;
  options.batch_size = Shape{3};
  Dict file = Dict::create_persistent(directory / "a.h5", options);
  CHECK(file.dict_kind() == DictKind::persistent);
  CHECK(file.persistent_is_writable());
  CHECK_EQ(file.persistent_file(), directory / "a.h5");
  file.set("x", Tensor::ones({3}));
  file.persistent_close();
  CHECK_THROWS(ClosedError, file.get("x"));
  Dict again = Dict::open_persistent(directory / "a.h5");
  CHECK_EQ(again[slice(1)].get("x").numel(), 2);
  again.persistent_close();
}

TEST(segment, is_seen_by_everybody_who_opens_it) {
  if (!has_feature("segment")) return;
  const std::string name = check::unique_name("segment");
  const Dict td = sample();
  {
    Segment mine = Segment::create(name, td);
    const Segment theirs = Segment::open(name, {true, false});
    const Dict seen = Segment::open(name, {false, false, Timeout(1000)}).dict();
    CHECK_EQ(mine.path(), theirs.path());
    CHECK(mine.nbytes() > 0);
    CHECK_EQ(mine.version(), 0u);
    mine.update(td * 0 + 5);
    CHECK_EQ(seen.get("a")[0].item<float>(), 5.f);
    CHECK_EQ(theirs.version(), 2u);
    CHECK(seen.get("a").is_shared());
    CHECK(seen.get("a").is_read_only());
    CHECK_THROWS(LockedError, seen.get("a").mutable_data());
    CHECK_THROWS(ExistsError, Segment::create(name, td));
    CHECK(Segment::list(name).find(name) != std::string::npos);
    CHECK_EQ(Segment::prune(name), 0);
    CHECK(live_bytes() > 0);
  }
  CHECK_THROWS(NotFoundError, Segment::open(name));
  CHECK_THROWS(TimeoutError, Segment::open(name, {false, false, Timeout(1)}));
  CHECK_THROWS(NotFoundError, Segment::unlink(name));
}

TEST(segment, gives_snapshots_and_goes_as_a_descriptor) {
  if (!has_feature("segment")) return;
  SegmentOptions options;
  options.snapshots = 2;
  Segment mine = Segment::create(check::unique_name("snapshots"), sample(), options);
  const Dict before = mine.snapshot();
  CHECK_THROWS(TimeoutError, mine.wait(mine.version(), Timeout(0)));
  mine.update(sample() * 3);
  CHECK_EQ(mine.wait(0), 2u);
  CHECK_EQ(before.get("a")[1].item<float>(), 2.f);
  CHECK_EQ(mine.snapshot().get("a")[1].item<float>(), 6.f);
  const int descriptor = Segment::export_descriptor(sample());
  CHECK_EQ(Segment::import_descriptor(descriptor).dict().get("a")[2].item<float>(), 3.f);
  close(descriptor);
  CHECK_THROWS(ArgumentError, Segment::send(sample(), 0));
  CHECK_THROWS(Error, Segment::receive(-1, Timeout(0)));
}

TEST(channel, waits_end_when_another_thread_wants_it) {
  if (!has_feature("segment")) return;
  const std::string name = check::unique_name("cancel");
  const Channel producer = Channel::create(name, sample());
  const Channel consumer = Channel::open(name, ChannelRole::consumes);
  const Cancel stop;
  bool cancelled = false;
  std::thread waits([&] {
    try {
      consumer.take(forever, &stop);
    } catch (const CancelledError&) {
      cancelled = true;
    }
  });
  CHECK(!stop.requested());
  stop.request();
  waits.join();
  CHECK(cancelled && stop.requested());
  CHECK_THROWS(CancelledError, producer.acquire(forever, &stop));
  CHECK_THROWS(CancelledError, consumer.try_take(Timeout(0), &stop));
}

TEST(channel, hands_messages_over) {
  if (!has_feature("segment")) return;
  const std::string name = check::unique_name("channel");
  ChannelOptions options;
  options.slots = 2;
  const Channel producer = Channel::create(name, sample(), options);
  const Channel consumer = Channel::open(name, ChannelRole::consumes);
  CHECK(!consumer.try_take());
  CHECK_THROWS(TimeoutError, consumer.take(Timeout(1)));
  CHECK_THROWS(ArgumentError, consumer.acquire(Timeout(0)));
  for (float value : {1.f, 2.f}) {
    Message message = producer.acquire();
    message.dict().fill_("a", value);
    CHECK_EQ(message.number(), -1);
    message.publish();
    CHECK_THROWS(ClosedError, message.dict());
  }
  CHECK(!producer.try_acquire(Timeout(1)));
  pollfd ready = {consumer.descriptor(), POLLIN, 0};
  CHECK_EQ(poll(&ready, 1, 10000), 1);
  CHECK_EQ(producer.stats().ready, 2);
  producer.close();
  float sum = 0;
  std::int64_t last = -1;
  for (const Message& message : consumer) {
    sum += message.dict().get("a")[0].item<float>();
    last = message.number();
    CHECK_EQ(message.delivery(), 1);
    CHECK_EQ(message.lag(), 0);
  }
  CHECK_EQ(sum, 3.f);
  CHECK_EQ(last, 1);
  CHECK_EQ(consumer.sweep(), 0);
  CHECK(consumer.dump().size() > 10);
  CHECK(consumer.schema().contains({"n", "b"}));
  CHECK(consumer.path().find(name) != std::string::npos);
  CHECK(consumer.nbytes() > 0);
  Channel::unlink(name);
  CHECK_THROWS(NotFoundError, Channel::open(name, ChannelRole::consumes | ChannelRole::produces));
}

TEST(scope, writes_back_at_its_end) {
  Dict td = sample();
  Scope flat = Scope::flatten_keys(td, ".");
  flat->set("n.done", Tensor::zeros({3}));
  CHECK(!td.contains({"n", "done"}));
  flat.end();
  CHECK(td.contains({"n", "done"}));
  CHECK_THROWS(ClosedError, flat.end());
  within(Scope::unsqueeze(td, 0), [](Dict& inside) { inside.set("new", Tensor::ones({1, 3})); });
  CHECK_EQ(td.get("new").shape(), Shape{3});
  CHECK_THROWS(std::logic_error, within(Scope::view(td, {3, 1}), [](Dict& inside) {
                 inside.set("never", Tensor::ones({3, 1}));
                 throw std::logic_error("no");
               }));
  CHECK(!td.contains("never"));
}

TEST(scope, has_every_form) {
  Dict td({{"a", Tensor::zeros({2, 3})}}, {2, 3});
  const auto add = [](Dict& inside) { inside.set("b", inside.get("a").clone()); };
  within(Scope::flatten(td), add);
  within(Scope::unflatten(td, 1, {3, 1}), add);
  within(Scope::permute(td, {1, 0}), add);
  within(Scope::transpose(td, 0, 1), add);
  within(Scope::movedim(td, {0}, {1}), add);
  within(Scope::flip(td, {0}), add);
  within(Scope::roll(td, {1}, {0}), add);
  within(Scope::to(td, DType::float64), add);
  CHECK(td.get("b").dtype() == DType::float32);
  Dict one({{"a", Tensor::zeros({1, 3})}}, {1, 3});
  within(Scope::squeeze(one), add);
  CHECK_EQ(one.get("b").shape(), Shape{1, 3});
  Dict flat({{"x.y", Tensor::zeros({})}}, {});
  within(Scope::unflatten_keys(flat), [](Dict& inside) { inside.set({"x", "z"}, Tensor::zeros({})); });
  CHECK(flat.contains("x.z"));
  td.lock();
  within(Scope::unlock(td), [](Dict& inside) { inside.erase("b"); });
  CHECK(td.is_locked());
  CHECK(!td.contains("b"));
}
