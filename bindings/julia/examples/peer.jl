# Reads and writes what other processes do: Python, C, and other programs in Julia. One command a process, text on
# stdout. tests/interop/test_matrix.py runs it beside the peers of the other languages.
#
#   save PATH                     saves a dict that the test knows by heart: a directory, or a .td file
#   copy FROM TO                  opens a save and saves it again
#   show PATH                     prints each leaf: key dtype shape bytes
#   watch PATH                    prints them and a ".", again for each line on stdin
#   live DIR                      obeys lines on stdin on a directory that is open for writing
#   own|own-snapshots NAME        creates a segment of the same dict, prints its path, adds 1 to "a" for each
#                                 line on stdin
#   spin NAME                     creates one with snapshots and updates it without end
#   map|map-snapshots NAME        opens a segment and prints its leaves and a ".", again for each line on stdin
#   prune PREFIX                  removes the names that killed processes left, and prints how many
#   produce NAME MODE N CONSUMERS creates a channel ("queue" or "broadcast"), prints its path, waits for as many
#                                 consumers, publishes 0 to N-1, ends the channel, and leaves at the end of stdin
#   join NAME FIRST N             publishes as many messages into a channel that is there, and ends it
#   flood NAME                    publishes without end
#   half NAME N                   publishes 0 to N-1, writes a half of the next one, prints "half", and waits
#                                 for its end
#   host NAME MODE                creates a channel and does what consume does
#   consume NAME                  prints "ready", then the number in each message, until the channel has ended
#   hold NAME                     takes one message, prints its number, and waits for its end

using TensorDicts
const T = TensorDicts

say(x...) = (println(x...); flush(stdout))
whole(text) = parse(Int, text)

# ---- Files and segments

row_major(values, dims...) = Tensor(reversedims(reshape(collect(values), reverse(dims))))

function example(offset = 0)
    return TensorDict(
        "a" => row_major(Float32[offset:offset+5;], 2, 3),
        ("n", "b/c") => [-1, typemax(Int64)], ("n", "ж") => row_major([true, false], 2, 1),
        ("n", "deep", "z") => [1.0 + 2im, 3.0 + 4im], "half" => to(Tensor([1.0, 2.0]), BFloat16),
        "none" => zeros(Tensor{Float64}, 2, 0); batch = (2,))
end

# The bytes of the elements, row-major, whatever their type.
content(t::Tensor) = isempty(t) ? "" : bytes2hex(vec(parent(op("view.dtype", op("flatten", contiguous(t)), UInt8))))

function show_leaves(td)
    for (key, t) in nested_pairs(td; leaves = true)
        println(join(key, "|"), '\t', T.dtype_name(eltype(t)), '\t', join(size(t), ","), '\t', content(t))
    end
    flush(stdout)
end

copy_save(from, into) = save(open(TensorDict, from), into)

function again(show)
    show()
    say(".")
    for _ in eachline(stdin)
        show()
        say(".")
    end
end

function watch(path)
    td = open(TensorDict, path)
    again(() -> show_leaves(td))
end

function live(path)
    td = open(TensorDict, path; mode = :read_write)
    say("ready")
    for line in eachline(stdin)
        verb, key, number = (split(line)..., "0", "0")
        if verb == "refresh"
            T.memmap_refresh!(td)
        elseif verb == "make"
            make_memmap!(td, key, Float32, 2)
        elseif verb == "fill"
            td[key] .= parse(Float32, number)
        end
        say(verb in ("fill", "first") ? first(Array(td[key])) |> shown : 0)
    end
end
shown(x) = isinteger(x) ? Int(x) : x

function own(name, snapshots)
    Segment(name, example(); snapshots = snapshots) do segment
        say(T.path(segment))
        for (offset, _) in enumerate(eachline(stdin))
            update!(segment, example(offset))
            say(Int(T.version(segment)))
        end
    end
end

function spin(name)
    segment = Segment(name, example(); snapshots = 3)
    say(T.path(segment))
    offset = 0
    while true
        update!(segment, example(offset += 1))
    end
end

map_segment(name, snapshots) = Segment(name) do segment
    again(() -> snapshots ? show_snapshot(segment) : show_leaves(segment[]))
end

# Until the next collection the tensors would keep the snapshot, whose place the owner of the segment needs.
function show_snapshot(segment)
    td = take_snapshot(segment)
    show_leaves(td)
    close(td)
    GC.gc()
    T.release_collected()
end

# ---- Channels

const PAYLOAD = 4096  # enough that a message is not written at once
body() = TensorDict("id" => 0, "x" => zeros(Float32, PAYLOAD))
create(name, mode, role) = TensorDictChannel(name, body(); mode = Symbol(mode), role = role, slots = 4)

function fill_message(td, id, elements = PAYLOAD)
    td["id"][] = id
    parent(td["x"])[1:elements] .= id
end
publish_id(ch, id) = publish(td -> fill_message(td, id), ch)

function produce(name, mode, n, consumers)
    TensorDictChannel(name, body(); mode = Symbol(mode), role = :produces, slots = 4) do ch
        say(T.path(ch))
        while T.stats(ch).consumers < consumers
            sleep(0.001)
        end
        foreach(id -> publish_id(ch, id), 0:n-1)
        finish(ch)
        foreach(identity, eachline(stdin))
    end
end

function join_channel(name, first, n)
    TensorDictChannel(name; role = :produces) do ch
        foreach(id -> publish_id(ch, id), first:first+n-1)
        finish(ch)
    end
end

function flood(name)
    ch = TensorDictChannel(name; role = :produces)
    foreach(id -> publish_id(ch, id), Iterators.countfrom(0))
end

function half(name, n)
    ch = TensorDictChannel(name; role = :produces)
    foreach(id -> publish_id(ch, id), 0:n-1)
    fill_message(acquire(ch)[], n, PAYLOAD ÷ 2)
    say("half")
    foreach(identity, eachline(stdin))
end

function say_id(message)
    td = message[]
    id, x = td["id"][], parent(td["x"])
    all(==(id), x) || error("a torn message")
    say(id)
    foreach(close, (td["id"], td["x"], td))
end

function consume(ch)
    say("ready")
    foreach(say_id, ch)
    close(ch)
end

# What kills it must find the message taken, and never given back.
function hold(name)
    ch = TensorDictChannel(name)
    message = take!(ch)
    say_id(message)
    foreach(identity, eachline(stdin))
    exit(1)
end

const COMMANDS = Dict(
    "save" => path -> save(example(), path), "copy" => copy_save, "show" => path -> show_leaves(open(TensorDict, path)),
    "watch" => watch, "live" => live, "own" => name -> own(name, 0),
    "own-snapshots" => name -> own(name, 3), "spin" => spin, "map" => name -> map_segment(name, false),
    "map-snapshots" => name -> map_segment(name, true), "prune" => prefix -> say(prune_segments(prefix)),
    "produce" => (name, mode, n, consumers) -> produce(name, mode, whole(n), whole(consumers)),
    "join" => (name, first, n) -> join_channel(name, whole(first), whole(n)), "flood" => flood,
    "half" => (name, n) -> half(name, whole(n)), "host" => (name, mode) -> consume(create(name, mode, :consumes)),
    "consume" => name -> consume(TensorDictChannel(name)), "hold" => hold,
)

if isempty(ARGS) || !haskey(COMMANDS, ARGS[1])
    println(stderr, "usage: peer.jl COMMAND ARGUMENTS, see its head")
    exit(2)
end
COMMANDS[ARGS[1]](ARGS[2:end]...)
