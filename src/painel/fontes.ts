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

const dito = (tom: Agora['tom'], palavra: string, fazer: string): Agora => ({ tom, palavra, fazer })

const PEDIR = 'Peça a quem opera o serviço'
const RESPONDE = dito('bom', 'Responde', 'Nada a fazer.')
const FALHA = dito('lento', 'Falha às vezes', 'Pergunte de novo. O que falha não é cobrado.')
const ACHA_POUCO = dito('lento', 'Acha pouco', '“Não encontrado” pode ser engano: confira no site do órgão.')
const MUDA = dito('ruim', 'Não responde', 'Tente mais tarde, ou no site do órgão. Nada é cobrado.')
const EM_PAUSA = dito('ruim', 'Em pausa', 'Falhou várias vezes e descansa uns minutos. Pergunte depois.')
const QUIETA = dito('nota', 'Pronta', 'Ninguém perguntou a ela na última hora. Pode perguntar.')
const SO_NO_SITE = dito('nada', 'Só no site', 'O órgão não tem consulta automática: consulte no site dele.')

/** In place of a state that cannot be asked the national register answers, with its own light. */
const peloCcc = (ccc: Fonte): Agora =>
  dito(agoraDe(ccc).tom, 'Pelo CCC', 'Só por CNPJ, no cadastro nacional (CCC). Por CPF, no site do órgão.')

