# The Rust binding is a cargo project; `rust` builds it against this build's library. Not part of `all`.
find_program(CARGO cargo)
if(CARGO AND EXISTS ${PROJECT_SOURCE_DIR}/bindings/rust/Cargo.toml AND NOT TD_SANITIZE)
  set(TD_CARGO_ENVIRONMENT
    "TENSORDICT_LIB_DIR=${PROJECT_BINARY_DIR}" "CARGO_TARGET_DIR=${PROJECT_BINARY_DIR}/rust"
    "RUSTFLAGS=-L native=${PROJECT_BINARY_DIR} -C link-arg=-Wl,-rpath,${PROJECT_BINARY_DIR}"
    "RUSTDOCFLAGS=-L native=${PROJECT_BINARY_DIR} -C link-arg=-Wl,-rpath,${PROJECT_BINARY_DIR}")
  add_custom_target(rust
    COMMAND ${CMAKE_COMMAND} -E env ${TD_CARGO_ENVIRONMENT} ${CARGO} build --release --offline --quiet
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/bindings/rust USES_TERMINAL VERBATIM)
  add_dependencies(rust tensordict)
else()
  add_custom_target(rust)
endif()
