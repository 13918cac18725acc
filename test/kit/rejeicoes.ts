import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { XmlDocument } from 'libxml2-wasm'
import { comCenario } from '../../simulator/nfe/cenarios.ts'
import { chaveDo, type Nota, notaDe } from '../../simulator/nfe/nota.ts'
import { createEscrivao } from '../../simulator/nfe/proc.ts'
import { createAssinantes } from '../../simulator/platform/icp/icp.ts'
import { signElement } from '../../src/nfe/source-evento.ts'
import { type Elemento, readArvore } from '../../src/rejeicoes/arvore.ts'
import { makeLaudo } from '../../src/rejeicoes/diagnostico/laudo.ts'
import { pacotesDoDia } from '../../src/rejeicoes/esquema/calendario.ts'
import { openNoDia } from '../../src/rejeicoes/esquema/relato.ts'
import type { Condicao, Mudanca, Regencia, Verificacao } from '../../src/rejeicoes/rules.ts'
import type { Achado, Laudo, ResultadoDaVerificacao } from '../../src/rejeicoes/rules-laudo.ts'
import type { ParteDaNota, PartesDaNota } from '../../src/rejeicoes/rules-partes.ts'
import { NOSSAS, nossaTabela, readTabela } from '../../src/rejeicoes/tabelas.ts'
import type { Contexto } from '../../src/rejeicoes/verificacoes/caminho.ts'
import { lugarDe } from '../../src/rejeicoes/verificacoes/campos.ts'
import {
  prepareVerificacoes,
  type VerificacaoComCodigo,
} from '../../src/rejeicoes/verificacoes/verificador.ts'
import { lerNota } from '../../tools/rejeicoes/ler-nota.ts'
import { aplicarMudancas } from '../../tools/rejeicoes/mudanca.ts'
import { codigoDe, lerEscritas } from '../../tools/rejeicoes/verificacoes.ts'

/** The catalogue that comes with the service: `catalogo.test.ts` holds it to what people write. */
export const CATALOGO = fileURLToPath(new URL('../../data/rejeicoes.json', import.meta.url))

const folder = new URL('../../data/rejeicoes/notas/', import.meta.url)

/** The base notes of the pairs, by name. They are not signed. */
export const notas: ReadonlyMap<string, string> = new Map(
  readdirSync(folder).map((file) => [
    file.replace(/\.xml$/, ''),
    readFileSync(new URL(file, folder), 'utf8'),
  ]),
)

/** A minute after the base notes were issued. */
export const NA_EMISSAO = new Date('2026-11-10T10:16:00-03:00')

/**
 * What the packages of schemas have against a note on a day; undefined where one of them takes it. In
 * production at the moment of the base notes unless told.
 */
export function problemaDoEsquema(
  xml: string,
  regencia: Regencia = { dia: '2026-11-10', ambiente: '1' },
): string | undefined {
  const documento = XmlDocument.fromString(xml)
  try {
    const problemas = pacotesDoDia(regencia, []).map((pacote) => {
      try {
        openNoDia(pacote).aberto.validador.validate(documento)
        return undefined
      } catch (error) {
        return error instanceof Error ? error.message : String(error)
      }
    })
    return problemas.includes(undefined) ? undefined : problemas[0]
  } finally {
    documento.dispose()
  }
}

/** The base note of that name. Throws if there is none. */
export function notaBase(nome: string): string {
  const xml = notas.get(nome)
  if (xml === undefined) throw new Error(`no base note ${nome}`)
  return xml
}

/** A note with a signature of the right shape that signs nothing, as the schema wants one. */
export function comAssinatura(xml: string): string {
  const id = /\bId="(\w*)"/.exec(xml)?.[1] ?? ''
  return xml.replace('</NFe>', `${assinatura(id)}</NFe>`)
}

const dsig = 'http://www.w3.org/2000/09/xmldsig#'
const c14n = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'

