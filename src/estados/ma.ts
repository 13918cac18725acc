import type { Uf } from '../documento/uf.ts'
import { answerCaptcha, solveImagem } from '../portal/captcha-resposta.ts'
import {
  type CertidaoOptions,
  certidao,
  inscricaoDe,
  mensagemDe,
  readCertificado,
} from '../portal/certidao.ts'
import type { Estado, Pergunta, Rota, RotaCnd, RotaIe } from '../portal/estado.ts'
import { actionOf, type Controle, controleOf, harvest } from '../portal/form.ts'
import { camposDoSintegra } from '../portal/inscricao.ts'
import { formDe, VIEW_STATE } from '../portal/jsf.ts'
import { isPdf, normalize, type Pagina } from '../portal/pagina.ts'
import { type InscricoesOptions, inscricoes, readNone } from '../portal/resultado.ts'
import { type PortalOptions, rota } from '../portal/rota.ts'
import { type Inscricao, isAtiva } from '../portal/rules-inscricao.ts'
import { type Campos, failUnknown, type Portal } from '../portal/visita.ts'

type Comum = { form: string; tipo: string }

type RichFaces3IeOptions = PortalOptions &
  Comum &
  InscricoesOptions & {
    /** The button (CSS). Its name is made at the build. */
    botao: string
    /** The images (CSS) of the list. Each opens a registration. */
    abrir: string
  }

/** The names of the image and of its field are made at the build, so the page tells them. */
type RichFaces3CndOptions = Omit<PortalOptions, 'captcha'> &
  Pick<Rota, 'captcha'> &
  Comum &
  CertidaoOptions & {
    mensagem: string
    campos: { cpf: string; cnpj: string; ie: string }
    /** The state's code for a question by registration. */
    codigoIe: string
    botao: { nome: string; valor: string }
  }

/** The choice of the kind brings the document's field over AJAX. Each registration is a command. */
export function richFaces3Ie(uf: Uf, options: RichFaces3IeOptions): RotaIe {
  const { url, documentos, captcha, form, tipo, botao, abrir } = options
  const leitor = inscricoes(options)
  return rota('richfaces3', uf, { ...options, leitor }, async (portal, pergunta) => {
    const pagina = await portal.get(url)
    const chosen = { [tipo]: documentos[pergunta.tipo] ?? '' }
    const pressed = pressedBy(portal, controleOf(portal, pagina, botao))
    const escolha = await submitAjax(portal, pagina, { form, by: tipo, campos: chosen })
    const campo = escolha.html()('input[type=text][name]').first().attr('name')
    if (!campo) failUnknown(portal, escolha, 'falta o campo do documento', pergunta.tipo)
    const lista = await submit(portal, pagina, escolha, form, {
      ...chosen,
      [campo]: pergunta.documento,
      ...(await answerCaptcha(portal, pagina, captcha)),
      ...pressed,
    })
    const comandos = lista.html()(abrir).toArray()
    if (comandos.length === 0) return readNone(portal, pergunta, lista, options)
    if (comandos.length > MOST_ROWS) throw portal.failure('parse', `listou ${comandos.length} inscrições`)
    const found: Inscricao[] = []
    // One after the other, as a person would: they share a session.
    for (const comando of comandos) {
      const detalhe = await open(portal, lista, lista.html()(comando))
      const shown = await leitor.read(portal, pergunta, detalhe)
      if (shown.length === 0) throw portal.failure('parse', 'listou uma inscrição e não a mostrou')
      found.push(...shown)
    }
    return found
  })
}

const MOST_ROWS = 60

function open(portal: Portal, pagina: Pagina, comando: Controle): Promise<Pagina> {
  const form = comando.closest('form').attr('id') ?? ''
  const fields = { ...hiddenOf(portal, pagina, form), ...pressedBy(portal, comando) }
  return portal.post(actionOf(pagina, formDe(form)), fields)
}

/** For an image, the place of the click (HTML 5.2, 4.10.21.4). */
function pressedBy(portal: Portal, comando: Controle): Campos {
  const name = comando.attr('name')
  if (!name) throw portal.failure('parse', 'mudou de página: o botão não tem nome')
  if (comando.attr('type')?.toLowerCase() === 'image') return { [`${name}.x`]: '1', [`${name}.y`]: '1' }
  return { [name]: comando.attr('value') ?? '' }
}

