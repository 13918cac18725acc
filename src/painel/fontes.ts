import type { FastifyInstance } from 'fastify'
import { type Ambito, ambitos, ufs, unidades } from '../documento/uf.ts'
import { listFontes } from '../fontes/lookup.ts'
import {
  comInstante,
  countOf,
  formatAgora,
  formatNumero,
  formatParte,
  formatQuando,
  formatTempo,
} from '../platform/pages/formatos.ts'
import { escolhida, type OpcaoDeFiltro } from '../platform/pages/forms.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import type { Fonte } from '../portal/fonte.ts'
import { nomeDoEndpoint } from './chamadas.ts'
import type { Sala } from './sala.ts'

/** How a source stands for who asks it, in a word or two, and what he does about it. */
type Agora = { tom: 'bom' | 'lento' | 'ruim' | 'nota' | 'nada'; palavra: string; fazer: string }

const RESPONDE: Agora = { tom: 'bom', palavra: 'Responde', fazer: 'Nada a fazer.' }

const FALHA: Agora = {
  tom: 'lento',
  palavra: 'Falha às vezes',
  fazer: 'Pergunte de novo. O que falha não é cobrado.',
}

const ACHA_POUCO: Agora = {
  tom: 'lento',
  palavra: 'Acha pouco',
  fazer: 'Um “não encontrado” pode ser engano dela: confira no site do órgão.',
}

const MUDA: Agora = {
  tom: 'ruim',
  palavra: 'Não responde',
  fazer: 'Pergunte mais tarde, ou consulte no site do órgão. Nada é cobrado.',
}

const EM_PAUSA: Agora = {
  tom: 'ruim',
  palavra: 'Em pausa',
  fazer: 'Falhou várias vezes seguidas e descansa alguns minutos. Pergunte de novo depois.',
}

const QUIETA: Agora = {
  tom: 'nota',
  palavra: 'Pronta',
  fazer: 'Ninguém perguntou a ela na última hora. Pode perguntar.',
}

const PEDIR = 'Peça a quem opera o serviço'

const SO_NO_SITE: Agora = {
  tom: 'nada',
  palavra: 'Só no site do órgão',
  fazer: 'O órgão não tem consulta automática: consulte no site dele.',
}

/** Why a source is not asked here, by its word in the API. */
const desligadas: Readonly<Record<Exclude<Fonte['situacao'], 'disponivel'>, Agora>> = {
  'protocolo-desconhecido': SO_NO_SITE,
  desligada: { tom: 'nada', palavra: 'Desligada', fazer: `${PEDIR} que a ligue.` },
  'sem-certificado': { tom: 'nada', palavra: 'Sem certificado', fazer: `${PEDIR} um certificado A1.` },
  'sem-solucao-de-captcha': {
    tom: 'nada',
    palavra: 'Sem captcha',
    fazer: `${PEDIR} quem resolva o captcha da página.`,
  },
  'sem-contrato': { tom: 'nada', palavra: 'Sem contrato', fazer: `${PEDIR} o contrato com o SERPRO.` },
  'sem-conector': { tom: 'nada', palavra: 'Sem conector', fazer: `${PEDIR} um conector do CNIR.` },
  'sem-sessao': { tom: 'nada', palavra: 'Sem sessão', fazer: `${PEDIR} a sessão com o SIGEF.` },
}

/** From this share of answers on a source is well. */
const BOA = 0.9

function agoraDe({ situacao, circuito, ultima_hora: { taxa_sucesso }, acha_pouco }: Fonte): Agora {
  if (situacao !== 'disponivel') return desligadas[situacao]
  if (circuito.estado === 'aberto') return EM_PAUSA
  if (taxa_sucesso === null) return QUIETA
  if (acha_pouco) return ACHA_POUCO
  if (taxa_sucesso >= BOA) return RESPONDE
  return taxa_sucesso > 0 ? FALHA : MUDA
}

const ordem: readonly Agora[] = [RESPONDE, ACHA_POUCO, FALHA, QUIETA, EM_PAUSA, MUDA]

const rankOf = (agora: Agora): number => (ordem.includes(agora) ? ordem.indexOf(agora) : ordem.length)

/** What answers one question in one place: its routes are tried in turn, so the best of them counts. */
type Conjunto = { uf: Ambito; servico: Fonte['servico']; rotas: readonly Fonte[]; agora: Agora; em: string }

