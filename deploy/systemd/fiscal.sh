#!/bin/sh
# The command "fiscal" where systemd runs the service: as its user, with its settings. Root installs it:
#   ln -s /opt/consulta-fiscal/deploy/systemd/fiscal.sh /usr/local/sbin/fiscal
# Files are given by their whole path; the service's user has to be able to read them.
set -eu
# runuser is of root, whose PATH a shell may not have.
PATH=$PATH:/usr/sbin:/sbin
: "${CONFIGURACAO:=/etc/consulta-fiscal}" "${USUARIO:=consulta-fiscal}" "${NODE:=/usr/bin/node}"
dada=${DATA_DIR:-}
set -a
[ ! -f "$CONFIGURACAO/ambiente" ] || . "$CONFIGURACAO/ambiente"
. "$CONFIGURACAO/segredos.env"
DATA_DIR=${dada:-${DATA_DIR:-/var/lib/consulta-fiscal}}
if [ -f "$CONFIGURACAO/a1.pfx" ]; then
  # It is root's alone on the disk. The user sees a copy in memory while the command runs.
  A1_FILE=$(mktemp /run/fiscal-a1.XXXXXX)
  trap 'rm -f "$A1_FILE"' EXIT
  trap 'exit 130' INT TERM
  install -o "$USUARIO" -m 0400 "$CONFIGURACAO/a1.pfx" "$A1_FILE"
fi
cd "$(dirname "$(readlink -f "$0")")/../.."
runuser -u "$USUARIO" -- "$NODE" bin/fiscal.js "$@"
