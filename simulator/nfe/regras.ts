import { LRUCache } from 'lru-cache'
import type { Chamador } from '../platform/autoridade.ts'
import { soltar } from '../platform/xml.ts'
import { conferirAcesso, conferirInteressado, temAcessoDireto } from './acesso.ts'
import type { MeiosDoAn, TpAmb } from './ambiente-nacional.ts'
import { criarConsumo, ULTRAPASSOU } from './consumo.ts'
import type { Consulta } from './distribuicao-pedido.ts'
import { efeitoDaConsulta } from './efeito.ts'
import { liberadaPorEvento } from './liberacao.ts'
import { conferirChave } from './nacional-chave.ts'
import type { Nota } from './nota.ts'
import { notaDe } from './notas.ts'
import type { Veredito } from './veredito.ts'

/** How many late releases are remembered. */
const NOTAS = 10_000

/** Judges a query; it remembers what was asked before. */
export type Julgar = (consulta: Consulta, chamador: Chamador, ambiente: TpAmb) => Veredito

/**
 * The rules of the distribution from 252 on, in the order of NT 2014.002 v1.21, 3.8 and 3.11; that undue
 * consumption comes after those of the certificate and before those of the key is assumed.
 */
export function criarRegras({ agora, livro }: MeiosDoAn): Julgar {
  const consumo = criarConsumo(agora)
  const demoras = new LRUCache<string, number>({ max: NOTAS })
  /** An event takes as many queries as the scenario says to release its note. */
  const demorou = ({ chave, cenario }: Nota): boolean => {
    const vezes = demoras.get(chave) ?? 0
    demoras.set(soltar(chave), vezes + 1)
    return vezes >= (cenario.demoraDaLiberacao ?? 0)
  }
  const ehInteira = (nota: Nota, documento: string): boolean =>
    temAcessoDireto(nota, documento) || (liberadaPorEvento(nota, livro) && demorou(nota))
  const porChave = ({ valor: chave, interessado }: Consulta, nota: Nota | undefined): Veredito => {
    const cStat = conferirChave(chave, ['55'], agora())
    if (cStat) return { cStat }
    if (!nota || nota.cenario.existe === 'nunca') return { cStat: 217 }
    if (nota.cenario.existe === 'sem-nsu') return { cStat: 137 }
    const recusa = conferirAcesso(nota, interessado, agora())
    if (recusa) return { cStat: recusa }
    const inteira = nota.situacao === 'autorizada' && ehInteira(nota, interessado.documento)
    return { cStat: 138, documento: { tipo: inteira ? 'proc' : 'resumo', nota } }
  }
  return (consulta, chamador, ambiente) => {
    const cStat = conferirInteressado(consulta, chamador, ambiente)
    const recusa = cStat ? { cStat } : consumo(consulta, ambiente)
    if (recusa) return recusa
    const nota = notaDe(consulta.valor)
    const efeito = efeitoDaConsulta(nota, chamador.documento, livro)
    if (efeito?.tipo !== 'codigo') return { ...porChave(consulta, nota), efeito }
    return efeito.cStat === 656 ? ULTRAPASSOU : { cStat: efeito.cStat }
  }
}
