# fish completion for tensordict(1)
set -l commands show dump cat diff verify convert pack unpack shm remote plugin doctor
complete -c tensordict -n "not __fish_seen_subcommand_from $commands" -f -a "$commands"
complete -c tensordict -n "__fish_seen_subcommand_from shm" -f -a "ls show prune rm"
complete -c tensordict -n "__fish_seen_subcommand_from remote" -f -a "ls show cat copy rm"
complete -c tensordict -n "__fish_seen_subcommand_from plugin" -a "list why check"
complete -c tensordict -n "__fish_seen_subcommand_from convert" -l to -x -a "memmap consolidated archive h5 safetensors"
complete -c tensordict -n "__fish_seen_subcommand_from show dump cat diff verify convert pack unpack" -l trusted -d "open HDF5 files, too"
complete -c tensordict -n "__fish_seen_subcommand_from show dump cat diff verify doctor shm" -l json -d "print JSON"
complete -c tensordict -n "__fish_seen_subcommand_from show" -l stats -d "least, greatest, mean, NaNs"
complete -c tensordict -n "__fish_seen_subcommand_from cat" -l at -x -d "a part, like 0,:,1:3"
complete -c tensordict -l help -s h -d "what a command does"
