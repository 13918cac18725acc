import type { FastifyInstance } from 'fastify'
import { dataBrasileira } from '../documento/dia.ts'
import { ufs, unidades } from '../documento/uf.ts'
import { listFontes } from '../fontes/lookup.ts'
import { countOf, formatAgora, formatNumero, formatParte, formatQuando } from '../platform/pages/formatos.ts'
import { escolhida, formularioDeFiltros, type OpcaoDeFiltro, selecao } from '../platform/pages/forms.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import type { Sala } from './sala.ts'

const servicos: Readonly<Record<string, string>> = {
  ie: 'Inscrição estadual',
  cnd: 'Certidão (CND)',
  'nfe-xml': 'XML de NF-e',
  cnpj: 'CNPJ ao vivo',
  cnir: 'Imóveis rurais (CNIR)',
  sigef: 'Parcelas (SIGEF)',
}

const situacoes: Readonly<Record<string, string>> = {
  disponivel: 'Consultada',
  desligada: 'Desligada neste serviço',
  'sem-certificado': 'Falta o certificado do operador',
  'protocolo-desconhecido': 'Não se sabe consultar por programa',
  'sem-solucao-de-captcha': 'Falta quem resolva o captcha',
  'sem-contrato': 'Falta o contrato com o SERPRO',
  'sem-conector': 'Falta o conector',
  'sem-sessao': 'Falta a sessão do operador',
}

const certezas: Readonly<Record<string, string>> = {
  verificado: 'visto em fonte atual',
  antigo: 'visto em fonte antiga',
  memoria: 'de memória, sem fonte',
  desconhecido: 'desconhecido',
}

const tipos: Readonly<Record<string, string>> = {
  imagem: 'letras em imagem',
  palavras: 'uma palavra',
  'recaptcha-v2': 'reCAPTCHA',
  'recaptcha-enterprise': 'reCAPTCHA Enterprise',
  turnstile: 'Turnstile',
  hcaptcha: 'hCaptcha',
  altcha: 'prova de trabalho',
}

const vezes: Readonly<Record<string, string>> = {
  sempre: 'em toda consulta',
  'as-vezes': 'às vezes',
  desenhado: 'desenhado, não conferido',
}

/** The captcha of a page in words: `reCAPTCHA, às vezes, resolvido aqui`. */
function tellCaptcha({
  tipo,
  quando,
  resolvido,
}: {
  tipo: string
  quando: string
  resolvido: boolean
}): string {
  if (tipo === 'nenhum') return 'sem captcha'
  const solved = quando === 'desenhado' ? '' : resolvido ? ', resolvido aqui' : ', não resolvido aqui'
  return `${tipos[tipo] ?? tipo}, ${vezes[quando] ?? quando}${solved}`
}

const erros: Readonly<Record<string, string>> = {
  http: 'recusou ou falhou',
  network: 'não atendeu',
  parse: 'respondeu o que não se entende',
  timeout: 'demorou demais',
  blocked: 'barrou a consulta',
}

const tellErro = ({ tipo, codigo }: { tipo: string; codigo: string }): string =>
  `${erros[tipo] ?? tipo}${codigo === '' ? '' : ` (${codigo})`}`

type Saude = {
  situacao: string
  circuito: { estado: 'fechado' | 'aberto' | 'em-teste'; ate: string }
  ultima_hora: {
    consultas: number
    sucessos: number
    taxa_sucesso: number | null
    incompletas: number
    mediana_ms: number | null
  }
  acha_pouco: boolean
  ultimo_erro: { tipo: string; codigo: string; em: string } | null
}

/** From this share of answers on a source is well. */
const BOA = 0.9

function seloDaFonte({ situacao, circuito, ultima_hora, acha_pouco }: Saude): Html {
  if (situacao !== 'disponivel') return html`<span class="selo">${situacoes[situacao] ?? situacao}</span>`
  if (circuito.estado === 'aberto') return html`<span class="selo ruim">Em pausa</span>`
  if (circuito.estado === 'em-teste') return html`<span class="selo lento">Em teste</span>`
  const { taxa_sucesso } = ultima_hora
  if (taxa_sucesso === null) return html`<span class="selo nota">Sem consultas</span>`
  if (acha_pouco) return html`<span class="selo lento">Acha pouco</span>`
  return taxa_sucesso >= BOA
    ? html`<span class="selo bom">Responde bem</span>`
    : html`<span class="selo ${taxa_sucesso > 0 ? 'lento' : 'ruim'}">${taxa_sucesso > 0 ? 'Falha às vezes' : 'Não responde'}</span>`
}

function ultimaHora({ ultima_hora, circuito }: Saude): Content {
  const { consultas, sucessos, taxa_sucesso, incompletas, mediana_ms } = ultima_hora
  const pause =
    circuito.estado === 'aberto' &&
    `; em pausa até ${formatQuando(Date.parse(circuito.ate))}, por falhas seguidas`
  if (taxa_sucesso === null) return ['nenhuma consulta', pause]
  return [
    `${formatNumero(sucessos)} de ${countOf(consultas, 'consulta', 'consultas')} (${formatParte(taxa_sucesso)})`,
    mediana_ms !== null && `, em ${formatNumero(mediana_ms)} ms`,
    incompletas > 0 && `; ${formatNumero(incompletas)} sem algo que ela sempre traz`,
    pause,
  ]
}

