// Saves and segments.
#include <cstdint>
#include <sstream>

#include "peer.hpp"

namespace peer {

using namespace tensordict;

namespace {

// What every language's peer saves, with `offset` added to "a".
Dict example(float offset) {
  Dict td(Shape{2});
  td["a"] = Tensor::of({offset, 1 + offset, 2 + offset, 3 + offset, 4 + offset, 5 + offset}, {2, 3});
  td.set({"n", "b/c"}, Tensor::of<std::int64_t>({-1, INT64_MAX}));
  td.set({"n", "ж"}, Tensor::of({true, false}, {2, 1}));
  const double z[] = {1, 2, 3, 4};
  td.set({"n", "deep", "z"}, Tensor::copy_of(z, DType::complex128, {2}));
  td["half"] = Tensor::of({1.0F, 2.0F}).to(DType::bfloat16);
  td["none"] = Tensor::zeros({2, 0}, {DType::float64});
  return td;
}

// Each leaf: key, dtype, shape and the bytes of its elements, row-major.
void print(const Dict& td) {
  for (const auto& [key, entry] : td.items(KeysFlag::nested | KeysFlag::leaves)) {
    const Tensor t = entry.tensor().contiguous();
    std::cout << key.joined("|") << "\t" << name_of(t.dtype()) << "\t";
    for (std::size_t i = 0; i < t.ndim(); ++i) std::cout << (i ? "," : "") << t.shape()[i];
    std::cout << "\t";
    const auto* bytes = static_cast<const unsigned char*>(t.data());
    for (std::int64_t i = 0; i < t.nbytes(); ++i)
      std::cout << "0123456789abcdef"[bytes[i] >> 4] << "0123456789abcdef"[bytes[i] & 15];
    std::cout << "\n";
  }
}

// Prints what `get` returns and a ".", now and for each line on stdin.
template <class F>
void again(F get) {
  const auto once = [&](const std::string&) {
    print(get());
    std::cout << "." << std::endl;
  };
  once("");
  lines(once);
}

// Obeys "fill KEY VALUE", "first KEY", "make KEY" and "refresh" on a directory that is open for writing.
void live(const std::string& path) {
  Dict td = Dict::open(path, {Mode::read_write});
  std::cout << "ready" << std::endl;
  lines([&](const std::string& line) {
    std::istringstream words(line);
    std::string verb, key;
    float value = 0;
    words >> verb >> key >> value;
    if (verb == "refresh") {
      td.memmap_refresh();
    } else if (verb == "make") {
      td.make_memmap(key, {2}, DType::float32);
    } else {
      Tensor t = td.get(key);
      const View<float> elements = t.mutable_view<float>();
      for (float& element : elements)
        if (verb == "fill") element = value;
      value = elements[0];
    }
    std::cout << value << std::endl;
  });
}

Segment segment(const std::string& name, std::int32_t snapshots) {
  SegmentOptions options;
  options.snapshots = snapshots;
  Segment made = Segment::create(name, example(0), options);
  std::cout << made.path() << std::endl;
  return made;
}

void own(const std::string& name, std::int32_t snapshots) {
  Segment mine = segment(name, snapshots);
  float offset = 0;
  lines([&](const std::string&) {
    mine.update(example(++offset));
    std::cout << mine.version() << std::endl;
  });
}

}  // namespace

bool storage(const std::string& command, const Arguments& arguments) {
  const std::string& path = arguments.at(0);
  if (command == "save") {
    example(0).save(path);
  } else if (command == "copy") {
    Dict::open(path).save(arguments.at(1));
  } else if (command == "show") {
    print(Dict::open(path));
  } else if (command == "watch") {
    const Dict td = Dict::open(path);
    again([&]() -> const Dict& { return td; });
  } else if (command == "live") {
    live(path);
  } else if (command == "own" || command == "own-snapshots") {
    own(path, command == "own" ? 0 : 3);
  } else if (command == "spin") {
    Segment mine = segment(path, 3);
    for (float offset = 1;; ++offset) mine.update(example(offset));
  } else if (command == "map") {
    const Segment theirs = Segment::open(path);
    again([&] { return theirs.dict(); });
  } else if (command == "map-snapshots") {
    const Segment theirs = Segment::open(path);
    again([&] { return theirs.snapshot(); });
  } else if (command == "prune") {
    std::cout << Segment::prune(path) << "\n";
  } else {
    return false;
  }
  return true;
}

}  // namespace peer
