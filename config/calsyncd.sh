#!/bin/sh
# calsyncd COMMAND …: as the user, and with the settings, of calsyncd.service. docs/production.md says how it is installed.
set -eu
if [ "$(id -u)" -ne 0 ]; then
  echo "calsyncd: only root may become the user of the service. Try: sudo calsyncd $*" >&2
  exit 1
fi

export HOME=/var/lib/calsyncd CALSYNCD_COMMAND=calsyncd
# A machine on which the service was never started may be one that a backup is brought to.
if [ ! -e "$HOME" ]; then install -d -o calsyncd -g calsyncd -m 700 "$HOME"; fi
export CONFIG=/etc/calsyncd/calsyncd.yaml DATA_DIR=/var/lib/calsyncd NODE_COMPILE_CACHE=/var/cache/calsyncd
if [ -d /run/calsyncd ]; then
  export TMPDIR=/run/calsyncd
fi

# NAME=value, one a line, as systemd reads them: blanks inside a value belong to it, but not those around it, nor quotes,
# nor the backslash before a sign. What is no NAME=value counts there for nothing, either.
if [ -e /etc/calsyncd/environment ]; then
  while IFS= read -r line; do
    if [ -n "$line" ]; then export "$line"; fi
  done <<END
$(sed -n -e '/^[[:space:]]*[A-Za-z_][A-Za-z0-9_]*[[:space:]]*=/!d' \
  -e 's/^[[:space:]]*//; s/[[:space:]]*=[[:space:]]*/=/; s/[[:space:]]*$//; t value' -e ': value' \
  -e "s/='\(.*\)'\$/=\1/; t done" \
  -e 's/="\(.*\)"$/=\1/; t quoted' \
  -e 's/\\\(.\)/\1/g; b done' \
  -e ': quoted' -e 's/\\\(["\\`$]\)/\1/g' \
  -e ': done' -e p /etc/calsyncd/environment)
END
fi

# Without a word it would be a second service.
if [ $# -eq 0 ]; then set -- --help; fi
exec runuser --user=calsyncd -- /usr/bin/node /opt/calsyncd/src/launch.js "$@"
