import type { MesDoExtrato } from '../contas/extrato.ts'
import { escreverReais } from '../platform/ledger/rules.ts'
import { formatNumero } from '../platform/pages/formatos.ts'
import { type Html, html } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import { comSinal, emReais, nomeDoMes } from './extrato-textos.ts'

/** The month as an account: the opening balance, what was added and taken, the closing balance. */
export function quadroDoSaldo(mes: MesDoExtrato, agora: { reservados: number } | undefined): Html {
  const linhas: readonly [nome: string, creditos: number, sempre: boolean][] = [
    ['Cota do mês anterior que venceu', -mes.vencida, false],
    ['Cota do mês', mes.cota, true],
    ['Créditos extras concedidos', mes.concedidos, false],
    ['Consultas cobradas', -mes.cobrados, true],
    ['Débitos', -mes.debitados, false],
    ['Reservas encerradas', mes.reservas, false],
  ]
  return cartao(
    { titulo: 'Saldo', id: 'saldo', lado: html`<span class="suave">em créditos</span>` },
    html`<table class="conta-do-mes"><tbody><tr><th scope="row">Saldo inicial</th><td class="num">${formatNumero(mes.inicial)}</td></tr>${linhas
      .filter(([, creditos, sempre]) => sempre || creditos !== 0)
      .map(
        ([nome, creditos]) =>
          html`<tr><th scope="row">${nome}</th><td class="num">${comSinal(creditos)}</td></tr>`,
      )}<tr class="final"><th scope="row">Saldo final</th><td class="num">${formatNumero(mes.final)}</td></tr></tbody></table>${
      agora !== undefined &&
      html`<p class="suave">Até agora.${agora.reservados > 0 && ` Do saldo, ${formatNumero(agora.reservados)} estão reservados para consultas em andamento.`} O que sobra da cota vence na renovação, no primeiro dia do mês; créditos extras não vencem.</p>`
    }`,
  )
}

/** The charges of the month by endpoint, with the sum in BRL of what has a price. */
export const quadroPorConsulta = (mes: MesDoExtrato): Html =>
  cartao(
    {
      titulo: 'Por consulta',
      id: 'por-consulta',
      lado: mes.reais !== null && html`<span class="suave">XML de NF-e: ${escreverReais(mes.reais)}</span>`,
    },
    mes.porConsulta.length === 0
      ? html`<p class="vazio">Nenhuma consulta foi cobrada em ${nomeDoMes(mes.mes)}.</p>`
      : html`<table><thead><tr><th scope="col">Consulta</th><th scope="col" class="num">Cobradas</th><th scope="col" class="num">Créditos</th><th scope="col" class="num">Reais</th></tr></thead><tbody>${mes.porConsulta.map(
          ({ endpoint, chamadas, creditos, reais }) =>
            html`<tr><th scope="row"><code>${endpoint}</code></th><td class="num">${formatNumero(chamadas)}</td><td class="num">${formatNumero(creditos)}</td><td class="num">${emReais(reais)}</td></tr>`,
        )}</tbody></table>${avisoDosPrecos(mes)}`,
  )

/** What the column of BRL leaves out, and why. */
const avisoDosPrecos = ({ notasSemPreco, reais }: MesDoExtrato): Html | false =>
  (notasSemPreco > 0 || reais !== null) &&
  html`<p class="suave">Só o XML de NF-e tem preço em reais, pelo plano do momento da cobrança.${
    notasSemPreco > 0 &&
    ` ${formatNumero(notasSemPreco)} ${notasSemPreco === 1 ? 'nota está' : 'notas estão'} sem preço aqui: ${
      notasSemPreco === 1 ? 'foi cobrada' : 'foram cobradas'
    } antes de o extrato guardar o preço, ou por conta negociada sem preço em reais.`
  }</p>`
