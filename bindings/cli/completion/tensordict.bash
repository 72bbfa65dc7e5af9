# bash completion for tensordict(1)
_tensordict() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
  local commands="show dump cat diff verify convert pack unpack shm remote plugin doctor" options="--help" words=
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "$commands --help --version" -- "$current"))
    return
  fi
  case $previous in
    --to | --from | -t)
      COMPREPLY=($(compgen -W "memmap consolidated archive h5 safetensors" -- "$current"))
      return ;;
  esac
  case $command in
    show) options+=" --trusted --depth --stats --json" ;;
    dump) options+=" --trusted --json --values --progress" ;;
    cat) options+=" --trusted --json --raw --limit --at" ;;
    diff) options+=" --trusted --quiet --json --structure --rtol --atol --progress" ;;
    verify) options+=" --trusted --sha256 --json --progress" ;;
    convert) options+=" --trusted --to --from --compress --lenient --force --sync --threads --progress --quiet" ;;
    pack) options+=" --trusted --compress --force --sync --threads --progress --quiet" ;;
    unpack) options+=" --trusted --force --sync --threads --progress --quiet" ;;
    shm) words="ls show prune rm" options+=" --json --stats --dry-run --depth --force" ;;
    remote) words="ls show cat copy rm" options+=" --json --stats --depth --raw --limit --at" ;;
    plugin) words="list why check" options+=" --path --json --seed --reproduce --only --timeout --config --list --verbose" ;;
    doctor) options+=" --verbose --json" ;;
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [[ -n $words ]] && ((COMP_CWORD == 2)); then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  elif [[ $command == shm ]]; then
    COMPREPLY=($(compgen -W "$(find /dev/shm -maxdepth 1 -type f -user "$UID" -printf '%f ' 2>/dev/null)" -- "$current"))
  else
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -F _tensordict tensordict
