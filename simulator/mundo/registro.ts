import { mix } from '../documento/aleatorio.ts'
import type { Uf } from '../documento/molde.ts'
import { descricaoDoCnae, temInscricaoUnica } from './atividade.ts'
import type { Endereco, Inscricao, Situacao } from './contribuinte.ts'
import { type Enquadramento, regimeDeApuracao, regimeDePagamento } from './regime.ts'

/** What decides a registration; the rest follows from it. */
export type Pedido = {
  uf: Uf
  ie: string
  tipo: Inscricao['tipo']
  enquadramento: Enquadramento
  cnae: string
  situacao: Situacao
  /** YYYY-MM-DD. */
  inicio: string
  /** When the situation changed, for one that is not in force; drawn when it is not given. */
  mudanca?: string
  endereco: Endereco
  semente: number
  /** The newer number that this one gave way to. */
  ieAtual?: string
}

/** The last day that the world knows of: the extraction date of its vintage, 2026-10. */
export const HOJE = '2026-10-10'

/** A whole registration, with a history that agrees with its dates. */
export function registrar(pedido: Pedido): Inscricao {
  const { uf, ie, tipo, enquadramento, cnae, situacao, inicio, endereco, semente, ieAtual } = pedido
  const historico = historiar(pedido)
  const ultimaSituacao = historico.at(-1)?.data ?? inicio
  const habilitado = situacao === 'habilitado'
  const transporte = /^(49|5[01])/.test(cnae)
  return {
    uf,
    ie,
    situacao,
    inicio,
    ultimaSituacao,
    baixa: situacao === 'baixado' ? ultimaSituacao : '',
    cnae,
    cnaeDescricao: descricaoDoCnae(cnae),
    regimeApuracao: regimeDeApuracao(uf, enquadramento),
    regimePagamento: regimeDePagamento(enquadramento),
    credenciamentoNfe: habilitado ? credenciamento(enquadramento, semente) : 0,
    credenciamentoCte: habilitado && transporte ? 2 : 0,
    tipo,
    ...(temInscricaoUnica(cnae) && habilitado ? { ieUnica: ie } : {}),
    ...(ieAtual ? { ieAtual } : {}),
    endereco,
    historico,
  }
}

function credenciamento(enquadramento: Enquadramento, semente: number): Inscricao['credenciamentoNfe'] {
  const sorte = mix(semente, 11) % 10
  if (enquadramento === 'mei') return sorte < 6 ? 0 : 1
  if (enquadramento === 'produtor') return sorte < 3 ? 0 : sorte < 9 ? 1 : 4
  return sorte < 7 ? 2 : sorte < 8 ? 3 : 1
}

/** Start, sometimes a suspension that ended, and the change to today's situation where it is not in force. */
function historiar({ situacao, inicio, mudanca, semente }: Pedido): Inscricao['historico'] {
  const historico: { data: string; situacao: Situacao }[] = [{ data: inicio, situacao: 'habilitado' }]
  const fim = situacao === 'habilitado' ? HOJE : (mudanca ?? entre(inicio, HOJE, mix(semente, 12)))
  if (mix(semente, 13) % 7 === 0) {
    const suspensao = entre(inicio, fim, mix(semente, 14))
    historico.push({ data: suspensao, situacao: 'suspenso' })
    historico.push({ data: entre(suspensao, fim, mix(semente, 15)), situacao: 'habilitado' })
  }
  if (situacao !== 'habilitado') historico.push({ data: fim < inicio ? inicio : fim, situacao })
  return historico
}

/** A day from `inicio` to `fim`, both YYYY-MM-DD; `inicio` when it is the later one. `sorte`: 32 bits. */
export function entre(inicio: string, fim: string, sorte: number): string {
  const de = Date.parse(inicio)
  const dias = Math.max(0, Date.parse(fim) - de) / 86_400_000
  const passados = Math.floor((sorte / 0x100000000) * (dias + 1))
  return new Date(de + passados * 86_400_000).toISOString().slice(0, 10)
}
