#!/bin/sh
# Runs scripts/launch.sh, and starts it again when the service dies. Used by npm start; systemd and container platforms run
# launch.sh and supervise it themselves.
#   ends with the exit code of the service: 0 (stopped), 1 (it cannot start), and codes of a command that cannot run
#   starts it again: any other end, such as SIGKILL when memory runs out, or exit code 70 for an unexpected failure
# The pauses between starts grow from 1 to 60 seconds, and begin anew after the service has run for a minute.
# SIGTERM, SIGINT and SIGHUP stop the service; each further one is passed on, too. If this script itself is killed, the service
# notices that its parent is SUPERVISOR_PID no more, and stops.
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
child='' stopping='' signalled='' status=0 pause=0

stop() {
  stopping=yes signalled=yes
  [ -z "$child" ] || kill -s TERM "$child" 2>/dev/null
}
trap stop TERM INT HUP

# Waits for the child. A signal ends `wait` early, so it is called again; 127 means that the child had already been waited for.
await() {
  child=$1
  # The signal may have come before the child was known.
  [ -z "$stopping" ] || kill -s TERM "$child" 2>/dev/null
  while :; do
    signalled=''
    wait "$child"
    code=$?
    [ "$code" -eq 127 ] || status=$code
    [ -n "$signalled" ] || break
  done
  child=''
}

while :; do
  began=$(date +%s)
  SUPERVISOR_PID=$$ "$root/scripts/launch.sh" "$@" &
  await $!
  [ -z "$stopping" ] || exit "$status"
  case $status in
    0 | 1 | 2 | 9 | 126) exit "$status" ;;
  esac
  ran=$(($(date +%s) - began))
  pause=$((ran >= 60 || pause == 0 ? 1 : pause >= 30 ? 60 : pause * 2))
  cause="ended with exit code $status"
  [ "$status" -le 128 ] || cause="was killed by SIG$(kill -l "$status")"
  printf 'Countersign %s after %s s and starts again in %s s\n' "$cause" "$ran" "$pause" >&2
  sleep "$pause" &
  await $!
  [ -z "$stopping" ] || exit 0
done
