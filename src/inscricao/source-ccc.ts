import { formatDocumento, semMascara } from '../documento/documento.ts'
import { inscricaoProblem } from '../documento/inscricao-estadual.ts'
import { isUf, type Uf } from '../documento/uf.ts'
import { SourceError } from '../platform/wire/fonte.ts'
import type { Guard } from '../platform/wire/guard.ts'
import { isUnreached, isUnsent } from '../platform/wire/http.ts'
import type { Meios, Rota } from '../portal/estado.ts'
import { normalize, type Pagina } from '../portal/pagina.ts'
import { type InscricaoParcial, inscricaoVazia } from '../portal/rules-inscricao.ts'
import { type Campos, type Portal, visit } from '../portal/visita.ts'
import { postBack } from '../portal/webforms.ts'

const PAGINA = '/servicos/nfenc/Modulos/Geral/NFENC_consulta_cadastro_ccc.aspx'

/** In the order of the tries; over http the document is not encrypted. Clients used `hnfe` last (2025-12). */
export const enderecosDoCcc = [
  `https://nfe.sefaz.ba.gov.br${PAGINA}`,
  `http://nfe.sefaz.ba.gov.br${PAGINA}`,
  `https://hnfe.sefaz.ba.gov.br${PAGINA}`,
  `http://hnfe.sefaz.ba.gov.br${PAGINA}`,
] as const

/** The national register (Cadastro Centralizado de Contribuintes), which SEFAZ-BA shows to anybody. */
export const fonteCcc = {
  familia: 'ccc',
  source: { id: 'BR/ccc', nome: 'O cadastro nacional (CCC, na página da SEFAZ-BA)' },
  url: enderecosDoCcc[0],
  aceita: ['cnpj'],
  captcha: 'nenhum',
  certeza: 'antigo',
  origem: 'cinco programas de código aberto, de três autores, de 2022-06 a 2025-12',
  em: '2025-12',
  nota: 'Conta CNPJ, inscrição, nome, UF e situação, de todos os estados; só é perguntado por um estado que este serviço não pode consultar (CCC=descoberta). A consulta por CPF ninguém mostrou. Se os dados do endereço hnfe são atuais não se sabe: confira com "fiscal fontes verificar BR".',
} as const satisfies Omit<Rota, 'espera'>

/** Faster clients got HTTP 403, 503 or dropped connections. The rest follows a 403 or 503. */
const PAUSA_MS = 3_000
const DESCANSO_MS = 15 * 60_000
const RESPOSTA_MS = 30_000
/** The longest wait for a turn. After that the question goes on without the register. */
const ESPERA_MS = 6_000

/** The hidden fields of its form: the state of ASP.NET WebForms, and the fields that a script fills. */
const ESTADO = ['__VIEWSTATE', '__VIEWSTATEGENERATOR', '__EVENTVALIDATION'] as const
const OCULTOS = new Set<string>([...ESTADO, '__VIEWSTATEENCRYPTED', '__EVENTTARGET', '__EVENTARGUMENT'])

const CAMPOS = {
  cnpj: 'txtCNPJ',
  ie: 'txtie',
  uf: 'CmdUF',
  situacao: 'CmdSituacao',
  filtrar: 'AplicarFiltro',
} as const
const VISIVEIS = new Set<string>(Object.values(CAMPOS))

/** Decorative pictures have a plain file name. A picture that a program draws may be a captcha. */
const ENFEITE = /^[^?]*\.(?:gif|png|jpe?g|svg|ico|webp)$/i
const CAPTCHA = /captcha|codigo|imagem/i

/** An error, an unknown field, a captcha or a drawn picture is refused. */
function checkLayout(portal: Portal, pagina: Pagina): void {
  refuseErro(portal, pagina)
  const $ = pagina.html()
  const changed = (why: string) => portal.failure('parse', `mudou de página: ${why}`)
  const controls = $('input, select, textarea, button')
    .toArray()
    .map((control) => $(control))
  const names = controls.map((control) => control.attr('name') ?? '')
  const missing = [...ESTADO, ...VISIVEIS].find((name) => !names.includes(name))
  if (missing) throw changed(`falta o campo ${missing}`)
  const unknown = controls.find((control) => {
    const known = control.attr('type') === 'hidden' ? OCULTOS : VISIVEIS
    return !known.has(control.attr('name') ?? '')
  })
  if (unknown) throw changed(`traz um campo que não tinha (${unknown.attr('name') || 'sem nome'})`)
  if ($('iframe, [data-sitekey], canvas').length > 0) throw changed('traz um captcha')
  const drawn = $('img')
    .toArray()
    .some((img) => {
      const { src = '', id = '', alt = '' } = $(img).attr() ?? {}
      return !ENFEITE.test(src) || CAPTCHA.test(`${src} ${id} ${alt}`)
    })
  if (drawn) throw changed('traz uma imagem que não tinha')
}

