import type { LinhaDoExtrato, MesDoExtrato } from '../contas/extrato.ts'
import { formatInstante, formatNumero } from '../platform/pages/formatos.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import { comSinal, emReais, nomeDoMes } from './extrato-textos.ts'
import { type DestinoDasLinhas, tabelaDeLinhas } from './linhas.ts'
import { quadroDoSaldo, quadroPorConsulta } from './quadros.ts'

const RAIZ = '/painel/extrato/'

/** The list of months, newest first. */
export const paginaDosMeses = (meses: readonly MesDoExtrato[], prefixo: string): Html =>
  html`<div class="topo"><div><h1>Extrato</h1><p class="suave">Cada mês começa e termina à meia-noite de Brasília. Os totais são os dos livros de créditos.</p></div></div>
<div class="extrato">${cartao(
    { titulo: 'Meses', id: 'meses' },
    html`<table class="meses"><thead><tr><th scope="col">Mês</th><th scope="col" class="num largo">Saldo inicial</th><th scope="col" class="num largo">Cota</th><th scope="col" class="num largo">Extras</th><th scope="col" class="num">Cobrados</th><th scope="col" class="num largo">Débitos</th><th scope="col" class="num">Saldo final</th><th scope="col" class="num">Reais</th></tr></thead><tbody>${meses.map(
      (mes) =>
        html`<tr><th scope="row"><a href="${url(`${prefixo}${RAIZ}${mes.mes}/`)}">${nomeDoMes(mes.mes)}</a></th><td class="num largo">${formatNumero(mes.inicial)}</td><td class="num largo">${comSinal(mes.cota - mes.vencida)}</td><td class="num largo">${comSinal(mes.concedidos)}</td><td class="num">${comSinal(-mes.cobrados)}</td><td class="num largo">${comSinal(-mes.debitados)}</td><td class="num">${formatNumero(mes.final)}</td><td class="num">${emReais(mes.reais)}</td></tr>`,
    )}</tbody></table><p class="suave">Em créditos. A cota de um mês entra menos a que venceu do mês anterior. Reais: só o XML de NF-e tem preço.</p>`,
  )}</div>`

/** What a page of a month shows: the lines, and where older ones are. */
export type ParteDoMes = {
  mes: MesDoExtrato
  /** What open calls hold; undefined for a month that ended. */
  agora: { reservados: number } | undefined
  lancamentos: readonly LinhaDoExtrato[]
  /** Whether these are the newest lines of the month. */
  primeira: boolean
  /** The mark from which older lines are read; undefined where there are none. */
  depois: string | undefined
}

/** A month: its balance, its charges by endpoint, and some of its lines. */
export function paginaDoMes(parte: ParteDoMes, destino: DestinoDasLinhas): Html {
  const { mes, agora, lancamentos, primeira } = parte
  const endereco = `${destino.prefixo}${RAIZ}${mes.mes}/`
  return html`<div class="topo"><div><h1>Extrato de ${nomeDoMes(mes.mes)}</h1><p class="suave"><a href="${url(destino.prefixo + RAIZ)}">Todos os meses</a></p></div><p class="acoes sem-papel"><a class="botao" href="${url(`${endereco}extrato.csv`)}" download="">Baixar CSV</a> <a href="${url(`${endereco}imprimir/`)}">Folha para imprimir</a></p></div>
<div class="extrato">${primeira && html`<div class="par-de-quadros">${quadroDoSaldo(mes, agora)}${quadroPorConsulta(mes)}</div>`}
${cartao(
  {
    titulo: 'Lançamentos',
    id: 'lancamentos',
    lado: html`<span class="suave">${formatNumero(mes.lancamentos)} no mês, do mais novo ao mais antigo</span>`,
  },
  html`${tabelaDeLinhas(lancamentos, destino)}${navegacao(parte, endereco)}`,
)}</div>`
}

const navegacao = ({ primeira, depois }: ParteDoMes, endereco: string): Content =>
  (!primeira || depois !== undefined) &&
  html`<nav class="mais sem-papel" aria-label="Páginas dos lançamentos">${!primeira && html`<a href="${url(endereco)}">Mais novos do mês</a>`} ${
    depois !== undefined && html`<a href="${url(`${endereco}?depois=${depois}`)}" rel="next">Mais antigos</a>`
  }</nav>`

/** The most lines that a sheet holds: some 20 pieces of paper. */
export const LINHAS_DA_FOLHA = 1_000

/** Who a sheet is for, who issues it, and when. */
export type DadosDaFolha = { nome: string; email: string; plano: string; emissor: string; agora: Date }

/** A month on paper: whose, of when, by whom, its sums and its lines. */
export const folhaDoMes = (
  { mes, agora, lancamentos }: Pick<ParteDoMes, 'mes' | 'agora' | 'lancamentos'>,
  emissao: DadosDaFolha,
  prefixo: string,
): Html =>
  html`<article class="extrato folha"><h1>Extrato de créditos: ${nomeDoMes(mes.mes)}</h1>
<p class="sem-papel suave">Imprima ou salve em PDF pelo navegador (Ctrl+P). <a href="${url(`${prefixo}${RAIZ}${mes.mes}/`)}">Voltar ao mês</a></p>
<dl class="emissao"><div><dt>Conta</dt><dd>${emissao.nome}</dd></div><div><dt>E-mail</dt><dd>${emissao.email}</dd></div><div><dt>Plano hoje</dt><dd>${emissao.plano}</dd></div><div><dt>Período</dt><dd>${periodoDe(mes.mes)}</dd></div><div><dt>Emitido por</dt><dd>${emissao.emissor}</dd></div><div><dt>Emitido em</dt><dd>${formatInstante(emissao.agora)}, horário de Brasília</dd></div></dl>
<div class="par-de-quadros">${quadroDoSaldo(mes, agora)}${quadroPorConsulta(mes)}</div>
<section class="cartao" aria-labelledby="lancamentos"><header><h2 id="lancamentos">Lançamentos</h2><span class="suave">${formatNumero(mes.lancamentos)} no mês, do mais novo ao mais antigo</span></header>${
    lancamentos.length < mes.lancamentos &&
    html`<p class="faixa-aviso nada">Aqui estão os ${formatNumero(lancamentos.length)} mais novos. Os totais são os do mês inteiro, e o CSV tem todas as linhas.</p>`
  }${tabelaDeLinhas(lancamentos)}</section></article>`

/** `01/11/2026 a 30/11/2026` */
function periodoDe(mes: string): string {
  const [ano = '', numeroDoMes = ''] = mes.split('-')
  const ultimo = new Date(Date.UTC(Number(ano), Number(numeroDoMes), 0)).getUTCDate()
  return `01/${numeroDoMes}/${ano} a ${ultimo}/${numeroDoMes}/${ano}`
}
