import { diaDe, diaDoInstante } from '../../documento/dia.ts'
import { descer, type Elemento } from '../arvore.ts'
import { conferirAssinatura, type Parecer } from '../assinatura.ts'
import { lerCatalogo, marcaDe, verificacoesDe } from '../catalogo.ts'
import { instaladosOuNenhum, pacotesDoDia } from '../esquema/calendario.ts'
import { type ConferenciaNoDia, conferirNoDia, relatarErros } from '../esquema/relatar.ts'
import { abrirNota, isDestaChave, isDesteConteudo, type Malformado, type NotaAberta } from '../nota.ts'
import type { Regencia, Rejeicao } from '../rules.ts'
import type { Achado, ErroDeEsquema, Laudo, Ocorrencia } from '../rules-laudo.ts'
import { tabelasDaPasta } from '../tabelas.ts'
import type { Contexto } from '../verificacoes/caminho.ts'
import { type Conferir, prepararVerificacoes, type VerificacaoComCodigo } from '../verificacoes/verificar.ts'

/** The checks and the entries of one catalogue. */
export type Verificadores = {
  porCodigo: ReadonlyMap<number, Rejeicao>
  porId: ReadonlyMap<string, VerificacaoComCodigo>
  conferir: Conferir
}

const SEM_CATALOGO: Verificadores = { porCodigo: new Map(), porId: new Map(), conferir: () => [] }

let guardado: { arquivo: string; marca: string; verificadores: Verificadores } | undefined

/**
 * The checks of a catalogue's file, compiled once as long as the file stays the same. A file that went bad
 * leaves the last good ones; without any there are none.
 */
export function abrirVerificadores(arquivo: string): Verificadores {
  const marca = marcaDe(arquivo)
  const seu = guardado?.arquivo === arquivo ? guardado : undefined
  if (seu?.marca === marca) return seu.verificadores
  const verificadores = preparar(arquivo) ?? seu?.verificadores ?? SEM_CATALOGO
  guardado = { arquivo, marca, verificadores }
  return verificadores
}

/** Undefined for a file that cannot be used. */
function preparar(arquivo: string): Verificadores | undefined {
  try {
    const catalogo = lerCatalogo(arquivo)
    const lista = verificacoesDe(catalogo)
    const porId = new Map(lista.map((verificacao) => [verificacao.id, verificacao]))
    return { porCodigo: catalogo.porCodigo, porId, conferir: prepararVerificacoes(lista) }
  } catch {
    // The server tells what is wrong with the file (`openCatalogo`).
    return undefined
  }
}

type Conhecido = {
  agora: Date
  /** The folder of the tables that the operator installed, if there is one. */
  tabelas: string | undefined
  /** The answer's key. */
  valores: Readonly<Record<string, string | undefined>>
}

/** What the checks may know besides the note. */
export function criarContexto({ agora, tabelas, valores }: Conhecido): Contexto {
  return {
    agora: agora.toISOString(),
    valor: (nome) => valores[nome],
    codigos: tabelasDaPasta(tabelas),
    tabela: () => undefined,
  }
}

/** All that is found in a note that can be read. */
export type Exame = {
  nota: Pick<NotaAberta, 'nfe' | 'infNFe' | 'envelope' | 'xml'>
  autorizacao: Autorizacao
  pacote: ConferenciaNoDia['pacote']
  /** The other package of a disputed day. */
  outroPacote: ConferenciaNoDia['outro']
  conferencia: ConferenciaNoDia['conferencia']
  erros: ErroDeEsquema[]
  assinatura: Parecer
  achados: Achado[]
  /** What the checks knew. A note with an authorization is judged as of that moment. */
  contexto: Contexto & { regencia: Regencia }
  /** What told the day of the rules. */
  base: Laudo['regras']['base']
  /** The first element with a prefix. */
  comPrefixo: Elemento | undefined
}

/**
 * What the protocol beside a note says of it. `outro`: the key was authorised, with another content than
 * this one.
 */
type Autorizacao = { situacao: 'nenhuma' } | { situacao: 'esta' | 'outro'; em: string; dia: string }

/** What an examination needs besides the note. */
export type MeiosDoExame = {
  verificadores: Verificadores
  contexto: Contexto
  agora: Date
  /** The folder of the packages that the operator installed. */
  esquemas: string | undefined
}

/** Examines a note whole: schema, signature, checks. Throws DiagnosticoRecusado. */
export function examinar(xml: string, meios: MeiosDoExame): Exame | Malformado {
  const { verificadores, contexto, agora, esquemas } = meios
  const aberta = abrirNota(xml)
  if ('linha' in aberta) return aberta
  const { documento, inteiro, nfe, infNFe, envelope } = aberta
  try {
    const autorizacao = lerAutorizacao(aberta)
    const conhecido = conhecer(infNFe, autorizacao, contexto)
    const pacotes = pacotesDoDia(conhecido.contexto.regencia, instaladosOuNenhum(esquemas))
    // The signature comes first: the schema's errors are found in a document that is mended on the way.
    const assinatura = conferirAssinatura(aberta, agora)
    const { conferencia, pacote, outro } = conferirNoDia(aberta, pacotes)
    return {
      nota: { nfe, infNFe, envelope, xml: aberta.xml },
      autorizacao,
      pacote,
      outroPacote: outro,
      conferencia,
      erros: relatarErros(conferencia),
      assinatura,
      achados: verificadores.conferir(nfe, conhecido.contexto),
      ...conhecido,
      comPrefixo: /<[\w.-]+:/.test(aberta.xml) ? acharPrefixo(nfe) : undefined,
    }
  } finally {
    documento.dispose()
    if (inteiro !== documento) inteiro.dispose()
  }
}

function lerAutorizacao(nota: NotaAberta): Autorizacao {
  const { protocolo } = nota
  if (!protocolo || !isDestaChave(protocolo, nota)) return { situacao: 'nenhuma' }
  const { recebidaEm: em, dia } = protocolo
  return { situacao: isDesteConteudo(protocolo, nota) ? 'esta' : 'outro', em, dia }
}

/** The day of the rules is that of the protocol, else that of the issue, each as it is written. */
function conhecer(
  infNFe: Elemento,
  autorizacao: Autorizacao,
  contexto: Contexto,
): Pick<Exame, 'contexto' | 'base'> {
  const ambiente = descer(infNFe, 'ide/tpAmb')?.texto === '2' ? '2' : '1'
  const com = (dia: string) => ({ ...contexto, regencia: { dia, ambiente } as const })
  if (autorizacao.situacao !== 'nenhuma') {
    const { em, dia } = autorizacao
    const valor = (nome: string) => (nome === 'recebida_em' ? em : contexto.valor(nome))
    return { contexto: { ...com(dia), agora: em, valor }, base: 'protocolo' }
  }
  const dia = diaDoInstante(descer(infNFe, 'ide/dhEmi')?.texto.trim() ?? '')
  if (dia !== undefined) return { contexto: com(dia), base: 'emissao' }
  return { contexto: com(diaDe(Date.parse(contexto.agora))), base: 'hoje' }
}

function acharPrefixo(elemento: Elemento): Elemento | undefined {
  if (elemento.prefixo) return elemento
  for (const filho of elemento.filhos) {
    const achado = acharPrefixo(filho)
    if (achado) return achado
  }
  return undefined
}

/** An error of the schema as the place of a rejection. */
export const ocorrenciaDe = ({ onde, caminho, valor, mensagem }: ErroDeEsquema): Ocorrencia => ({
  onde,
  campos: [{ caminho, valor }],
  mensagem,
})