function refuseErro(portal: Portal, pagina: Pagina): void {
  const $ = pagina.html()
  const isErro =
    pagina.status >= 300 || $('[id$="desTipoErro"]').length > 0 || /\bOPS ?!/.test(pagina.words())
  if (isErro)
    throw portal.failure('http', 'mostrou a sua página de erro', { codigo: 'erro', unavailable: true })
}

type LinhaDoCcc = { cnpj: string; ie: string; nome: string; uf: string; situacao: string }

type Folha = { linhas: LinhaDoCcc[]; numero: number; ultima: number; total: number }

const TITULOS = ['CNPJ', 'IE', 'RAZAO SOCIAL', 'UF', 'SITUACAO']

function readFolha(portal: Portal, pagina: Pagina): Folha | undefined {
  const $ = pagina.html()
  const changed = (why: string) => portal.failure('parse', `mudou de página: ${why}`)
  const rows = $('table#Grid')
    .find('tr')
    .filter((_, row) => $(row).closest('table').is('#Grid'))
    .toArray()
    .map((row) => $(row))
  const cellsOf = (row: (typeof rows)[number]): string[] =>
    row
      .children('td, th')
      .toArray()
      .map((cell) => $(cell).text().trim())
  const nobody = $('#lblConsultaVazia').text().trim() !== ''
  if (nobody && rows.length > 1) throw changed('diz que não há ninguém e mostra uma lista')
  if (nobody) return undefined
  const [heads, ...others] = rows
  if (!heads || cellsOf(heads).map(normalize).join('|') !== TITULOS.join('|'))
    throw changed('a lista não tem os títulos de sempre')
  const pager = others.at(-1)?.find('table').length ? others.pop() : undefined
  const linhas = others.map((row): LinhaDoCcc => {
    const [cnpj, ie, nome, uf, situacao, ...more] = cellsOf(row)
    if (!cnpj || !ie || nome === undefined || !uf || !situacao || more.length > 0)
      throw changed('uma linha da lista não tem as colunas de sempre')
    return { cnpj, ie, nome, uf, situacao }
  })
  if (linhas.length === 0) throw changed('a lista não tem linhas')
  const total = /^\D*(\d+)\D*$/.exec($('#lblTotal').text())?.[1]
  if (!total) throw changed('falta o total da lista')
  const numero = pager ? Number(pager.find('span').first().text().trim()) : 1
  if (!Number.isInteger(numero) || numero < 1) throw changed('não se sabe em que folha da lista se está')
  const hrefs = pager?.find('a').toArray() ?? []
  const linked = hrefs.map((link) => Number(/'Page\$(\d+)'/.exec($(link).attr('href') ?? '')?.[1] ?? 0))
  return { linhas, numero, ultima: Math.max(numero, ...linked), total: Number(total) }
}

/** The state took the registration out of the register. It counts as absent. */
const EXCLUIDA = 'EXCLUSAO LOGICA DO CONTRIBUINTE NA UF'

/** The register's words for a status, and our `situacao_ie` (docs/decisions/0020). */
const situacoes: Readonly<Record<string, string>> = {
  'HABILITADO COMO CONTRIBUINTE NA UF': 'ATIVA',
  'NAO HABILITADO COMO CONTRIBUINTE NA UF': 'NÃO HABILITADA',
}

/** Undefined if the row was taken out of the register. Throws SourceError `parse` for what is not ours. */
function toInscricao(portal: Portal, linha: LinhaDoCcc, cnpj: string): InscricaoParcial | undefined {
  const changed = (why: string) => portal.failure('parse', `mudou de página: ${why}`)
  if (semMascara(linha.cnpj) !== cnpj) throw portal.failure('parse', 'respondeu sobre outro CNPJ')
  if (!isUf(linha.uf)) throw changed('uma linha da lista não é de um estado')
  const ie = numeroOf(linha.uf, semMascara(linha.ie))
  if (!ie) throw changed(`uma inscrição da lista não é de ${linha.uf}`)
  const dita = normalize(linha.situacao)
  if (dita === EXCLUIDA) return undefined
  const situacao_ie = situacoes[dita]
  if (!situacao_ie) throw changed('uma situação da lista não é conhecida')
  return {
    ...inscricaoVazia,
    inscricao_estadual: ie,
    razao_social: linha.nome,
    situacao_ie,
    situacao_cadastral: linha.situacao,
    uf_ie: linha.uf,
    cpf_cnpj: formatDocumento(cnpj),
    parcial: true,
  }
}

/** The register may drop zeros on the left. */
function numeroOf(uf: Uf, text: string): string | undefined {
  const forms = Array.from({ length: 15 - Math.min(text.length, 14) }, (_, zeros) => '0'.repeat(zeros) + text)
  return forms.find((form) => inscricaoProblem(uf, form) === undefined)
}

