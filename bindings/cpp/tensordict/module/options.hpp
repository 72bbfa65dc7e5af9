// Choices of modules.
#ifndef TENSORDICT_MODULE_OPTIONS_HPP
#define TENSORDICT_MODULE_OPTIONS_HPP

#include "../dist.hpp"
#include "../stack.hpp"

namespace tensordict {

// Where a module writes its outputs.
enum class Inplace : td_inplace {
  none = TD_INPLACE_NONE,    // a sequence returns what its last member gave; other modules write to a new dict
  yes = TD_INPLACE_TRUE,     // into the data
  no = TD_INPLACE_FALSE,     // into a new dict without batch dims
  empty = TD_INPLACE_EMPTY,  // into a new dict with the batch size and the device of the data
};

struct ModuleOptions {
  Inplace inplace = Inplace::yes;
  bool strict = false;                           // a missing input is an error
  std::vector<std::string> argument_names = {};  // one for each in-key: the values are passed by these names
};

struct SequenceOptions {
  Inplace inplace = Inplace::none;
  bool partial_tolerant = false;            // members whose inputs are missing do not run
  std::vector<Key> selected_out_keys = {};  // none: all
  std::vector<std::string> names = {};      // of the members; none: numbers
};

struct RunOptions {
  Dict* tensordict_out = nullptr;                   // receives the outputs
  bool skip_existing = false;                       // modules whose outputs are all there do not run
  bool no_grad = false;                             // nothing is recorded
  Interaction interaction = Interaction::standard;  // how modules take values from distributions
};

struct FromModulesOptions {
  bool as_module = false;         // parameters and buffers
  bool lock = true;               // the result is locked
  bool use_state_dict = false;    // what a state dict has
  bool lazy_stack = false;        // of the modules' own tensors; they may differ in structure
  bool expand_identical = false;  // a tensor that all modules share is expanded, not copied
};

struct FunctionalOptions {
  bool tie_weights = true;  // a tensor that stands under several names is replaced under all
  bool strict = false;      // the states must name everything that the module has, and nothing else
};

enum class Randomness : td_randomness {
  error = TD_RANDOMNESS_ERROR,          // random operators fail
  different = TD_RANDOMNESS_DIFFERENT,  // each member draws its own numbers
  same = TD_RANDOMNESS_SAME,
};

// Every member gets all of it.
inline constexpr std::int32_t vmap_shared = TD_VMAP_SHARED;

struct VmapOptions {
  Randomness randomness = Randomness::error;
  std::int32_t data_dim = vmap_shared;  // the batch dim of the data that is mapped
};

namespace detail {

class RawSequence {
 public:
  explicit RawSequence(const SequenceOptions& options) : keys_(options.selected_out_keys), names_(options.names) {
    raw_.inplace = static_cast<td_inplace>(options.inplace);
    raw_.partial_tolerant = options.partial_tolerant;
    raw_.selected_out_keys = keys_.size() ? keys_.data() : nullptr;
    raw_.n_selected = keys_.size();
    raw_.names = names_.data_or_null();
  }
  RawSequence(const RawSequence&) = delete;
  const td_sequential_options* get() const noexcept { return &raw_; }

 private:
  KeyViews keys_;
  Texts names_;
  td_sequential_options raw_ = TD_SEQUENTIAL_OPTIONS_INIT;
};

// One name for each module, or none at all.
inline void check_names(std::size_t names, std::size_t modules) {
  if (names != 0 && names != modules) throw ArgumentError("there is not one name for each");
}

}  // namespace detail
}  // namespace tensordict

#endif
