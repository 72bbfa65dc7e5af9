using TensorDicts

td = TensorDict("a" => ones(Float32, 32); batch = (32,))
works = (td .+ 1)["a"][1] == 2
println(TensorDicts.library_version(), ", in Julia: ", works ? "works" : "fails")
exit(works ? 0 : 1)
