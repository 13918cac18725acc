#!/bin/sh
# Downloads the newest CNPJ base of the Receita Federal, imports it and removes the downloaded files. Run it
# as often as you like: a base that was imported is not downloaded again, and it goes on where it was
# interrupted. Its arguments are those of "fiscal cnpj importar".
set -eu
# A Node 24: the system's, or the one that npm brought.
NODE=${NODE:-node}
FISCAL="$(dirname "$0")/../bin/fiscal.js"
: "${DATA_DIR:=dados}"
export DATA_DIR

baixada=$("$NODE" "$FISCAL" cnpj baixar --se-nova --json) || { printf '%s\n' "$baixada" >&2; exit 1; }
member() { printf '%s' "$baixada" | "$NODE" -p "JSON.parse(require('fs').readFileSync(0, 'utf8')).$1 ?? ''"; }
versao=$(member versao)
if [ "$(member importada)" = true ]; then
  echo "A base de $versao já foi importada."
  exit 0
fi
"$NODE" "$FISCAL" cnpj importar "$DATA_DIR/cnpj/zips/$versao" --json "$@" | tail -n 1
[ -f "$DATA_DIR/cnpj/versoes/$versao/manifesto.json" ]
rm -rf "$DATA_DIR/cnpj/zips/$versao"
