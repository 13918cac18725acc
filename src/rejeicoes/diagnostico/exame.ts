import { diaDe, diaDoInstante } from '../../documento/dia.ts'
import { descend, type Elemento } from '../arvore.ts'
import { checkAssinatura, type Parecer } from '../assinatura.ts'
import { marcaDe, readCatalogo, verificacoesDe } from '../catalogo.ts'
import { instaladosOuNenhum, pacotesDoDia } from '../esquema/calendario.ts'
import { type ConferenciaNoDia, checkNoDia, reportErros } from '../esquema/relato.ts'
import { isDestaChave, isDesteConteudo, type Malformado, type NotaAberta, openNota } from '../nota.ts'
import type { Regencia, Rejeicao } from '../rules.ts'
import type { Achado, ErroDeEsquema, Laudo, Ocorrencia } from '../rules-laudo.ts'
import { tabelasDaPasta } from '../tabelas.ts'
import type { Contexto } from '../verificacoes/caminho.ts'
import { type Checker, prepareVerificacoes, type VerificacaoComCodigo } from '../verificacoes/verificador.ts'

export type Verificadores = {
  porCodigo: ReadonlyMap<number, Rejeicao>
  porId: ReadonlyMap<string, VerificacaoComCodigo>
  check: Checker
}

const SEM_CATALOGO: Verificadores = { porCodigo: new Map(), porId: new Map(), check: () => [] }

let guardado: { arquivo: string; marca: string; verificadores: Verificadores } | undefined

/** Compiled once as long as the file stays the same. A file that went bad leaves the last good ones. */
export function openVerificadores(arquivo: string): Verificadores {
  const marca = marcaDe(arquivo)
  const seu = guardado?.arquivo === arquivo ? guardado : undefined
  if (seu?.marca === marca) return seu.verificadores
  const verificadores = prepare(arquivo) ?? seu?.verificadores ?? SEM_CATALOGO
  guardado = { arquivo, marca, verificadores }
  return verificadores
}

function prepare(arquivo: string): Verificadores | undefined {
  try {
    const catalogo = readCatalogo(arquivo)
    const lista = verificacoesDe(catalogo)
    const porId = new Map(lista.map((verificacao) => [verificacao.id, verificacao]))
    return { porCodigo: catalogo.porCodigo, porId, check: prepareVerificacoes(lista) }
  } catch {
    // The server tells what is wrong with the file (`openCatalogo`).
    return undefined
  }
}

type Conhecido = {
  agora: Date
  tabelas: string | undefined
  valores: Readonly<Record<string, string | undefined>>
}

export function createContexto({ agora, tabelas, valores }: Conhecido): Contexto {
  return {
    agora: agora.toISOString(),
    valor: (nome) => valores[nome],
    codigos: tabelasDaPasta(tabelas),
    tabela: () => undefined,
  }
}

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
  base: Laudo['regras']['base']
  comPrefixo: Elemento | undefined
}

/** `outro`: the key was authorised, with another content than this one. */
type Autorizacao = { situacao: 'nenhuma' } | { situacao: 'esta' | 'outro'; em: string; dia: string }

export type MeiosDoExame = {
  verificadores: Verificadores
  contexto: Contexto
  agora: Date
  esquemas: string | undefined
}

/** Throws DiagnosticoRecusado. */
export function examine(xml: string, meios: MeiosDoExame): Exame | Malformado {
  const { verificadores, contexto, agora, esquemas } = meios
  const aberta = openNota(xml)
  if ('linha' in aberta) return aberta
  const { documento, inteiro, nfe, infNFe, envelope } = aberta
  try {
    const autorizacao = readAutorizacao(aberta)
    const conhecido = settleContexto(infNFe, autorizacao, contexto)
    const pacotes = pacotesDoDia(conhecido.contexto.regencia, instaladosOuNenhum(esquemas))
    // The signature comes first: the schema's errors are found in a document that is mended on the way.
    const assinatura = checkAssinatura(aberta, agora)
    const { conferencia, pacote, outro } = checkNoDia(aberta, pacotes)
    return {
      nota: { nfe, infNFe, envelope, xml: aberta.xml },
      autorizacao,
      pacote,
      outroPacote: outro,
      conferencia,
      erros: reportErros(conferencia),
      assinatura,
      achados: verificadores.check(nfe, conhecido.contexto),
      ...conhecido,
      comPrefixo: /<[\w.-]+:/.test(aberta.xml) ? findPrefixo(nfe) : undefined,
    }
  } finally {
    documento.dispose()
    if (inteiro !== documento) inteiro.dispose()
  }
}

function readAutorizacao(nota: NotaAberta): Autorizacao {
  const { protocolo } = nota
  if (!protocolo || !isDestaChave(protocolo, nota)) return { situacao: 'nenhuma' }
  const { recebidaEm: em, dia } = protocolo
  return { situacao: isDesteConteudo(protocolo, nota) ? 'esta' : 'outro', em, dia }
}

/** The day of the rules is that of the protocol, else that of the issue, each as it is written. */
function settleContexto(
  infNFe: Elemento,
  autorizacao: Autorizacao,
  contexto: Contexto,
): Pick<Exame, 'contexto' | 'base'> {
  const ambiente = descend(infNFe, 'ide/tpAmb')?.texto === '2' ? '2' : '1'
  const com = (dia: string) => ({ ...contexto, regencia: { dia, ambiente } as const })
  if (autorizacao.situacao !== 'nenhuma') {
    const { em, dia } = autorizacao
    const valor = (nome: string) => (nome === 'recebida_em' ? em : contexto.valor(nome))
    return { contexto: { ...com(dia), agora: em, valor }, base: 'protocolo' }
  }
  const dia = diaDoInstante(descend(infNFe, 'ide/dhEmi')?.texto.trim() ?? '')
  if (dia !== undefined) return { contexto: com(dia), base: 'emissao' }
  return { contexto: com(diaDe(Date.parse(contexto.agora))), base: 'hoje' }
}

function findPrefixo(elemento: Elemento): Elemento | undefined {
  if (elemento.prefixo) return elemento
  for (const filho of elemento.filhos) {
    const achado = findPrefixo(filho)
    if (achado) return achado
  }
  return undefined
}

export const ocorrenciaDe = ({ onde, caminho, valor, mensagem }: ErroDeEsquema): Ocorrencia => ({
  onde,
  campos: [{ caminho, valor }],
  mensagem,
})
