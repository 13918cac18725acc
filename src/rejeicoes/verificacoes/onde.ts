/** How people call the places of a note. An element that repeats is followed by its number. */
const nomes: Readonly<Record<string, string>> = {
  ide: 'identificação',
  NFref: 'documento referenciado',
  emit: 'emitente',
  enderEmit: 'endereço',
  dest: 'destinatário',
  enderDest: 'endereço',
  retirada: 'local de retirada',
  entrega: 'local de entrega',
  autXML: 'autorizado a baixar o XML',
  det: 'item',
  adi: 'adição',
  detExport: 'exportação',
  rastro: 'lote',
  veicProd: 'veículo novo',
  med: 'medicamento',
  arma: 'arma',
  comb: 'combustível',
  total: 'totais',
  transp: 'transporte',
  transporta: 'transportador',
  veicTransp: 'veículo',
  reboque: 'reboque',
  vol: 'volume',
  cobr: 'cobrança',
  fat: 'fatura',
  dup: 'duplicata',
  pag: 'pagamento',
  detPag: 'forma',
  card: 'cartão',
  infIntermed: 'intermediador',
  infAdic: 'informações adicionais',
  exporta: 'exportação',
  compra: 'compra',
  cana: 'cana',
  infRespTec: 'responsável técnico',
  infNFeSupl: 'informações suplementares',
}

/** Groups that only hold others: a place is told without them. */
const calados: ReadonlySet<string> = new Set(['infNFe', 'prod', 'imposto', 'ICMSTot'])

/** Writes a place, as `det[5]/prod/NCM`, in words: `item 5, campo NCM`. */
export function ondeDe(lugar: string): string {
  const passos = lugar.split('/').filter((passo) => passo !== '')
  const palavras = passos.map((passo, i) => {
    const [, nome = '', numero] = /^(@?[^[]*)(?:\[(\d+)\])?/.exec(passo) ?? []
    const conhecido = Object.hasOwn(nomes, nome) && nomes[nome]
    if (conhecido) return numero ? `${conhecido} ${numero}` : conhecido
    if (i < passos.length - 1) return calados.has(nome) ? '' : nome
    if (nome.startsWith('@')) return `atributo ${nome.slice(1)}`
    return `campo ${nome}${numero ? ` ${numero}` : ''}`
  })
  return palavras.filter((palavra) => palavra !== '').join(', ') || 'nota'
}
