//! The C compiler and the generated layer must agree on where everything lies.
use std::process::Command;
use tensordict::sys;

macro_rules! layouts {
    ($($name:ident { $($field:ident)* })*) => {
        fn lines(line: impl Fn(&str, Option<&str>, usize) -> String) -> Vec<String> {
            let mut out = Vec::new();
            $(
                out.push(line(stringify!($name), None, std::mem::size_of::<sys::$name>()));
                let value = std::mem::MaybeUninit::<sys::$name>::uninit();
                $(
                    // SAFETY: only the address is taken.
                    let address = unsafe { std::ptr::addr_of!((*value.as_ptr()).$field) } as usize;
                    let field = stringify!($field).trim_end_matches('_');
                    out.push(line(stringify!($name), Some(field), address - value.as_ptr() as usize));
                )*
            )*
            out
        }
    };
}

layouts! {
    td_str { data size }
    td_key { parts n }
    td_complex { re im }
    td_value { kind reserved size as_ }
    td_named_value { name value }
    td_writer { struct_size write userdata }
    td_reader { struct_size read userdata }
    td_dict_options { struct_size device }
    td_item { key value }
    td_field { key dtype reserved dims ndim offset }
    td_dict_update_options { struct_size inplace clone update_batch_size reserved keys n_keys }
    td_key_set { keys n }
    td_split_options { struct_size lenient reproduce_struct reserved fill names }
    td_index { kind reserved start stop step tensor }
    td_parse_options { struct_size device }
    td_open_options { struct_size mode format lenient trusted reserved part }
    td_progress { struct_size fn_ userdata destroy }
    td_save_options { struct_size overwrite sync reserved threads progress format compression }
    td_persistent_options { struct_size mode compression batch_size ndim max_batch_dims chunks n_chunks shuffle reserved }
    td_segment_options { struct_size keep large_pages replace_dead reserved snapshots }
    td_channel_options { struct_size mode overflow roles slots members deliveries max_held keep replace_dead reserved }
    td_channel_statistics { struct_size published dropped redelivered dead_letters aborted swept slots free writing ready reading producers consumers state oldest_ms oldest_pid }
    td_module_function { struct_size fn_ userdata destroy }
    td_vmap_options { struct_size randomness data_dim map_data reserved }
    td_sgd_options { struct_size lr momentum dampening weight_decay nesterov reserved }
    td_adam_options { struct_size lr beta1 beta2 eps weight_decay amsgrad reserved }
    td_adamw_options { struct_size lr beta1 beta2 eps weight_decay amsgrad reserved }
    td_hash_function { struct_size fn_ userdata destroy }
    td_query_options { struct_size index_key hash_key hash_type hash_config hash hashes n_hashes aggregator map_of capacity miss threads clone exact canonical reserved }
    td_query_call_options { struct_size flags target reserved found_key }
    td_query_statistics { struct_size size next collisions evictions nbytes }
    td_query_share_options { struct_size capacity keep large_pages reserved }
    td_query_save_options { struct_size capacity overwrite reserved }
    td_store_options { struct_size capacity preallocate reserved path }
    td_type_info { struct_size id version schema flags }
    td_hash_callbacks { struct_size hash_rows userdata destroy }
    td_module_callbacks { struct_size init forward userdata destroy }
    td_dist_callbacks { struct_size params n_params sample rsample log_prob stat userdata destroy }
}

#[test]
fn structs_lie_as_in_c() {
    let assertions = lines(|name, field, number| {
        let measure = field.map_or(format!("sizeof({name})"), |field| format!("offsetof({name}, {field})"));
        format!("_Static_assert({measure} == {number}, \"{measure} is not {number}\");\n")
    });
    assert!(assertions.len() > 50);
    let source = std::env::temp_dir().join(format!("rust-test-layout-{}.c", std::process::id()));
    std::fs::write(&source, format!("#include \"tensordict.h\"\n{}", assertions.concat())).unwrap();
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let output = Command::new(compiler)
        .args(["-std=c11", "-fsyntax-only", "-I", concat!(env!("CARGO_MANIFEST_DIR"), "/../..")])
        .args(["-I", concat!(env!("CARGO_MANIFEST_DIR"), "/../../capi/include")])
        .arg(&source)
        .output()
        .unwrap();
    std::fs::remove_file(source).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Zero is the default of the library; the safe structs name the numbers.
#[test]
fn defaults_are_those_of_c() {
    use tensordict::{sys::*, AdamW};
    let (raw, safe) = (td_adamw_options::default(), AdamW::default());
    assert_eq!((raw.lr, raw.beta2, raw.weight_decay, raw.reserved), (0.0, 0.0, 0.0, [0; 7]));
    assert_eq!((safe.lr, safe.beta2, safe.weight_decay), (1e-3, 0.999, 1e-2));
    assert_eq!(raw.struct_size, std::mem::size_of::<td_adamw_options>());
}
