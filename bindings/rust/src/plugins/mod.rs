//! Plugins: hash functions, distributions and modules, from shared libraries or written in Rust.
mod register;

pub use register::{register_dist, register_hash, register_module, DistType, HashRows, ModuleType, TypeInfo};

use crate::storage::path_text;
use crate::string::Text;
use crate::{string, Result};
use std::path::Path;

constants! {
    /// What a type is.
    PluginKind {
        /// A hash.
        Hash = TD_PLUGIN_KIND_HASH,
        /// A distribution.
        Distribution = TD_PLUGIN_KIND_DISTRIBUTION,
        /// A module.
        Module = TD_PLUGIN_KIND_MODULE,
    }
}

/// Loads one plugin file, or the one that a manifest (*.toml) names. Errors: NotFound; Plugin; Version; Exists.
pub fn load(file: impl AsRef<Path>) -> Result<()> {
    let file = path_text(file.as_ref())?;
    done!(td_plugins_load(string::borrow(file)))
}

/// Loads every plugin of a directory; files that are refused are in the report. Errors: NotFound; Io.
pub fn add_path(directory: impl AsRef<Path>) -> Result<()> {
    let directory = path_text(directory.as_ref())?;
    done!(td_plugins_add_path(string::borrow(directory)))
}

/// The types in use, as a JSON array.
pub fn list() -> Result<String> {
    made!(td_plugins_list()).map(Text::take)
}

/// What was loaded and what was refused, with the reasons; a line for each file.
pub fn report() -> Result<String> {
    made!(td_plugins_report()).map(Text::take)
}

/// Hides a type from look-ups; what was made of it goes on. Errors: NotFound.
pub fn unregister(kind: PluginKind, id: &str) -> Result<()> {
    done!(td_plugins_unregister(kind.raw(), string::borrow(id)))
}