const assinatura = (id: string): string =>
  `<Signature xmlns="${dsig}"><SignedInfo><CanonicalizationMethod Algorithm="${c14n}"/>` +
  `<SignatureMethod Algorithm="${dsig}rsa-sha1"/><Reference URI="#${id}"><Transforms>` +
  `<Transform Algorithm="${dsig}enveloped-signature"/><Transform Algorithm="${c14n}"/></Transforms>` +
  `<DigestMethod Algorithm="${dsig}sha1"/><DigestValue>AAAAAAAAAAAAAAAAAAAAAAAAAAA=</DigestValue>` +
  '</Reference></SignedInfo><SignatureValue>AAAA</SignatureValue>' +
  '<KeyInfo><X509Data><X509Certificate>AAAA</X509Certificate></X509Data></KeyInfo></Signature>'

/** The checks of the catalogue as people write them, with their codes. */
export const verificacoes: readonly VerificacaoComCodigo[] = lerEscritas().map((verificacao) => ({
  ...verificacao,
  codigo: codigoDe(verificacao),
}))

/** Whether the note and the tables that we carry decide the check. */
export const isDecidida = ({ dependencia }: Verificacao): boolean =>
  ['xml', 'contexto:agora', ...NOSSAS.map((nome) => `tabela:${nome}`)].includes(dependencia)

const verify = prepareVerificacoes(verificacoes)

const CHECKED_AT = NA_EMISSAO.toISOString()

/** A day on which nothing is disputed. */
const DIA = '2026-11-20'

/** A day of production on which a check is in force for sure. */
export function emVigor({ vigencia: { de = '', ate_talvez, ate } = {} }: Verificacao): Regencia {
  const ultimo = ate_talvez ?? ate
  if (ultimo !== undefined && ultimo < DIA) return { dia: ultimo, ambiente: '1' }
  return { dia: de > DIA ? de : DIA, ambiente: '1' }
}

/** The tables that we carry and nothing else. */
const semNada: Contexto = {
  agora: CHECKED_AT,
  regencia: { dia: DIA, ambiente: '1' },
  codigos: nossaTabela,
  tabela: () => undefined,
  valor: () => undefined,
}

const tabelas: Readonly<Record<string, readonly string[]>> = {
  numeros_inutilizados: ['1|1199'],
  inscricoes: ['SP|123456702007', 'SP|234567803001'],
  notas_de_entrada: ['35261033444555000181550010000011781318472659'],
  cindop_da_nfe: ['010101'],
  destinatarios_regulares: ['SP|22333444000181'],
  cnpj_na_receita: ['SP|11222333000181', 'SP|22333444000181', 'SP|55666777000181'],
  cnpj_regular_na_receita: ['SP|11222333000181', 'SP|22333444000181', 'SP|55666777000181'],
  credenciados_nfe: ['SP|123456702007'],
  inscricoes_por_cpf: ['SP|123456702007|52998224725', 'SP|234567803001|52998224725'],
  cnpj_com_ie_ativa: ['SP|44555666000181'],
}

const valores: Readonly<Record<string, string>> = {
  chave_na_sefaz: '35261011222333000181550010000011501529183745',
  ambiente_ws: '1',
  regime_na_receita: '9',
  recebida_em: '2026-11-10T10:16:00-03:00',
}

/** A part of the NCM, as an operator installs it whole. */
const NCM = readTabela(
  'ncm',
  [
    '# titulo: NCM',
    '# origem: teste',
    '# de: 2026-11-01',
    '# certa_ate: 2026-12-31',
    'codigo,de,ate,uTrib',
    ...['09011110', '62034200', '62052000'].map((ncm) => `${ncm},,,KG`),
  ].join('\n'),
)

/** What a client may tell, and registers and installed tables may hold. */
export const circunstancias: Partial<Contexto> = {
  codigos: (nome) => (nome === 'ncm' ? NCM : nossaTabela(nome)),
  tabela: (nome, valor) => tabelas[nome]?.includes(valor),
  valor: (nome) => valores[nome],
}

/** What all checks find in the text of a note. */
export const checkNota = (xml: string, contexto: Partial<Contexto> = {}): Achado[] =>
  verify(lerNota(xml), { ...semNada, ...contexto })

