#!/bin/sh
# Starts the service with the runtime settings it is tuned for, in place of this shell, so that signals reach it. Used by
# npm start (scripts/supervise.sh), the tests and the benchmark. Further options of Node, such as --watch, may be given.
#   --max-semi-space-size, --initial-old-space-size, --no-allocation-site-pretenuring: collect garbage while it is young, before
#     the heap has grown fourfold (docs/decisions/0011-heap-limits.md)
#   --no-parallel-scavenge: the service and PostgreSQL share the processors, and helper threads that collect young objects cost
#     more time than they save
#   --max-old-space-size: the most that old objects may take, and with it how far the heap grows from one collection to the next
#   MALLOC_ARENA_MAX: threads share two heaps of the C library instead of keeping what they freed in one each
#   MALLOC_MMAP_THRESHOLD_: what is larger goes back to the system when it is freed, however often such pieces come
#   NODE_COMPILE_CACHE: the second start takes half the time
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
NODE_COMPILE_CACHE=${NODE_COMPILE_CACHE:-$root/node_modules/.cache/node-compile}
MALLOC_ARENA_MAX=${MALLOC_ARENA_MAX:-2}
MALLOC_MMAP_THRESHOLD_=${MALLOC_MMAP_THRESHOLD_:-131072}
export NODE_COMPILE_CACHE MALLOC_ARENA_MAX MALLOC_MMAP_THRESHOLD_
exec "$root/node_modules/.bin/node" \
  --max-semi-space-size=16 --no-parallel-scavenge --no-allocation-site-pretenuring \
  --initial-old-space-size=64 --max-old-space-size=768 \
  "$@" "$root/src/main.ts"
