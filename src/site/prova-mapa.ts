import { dataBrasileira } from '../documento/dia.ts'
import { formatDocumento } from '../documento/documento.ts'
import { unidades } from '../documento/uf.ts'
import { countOf, formatQuando } from '../platform/pages/formatos.ts'
import { mapaPintado } from '../platform/pages/graficos.ts'
import { type Html, html } from '../platform/pages/html.ts'
import type { ProvaDosEstados } from './prova.ts'
import { achadosDe, custoDe, type EstadoDaProva, type PerguntaDaProva, resumoDe } from './prova-estados.ts'

/** A state as the page shows it. Its module draws the same of an event. */
type EstadoVisto = Pick<EstadoDaProva, 'uf' | 'cor' | 'palavra' | 'numero'> & {
  estado: string
  /** What else is said of it, in one line. */
  linha: string
}

/** An answer that was recorded tells its day once, and not the instants of each state. */
export function viewEstado(estado: EstadoDaProva, gravada: string | undefined): EstadoVisto {
  const { uf, cor, palavra, numero, detalhe, quem, em } = estado
  const quando =
    em === '' || gravada !== undefined ? '' : `respondeu às ${formatQuando(Date.parse(em)).slice(6)}`
  const linha = [detalhe, quem, quando].filter((text) => text !== '').join(' · ')
  return { uf, cor, palavra, numero, estado: unidades[uf].nome, linha }
}

/** What all states together came to, in words. */
export function viewProva({ pergunta, documento, nome, estados, gravada }: ProvaDosEstados) {
  const escrito = formatDocumento(documento.documento)
  const custo = custoDe(estados)
  const achados = achadosDe(pergunta, estados).map(({ uf }) => uf)
  return {
    pergunta,
    titulo: nome || (documento.tipo === 'cpf' ? 'Pessoa física' : 'Empresa'),
    documento: escrito,
    quem:
      gravada === undefined
        ? 'Respondido agora, pelo simulador'
        : `Resposta gravada em ${dataBrasileira(gravada)}, do simulador`,
    andamento: `${custo} de ${estados.length} responderam`,
    resumo: resumoDe(pergunta, estados),
    custo: `Para uma conta, ${countOf(custo, 'crédito', 'créditos')}: um por estado que respondeu.`,
    achados,
    /** What the card over the map says of the others. */
    mais: achados.length > 1 ? `e mais ${countOf(achados.length - 1, 'estado', 'estados')}` : '',
    cores: legendas[pergunta].flatMap(([cor, palavra]): readonly (readonly [string, string, number])[] => {
      const quantos = estados.filter((estado) => estado.cor === cor).length
      return quantos === 0 ? [] : [[cor, palavra, quantos]]
    }),
  }
}

/** What a colour is called in the legend of an answer. */
export const palavraDaCor = (pergunta: PerguntaDaProva, { cor }: EstadoDaProva): string =>
  legendas[pergunta].find(([one]) => one === cor)?.[1] ?? ''

const legendas: Readonly<Record<PerguntaDaProva, readonly (readonly [cor: string, palavra: string])[]>> = {
  inscricoes: [
    ['bom', 'ativa'],
    ['outra', 'outra situação'],
    ['nada', 'sem inscrição'],
    ['falhou', 'falhou agora'],
    ['fora', 'não consultável'],
  ],
  certidoes: [
    ['bom', 'negativa'],
    ['ruim', 'com débitos'],
    ['outra', 'pendência'],
    ['nada', 'não contribuinte'],
    ['falhou', 'falhou agora'],
    ['fora', 'não consultável'],
  ],
}

/** The map of an answer, its best card over it, and each state in words. */
export function drawProva(prova: ProvaDosEstados): Html {
  const { titulo, documento, quem, andamento, resumo, custo, achados, mais, cores } = viewProva(prova)
  const vistos = prova.estados.map((estado) => viewEstado(estado, prova.gravada))
  const de = new Map(vistos.map((visto) => [visto.uf, visto]))
  return html`<section class="cartao resposta ${prova.gravada !== undefined && 'enche'}" id="resposta" aria-labelledby="titular"><header><div><h2 id="titular">${titulo}</h2><p class="suave" id="documento-perguntado">${documento}</p></div><span class="selo nota" id="andamento">${andamento}</span></header>
<div class="no-mapa">${mapaPintado((uf) => {
    const { cor = 'fora', palavra = '' } = de.get(uf) ?? {}
    return { classe: cor, dito: palavra }
  }, `Mapa do Brasil: ${resumo}`)}<div class="achado" id="achado">${achados.slice(0, 1).map((uf) => drawAchado(de.get(uf), mais))}</div></div>
<div class="em-conta"><ul class="legenda" id="cores">${cores.map(([cor, palavra, quantos]) => html`<li class="${cor}">${palavra} <b>${quantos}</b></li>`)}</ul>
<p id="resumo"><strong>${resumo}</strong></p></div>
<p class="suave"><span id="quem">${quem}.</span> <span id="custo">${custo}</span></p>
<details><summary>O que cada estado respondeu</summary><table><thead><tr><th scope="col">Estado</th><th scope="col">Resposta</th></tr></thead><tbody id="por-estado">${vistos.map(drawLinha)}</tbody></table></details>
<p class="so-leitor" role="status" id="dito"></p></section>`
}

const tons: Readonly<Record<EstadoDaProva['cor'], string>> = {
  bom: 'bom',
  outra: 'lento',
  ruim: 'lento',
  nada: '',
  falhou: 'ruim',
  fora: '',
}

const drawAchado = (visto: EstadoVisto | undefined, mais: string): Html | false =>
  visto !== undefined &&
  html`<span class="selo ${tons[visto.cor]}">${visto.uf} · ${visto.palavra}</span>${visto.numero !== '' && html`<code>${visto.numero}</code>`}<span class="suave">${visto.linha}</span>${mais !== '' && html`<span class="suave">${mais}</span>`}`

const drawLinha = ({ uf, estado, cor, palavra, numero, linha }: EstadoVisto): Html =>
  html`<tr data-uf="${uf}"><th scope="row"><b>${uf}</b> ${estado}</th><td><span class="selo ${tons[cor]}">${palavra}</span> <span class="suave">${[numero, linha].filter((text) => text !== '').join(' · ')}</span></td></tr>`
