#!/bin/sh
# cached_compiler.sh CCACHE COMPILER ARGUMENTS...: compiles through the cache, but for precompiled headers. Those hold the
# times of the headers that they were made from: one from the cache does not know the same headers after a checkout.
cache=$1
shift
for word; do
  [ "$word" = c++-header ] && exec "$@"
done
CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime exec "$cache" "$@"