const assinante = createAssinantes()
const escrever = createEscrivao(assinante)

/** When the signed notes were issued. */
export const EMISSAO = new Date('2026-11-21T12:34:56Z')

/** A minute later. */
export const AGORA = new Date('2026-11-21T12:35:56Z')

function notaDo(cenario: string): Nota {
  const nota = notaDe(chaveDo(comCenario(cenario), EMISSAO))
  if (!nota) throw new Error(`${cenario} has no note`)
  return nota
}

/** The authorized note of a scenario of the simulator, signed by its issuer. */
export const notaAssinada = (cenario = 'ciencia'): Promise<string> => escrever(notaDo(cenario))

/** Signs `NFe` again, whatever it holds. What it holds must be canonical, as the simulator writes it. */
export async function signAgain(xml: string, cenario = 'ciencia'): Promise<string> {
  const [, conteudo = ''] = /<infNFe [^>]*>([\s\S]*)<\/infNFe>/.exec(xml) ?? []
  const [, id = ''] = /Id="([^"]*)"/.exec(xml) ?? []
  const { privada, certificado } = await assinante(notaDo(cenario).emitente)
  const atributos = `Id="${id}" versao="4.00"`
  const assinatura = signElement({
    canonico: `<infNFe xmlns="${NFE}" ${atributos}>${conteudo}</infNFe>`,
    id,
    key: Buffer.from(privada.export({ type: 'pkcs8', format: 'pem' })),
    cert: `-----BEGIN CERTIFICATE-----\n${certificado.toString('base64')}\n-----END CERTIFICATE-----\n`,
  })
  return `<NFe xmlns="${NFE}"><infNFe ${atributos}>${conteudo}</infNFe>${assinatura}</NFe>`
}

const NFE = 'http://www.portalfiscal.inf.br/nfe'

/** A good note of so many items, signed. One of 55 has 50 kB, one of 980 has 800 kB. */
export async function notaDeItens(itens: number): Promise<string> {
  const xml = await notaAssinada()
  const [det = ''] = /<det nItem="1">.*?<\/det>/s.exec(xml) ?? []
  const todos = Array.from({ length: itens }, (_, i) => det.replace('nItem="1"', `nItem="${i + 1}"`))
  const somado = xml.replace(/<det .*<\/det>/s, todos.join('')).replace(/<total>.*<\/total>/s, (total) =>
    total.replace(/<(vBC|vICMS|vProd|vPIS|vCOFINS|vNF)>[^<]*/g, (_tudo, nome: string) => {
      const noItem = new RegExp(`<${nome === 'vNF' ? 'vProd' : nome}>([^<]*)`).exec(det)?.[1] ?? '0'
      return `<${nome}>${((itens * Math.round(Number(noItem) * 100)) / 100).toFixed(2)}`
    }),
  )
  const vNF = /<vNF>([^<]*)/.exec(somado)?.[1] ?? ''
  return signAgain(somado.replace(/<vPag>[^<]*/, `<vPag>${vNF}`))
}

/** A small note for checks that only tests have. */
export const nota = lerNota(`<NFe xmlns="http://www.portalfiscal.inf.br/nfe"><infNFe Id="NFe35" versao="4.00">
  <ide><cUF>35</cUF><mod>55</mod><nNF>7</nNF><dhEmi>2026-11-20T10:00:00-03:00</dhEmi><dSai>2026-11-21</dSai><torto>1,5</torto><vazio/><enorme>${'1'.repeat(41)}</enorme></ide>
  <emit><CNPJ>11222333000181</CNPJ><IE>110042490114</IE><UF>SP</UF><cMun>3550308</cMun></emit>
  <det nItem="1"><prod><cod>A</cod><q>2.0000</q><v>0.1</v><NCM>1</NCM></prod><imposto><ICMS><ICMS00><CST>00</CST></ICMS00></ICMS></imposto></det>
  <det nItem="2"><prod><cod>B</cod><q>3</q><v>0.2</v></prod><imposto><ICMS><ICMS40><CST>40</CST></ICMS40></ICMS></imposto></det>
  <total><v>0.3</v></total>
</infNFe><infNFeSupl><qrCode>https://x</qrCode></infNFeSupl></NFe>`)

