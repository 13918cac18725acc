import type { Chamador } from '../../autoridade.ts'
import { liberadaPorEvento, temEventoNovo } from '../../nfe/liberacao.ts'
import type { Nota } from '../../nfe/nota.ts'
import { notaDe } from '../../nfe/notas.ts'
import type { MeiosDoAn, TpAmb } from '../ambiente-nacional.ts'
import { conferirChave } from '../chave.ts'
import { criarVezes } from '../efeito-nfe.ts'
import { conferirAcesso, conferirInteressado, temAcessoDireto } from './acesso.ts'
import { criarConsumo } from './consumo.ts'
import type { Consulta } from './pedido.ts'
import type { Veredito } from './veredito.ts'

/** Judges a query; it remembers what was asked before. */
export type Julgar = (consulta: Consulta, chamador: Chamador, ambiente: TpAmb) => Veredito

/**
 * The rules of the distribution from 252 on, in the order of NT 2014.002 v1.21, 3.8 and 3.11; that undue consumption comes after
 * those of the certificate and before those of the key is assumed.
 */
export function criarRegras({ agora, livro }: MeiosDoAn): Julgar {
  const consumo = criarConsumo(agora)
  const valer = criarVezes()
  const demoras = new Map<string, number>()
  /** An event takes as many queries as the scenario says to release its note. */
  const demorou = ({ chave, cenario }: Nota): boolean => {
    const vezes = demoras.get(chave) ?? 0
    demoras.set(chave, vezes + 1)
    return vezes >= (cenario.demoraDaLiberacao ?? 0)
  }
  const ehInteira = (nota: Nota, documento: string): boolean =>
    temAcessoDireto(nota, documento) || (liberadaPorEvento(nota, livro) && demorou(nota))
  const porChave = ({ valor: chave, interessado }: Consulta): Veredito => {
    const cStat = conferirChave(chave, ['55'], agora())
    const nota = cStat ? undefined : notaDe(chave)
    if (!nota || nota.cenario.existe === 'nunca') return { cStat: cStat ?? 217 }
    const { cenario } = nota
    const depois = temEventoNovo(nota, livro) ? cenario.distribuicaoDepois : undefined
    const efeito = valer(depois ?? cenario.distribuicao, `${chave} ${depois ? 'depois' : ''}`)
    if (efeito?.tipo === 'codigo') return { cStat: efeito.cStat }
    if (cenario.existe === 'sem-nsu') return { cStat: 137, efeito }
    const recusa = conferirAcesso(nota, interessado, agora())
    if (recusa) return { cStat: recusa, efeito }
    const inteira = nota.situacao === 'autorizada' && ehInteira(nota, interessado.documento)
    return { cStat: 138, documento: { tipo: inteira ? 'proc' : 'resumo', nota }, efeito }
  }
  return (consulta, chamador, ambiente) => {
    const cStat = conferirInteressado(consulta, chamador, ambiente)
    if (cStat) return { cStat }
    return consumo(consulta, ambiente) ?? porChave(consulta)
  }
}
