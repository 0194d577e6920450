#!/usr/bin/env bash
# An array of cubes under Slurm: one task a cube, on any nodes that share this folder.
#
#   asp --mode=gringo FILES > program.aspif
#   asp cubes -n 64 program.aspif OPTIONS > cubes.jsonl
#   sbatch --array=1-64 slurm.sh program.aspif cubes.jsonl OPTIONS
#   asp merge cubes.jsonl --bound-file bounds --results results/*.json
#
# A task that is requeued or lost leaves no result; the same sbatch line closes what is open.
#SBATCH --job-name=cubes
#SBATCH --cpus-per-task=1
#SBATCH --requeue
set -euo pipefail
asp="${ASP:-asp}" program="$1" cubes="$2"
shift 2
mkdir -p results
result="results/$SLURM_ARRAY_TASK_ID.json"
if [ -e "$result" ]; then exit 0; fi
code=0
"$asp" "$program" "$@" --cube="$SLURM_ARRAY_TASK_ID@$cubes" --outf=2 > "$result.$SLURM_JOB_ID" || code=$?
# Exit codes: 10 with answer sets, 20 all searched, both added, 1 more if interrupted.
case $code in
0 | 10 | 20 | 30) mv "$result.$SLURM_JOB_ID" "$result" ;;
*)
    echo "cube $SLURM_ARRAY_TASK_ID ended with $code" >&2
    rm -f "$result.$SLURM_JOB_ID"
    exit "$code"
    ;;
esac
