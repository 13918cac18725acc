import { type Uf, ufs, unidades } from '../documento/uf.ts'
import { formatDiaCurto } from '../platform/pages/formatos.ts'
import { graficoDeTempos } from '../platform/pages/graficos.ts'
import { type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import { seloDaSituacao } from '../platform/pages/mapa.ts'
import { enumerar } from '../platform/texto.ts'
import { formatInstante, formatParte, formatSegundos, listaDeIncidentes, verIncidente } from './incidentes.ts'
import { faixaDosDias, linhaDaLeitura, textoDaParte } from './page-quadro.ts'
import { resumir } from './resumo.ts'
import { autorizadorDe, type Doc, dizer, docs, nomeDoDoc, svcDe } from './rules.ts'
import { situacaoDe } from './rules-quadro.ts'
import { conselhoDe, type DiaVisto, diasDe, disponibilidade, textoDaAtivacao, type Vista } from './vista.ts'

/** The content of a state's page. `prefixo` stands before each address. */
export function paginaDoEstado(vista: Vista, uf: Uf, prefixo: string): Html {
  const agora = resumir(vista)
  const ids = new Set(docs.map((doc) => autorizadorDe(doc, uf).id))
  const seus = vista.incidentes.filter(({ quedas }) => quedas.some((one) => ids.has(one.autorizador)))
  return html`<div class="topo"><div><p class="suave"><a href="${url(`${prefixo}/sefaz/`)}">SEFAZ agora</a> <span class="selo bom ao-vivo" hidden=""></span></p><h1>${unidades[uf].nome} (${uf})</h1>${linhaDaLeitura(agora)}</div>${vizinhos(uf, prefixo)}</div>
${!vista.quadro && html`<div class="faixa-aviso nada"><div><p>${agora.aviso.titulo}</p><p>${agora.aviso.texto}</p></div></div>`}
<div class="grade" id="sefaz" data-uf="${uf}" data-eventos="${prefixo}/sefaz/eventos">
${docs.map((doc) => cartaoDoDocumento(vista, doc, uf))}
${cartao(
  {
    titulo: 'Incidentes que atingiram este estado',
    id: 'incidentes',
    lado: html`<span class="suave">90 dias</span>`,
  },
  listaDeIncidentes(
    seus.map((one) => verIncidente(one, vista)),
    'Nenhum incidente em 90 dias.',
  ),
)}
</div><p class="so-leitor" role="status" id="anuncio"></p>`
}

function vizinhos(uf: Uf, prefixo: string): Html {
  const at = ufs.indexOf(uf)
  const antes = ufs.at(at - 1) ?? uf
  const depois = ufs[(at + 1) % ufs.length] ?? uf
  const ir = (to: Uf, texto: string, rel: string): Html =>
    html`<a rel="${rel}" href="${url(`${prefixo}/sefaz/${to.toLowerCase()}/`)}">${texto}</a>`
  return html`<nav class="abas" aria-label="Estados vizinhos na lista">${ir(antes, `← ${unidades[antes].nome}`, 'prev')}${ir(depois, `${unidades[depois].nome} →`, 'next')}</nav>`
}

function cartaoDoDocumento(vista: Vista, doc: Doc, uf: Uf): Html {
  const situacao = situacaoDe(vista.quadro, doc, uf)
  const autorizador = autorizadorDe(doc, uf)
  const conselho = conselhoDe(vista, doc, uf)
  const svc = svcDe(doc, uf)
  const days = diasDe(vista, doc, uf)
  const outros = autorizador.ufs.filter((one) => one !== uf)
  return cartao(
    {
      titulo: nomeDoDoc[doc],
      id: `doc-${doc}`,
      classe: 'terco',
      lado: html`<span data-doc="${doc}">${seloDaSituacao(situacao)}</span>`,
    },
    html`<dl class="fatos"><dt>Tempo médio</dt><dd data-tempo="${doc}">${situacao.status_avg > 0 ? formatSegundos(situacao.status_avg) : '–'}</dd><dt>Autorizador</dt><dd>${autorizador.nome}${
      outros.length > 0 && html` <span class="suave">também de ${enumerar(outros)}</span>`
    }</dd><dt>Contingência</dt><dd>${svc?.nome ?? 'Offline'}</dd><dt>Ativação</dt><dd>${
      svc
        ? html`${textoDaAtivacao(conselho?.ativacao)}${conselho?.ativacao && html` <span class="suave">dita em ${formatInstante(conselho.ativacao.em)}</span>`}`
        : 'Não se ativa'
    }</dd></dl>${conselho && html`<p class="conselho">${dizer(conselho, situacao)}</p>`}<div class="dias"><p><b>${textoDaParte(days)}</b> <span class="suave">disponível em 90 dias</span></p>${faixaDosDias(vista, days, nomeDoDoc[doc])}</div>${tempos(vista, days, doc)}`,
  )
}

function tempos({ calendario }: Vista, days: readonly (DiaVisto | undefined)[], doc: Doc): Html {
  const timed = days.filter((day) => day?.p50 !== undefined)
  if (timed.length === 0) return html`<p class="vazio">Ainda sem tempos de resposta.</p>`
  const ultimo = timed.at(-1)
  const words = [calendario[0], calendario[Math.floor(calendario.length / 2)], calendario.at(-1)]
  return html`<h3>Tempo de resposta por dia</h3>${graficoDeTempos(
    [
      { nome: 'p50: metade das respostas', classe: 'p50', valores: days.map((day) => day?.p50) },
      { nome: 'p95: 95% delas', classe: 'p95', valores: days.map((day) => day?.p95) },
    ],
    {
      texto: `Tempo de resposta da ${nomeDoDoc[doc]} em ${timed.length} dias; no último, metade em até ${formatSegundos(ultimo?.p50 ?? 0)} e 95% em até ${formatSegundos(ultimo?.p95 ?? 0)}`,
      dias: words.map((word = '') => formatDiaCurto(word)),
    },
  )}<details><summary>Ver os números</summary><div class="rolavel" role="region" tabindex="0" aria-label="Números da ${nomeDoDoc[doc]} por dia"><table class="numeros"><thead><tr><th scope="col">Dia</th><th scope="col" class="num">p50</th><th scope="col" class="num">p95</th><th scope="col" class="num">Disponível</th></tr></thead><tbody>${days.toReversed().map(linhaDoDia)}</tbody></table></div></details>`
}

function linhaDoDia(day: DiaVisto | undefined): Html | false {
  if (!day) return false
  const share = disponibilidade([day])
  return html`<tr><th scope="row">${formatDiaCurto(day.dia)}</th><td class="num">${day.p50 !== undefined && formatSegundos(day.p50)}</td><td class="num">${day.p95 !== undefined && formatSegundos(day.p95)}</td><td class="num">${share !== undefined && formatParte(share)}</td></tr>`
}
