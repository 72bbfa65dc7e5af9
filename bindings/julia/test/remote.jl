using Sockets

# Why nothing can be tested, or `nothing`.
function no_server()
    T.has_feature("redis") || return "the library was built without libhiredis"
    server_program() === nothing && return "there is neither redis-server nor valkey-server"
    return nothing
end
# By its name: the path that `Sys.which` gives is without links, and by its name the program knows what to be.
function server_program()
    names = filter(name -> Sys.which(name) !== nothing, ["redis-server", "valkey-server"])
    return isempty(names) ? nothing : first(names)
end

function answers(socket)
    try
        close(connect(socket))
        return true
    catch e
        e isa Base.IOError || rethrow()
        return false
    end
end

function wait_for_answer(server, socket)
    for _ in 1:1000
        answers(socket) && return nothing
        process_running(server) || break
        sleep(0.01)
    end
    error("the server does not answer")
end

# Calls `f(url)` with the URL, without an id, of a server of the test's own.
function with_server(f)
    mktempdir() do folder
        command = Cmd(`$(server_program()) --port 0 --unixsocket s --save ""`; dir = folder)
        server = run(pipeline(command; stdout = devnull); wait = false)
        socket = joinpath(folder, "s")
        try
            wait_for_answer(server, socket)
            f("unix://$socket")
        finally
            kill(server, Base.SIGKILL)
            wait(server)
        end
    end
end

function remote_is_shared(server)
    url = "$server?id=replay"
    @test_throws TensorDictNotFoundError T.open_remote(url)
    mine = T.create_remote(url; batch = (3,))
    @test_throws TensorDictExistsError T.create_remote(url)
    mine["next", "obs"] = [1.0, 2.0, 3.0]
    theirs = T.open_remote(url; mode = :read_write, timeout = 20)
    @test T.dict_kind(theirs) == :persistent && size(theirs) == (3,)
    part = TensorDict("next" => TensorDict("obs" => [7.0, 8.0]; batch = (2,)); batch = (2,))
    theirs[2:3] = part
    @test mine["next", "obs"] == [1, 7, 8] && mine[end]["next", "obs"] == Tensor(8.0)
    reader = T.open_remote(url)
    @test T.is_writable(theirs) && !T.is_writable(reader) && startswith(T.file_of(reader), server)
    @test_throws TensorDictLockedError reader[2:3] = part
    T.close_file(reader)
    @test_throws TensorDictClosedError reader["next", "obs"]
    foreach(close, (mine, theirs, reader))
end

function remotes_are_listed_and_removed(server)
    @test T.list_remote(server; timeout = 20) == String[]
    ids = ["b", "a%20b"]
    foreach(id -> close(T.create_remote("$server?id=$id"; batch = 2, timeout = 20.5)), ids)
    @test T.list_remote(server) == ["a b", "b"]
    for id in ids
        @test T.remove_remote("$server?id=$id") === nothing
        @test_throws TensorDictNotFoundError T.remove_remote("$server?id=$id"; timeout = 20)
    end
    @test T.list_remote(server) isa Vector{String} && isempty(T.list_remote(server))
end

# Adds one if nobody else changes the dict meanwhile.
function add_one!(td)
    version = T.remote_version(td)
    return T.remote_update_if!(td, td .+ 1, version)
end

function remote_updates_are_not_lost(server)
    url = "$server?id=counter"
    mine, theirs = T.create_remote(url; batch = (2,)), T.open_remote(url; mode = :read_write)
    version = T.remote_version(mine)
    @test T.remote_update_if!(theirs, Dict("x" => [1, 1]), version) === theirs
    @test_throws TensorDictBusyError T.remote_update_if!(mine, Dict("x" => [5, 5]), version)
    @test mine["x"] == [1, 1] && T.remote_version(mine) > version
    add_one!(mine)
    add_one!(theirs)
    @test mine["x"] == theirs["x"] == [3, 3]
    local_one = TensorDict("x" => [1, 1]; batch = (2,))
    @test_throws TensorDictUnsupportedError T.remote_version(local_one)
    @test_throws TensorDictUnsupportedError T.remote_update_if!(local_one, local_one, 0)
    foreach(close, (mine, theirs))
end

reason = no_server()
if reason === nothing
    with_server() do server
        @testset "a dict on a server is shared" begin remote_is_shared(server) end
        T.remove_remote("$server?id=replay")
        @testset "dicts on a server are listed and removed" begin remotes_are_listed_and_removed(server) end
        @testset "an update of another version is refused" begin remote_updates_are_not_lost(server) end
    end
else
    println("dicts on servers: SKIPPED, NOTHING WAS TESTED: ", reason)
end

@testset "a server that is not there, or says nothing" begin
    T.has_feature("redis") && mktempdir() do folder
        socket = joinpath(folder, "s")
        url = "unix://$socket?id=x"
        @test_throws TensorDictClosedError T.open_remote(url)
        silent = listen(socket)
        for timeout in (0, 0.02)
            @test_throws TensorDictTimeoutError T.open_remote(url; timeout = timeout)
            @test_throws TensorDictTimeoutError T.list_remote("unix://$socket"; timeout = timeout)
        end
        close(silent)
        for o in ((mode = :cow,), (timeout = -1,), (timeout = -1e-9,))
            @test_throws TensorDictArgumentError T.open_remote(url; o...)
        end
        for bad in ("", "http://x?id=y", "unix://$socket")
            @test_throws TensorDictArgumentError T.create_remote(bad)
        end
        @test_throws TensorDictShapeError T.create_remote(url; batch = (-1,))
    end
end