/** What such a check has besides its rule. */
export const modelo = {
  id: '999-prova',
  codigo: 999,
  titulo: 'Prova',
  descricao: 'Prova.',
  campos: ['det/prod/cod'],
  dependencia: 'xml',
  mensagem_falha: 'Item {./@nItem}: {./prod/cod}, {./prod/NCM}.',
  fonte: { documento: 'MOC', regra: 'X' },
  exemplo: { nota: 'x', errado: [] },
} as const satisfies Partial<Verificacao> & { codigo: number }

/** A table with a code of each kind. */
const FRUTAS = readTabela(
  'frutas',
  [
    '# titulo: frutas',
    '# origem: invenção',
    '# de: 2026-11-01',
    '# certa_desde: 2026-01-01',
    '# certa_ate: 2026-12-31',
    'codigo,de,de_talvez,ate,peso',
    '1,,,,0.5',
    '2,2026-12-01,2026-11-01,,',
    '3,2026-12-01,,,',
    '4,,,2026-10-31,',
    '5,,,2025-12-31,1',
    '5,2026-06-01,,,2',
  ].join('\n'),
)

/** What the checks may know besides the note. */
export const contexto = {
  agora: '2026-11-23T00:30:00-03:00',
  codigos: (nome: string) => (nome === 'frutas' ? FRUTAS : undefined),
  tabela: (nome: string, valor: string) => (nome === 'cores' ? valor === 'azul' : undefined),
  valor: (nome: string) => (nome === 'chave' ? '35' : undefined),
}

/** What a check finds in the small note. */
export function verificar(
  partes: Partial<Verificacao> & { regra: Condicao },
  { contexto: outro = {} }: { contexto?: Partial<Contexto> } = {},
): Achado {
  const [achado] = prepareVerificacoes([{ ...modelo, ...partes }])(nota, { ...contexto, ...outro })
  assert.ok(achado)
  return achado
}

/** What is done to a note. */
export const tipos = ['retirado', 'alongado', 'esvaziado', 'movido', 'total', 'chave'] as const

export type Tipo = (typeof tipos)[number]

/** A note in which one field was changed for the worse. */
export type Mutante = { nota: string; tipo: Tipo; caminho: string; xml: string }

type Fonte = { nota: string; xml: string; folhas: Elemento[] }

const isFolha = ({ filhos, pai }: Elemento): boolean => filhos.length === 0 && pai !== undefined

const descendentes = (elemento: Elemento): Elemento[] => [elemento, ...elemento.filhos.flatMap(descendentes)]

const fontes: readonly Fonte[] = [...notas].map(([nota, texto]) => {
  const xml = texto.replace(/>\s+</g, '><')
  const [raiz] = readArvore(xml).filhos
  const infNFe = raiz?.filhos.find(({ nome }) => nome === 'infNFe')
  return { nota, xml, folhas: infNFe ? descendentes(infNFe).filter(isFolha) : [] }
})

const semTexto = (xml: string, inicio: number, fim: number, novo = ''): string =>
  xml.slice(0, inicio) + novo + xml.slice(fim)

/** The text of a field in another form. */
function trocar(xml: string, { nome, inicio, fim }: Elemento, novo: string): string {
  return semTexto(xml, inicio, fim, `<${nome}>${novo}</${nome}>`)
}

/** Longer than any field may be, of what the field is made of. */
const alongar = (texto: string): string =>
  texto + (/^[\d.]+$/.test(texto) ? '9'.repeat(60) : 'X'.repeat(6000))

function mover(xml: string, { inicio, fim, pai }: Elemento, aoFim: boolean): string {
  const texto = xml.slice(inicio, fim)
  const destino = aoFim ? (pai?.filhos.at(-1)?.fim ?? fim) : (pai?.filhos[0]?.inicio ?? inicio)
  return aoFim
    ? semTexto(semTexto(xml, destino, destino, texto), inicio, fim)
    : semTexto(semTexto(xml, inicio, fim), destino, destino, texto)
}

