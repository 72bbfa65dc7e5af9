// Finds libtensordict: TENSORDICT_LIB_DIR, else pkg-config, else the build directory of this repository.
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=TENSORDICT_LIB_DIR");
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    println!("cargo:rerun-if-changed=build.rs");
    if let Some(directory) = library_directory() {
        println!("cargo:rustc-link-search=native={}", directory.display());
        // For programs and tests of this package; crates that use it find `lib_dir` as DEP_TENSORDICT_LIB_DIR.
        println!("cargo:rustc-link-arg=-Wl,-rpath,{}", directory.display());
        println!("cargo:lib_dir={}", directory.display());
    } else {
        // The linker still looks in its own directories.
        println!("cargo:warning=no libtensordict yet: run `make build` at the root, or set TENSORDICT_LIB_DIR");
    }
}

fn library_directory() -> Option<PathBuf> {
    if let Some(directory) = env::var_os("TENSORDICT_LIB_DIR") {
        return Some(PathBuf::from(directory));
    }
    pkg_config().or_else(|| {
        let build = Path::new(&env::var_os("CARGO_MANIFEST_DIR")?).join("../../build");
        build.join("libtensordict.so").exists().then(|| build.canonicalize().unwrap_or(build))
    })
}

fn pkg_config() -> Option<PathBuf> {
    let output = Command::new("pkg-config").args(["--variable=libdir", "tensordict"]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| PathBuf::from(text.trim()))
}
