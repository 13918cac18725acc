import type { TpAmb } from './ambiente-nacional.ts'
import type { Consulta } from './distribuicao-pedido.ts'
import { criarBloqueio, criarContagem } from './limite.ts'
import type { Veredito } from './veredito.ts'

/** Queries by key and by one NSU that an interested party may make in an hour. */
const MAXIMO = 20

/** Nothing is distributed by NSU here: every party's last one is zero, and so is the greatest. */
const ZERO = '0'.repeat(15)

/**
 * Too many queries, in the words seen in answers of 2022 to 2025, in public code and issues; those of the
 * next one too.
 */
export const ULTRAPASSOU: Veredito = {
  cStat: 656,
  detalhe: 'Consumo Indevido (Ultrapassou o limite de 20 consultas por hora)',
}

const CEDO = 'Consumo Indevido (Deve ser utilizado o ultNSU nas solicitacoes subsequentes. Tente apos 1 hora)'

/**
 * Undue consumption (NT 2014.002 v1.21, 3.11.4), counted by the whole number of the interested party: 20
 * queries by key or NSU an hour, one by ultNSU an hour after 137. It answers the queries by NSU as well;
 * undefined for those by key that may go on.
 */
export function criarConsumo(
  agora: () => Date,
): (consulta: Consulta, ambiente: TpAmb) => Veredito | undefined {
  const passou = criarContagem(agora, MAXIMO)
  const limitados = criarBloqueio(agora)
  const emDia = criarBloqueio(agora)
  return ({ interessado, por, valor }, ambiente) => {
    const quem = `${ambiente} ${interessado.documento}`
    if (limitados.insiste(quem)) return ULTRAPASSOU
    if (por === 'ultNSU') return porUltNsu(valor, quem, emDia)
    if (passou(quem)) {
      limitados.bloquear(quem)
      return ULTRAPASSOU
    }
    if (por === 'chNFe') return undefined
    return { cStat: valor > ZERO ? 589 : 137, nsu: { ultNSU: ZERO, maxNSU: ZERO } }
  }
}

function porUltNsu(valor: string, quem: string, emDia: ReturnType<typeof criarBloqueio>): Veredito {
  const nsu = { ultNSU: ZERO, maxNSU: ZERO }
  if (emDia.insiste(quem)) return { cStat: 656, detalhe: CEDO, nsu }
  if (valor > ZERO) return { cStat: 589, nsu }
  emDia.bloquear(quem)
  return { cStat: 137, nsu }
}
