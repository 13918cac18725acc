import type { TpAmb } from '../ambiente-nacional.ts'
import { criarBloqueio, criarContagem } from '../limite.ts'
import type { Consulta } from './pedido.ts'
import type { Veredito } from './veredito.ts'

/** Queries by key and by one NSU that an interested party may make in an hour. */
const MAXIMO = 20

/** Nothing is distributed by NSU here: every party's last one is zero, and so is the greatest. */
const ZERO = '0'.repeat(15)

/** What was seen in answers of 2022 to 2025, in public code and issues. */
const MOTIVO = {
  muitas: 'Consumo Indevido (Ultrapassou o limite de 20 consultas por hora)',
  cedo: 'Consumo Indevido (Deve ser utilizado o ultNSU nas solicitacoes subsequentes. Tente apos 1 hora)',
} as const

/**
 * Undue consumption (NT 2014.002 v1.21, 3.11.4), counted by the whole number of the interested party: 20 queries by key or NSU an
 * hour, one by ultNSU an hour after 137. It answers the queries by NSU as well; undefined for those by key that may go on.
 */
export function criarConsumo(
  agora: () => Date,
): (consulta: Consulta, ambiente: TpAmb) => Veredito | undefined {
  const passou = criarContagem(agora, MAXIMO)
  const limitados = criarBloqueio(agora)
  const emDia = criarBloqueio(agora)
  return ({ interessado, por, valor }, ambiente) => {
    const quem = `${ambiente} ${interessado.documento}`
    const excedido: Veredito = { cStat: 656, detalhe: MOTIVO.muitas }
    if (limitados.insiste(quem)) return excedido
    if (por === 'ultNSU') return porUltNsu(valor, quem, emDia)
    if (passou(quem)) {
      limitados.bloquear(quem)
      return excedido
    }
    if (por === 'chNFe') return undefined
    return { cStat: valor > ZERO ? 589 : 137, nsu: { ultNSU: ZERO, maxNSU: ZERO } }
  }
}

function porUltNsu(valor: string, quem: string, emDia: ReturnType<typeof criarBloqueio>): Veredito {
  const nsu = { ultNSU: ZERO, maxNSU: ZERO }
  if (emDia.insiste(quem)) return { cStat: 656, detalhe: MOTIVO.cedo, nsu }
  if (valor > ZERO) return { cStat: 589, nsu }
  emDia.bloquear(quem)
  return { cStat: 137, nsu }
}