const somar = (valor: string, centavos: number): string =>
  ((Math.round(Number(valor) * 100) + centavos) / 100).toFixed(2)

/** Totals that some rule compares with the items. */
const TOTAIS =
  /^total\/ICMSTot\/(?:vBC|vICMS|vICMSDeson|vFCP|vBCST|vST|vFCPST|vFCPSTRet|vProd|vFrete|vSeg|vDesc|vII|vIPI|vIPIDevol|vPIS|vCOFINS|vOutro|vNF)$/

const DA_CHAVE = /^ide\/(?:cUF|cNF|serie|nNF|tpEmis|cDV)$/

type Feito = { caminho: string; xml: string }

function mutate({ xml, folhas }: Fonte, tipo: Tipo, qual: number, quanto: number): Feito | undefined {
  const candidatas = folhas.filter((folha) => {
    if (tipo === 'total') return TOTAIS.test(lugarDe(folha))
    if (tipo === 'chave') return DA_CHAVE.test(lugarDe(folha))
    return tipo !== 'movido' || (folha.pai?.filhos.length ?? 0) > 1
  })
  const folha = candidatas[qual % candidatas.length]
  if (!folha) return undefined
  const caminho = lugarDe(folha)
  const feito = (texto: string): Feito => ({ caminho, xml: texto })
  switch (tipo) {
    case 'retirado':
      return feito(semTexto(xml, folha.inicio, folha.fim))
    case 'alongado':
      return feito(trocar(xml, folha, alongar(folha.texto)))
    case 'esvaziado':
      return feito(trocar(xml, folha, ''))
    case 'movido':
      return feito(mover(xml, folha, quanto % 2 === 0))
    case 'total':
      return feito(trocar(xml, folha, somar(folha.texto, 100 + (quanto % 100_000))))
    case 'chave': {
      if (quanto % 3 > 0) return mudarId(xml, quanto)
      const digito = String((Number(folha.texto.at(-1)) + 1 + (quanto % 9)) % 10)
      return feito(trocar(xml, folha, folha.texto.slice(0, -1) + digito))
    }
  }
}

/** Changes a digit of the key in `Id`. */
function mudarId(xml: string, quanto: number): Feito {
  const inicio = xml.indexOf('Id="NFe') + 7 + (quanto % 44)
  const digito = String((Number(xml[inicio]) + 1 + (quanto % 9)) % 10)
  return { caminho: '@Id', xml: semTexto(xml, inicio, inicio + 1, digito) }
}

/** A field that may be left out, or whose place is free, was changed for nothing: the note is good. */
const isAindaBoa = (tipo: Tipo, xml: string): boolean =>
  (tipo === 'retirado' || tipo === 'movido') && problemaDoEsquema(comAssinatura(xml)) === undefined

/** As many mutants as are wanted, each kind by turns, the same for a seed. */
export function makeMutantes(quantos: number, seed: number): Mutante[] {
  const sorteio = fc.tuple(fc.nat({ max: fontes.length - 1 }), fc.nat(), fc.nat())
  const mutantes: Mutante[] = []
  for (const [onde, qual, quanto] of fc.sample(sorteio, { seed, numRuns: quantos * 4 })) {
    if (mutantes.length === quantos) break
    const tipo = tipos[mutantes.length % tipos.length] ?? 'retirado'
    const fonte = fontes[onde]
    const feito = fonte && mutate(fonte, tipo, qual, quanto)
    if (!feito || feito.xml === fonte.xml || isAindaBoa(tipo, feito.xml)) continue
    mutantes.push({ nota: fonte.nota, tipo, ...feito })
  }
  return mutantes
}