/** Why a source is not asked here, by its word in the API. */
const desligadas: Readonly<Record<Exclude<Fonte['situacao'], 'disponivel'>, Agora>> = {
  'protocolo-desconhecido': SO_NO_SITE,
  desligada: dito('nada', 'Desligada', `${PEDIR} que a ligue.`),
  'sem-certificado': dito('nada', 'Sem certificado', `${PEDIR} um certificado A1.`),
  'sem-solucao-de-captcha': dito('nada', 'Sem captcha', `${PEDIR} quem resolva o captcha da página.`),
  'sem-contrato': dito('nada', 'Sem contrato', `${PEDIR} o contrato com o SERPRO.`),
  'sem-conector': dito('nada', 'Sem conector', `${PEDIR} um conector do CNIR.`),
  'sem-sessao': dito('nada', 'Sem sessão', `${PEDIR} a sessão com o SIGEF.`),
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

const isPedida = ({ situacao }: Fonte): boolean => situacao === 'disponivel'

const rankOf = (agora: Agora): number => (ordem.includes(agora) ? ordem.indexOf(agora) : ordem.length)

/** What answers one question in one place: its routes are tried in turn, so the best of them counts. */
type Conjunto = { uf: Ambito; servico: Fonte['servico']; rotas: readonly Fonte[]; agora: Agora }

function conjuntosDe(fontes: readonly Fonte[]): readonly Conjunto[] {
  const groups = Map.groupBy(fontes, ({ uf, servico }) => `${uf} ${servico}`).values()
  const ccc = fontes.find(({ uf, servico }) => uf === 'BR' && servico === 'ie')
  const noLugar = ccc && isPedida(ccc) ? peloCcc(ccc) : undefined
  return [...groups].flatMap((rotas) => {
    const [primeira] = rotas
    if (!primeira) return []
    const { uf, servico } = primeira
    if (ccc && noLugar && servico === 'ie' && !rotas.some(isPedida))
      return [{ uf, servico, rotas: [...rotas, ccc], agora: noLugar }]
    const [agora = MUDA] = rotas.map(agoraDe).toSorted((a, b) => rankOf(a) - rankOf(b))
    return [{ uf, servico, rotas, agora }]
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

const nomeDe = ({ uf, servico }: Pick<Fonte, 'uf' | 'servico'>): string =>
  (uf === 'BR' ? daUniao[servico] : undefined) ?? servicos[servico]

/** `há 4 min`: all that is counted here is of the last hour. */
function idadeDe(em: string, agora: number): Content {
  const minutes = Math.floor(Math.max(0, agora - Date.parse(em)) / 60_000)
  return em !== '' && minutes > 0 && html` ${comInstante(em, `há ${minutes} min`)}`
}

const luz = ({ tom, palavra }: Agora): Html => html`<span class="luz ${tom}"><span>${palavra}</span></span>`

const celula = (um: Conjunto): Html =>
  html`<span class="agora"><small>${nomeDe(um)}</small> ${luz(um.agora)}</span>`

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
  return html`<div class="topo"><div><h1>Fontes</h1><p class="suave">Como cada órgão respondeu na última hora, lido em ${formatAgora(agora)}.</p></div></div>
${resumo(conjuntos)}
${lugar !== undefined && cartaoDoLugar(lugar, de(lugar), quadro)}
${cartao(
  { titulo: 'Do país', id: 'nacionais', lado: html`<a href="${url(enderecoDe('BR'))}">Ver de perto</a>` },
  html`<div class="nacionais-agora">${de('BR').map(celula)}</div>`,
)}
${cartao(
  { titulo: 'Cada estado', id: 'fontes', lado: html`<a href="${url(`${prefixo}/sefaz/`)}">SEFAZ agora</a>` },
  html`<div class="fontes">${colunas.map(
    (coluna) =>
      html`<div><p class="cabeca" aria-hidden="true"><span>${servicos.ie}</span><span>${servicos.cnd}</span></p><ul>${coluna.map(
        (uf) =>
          html`<li class="lugar"><a class="sigla" href="${url(enderecoDe(uf))}" aria-label="${uf}, ${unidades[uf].nome}">${uf}</a>${de(uf).map(celula)}</li>`,
      )}</ul></div>`,
  )}</div>`,
)}`
}

/** A sentence, a bar, and counts by the lights that stand below: green is only what answered. */
function resumo(conjuntos: readonly Conjunto[]): Html {
  const partes = tons
    .map(([tom, ...palavras]) => ({
      tom,
      palavras,
      tais: conjuntos.filter(({ agora }) => agora.tom === tom),
    }))
    .filter(({ tais }) => tais.length > 0)
  const ditas = partes.map(({ tom, tais, palavras: [uma, varias] }) => {
    const dita = tais.every(({ agora }) => agora === SO_NO_SITE)
      ? `${formatNumero(tais.length)} só no site do órgão`
      : countOf(tais.length, uma, varias)
    return html`<span class="luz ${tom}">${dita}</span>`
  })
  const falhas = conjuntos.filter(({ agora }) => agora.tom === 'lento' || agora.tom === 'ruim').length
  const dita =
    falhas === 0
      ? 'Nenhum problema'
      : `${formatNumero(falhas)} de ${countOf(conjuntos.length, 'fonte', 'fontes')} com problemas`
  return html`<section class="cartao resumo" aria-labelledby="em-suma"><h2 id="em-suma">${dita} na última hora</h2>
<p class="barra" aria-hidden="true">${partes.map(({ tom, tais }) => tais.map(() => html`<i class="${tom}"></i>`))}</p>
<p class="contagem-das-fontes">${ditas}</p>${oQueFazer(conjuntos)}</section>`
}

const tons: readonly (readonly [tom: Agora['tom'], uma: string, varias: string])[] = [
  ['bom', 'responde', 'respondem'],
  ['nota', 'pronta', 'prontas'],
  ['lento', 'com falhas', 'com falhas'],
  ['ruim', 'sem resposta', 'sem resposta'],
  ['nada', 'não perguntada aqui', 'não perguntadas aqui'],
]

function oQueFazer(conjuntos: readonly Conjunto[]): Html {
  const met = new Set(conjuntos.map(({ agora }) => agora))
  return html`<details class="o-que-fazer"><summary>O que fazer em cada caso</summary><dl>${[...met]
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map((agora) => html`<div><dt>${luz(agora)}</dt><dd>${agora.fazer}</dd></div>`)}</dl></details>`
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
      ({ agora: dito, rotas }) => rotas.map((fonte) => linha(fonte, { dito, lugar: uf, agora })),
    )}</tbody></table>`,
  )}</div>`

type Linha = { dito: Agora; lugar: Ambito; agora: number }

function linha(fonte: Fonte, { dito, lugar, agora }: Linha): Html {
  const { uf, ordem, nome, endereco, horario, respondeu_em } = fonte
  const como = agoraDe(fonte)
  return html`<tr><th scope="row">${nomeDe(fonte)}${ordem > 1 && `, ${ordem}ª opção`}<br/><a class="suave" href="${url(endereco)}" rel="noreferrer">${nome}</a></th><td>${luz(como)}</td><td>${ultimaHora(fonte)}${idadeDe(respondeu_em, agora)}</td><td>${uf === lugar ? fazerAgora(fonte, como) : dito.fazer}${horario !== '' && ` Atende em ${horario}.`}</td></tr>`
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
