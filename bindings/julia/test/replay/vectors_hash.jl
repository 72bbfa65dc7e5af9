# Hashes of bytes, and queries over rows.

function hash_of(type, config, message)
    h = Hash(type; config = config)
    isempty(message) && return T.item(h(zeros(Tensor{UInt8}, 1, 0))) % UInt64  # one row without bytes
    return T.hash_rows(h, reshape(message, :, 1))[1]
end

function expect(what, type, config, message, wanted)
    got = hash_of(type, config, message)
    got == wanted || println("$what of $(length(message)) bytes is $got, not $wanted")
    @test got == wanted
    return 1
end

# Vectors without their bytes say how these are made.
message_of(o) = haskey(o, "hex") ? hex2bytes(o["hex"]) : UInt8[(i * 7 + o["len"]) % 256 for i in 0:o["len"]-1]

function run_hashes()
    all = vectors_in("hash.json")
    n = 0
    both = ("13" => "[1, 3]", "24" => "[2, 4]")
    for o in all["cpython_hash_bytes"]["vectors"], seed in (0, 42), (rounds, spelled) in both
        name = "siphash$(rounds)_seed$seed"
        n += expect(name, "td.siphash", "{\"seed\": $seed, \"rounds\": $spelled}", message_of(o), o[name] % UInt64)
    end
    key = "\"cpython\": false, \"key\": \"000102030405060708090a0b0c0d0e0f\""
    for (name, rounds) in ("siphash24_official" => "[2, 4]", "siphash13_reference" => "[1, 3]")
        for (i, wanted) in enumerate(all[name]["values"])
            n += expect(name, "td.siphash", "{$key, \"rounds\": $rounds}", UInt8.(0:i-2), parse(UInt64, wanted))
        end
    end
    n += run_xxh3(all["xxh3_64"])
    println("$n hashes compared")
end

function run_xxh3(o)
    try
        close(Hash("td.xxh3"))
    catch e
        e isa TensorDictException || rethrow()
        println("without td.xxh3: this library was built without it")
        return 0
    end
    longest = maximum(v["len"] for v in o["vectors"])
    buffer, g = UInt8[], UInt64(2654435761)
    for _ in 1:longest
        push!(buffer, UInt8(g >> 56))
        g *= UInt64(11400714785074694797)
    end
    seeds = ("seed0" => "0x0", "seedP32" => o["P32"], "seedP64" => o["P64"])
    return sum(expect("xxh3 $name", "td.xxh3", "{\"seed\": $(Int128(parse(UInt64, seed)))}", buffer[1:v["len"]],
                      parse(UInt64, v[name])) for v in o["vectors"], (name, seed) in seeds)
end

# A tensor with the elements that bytes spell in row-major order.
function tensor_of_bytes(o)
    kind, shape = T.dtype_from_name(o["dtype"]), Int64[i for i in o["shape"]]
    bytes = hex2bytes(o["bytes_hex"])
    isempty(bytes) && return zeros(Tensor{kind}, shape...)
    return op("reshape", op("view.dtype", Tensor(bytes), kind), shape)
end

function run_queries()
    for v in filter(v -> haskey(v, "steps"), vectors_in("hash.json")["query_module"]["cases"])  # others are remarks
        tried(() -> replay_query(v), v["name"])
    end
end

function replay_query(v)
    q = Query(keys_in(v["in_keys"])...)
    for (i, step) in enumerate(v["steps"])
        data = TensorDict((Int(n) for n in step["batch_size"])...)
        foreach(pair -> data[first(pair)] = tensor_of_bytes(last(pair)), pairs(step["inputs"]))
        q(data; extend = get(step["call"], "extend", true))
        for (key, wanted) in ("_index" => "index", "_hash" => "hash")
            got = row_major(data[key], Int64)
            check(got == aslist(step[wanted]), "step $i: $key is $got, not $(step[wanted])")
        end
        check(length(q) == step["map_size_after"], "step $i: the map has $(length(q)) rows")
    end
end