const ultimoErro = ({ ultimo_erro }: Saude): Content =>
  ultimo_erro
    ? html`${tellErro(ultimo_erro)}, <time datetime="${ultimo_erro.em}">${formatQuando(Date.parse(ultimo_erro.em))}</time>`
    : 'nenhum na hora'

type FonteVista = Saude & {
  uf: string
  servico: string
  ordem: number
  nome: string
  host: string
  endereco: string
  captcha: { tipo: string; quando: string; resolvido: boolean }
  certeza: string
  em: string
  nota: string
  horario: string
}

type QuadroDeFontes = {
  agora: number
  fontes: readonly FonteVista[]
  total: number
  uf: string | undefined
  servico: string | undefined
  prefixo: string
}

const opcoesDeServico: readonly OpcaoDeFiltro[] = Object.entries(servicos)
const opcoesDeLugar: readonly OpcaoDeFiltro[] = [
  ['BR', 'Fontes nacionais'],
  ...ufs.map((uf): OpcaoDeFiltro => [uf, `${uf} · ${unidades[uf].nome}`]),
]

function paginaDasFontes(quadro: QuadroDeFontes): Html {
  const { agora, fontes, total, uf, servico, prefixo } = quadro
  const ready = fontes.filter(({ situacao }) => situacao === 'disponivel').length
  const shown = fontes.length === total ? '' : ` de ${total}`
  return html`<div class="topo"><div><h1>Fontes</h1><p class="suave">Quem responde a cada consulta, e como respondeu na última hora. Lido em ${formatAgora(agora)}.</p></div></div>
${formularioDeFiltros(
  `${prefixo}/painel/fontes/`,
  html`${selecao({ nome: 'uf', rotulo: 'De onde', todas: 'Todas' }, opcoesDeLugar, uf)}${selecao({ nome: 'servico', rotulo: 'Consulta', todas: 'Todas' }, opcoesDeServico, servico)}`,
)}
${cartao(
  {
    titulo: `${countOf(fontes.length, 'fonte', 'fontes')}${shown}, ${countOf(ready, 'consultada', 'consultadas')}`,
    id: 'fontes',
    lado: html`<a href="${url(`${prefixo}/sefaz/`)}">Situação das SEFAZ</a>`,
  },
  fontes.length === 0
    ? html`<p class="vazio">Nenhuma fonte com estes filtros.</p>`
    : html`<table class="fontes"><thead><tr><th scope="col">Fonte</th><th scope="col">Consulta</th><th scope="col">Agora</th><th scope="col">Última hora</th><th scope="col">Último erro</th><th scope="col">Captcha</th><th scope="col">O que se sabe</th></tr></thead><tbody>${fontes.map(linha)}</tbody></table>`,
)}
<p class="suave">“O que se sabe” diz de onde vêm o endereço e o protocolo, e de quando. Uma fonte que falha várias vezes seguidas fica em pausa, e a consulta segue para a próxima da ordem.</p>`
}

const linha = (fonte: FonteVista): Html =>
  html`<tr><th scope="row" class="nome"><span class="sigla">${fonte.uf}</span> <a href="${url(fonte.endereco)}" rel="noreferrer">${fonte.nome}</a><span class="suave abaixo">${fonte.host}</span></th><td class="servico">${servicos[fonte.servico] ?? fonte.servico}${fonte.ordem > 1 && html` <span class="suave abaixo">${fonte.ordem}ª opção</span>`}</td><td class="agora">${seloDaFonte(fonte)}</td>${[
    celula('Última hora', ultimaHora(fonte)),
    celula('Último erro', ultimoErro(fonte)),
    celula('Captcha', tellCaptcha(fonte.captcha)),
    celula('O que se sabe', sabido(fonte)),
  ]}</tr>`

/** A cell that tells its column on a phone, where there is no head. */
const celula = (coluna: string, valor: Content): Html =>
  html`<td><b class="coluna" aria-hidden="true">${coluna}: </b>${valor}</td>`

const sabido = ({ certeza, em, horario, nota }: FonteVista): Content => [
  `${certezas[certeza] ?? certeza}${em === '' ? '' : `, ${dataBrasileira(em)}`}`,
  horario !== '' && html`<span class="suave abaixo">${horario}</span>`,
  nota !== '' && html`<span class="suave abaixo">${nota}</span>`,
]

export function openFontes(scope: FastifyInstance, { room, moldura, draw }: Sala): void {
  scope.get('/', async (request, reply) => {
    const all = await listFontes(room)
    const uf = escolhida(request.query, 'uf', opcoesDeLugar)
    const servico = escolhida(request.query, 'servico', opcoesDeServico)
    const fontes = all.filter(
      (fonte) =>
        (uf === undefined || fonte.uf === uf) && (servico === undefined || fonte.servico === servico),
    )
    return draw(request, reply, {
      titulo: 'Fontes',
      descricao: 'Quem responde a cada consulta, e como respondeu na última hora.',
      atual: 'fontes',
      conteudo: paginaDasFontes({
        agora: room.now().getTime(),
        fontes,
        total: all.length,
        uf,
        servico,
        prefixo: moldura.prefixo,
      }),
    })
  })
}
