#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Kills jobs of several processes that keep checkpoints, at random moments, and lets other numbers of processes go on.
#
#   test/mpi/mpi_killed_jobs_test.sh MPIEXEC PROGRAM WORK_DIR
#
# PROGRAM is mpi_checkpoint_test. WORK_DIR is emptied first.
set -euo pipefail

mpiexec=$1
program=$2
directory=$3
rounds=10
vertices=1500
sizes=(1 2 3)
rm -rf "$directory"
mkdir -p "$directory"
file=$directory/distances.npy
# SEED=... repeats the numbers of processes, the pivots and the delays of a run.
seed=${SEED:-$$}
RANDOM=$seed
echo "seed $seed"
log=$directory/log

# job PROCESSES [PIVOT DELAY]: a job that ends, or is killed so many microseconds after that pivot.
job() {
  "$mpiexec" -n "$1" "$program" --run_test=job_that_is_killed -- "$file" "${@:2}" >"$log" 2>&1
}
size() { echo "${sizes[RANDOM % ${#sizes[@]}]}"; }

resumed=0
for ((round = 0; round < rounds; ++round)); do
  rm -f "$file.pivot"
  killed=
  # In every other round a job that has gone on is killed, too.
  for ((kill = 0; kill <= round % 2; ++kill)); do
    processes=$(size)
    last_pivot=$((RANDOM % vertices))
    delay=$((RANDOM % 20000))
    if job "$processes" "$last_pivot" "$delay"; then
      echo "$processes processes were not killed"
      exit 1
    fi
    killed+=" of $processes processes $delay us after pivot $last_pivot;"
  done
  processes=$(size)
  if ! job "$processes"; then
    cat "$log"
    echo "round $round: killed$killed $processes processes have failed"
    exit 1
  fi
  pivot=$(sed -n 's/^from pivot \([0-9]*\) of .*/\1/p' "$log")
  echo "round $round: killed$killed $processes processes have gone on from pivot $pivot"
  if ((pivot != 0 && pivot != vertices)); then resumed=$((resumed + 1)); fi
done
echo "$resumed of $rounds jobs have gone on from a pivot"
test "$resumed" -gt 0
rm -rf "$directory"
