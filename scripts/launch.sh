#!/bin/sh
# Starts the service with the runtime settings it is tuned for, in place of this shell, so that signals reach it. Used by
# npm start, the tests and the benchmark. Further options of Node, such as --watch, may be given.
#   --max-semi-space-size, --heap-growing-percent: under load the heap grows by two fifths of what is alive and is then
#     collected; by default it doubles
#   --initial-old-space-size: nothing is collected while the program loads
#   MALLOC_ARENA_MAX: threads share two heaps of the C library instead of keeping what they freed in one each
#   NODE_COMPILE_CACHE: the second start takes half the time
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
NODE_COMPILE_CACHE=${NODE_COMPILE_CACHE:-$root/node_modules/.cache/node-compile}
MALLOC_ARENA_MAX=${MALLOC_ARENA_MAX:-2}
export NODE_COMPILE_CACHE MALLOC_ARENA_MAX
exec "$root/node_modules/.bin/node" \
  --initial-old-space-size=64 --max-semi-space-size=16 --heap-growing-percent=40 --max-old-space-size=1536 \
  "$@" "$root/src/main.ts"
