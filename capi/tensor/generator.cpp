#include "core/tensor/generator.h"

#include "capi/convert.h"

using namespace td::capi;

td_status td_generator_new(uint64_t seed, td_generator** out_generator, td_error** err) noexcept {
  return guard(err, [&] { give(out_generator, c10::make_intrusive<td::Generator>(seed)); });
}

td_status td_generator_seed(td_generator* self, uint64_t seed, td_error** err) noexcept {
  return guard(err, [&] { ref(self).seed(seed); });
}

uint64_t td_generator_initial_seed(const td_generator* self) noexcept {
  return guard_value(uint64_t{0}, [&] { return ref(self).initial_seed(); });
}

td_status td_generator_state(const td_generator* self, td_tensor** out_state, td_error** err) noexcept {
  return guard(err, [&] { give(out_state, ref(self).state()); });
}

td_status td_generator_load_state(td_generator* self, const td_tensor* state, td_error** err) noexcept {
  return guard(err, [&] { ref(self).load_state(tensor(state)); });
}

void td_generator_retain(const td_generator* self) noexcept {
  retain(self);
}
void td_generator_release(const td_generator* self) noexcept {
  release(self);
}

td_status td_manual_seed(uint64_t seed, td_error** err) noexcept {
  return guard(err, [&] { td::manual_seed(seed); });
}