const { source } = fonteCcc

/** All nodes together have one turn at a time. Undefined if it does not come in time. */
type Turno = { end: (pauseMs: number) => Promise<void> }
type Turnos = {
  take: (
    fonte: string,
    limits: { patienceMs: number; pauseMs: number; leaseMs: number },
  ) => Promise<Turno | undefined>
}

export type MeiosDoCcc = {
  meios: Omit<Meios, 'deadlineMs'>
  guard: Guard
  turnos: Turnos
  /** Its pauses are multiplied by it: 1 for the real register. */
  pace: number
  request_id: string
}

/** The longest time of a question in milliseconds, with the wait for its turn. */
export const CCC_MS = ESPERA_MS + RESPOSTA_MS

/**
 * After HTTP 403 or 503 the register rests, for all nodes. Throws SourceError `blocked`, code `fila`, if the
 * turn comes too late.
 */
export async function askCcc(cnpj: string, of: MeiosDoCcc): Promise<InscricaoParcial[]> {
  const { meios, guard, turnos, pace, request_id } = of
  const turno = await turnos.take(source.id, {
    patienceMs: ESPERA_MS,
    pauseMs: PAUSA_MS * pace,
    leaseMs: CCC_MS,
  })
  if (!turno)
    throw new SourceError(
      'blocked',
      `${source.nome} já tem consultas demais na fila, ou descansa (15 minutos depois de um HTTP 403 ou 503).`,
      { source: source.id, elapsedMs: 0, codigo: 'fila' },
    )
  let pauseMs = PAUSA_MS
  try {
    return await guard({ source, deadlineMs: RESPOSTA_MS, request_id }, (deadlineMs) =>
      tryEnderecos(cnpj, { ...meios, deadlineMs }),
    )
  } catch (error) {
    if (error instanceof SourceError && (error.status === 403 || error.status === 503)) pauseMs = DESCANSO_MS
    throw error
  } finally {
    await turno.end(Math.round(pauseMs * pace))
  }
}

async function tryEnderecos(cnpj: string, meios: Meios): Promise<InscricaoParcial[]> {
  const ends = performance.now() + meios.deadlineMs
  const failures: unknown[] = []
  for (const url of enderecosDoCcc) {
    const visita = { uf: 'BA' as const, source, url, captcha: fonteCcc.captcha }
    try {
      const deadlineMs = Math.max(1, ends - performance.now())
      return await visit(visita, { ...meios, deadlineMs }, (portal) => converse(portal, url, cnpj))
    } catch (error) {
      const isGone = error instanceof SourceError && error.status === 404
      if (!isGone && !isUnreached(error) && !isUnsent(error)) throw error
      failures.push(error)
    }
  }
  throw failures[0]
}

/** The register redirects when something failed. */
const modo = { redirects: 0 } as const

/** No CNPJ has more pages, even with old registrations in each of 27 states. */
const MAIS_FOLHAS = 30

async function converse(portal: Portal, url: string, cnpj: string): Promise<InscricaoParcial[]> {
  const pergunta: Campos = {
    [CAMPOS.cnpj]: cnpj,
    [CAMPOS.ie]: '',
    // All states, and all situations.
    [CAMPOS.uf]: '',
    [CAMPOS.situacao]: '99',
  }
  const send = async (from: Pagina, campos: Campos): Promise<Pagina> => {
    const state = { __VIEWSTATEENCRYPTED: '', __EVENTTARGET: '', __EVENTARGUMENT: '' }
    const pagina = await postBack(portal, from, { ...state, ...pergunta, ...campos }, modo)
    checkLayout(portal, pagina)
    return pagina
  }
  const form = await portal.get(url, modo)
  checkLayout(portal, form)
  let pagina = await send(form, { [CAMPOS.filtrar]: 'Aplicar Filtro' })
  const first = readFolha(portal, pagina)
  if (!first) return []
  const folhas = [first]
  for (let last = first; last.ultima > last.numero; folhas.push(last)) {
    if (folhas.length === MAIS_FOLHAS) throw portal.failure('parse', 'mostra uma lista sem fim')
    const next = last.numero + 1
    pagina = await send(pagina, { __EVENTTARGET: 'Grid', __EVENTARGUMENT: `Page$${next}` })
    last = checkFolha(portal, readFolha(portal, pagina), next)
  }
  const linhas = folhas.flatMap((folha) => folha.linhas)
  if (linhas.length !== first.total)
    throw portal.failure('parse', 'mudou de página: a lista não tem tantas linhas quantas ela diz')
  return linhas.flatMap((linha) => toInscricao(portal, linha, cnpj) ?? [])
}

function checkFolha(portal: Portal, folha: Folha | undefined, numero: number): Folha {
  if (folha?.numero === numero) return folha
  throw portal.failure('parse', 'mudou de página: não mostra a folha da lista que foi pedida')
}
