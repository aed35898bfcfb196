#!/bin/sh
# Starts the service with the runtime settings it is tuned for, in place of this shell, so that signals reach it. Used by
# npm start, the tests and the benchmark. Further options of Node, such as --watch, may be given.
#   --max-semi-space-size, --initial-old-space-size: collect garbage before the heap has grown fourfold
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
exec "$root/node_modules/.bin/node" \
  --max-semi-space-size=16 --initial-old-space-size=96 --max-old-space-size=1536 \
  "$@" "$root/src/main.ts"
