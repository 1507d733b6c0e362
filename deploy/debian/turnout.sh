#!/bin/sh
# Runs a command of Turnout with the settings of the service, and as its user.
set -e
home=/usr/lib/turnout
if [ "$(id -u)" = 0 ]; then
    exec runuser -u turnout -- "$0" "$@"
fi
export NODE_ENV=production NODE_COMPILE_CACHE=/var/cache/turnout
# The directory with the socket of the embedded database, while the service runs.
if [ -w /run/turnout ]; then
    export TMPDIR=/run/turnout
fi
exec "$home/node_modules/.bin/node" --env-file="$home/defaults.env" --env-file-if-exists=/etc/turnout/turnout.env \
    --env-file-if-exists=/etc/turnout/secret-key.env "$home/dist/cli.js" "$@"