/** Whether the diagnosis names the changed field: as the place of an error, or among the fields of one. */
export function nomeia(suspeitas: Laudo['suspeitas'], { caminho }: Mutante): boolean {
  const [pai, nome = ''] = [
    caminho.replace(/\/?[^/]*$/, ''),
    caminho.replace(/^.*\//, '').replace(/\[\d+\]$/, ''),
  ]
  return suspeitas
    .flatMap(({ ocorrencias }) => ocorrencias)
    .some(({ campos, mensagem }) =>
      campos.some(
        (campo) =>
          campo.caminho === caminho ||
          (campo.caminho.replace(/\/?[^/]*$/, '') === pai && new RegExp(`\\b${nome}\\b`).test(mensagem)),
      ),
    )
}

/** The mutants of a list, by their kind and place. */
export const faltasDe = (mutantes: readonly Mutante[]): string =>
  mutantes.map(({ tipo, nota, caminho }) => `${tipo} ${caminho} (${nota})`).join(', ') || 'none'

/**
 * The total of the note, and what is paid, off by some cents. Undefined where a total is not paid at once, or
 * another total repeats it.
 */
export function comOutroTotal(xml: string, centavos: number): string | undefined {
  const total = /<vNF>([^<]*)<\/vNF>/.exec(xml)?.[1] ?? '0'
  const pagos = xml.match(/<vPag>[^<]*<\/vPag>/g) ?? []
  if (pagos.length !== 1 || pagos[0] !== `<vPag>${total}</vPag>` || /<(?:vNFTot|fat|vTroco)>/.test(xml))
    return undefined
  const outro = somar(total, centavos)
  return xml.replace(`<vNF>${total}<`, `<vNF>${outro}<`).replace(pagos[0], `<vPag>${outro}</vPag>`)
}

/** A note that breaks a rule, and what its check finds on days before and after the rule changes. */
export type Fronteira = {
  /** The id of the check. */
  verificacao: string
  /** The base note, and what makes it break the rule. */
  nota: string
  mudancas: readonly Mudanca[]
  /** `tpAmb`; production if left out. */
  ambiente?: '1' | '2'
  dias: readonly (readonly [dia: string, resultado: ResultadoDaVerificacao])[]
}

/** Declares that each note is found what its row says on each of its days. */
export function testFronteiras(fronteiras: readonly Fronteira[]): void {
  for (const { verificacao, nota, mudancas, ambiente = '1', dias } of fronteiras)
    test(`${verificacao}, tpAmb ${ambiente}: ${dias.map(([dia, resultado]) => `${resultado} on ${dia}`).join(', ')}`, () => {
      for (const [dia, resultado] of dias) {
        const xml = aplicarMudancas(notaBase(nota).replace(/>\s+</g, '><'), [
          ...mudancas,
          { campo: 'ide/dhEmi', valor: `${dia}T10:15:00-03:00` },
          { campo: 'ide/tpAmb', valor: ambiente },
          { recalcular: 'chave' },
        ])
        const laudo = makeLaudo({ xml, agora: new Date(`${dia}T15:00:00Z`), catalogo: CATALOGO })
        const achado = laudo.verificacoes.find(({ id }) => id === verificacao)
        assert.equal(achado?.resultado, resultado, dia)
        const isSuspeita = laudo.suspeitas.some(({ codigo }) => codigo === achado?.codigo)
        if (resultado === 'falha') assert.ok(isSuspeita, dia)
        if (resultado === 'indeterminado')
          assert.ok(
            achado?.ocorrencias.every(({ mensagem }) =>
              /As fontes divergem|texto oficial|não se sabe/i.test(mensagem),
            ),
            dia,
          )
      }
    })
}

/** The party that issues a note, and a note of its parties for the lists of the Receita Federal. */
export const emitente: ParteDaNota = {
  grupo: 'emit',
  documento: { tipo: 'cnpj', documento: '11222333000181' },
  cnpj: '11222333000181',
  ie: '',
  uf: 'SP',
  municipio: '',
  crt: '3',
}

export const partes = (given: Partial<PartesDaNota> = {}): PartesDaNota => ({
  modelo: '55',
  tpEmis: '1',
  dia: '2026-11-20',
  ambiente: 'producao',
  emitente,
  destinatario: undefined,
  retirada: undefined,
  entrega: undefined,
  ...given,
})
