fn main() {
    // Where the crate found the library: this program looks there when it starts.
    if let Ok(directory) = std::env::var("DEP_TENSORDICT_LIB_DIR") {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{directory}");
    }
}
