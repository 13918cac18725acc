import Table from 'cli-table3'
import { thousands } from '../platform/texto.ts'
import type { countKeys } from './chave.ts'
import { instant, style } from './command-table.ts'
import type { Conta } from './conta.ts'
import type { ResumoDaConta } from './resumo.ts'

type Mostrada = { conta: Conta; resumo: ResumoDaConta; chaves: Awaited<ReturnType<typeof countKeys>> }

/** Writes all of an account but its keys' texts, for people or as JSON with the names of `/api/v1/conta`. */
export function showConta({ conta, resumo, chaves }: Mostrada, json: boolean): void {
  const { id, email, criada_em, bloqueio } = conta
  if (json) console.log(JSON.stringify({ id, email, criada_em, bloqueio, ...resumo, chaves }, null, 2))
  else console.log([...linesOf({ conta, resumo, chaves }), usoTable(resumo)].join('\n'))
}

function linesOf({ conta, resumo, chaves }: Mostrada): string[] {
  const { plano, limites, creditos, renova_em, uso } = resumo
  const { bloqueio } = conta
  const { cota, cota_restante, extras, reservados, disponiveis } = creditos
  return [
    `Conta: ${conta.nome} <${conta.email}>, ${conta.id}`,
    `Criada em: ${instant(conta.criada_em)}`,
    `Situação: ${bloqueio ? `bloqueada desde ${instant(bloqueio.desde)}: ${bloqueio.motivo}` : 'ativa'}`,
    `Plano: ${plano}, ${limites.requisicoes_por_minuto} requisições por minuto`,
    `Preço do XML de NF-e: ${precoText(resumo)}`,
    `Créditos: ${thousands(disponiveis)} disponíveis: ${thousands(cota_restante)} da cota de ${thousands(cota)} e ${thousands(extras)} extras; mais ${thousands(reservados)} reservados`,
    `Cota renova em: ${instant(new Date(renova_em))}`,
    `Chaves: ${keysText(chaves)}`,
    `Uso de ${uso.mes}, em créditos: ${thousands(uso.creditos_total)} cobrados em consultas, ${thousands(uso.extras_concedidos)} extras concedidos, ${thousands(uso.creditos_debitados)} debitados`,
  ]
}

function precoText({ preco_exclusivo, preco_xml: { creditos, reais } }: ResumoDaConta): string {
  const price = reais === '' ? 'sem preço em reais' : `R$ ${reais.replace('.', ',')}`
  return `${creditos} ${creditos === 1 ? 'crédito' : 'créditos'}, ${price} (${preco_exclusivo ? 'negociado' : 'do plano'})`
}

function keysText({ total, atual_desde, anterior_ate }: Mostrada['chaves']): string {
  const current = atual_desde ? `a atual desde ${instant(atual_desde)}` : 'nenhuma vale'
  const before = anterior_ate ? `; a anterior até ${instant(anterior_ate)}` : ''
  return `${thousands(total)} ${total === 1 ? 'emitida' : 'emitidas'}, ${current}${before}`
}

function usoTable({ uso }: ResumoDaConta): string {
  const table = new Table({ style, head: ['Endpoint', 'Chamadas', 'Créditos'] })
  for (const { endpoint, chamadas, creditos } of uso.endpoints)
    table.push([endpoint, thousands(chamadas), thousands(creditos)])
  return uso.endpoints.length === 0 ? 'Nada foi cobrado neste mês.' : table.toString()
}