function conjuntosDe(fontes: readonly Fonte[]): readonly Conjunto[] {
  const groups = Map.groupBy(fontes, ({ uf, servico }) => `${uf} ${servico}`).values()
  return [...groups].flatMap((rotas) => {
    const [primeira] = rotas
    if (!primeira) return []
    const [agora = MUDA] = rotas.map(agoraDe).toSorted((a, b) => rankOf(a) - rankOf(b))
    const em =
      rotas
        .map(({ respondeu_em }) => respondeu_em)
        .toSorted()
        .at(-1) ?? ''
    return [{ uf: primeira.uf, servico: primeira.servico, rotas, agora, em }]
  })
}

const servicos: Readonly<Record<Fonte['servico'], string>> = {
  // Of one state and of all: a source answers both lookups.
  ie: 'Inscrição',
  cnd: 'Certidão',
  'nfe-xml': nomeDoEndpoint('/api/consultar-nfe-xml'),
  cnpj: `${nomeDoEndpoint('/api/consultar-cnpj')}, ao vivo`,
  cnir: nomeDoEndpoint('/api/consultar-cnir'),
  sigef: nomeDoEndpoint('/api/consultar-sigef'),
}

const daUniao: Readonly<Partial<Record<Fonte['servico'], string>>> = {
  ie: 'Cadastro (CCC)',
  cnd: nomeDoEndpoint('/api/consultar-cnd-federal'),
}

const nomeDe = ({ uf, servico }: Pick<Conjunto, 'uf' | 'servico'>): string =>
  (uf === 'BR' ? daUniao[servico] : undefined) ?? servicos[servico]

/** `há 4 min`: all that is counted here is of the last hour, and what answers now needs no age. */
function idadeDe(em: string, agora: number): Content {
  const minutes = Math.floor(Math.max(0, agora - Date.parse(em)) / 60_000)
  return em !== '' && minutes > 0 && html` ${comInstante(em, `há ${minutes} min`)}`
}

const luz = ({ tom, palavra }: Agora): Html => html`<span class="luz ${tom}"><span>${palavra}</span></span>`

const celula = (um: Conjunto, agora: number): Html =>
  html`<span class="agora"><small>${nomeDe(um)}</small> ${luz(um.agora)}${um.agora !== QUIETA && idadeDe(um.em, agora)}</span>`

/** So many states a column: its heading says once what the two words of each are. */
const POR_COLUNA = 9

const colunas = Array.from({ length: Math.ceil(ufs.length / POR_COLUNA) }, (_, at) =>
  ufs.slice(at * POR_COLUNA, (at + 1) * POR_COLUNA),
)

type QuadroDeFontes = {
  agora: number
  conjuntos: readonly Conjunto[]
  /** The place that is looked at closely. */
  lugar: Ambito | undefined
  prefixo: string
}

const nomeDoLugar = (uf: Ambito): string => (uf === 'BR' ? 'Fontes nacionais' : unidades[uf].nome)

function paginaDasFontes(quadro: QuadroDeFontes): Html {
  const { agora, conjuntos, lugar, prefixo } = quadro
  const enderecoDe = (uf: Ambito): string => `${prefixo}/painel/fontes/?uf=${uf}#lugar`
  const de = (uf: Ambito): readonly Conjunto[] => conjuntos.filter((one) => one.uf === uf)
  return html`<div class="topo"><div><h1>Fontes</h1><p class="suave">Como cada órgão respondeu na última hora. Lido em ${formatAgora(agora)}.</p></div>${contagem(conjuntos)}</div>
${lugar !== undefined && cartaoDoLugar(lugar, de(lugar), quadro)}
${cartao(
  {
    titulo: 'Cada estado, e o país',
    id: 'fontes',
    lado: html`<a href="${url(`${prefixo}/sefaz/`)}">A SEFAZ autoriza notas agora?</a>`,
  },
  html`${oQueFazer(conjuntos)}<div class="nacionais-agora">${de('BR').map((um) => celula(um, agora))}</div>
<div class="fontes">${colunas.map(
    (coluna) =>
      html`<div><p class="cabeca" aria-hidden="true"><span>${servicos.ie}</span><span>${servicos.cnd}</span></p><ul>${coluna.map(
        (uf) =>
          html`<li class="lugar"><a class="sigla" href="${url(enderecoDe(uf))}" aria-label="${uf}, ${unidades[uf].nome}">${uf}</a>${de(uf).map((um) => celula(um, agora))}</li>`,
      )}</ul></div>`,
  )}</div>`,
)}
<p class="suave" id="fontes-de-perto">Abra a sigla de um estado para ver cada fonte dele, ou <a href="${url(enderecoDe('BR'))}">veja cada fonte nacional</a>.</p>`
}

