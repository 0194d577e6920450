#!/usr/bin/env bash
# Cubes on real engines: a local pool always, Ray and a Slurm node where they are installed. Each must find what one run finds.
#
#   tests/cluster/run.sh ASP [PYTHON-WITH-RAY]
#
# Slurm (`apt-get install slurm-wlm munge`) needs root: controller and node run on this machine, without systemd.
set -euo pipefail
asp="$(realpath "$1")" python="${2:-}"
here="$(cd "$(dirname "$0")/../.." && pwd)"
work="$(mktemp -d)"
# Files with the numbers of processes to be stopped.
stop=()
clean() {
    local file pid
    for file in "${stop[@]}"; do
        pid="$(cat "$file" 2> /dev/null)" || continue
        kill "$pid" 2> /dev/null || true
        # Until it has ended it writes into the folder.
        for _ in $(seq 100); do
            kill -0 "$pid" 2> /dev/null || break
            sleep 0.1
        done
    done
    rm -rf "$work"
}
trap clean EXIT
cd "$work"

cat > queens.lp <<'PROGRAM'
#const n=8.
1 { queen(R,C) : C=1..n } 1 :- R=1..n.
:- queen(R,C), queen(S,C), R<S.
:- queen(R,C), queen(S,D), R<S, |R-S|=|C-D|.
#show queen/2.
PROGRAM
cat > cover.lp <<'PROGRAM'
{ s(1..30) }.
c(X,Y) :- s(X), Y = (X*7)\30+1..(X*7)\30+4.
:- Y = 1..30, not c(_,Y).
:~ s(X). [(X*X)\7+2,X]
#show s/1.
PROGRAM
expect() { # NAME OUTPUT LINE...
    local name="$1" output="$2"
    shift 2
    for line in "$@"; do
        grep -qxF -- "$line" "$output" || { echo "$name: no line '$line' in:"; cat "$output"; exit 1; }
    done
    echo "cubes: $name agrees"
}
best="$({ "$asp" cover.lp --outf=2 -q || true; } | python3 -c '
import json, sys
print(*json.load(sys.stdin)["Models"]["Costs"])')"

# A search that is killed the first time that it has cube 4; under Ray with the worker that it runs in.
cat > killed <<SCRIPT
#!/bin/bash
if [[ "\$*" = *--cube=4@* ]] && mkdir "$work/\${KILLED:-here}" 2> /dev/null; then
    [ -z "\${KILLED:-}" ] || kill -9 \$PPID
    kill -9 \$\$
fi
exec "$asp" "\$@"
SCRIPT
chmod +x killed

pool() { # NAME PYTHON OPTIONS...
    local name="$1" python="$2"
    shift 2
    "$python" "$here/examples/cluster/cubes.py" --asp "$asp" -n 12 "$@" queens.lp -- 0 -q > out 2> err || test $? = 30 || { cat err; exit 1; }
    expect "$name, all answer sets" out SATISFIABLE "Models       : 92" "Cubes        : 12 of 12 closed"
    "$python" "$here/examples/cluster/cubes.py" --asp "$work/killed" -n 6 --folder "$work/$name" "$@" cover.lp -- -q1 > out 2> err || test $? = 30 || { cat err; exit 1; }
    grep -q "^$best	\[" "$work/$name/bounds" || { echo "cubes: $name, the best costs did not travel"; exit 1; }
    expect "$name, optimum" out "OPTIMUM FOUND" "Optimization : $best" "Cubes        : 6 of 6 closed"
}

pool local python3 --workers 2
grep -q "cube 4 is searched again" err || { echo "cubes: no search is made again"; exit 1; }
[ -d here ] || { echo "cubes: no search was killed"; exit 1; }
if [ -n "$python" ] && "$python" -c 'import ray' 2> /dev/null; then
    KILLED=ray pool Ray "$python" --engine ray --workers 2
    [ -d ray ] || { echo "cubes: no worker was killed"; exit 1; }
else
    echo "cubes on Ray: LEFT OUT, it is not installed"
fi
if command -v parallel > /dev/null; then
    mkdir parallel && "$asp" cubes -n 12 queens.lp > cubes.jsonl
    parallel --will-cite -j2 "$asp queens.lp 0 -q --outf=2 --cube={}@cubes.jsonl > parallel/{}.json" ::: $(seq 1 12) || true
    "$asp" merge cubes.jsonl --results parallel/*.json > out || test $? = 30
    expect "GNU parallel" out "Models       : 92" "Cubes        : 12 of 12 closed"
else
    echo "cubes with GNU parallel: LEFT OUT, it is not installed"
fi

if ! command -v slurmctld > /dev/null || [ "$(id -u)" != 0 ]; then
    echo "cubes under Slurm: LEFT OUT, it is not installed, or this is not root"
    exit 0
fi
mkdir -p state spool /run/munge
[ -e /etc/munge/munge.key ] || dd if=/dev/urandom of=/etc/munge/munge.key bs=1 count=1024 2> /dev/null
chown -R munge: /etc/munge /run/munge /var/lib/munge /var/log/munge
chmod 400 /etc/munge/munge.key
pgrep -x munged > /dev/null || { setpriv --reuid=munge --regid=munge --clear-groups munged && stop+=(/run/munge/munged.pid); }
host="$(hostname -s)"
cat > slurm.conf <<CONF
ClusterName=cubes
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldPort=16817
SlurmdPort=16818
ReturnToService=2
MpiDefault=none
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
echo "CgroupPlugin=cgroup/v1" > cgroup.conf
export SLURM_CONF="$work/slurm.conf"
slurmctld -i > ctld.log 2>&1 && stop+=("$work/slurmctld.pid")
slurmd > node.log 2>&1 && stop+=("$work/slurmd.pid")
for _ in $(seq 50); do
    sinfo -h -o %T 2> /dev/null | grep -q idle && break
    sleep 0.2
done
sinfo -h -o %T | grep -q idle || { echo "cubes under Slurm: LEFT OUT, it does not come up here"; cat ctld.log node.log; exit 0; }
"$asp" --mode=gringo queens.lp > program.aspif
"$asp" cubes -n 12 program.aspif > cubes.jsonl
submit() { sbatch --wait --quiet --output=/dev/null --array="$1" "$here/examples/cluster/slurm.sh" program.aspif cubes.jsonl 0 -q; }
export ASP="$asp"
submit 1-12
# One is lost, another comes to an end again.
rm results/5.json
submit 1-12
"$asp" merge cubes.jsonl --results results/*.json > out || test $? = 30
expect "Slurm, a lost result" out "Models       : 92" "Cubes        : 12 of 12 closed"
