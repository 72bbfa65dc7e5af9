/* One line a target: here, in CMakeLists.txt, and a folder of seeds. */
#include "support/fuzz.h"

extern const fuzz_target fuzz_archive, fuzz_channel, fuzz_config, fuzz_consolidated, fuzz_hdf5, fuzz_manifest,
    fuzz_memmap, fuzz_pickle, fuzz_query_state, fuzz_repr, fuzz_safetensors, fuzz_segment, fuzz_torch_save;

const fuzz_target *const fuzz_targets[] = {
    &fuzz_archive, &fuzz_channel,     &fuzz_config, &fuzz_consolidated, &fuzz_hdf5,    &fuzz_manifest,   &fuzz_memmap,
    &fuzz_pickle,  &fuzz_query_state, &fuzz_repr,   &fuzz_safetensors,  &fuzz_segment, &fuzz_torch_save, NULL};