/** How many stand how, each by the light that it has below: green is only what answered. */
const contagem = (conjuntos: readonly Conjunto[]): Html =>
  html`<p class="contagem-das-fontes">${tons.map(([tom, uma, varias]) => {
    const tais = conjuntos.filter(({ agora }) => agora.tom === tom)
    const dita = tais.every(({ agora }) => agora === SO_NO_SITE)
      ? `${formatNumero(tais.length)} só no site do órgão`
      : countOf(tais.length, uma, varias)
    return tais.length > 0 && html`<span class="luz ${tom}">${dita}</span>`
  })}</p>`

const tons: readonly (readonly [tom: Agora['tom'], uma: string, varias: string])[] = [
  ['bom', 'responde', 'respondem'],
  ['nota', 'pronta', 'prontas'],
  ['lento', 'com falhas', 'com falhas'],
  ['ruim', 'sem resposta', 'sem resposta'],
  ['nada', 'não perguntada aqui', 'não perguntadas aqui'],
]

function oQueFazer(conjuntos: readonly Conjunto[]): Html {
  const met = new Set(conjuntos.map(({ agora }) => agora))
  return html`<dl class="o-que-fazer">${[...met]
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map((agora) => html`<div><dt>${luz(agora)}</dt><dd>${agora.fazer}</dd></div>`)}</dl>`
}

const cartaoDoLugar = (
  uf: Ambito,
  conjuntos: readonly Conjunto[],
  { agora, prefixo }: QuadroDeFontes,
): Html =>
  html`<div id="lugar" class="rotas">${cartao(
    {
      titulo: nomeDoLugar(uf),
      id: 'o-lugar',
      lado: html`<a href="${url(`${prefixo}/painel/fontes/`)}">Fechar</a>`,
    },
    html`<table><thead><tr><th scope="col">Consulta</th><th scope="col">Agora</th><th scope="col">Última hora</th><th scope="col">O que fazer</th></tr></thead><tbody>${conjuntos.flatMap(
      (um) => um.rotas.map((fonte) => linha(fonte, um, agora)),
    )}</tbody></table>`,
  )}</div>`

function linha(fonte: Fonte, conjunto: Conjunto, agora: number): Html {
  const { ordem, nome, endereco, horario, respondeu_em } = fonte
  const como = agoraDe(fonte)
  return html`<tr><th scope="row">${nomeDe(conjunto)}${ordem > 1 && `, ${ordem}ª opção`}<br/><a class="suave" href="${url(endereco)}" rel="noreferrer">${nome}</a></th><td>${luz(como)}</td><td>${ultimaHora(fonte)}${idadeDe(respondeu_em, agora)}</td><td>${fazerAgora(fonte, como)}${horario !== '' && ` Atende em ${horario}.`}</td></tr>`
}

const fazerAgora = ({ circuito }: Fonte, agora: Agora): string =>
  agora === EM_PAUSA
    ? `Pergunte de novo depois das ${formatQuando(Date.parse(circuito.ate)).slice(6, 11)}.`
    : agora.fazer

function ultimaHora({ ultima_hora }: Fonte): string {
  const { consultas, sucessos, taxa_sucesso, mediana_ms } = ultima_hora
  if (taxa_sucesso === null) return 'nenhuma consulta'
  const rapidez = mediana_ms === null ? '' : `, em ${formatTempo(mediana_ms)}`
  return `${formatNumero(sucessos)} de ${countOf(consultas, 'consulta', 'consultas')} (${formatParte(taxa_sucesso)})${rapidez}`
}

const lugares: readonly OpcaoDeFiltro[] = ambitos.map((uf) => [uf, nomeDoLugar(uf)])

export function openFontes(scope: FastifyInstance, { room, moldura, draw }: Sala): void {
  scope.get('/', async (request, reply) => {
    const uf = escolhida(request.query, 'uf', lugares)
    return draw(request, reply, {
      titulo: 'Fontes',
      descricao: 'Como cada órgão respondeu às consultas na última hora.',
      atual: 'fontes',
      conteudo: paginaDasFontes({
        agora: room.now().getTime(),
        conjuntos: conjuntosDe(await listFontes(room)),
        lugar: ambitos.find((one) => one === uf),
        prefixo: moldura.prefixo,
      }),
    })
  })
}
