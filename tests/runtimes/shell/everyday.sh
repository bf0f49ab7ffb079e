# What ordinary shell scripts do: see ../table.toml.

sum() {
    total=0
    for ((i = 0; i < 1000; i++)); do ((total += $1 + i % 7)); done
    echo "$total"
}

case $1 in
hello)
    echo hello
    ;;
answer)
    while read -r number; do echo $((2 * number)); done
    ;;
threads)
    for first in 0 1 2 3; do sum "$first" & done | awk '{ all += $1 } END { print all }'
    ;;
heap)
    # tail keeps all that it may have to print.
    head -c 209715200 /dev/zero | tail -c 209715200 | wc -c
    ;;
crash)
    set -e
    grep -q something /dev/null
    ;;
exhaust)
    kept=1
    while :; do kept=$kept$kept; done
    ;;
*)
    exit 2
    ;;
esac
