# The Rust binding is a cargo project; `rust` builds it against this build's library, `rust_cluster` the actor of `make
# demo-cluster`. Not part of `all`.
find_program(CARGO cargo)
if(CARGO AND EXISTS ${PROJECT_SOURCE_DIR}/bindings/rust/Cargo.toml AND NOT TD_SANITIZE)
  set(TD_CARGO_ENVIRONMENT
    "TENSORDICT_LIB_DIR=${PROJECT_BINARY_DIR}" "CARGO_TARGET_DIR=${PROJECT_BINARY_DIR}/rust"
    "RUSTFLAGS=-L native=${PROJECT_BINARY_DIR} -C link-arg=-Wl,-rpath,${PROJECT_BINARY_DIR}"
    "RUSTDOCFLAGS=-L native=${PROJECT_BINARY_DIR} -C link-arg=-Wl,-rpath,${PROJECT_BINARY_DIR}")
  set(_rust)
  set(_rust_cluster --example cluster)
  foreach(_target rust rust_cluster)
    add_custom_target(${_target}
      COMMAND ${CMAKE_COMMAND} -E env ${TD_CARGO_ENVIRONMENT} ${CARGO} build --release --offline --quiet ${_${_target}}
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/bindings/rust USES_TERMINAL VERBATIM)
    add_dependencies(${_target} tensordict)
  endforeach()
else()
  add_custom_target(rust)
  add_custom_target(rust_cluster)
endif()
