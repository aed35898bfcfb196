#!/bin/sh
# Starts the service with the runtime settings it is tuned for, in place of this shell, so that signals reach it. Used by
# npm start, the tests and the benchmark. Further options of Node, such as --watch, may be given.
#   --max-semi-space-size, --initial-old-space-size: collect garbage before the heap has grown fourfold (docs/decision-log.md)
#   MALLOC_ARENA_MAX: threads share two heaps of the C library instead of keeping what they freed in one each
#   NODE_COMPILE_CACHE: the second start takes half the time
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
NODE_COMPILE_CACHE=${NODE_COMPILE_CACHE:-$root/node_modules/.cache/node-compile}
MALLOC_ARENA_MAX=${MALLOC_ARENA_MAX:-2}
export NODE_COMPILE_CACHE MALLOC_ARENA_MAX
exec "$root/node_modules/.bin/node" \
  --max-semi-space-size=32 --initial-old-space-size=64 --max-old-space-size=1536 \
  "$@" "$root/src/main.ts"