/** The page with its image, an AJAX validation that tells the reason of a refusal, and the issue. */
export function richFaces3Cnd(uf: Uf, options: RichFaces3CndOptions): RotaCnd {
  const { mensagem } = options
  return rota('richfaces3', uf, { ...options, leitor: certidao(options) }, async (portal, pergunta) => {
    const held = inscricaoDe(pergunta)
    const byIe = held && ({ tipo: 'ie', documento: held.inscricao_estadual } as const)
    // The state refuses the CPF or CNPJ of a taxpayer with an active registration. Asking by registration at
    // once saves a captcha.
    const first = byIe && isAtiva(held) ? byIe : pergunta
    let pagina = await issue(portal, first, options)
    if (byIe && first !== byIe && wantsIe(portal, pagina, mensagem))
      pagina = await issue(portal, byIe, options)
    if (pagina.url.includes('paginaErro') && !mensagemDe(portal, pagina, mensagem))
      throw portal.failure('http', 'respondeu com a sua página de erro', { unavailable: true })
    return readCertificado(portal, pergunta, pagina, options)
  })
}

const wantsIe = (portal: Portal, pagina: Pagina, mensagem: string): boolean =>
  !isPdf(pagina) && normalize(mensagemDe(portal, pagina, mensagem)).includes('EMITIR PELA INSCRICAO ESTADUAL')

async function issue(
  portal: Portal,
  { tipo: kind, documento }: Pergunta,
  { url, documentos, form, tipo, campos, codigoIe, botao, mensagem }: RichFaces3CndOptions,
): Promise<Pagina> {
  const pagina = await portal.get(url)
  const $ = pagina.html()
  const letters = $(formDe(form)).find('input[maxlength="4"][name]').first().attr('name')
  const image = $('img[src*="Paint2DResource"]').first().attr('src')
  if (!letters || !image) throw portal.failure('parse', 'mudou de página: falta a imagem ou o campo dela')
  const asked = {
    [tipo]: kind === 'ie' ? codigoIe : (documentos[kind] ?? ''),
    [campos[kind]]: documento,
    [letters]: await solveImagem(portal, new URL(image, pagina.url).href),
  }
  const validacao = await submitAjax(portal, pagina, { form, by: botao.nome, campos: asked })
  const isValid = /\bif\s*\(\s*true\s*\)/.test(validacao.text()) && !mensagemDe(portal, validacao, mensagem)
  return isValid
    ? submit(portal, pagina, validacao, form, { ...asked, [botao.nome]: botao.valor })
    : validacao
}

/** The script of a control that submits over AJAX adds a parameter, whose name is made at the build. */
const ajaxParameter = /'parameters'\s*:\s*\{\s*'([^']+)'\s*:/

/** Sends the form as the script of the control `by` does (A4J.AJAX.Submit of RichFaces 3). */
function submitAjax(
  portal: Portal,
  pagina: Pagina,
  { form, by, campos }: { form: string; by: string; campos: Campos },
): Promise<Pagina> {
  const scripts = pagina
    .html()(`[name="${by}"]`)
    .map((_, { attribs }): string[] => [`${attribs.onclick ?? ''} ${attribs.onchange ?? ''}`])
    .get()
  const parameter = scripts.map((script) => ajaxParameter.exec(script)?.[1]).find(Boolean)
  if (!parameter) throw portal.failure('parse', `mudou de página: falta o parâmetro AJAX de ${by}`)
  return portal.post(actionOf(pagina, formDe(form)), {
    AJAXREQUEST: '_viewRoot',
    ...hiddenOf(portal, pagina, form),
    ...campos,
    [parameter]: parameter,
    'AJAX:EVENTS_COUNT': '1',
  })
}

function submit(
  portal: Portal,
  pagina: Pagina,
  renewal: Pagina,
  form: string,
  campos: Campos,
): Promise<Pagina> {
  const renewed = renewal
    .html()('input[type=hidden][name]')
    .map((_, { attribs }): [string, string][] => [[attribs.name ?? '', attribs.value ?? '']])
    .get()
  if (!renewed.some(([name]) => name === VIEW_STATE))
    throw portal.failure('parse', 'mudou de página: a resposta AJAX não traz o estado da página')
  const fields = { ...hiddenOf(portal, pagina, form), ...Object.fromEntries(renewed), ...campos }
  return portal.post(actionOf(pagina, formDe(form)), fields)
}

const hiddenOf = (portal: Portal, pagina: Pagina, form: string): Campos => ({
  ...harvest(portal, pagina, formDe(form)),
  [form]: form,
})

export const estado = {
  uf: 'MA',
  exemplo: '99049390000151',
  ie: [
    richFaces3Ie('MA', {
      url: 'https://sistemas1.sefaz.ma.gov.br/sintegra/jsp/consultaSintegra/consultaSintegraFiltro.jsf',
      documentos: { cnpj: '2', cpf: '2', ie: '1' },
      charset: 'iso-8859-1',
      captcha: { tipo: 'recaptcha-v2', quando: 'sempre', campo: 'g-recaptcha-response' },
      form: 'form1',
      tipo: 'form1:tipoEmissao',
      botao: '[id="form1:pnlPrincipal4"] input:eq(1)',
      abrir: '[id$=":pnlCadastro"] input[type=image]',
      rotulos: {
        CGC: 'cpf_cnpj',
        'Regime Apuração': 'regime_apuracao_icms',
        DDD: 'ignorado',
        'NFe a partir de': 'situacao_nfe',
        // Seen on 2025-08-25: "01/10/2010 - (2950600), 29/01/2021 - (Devido emissão voluntária),".
        "NFe a partir de (CNAE's)": 'situacao_nfe',
        'EDF a partir de': 'ignorado',
        'CTE a partir de': 'ignorado',
        'Número da Consulta': 'ignorado',
      },
      espera: {
        marca: 'Situação Cadastral Vigente',
        minimo: 200,
        campos: ['inscricao_estadual', 'razao_social', 'situacao_ie', 'municipio', 'cpf_cnpj'],
        rotulos: [...camposDoSintegra, 'regime_apuracao_icms', 'situacao_nfe'],
      },
      certeza: 'verificado',
      origem: 'código aberto de raspagem, com gravações das três páginas',
      em: '2025-08-28',
      nota: 'A escolha do tipo de documento por AJAX é de um código de 2019. Como a lista mostra mais de uma inscrição não foi visto: abre-se cada uma pela sua imagem.',
    }),
  ],
  cnd: [
    richFaces3Cnd('MA', {
      url: 'https://sistemas1.sefaz.ma.gov.br/certidoes/jsp/emissaoCertidaoNegativa/emissaoCertidaoNegativa.jsf',
      documentos: { cnpj: '2', cpf: '2' },
      charset: 'iso-8859-1',
      captcha: { tipo: 'imagem', quando: 'sempre' },
      form: 'form1',
      tipo: 'form1:tipoEmissao',
      codigoIe: '1',
      campos: { cnpj: 'form1:cpfCnpj', cpf: 'form1:cpfCnpj', ie: 'form1:inscricaoEstadual' },
      botao: { nome: 'form1:btn', valor: 'Emitir Certidão' },
      mensagem: '[class*="pf-messages"][class*="-detail"]',
      // In "Nº 226555/26" the year is part of the number.
      layout: { numero: /\bNº ?:? ?(\d+\/\d{2,4})\b/ },
      abrange: {
        debitos: 'nao-inscritos',
        origem: 'o portal emite duas certidões; esta fala dos tributos administrados pela SEFAZ',
        resto: 'a Certidão Negativa de Dívida Ativa (CNDA), do mesmo portal',
      },
      naoContribuinte: 'ie',
      espera: { marca: 'Validade da Certidão', minimo: 250, partes: ['protocolo', 'emissao', 'validade'] },
      certeza: 'verificado',
      origem: 'código aberto de emissão de certidões, com testes',
      em: '2026',
      nota: 'Entrega a Certidão Negativa de Débito (CND). A de Dívida Ativa (CNDA) é outra, de página gêmea no mesmo portal. Quem tem inscrição ativa só recebe a certidão por ela.',
    }),
  ],
} satisfies Estado
