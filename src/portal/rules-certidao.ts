import { diasAte } from '../documento/dia.ts'
import { bloqueio, type Desfecho } from './desfecho.ts'
import { readDividas } from './rules-dividas.ts'
import { findIndicio, findNulidade, readNomes } from './rules-indicio.ts'
import { type Linha, lineOf, type Trecho, withoutDuvida, wordsAt } from './rules-palavras.ts'

/** The outcome of a certificate, or of its refusal (specification, "CND status"). */
export const situacoesCertidao = [
  'negativa',
  'positiva',
  'positiva_com_efeitos_de_negativa',
  'nao_contribuinte',
  'sem_certidao',
  'erro',
] as const

export type SituacaoCertidao = (typeof situacoesCertidao)[number]

/** What still names no debt stands for nothing after its last day (AAAA-MM-DD; empty where none is told). */
export const isVencida = (
  { status, validade }: { status: SituacaoCertidao; validade: string },
  agora: Date,
): boolean =>
  (status === 'negativa' || status === 'positiva_com_efeitos_de_negativa') &&
  validade !== '' &&
  diasAte(validade, agora) < 0

/** A state's certificate (specification, "State CND result"). Unknown texts are empty. */
export type Certidao = {
  status: SituacaoCertidao
  status_raw: string
  /** AAAA-MM-DD. */
  validade: string
  /** AAAA-MM-DD. */
  emissao: string
  protocolo: string
  pdf_base64: string
  url_verificacao: string
  /** Only MT has one. */
  codigo_autenticacao: string
  /** Our own print (PDF, base64) of a certificate that the authority shows as HTML (docs/decisions/0022). */
  impressao_base64?: string
}

/** Makes an answer without a certificate. */
export const semCertidao = (status: SituacaoCertidao, status_raw: string): Certidao => ({
  status,
  status_raw,
  validade: '',
  emissao: '',
  protocolo: '',
  pdf_base64: '',
  url_verificacao: '',
  codigo_autenticacao: '',
})

export type NaoResultado = Exclude<Desfecho, 'nao-encontrado' | 'nao-atende' | 'cortada' | 'outro-documento'>

export type SituacaoDita = Exclude<SituacaoCertidao, 'erro'> | NaoResultado

/** An outcome, and the words that decide it: on one line, with accents and case as they came. */
export type Classificacao = { situacao: SituacaoDita; frase: string }

export type Marca = { situacao: SituacaoDita; se: RegExp }

const frase = (...alternatives: string[]): RegExp => new RegExp(alternatives.join('|'))

/** Sentences that mean debts without naming them. Each was seen in one state. */
const recusaPorDebitos: Marca = {
  situacao: 'positiva',
  se: frase(
    // MT refuses a requerimento with these words. They judge the taxpayer, so they mean debts.
    'NAO SAO SUFICIENTES PARA QUE SE CONSIDERE (?:A )?SUA SITUACAO REGULAR',
    // ES, MT and SP say so if there are debts. If the service fails, the sentence also says how or when.
    'NAO FOI POSSIVEL (?:A EMISSAO|EMITIR)[^.:;!?]{0,60}?CERTIDAO NEGATIVA(?![^.;!?]{0,120}(?:PELA INTERNET|MOMENTO|SISTEMA|TENTE))',
    // TO and AP say so to taxpayers with debts (seen in 2020).
    'FAVOR PROCURAR (?:A )?COLETORIA ESTADUAL',
    'NAO FOI POSSIVEL ATENDER (?:A )?SUA SOLICITACAO ?\\.? FAVOR COMPARECER (?:A )?REPARTICAO FISCAL',
  ),
}

/** PE and RJ give this paper to a regular taxpayer, unless its body says otherwise. */
const regularidade: Marca = { situacao: 'negativa', se: /\bCERTIDAO DE REGULARIDADE\b/ }

const irregularidade: Marca = { situacao: 'positiva', se: /\bCERTIDAO DE IRREGULARIDADE\b/ }

const naoInscrito: Marca = {
  situacao: 'nao_contribuinte',
  se: frase(
    '(?<!DEBITOS? |TRIBUTARIOS |CREDITOS )\\bNAO (?:E |ESTA |SE ENCONTRA )?INSCRIT[AO]S?\\b(?! (?:EM|NA) DIVIDA)',
    '(?<!USUARIO |SENHA |E-?MAIL )\\bNAO (?:E |ESTA |SE ENCONTRA )?CADASTRAD[AO]\\b',
    '(?<!(?:SESSAO|PAGINA|CERTIDAO|REQUERIMENTO|DEBITOS?|PENDENCIAS?|ARQUIVO|PROTOCOLO|USUARIO) )\\bINEXISTENTE\\b',
    '\\bNAO E CONTRIBUINTE\\b',
    '\\bNAO (?:POSSUI|TEM|HA) INSCRICAO\\b',
    '\\b(?:CONTRIBUINTE|CNPJ|CPF|INSCRICAO|INSCRICAO ESTADUAL) NAO (?:FOI )?(?:ENCONTRAD|LOCALIZAD)[AO]\\b',
    '\\bNENHUM CONTRIBUINTE (?:FOI )?(?:ENCONTRAD|LOCALIZAD)O\\b',
    '\\bDOCUMENTO SEM INSCRICAO\\b',
  ),
}

function first(linha: Linha, marcas: readonly Marca[]): Classificacao | undefined {
  for (const { situacao, se } of marcas) {
    const match = se.exec(linha.folded)
    if (match) return { situacao, frase: wordsAt(linha, match.index, match.index + match[0].length) }
  }
  return undefined
}

/** Words of effects decide: such a paper cites both outcomes. Others with both are not understood. */
function classifyPapel(linha: Linha): Classificacao {
  const nomes = readNomes(linha)
  const { deve, nadaDeve } = readDividas(linha.folded)
  const told = (situacao: SituacaoDita, { inicio, fim }: Trecho): Classificacao => ({
    situacao,
    frase: wordsAt(linha, inicio, fim),
  })
  const nula = findNulidade(linha.folded)
  if (nula) return { situacao: 'nao-entendido', frase: wordsAt(linha, nula.inicio, nula.fim) }
  const efeitos = nomes.efeitosDitos ?? nomes.efeitos
  // After a title without effects, a name with effects is a note. A sentence on its own effects is none.
  const isOfNote = efeitos !== nomes.efeitosDitos && isBefore(nomes.positiva, efeitos)
  if (efeitos && nomes.positiva && isOfNote)
    return contradiction(told('positiva', nomes.positiva), told('positiva_com_efeitos_de_negativa', efeitos))
  if (efeitos) return told('positiva_com_efeitos_de_negativa', efeitos)
  const positiva =
    nomes.positiva ?? deve ?? placeOf(linha, irregularidade.se) ?? placeOf(linha, recusaPorDebitos.se)
  const negativa = nomes.negativa ?? nadaDeve
  if (positiva && negativa) return contradiction(told('negativa', negativa), told('positiva', positiva))
  if (positiva) return told('positiva', positiva)
  const nadaConsta = negativa ?? placeOf(linha, regularidade.se)
  const indicio = nadaConsta && findIndicio(linha.folded)
  if (indicio) return contradiction(told('negativa', nadaConsta), told('positiva', indicio))
  if (nadaConsta) return told('negativa', nadaConsta)
  return (
    (!hasNumber.test(linha.folded) && first(linha, [naoInscrito])) || { situacao: 'nao-entendido', frase: '' }
  )
}

const isBefore = (one: Trecho | undefined, other: Trecho | undefined): boolean =>
  one !== undefined && other !== undefined && one.inicio < other.inicio

const hasNumber = /\b(?:CERTIDAO|CND) Nº ?:? ?\d/

const contradiction = (...said: Classificacao[]): Classificacao => ({
  situacao: 'nao-entendido',
  frase: said.map(({ frase }) => frase).join(' … '),
})

function placeOf({ folded }: Linha, wanted: RegExp): Trecho | undefined {
  const found = wanted.exec(folded)
  return found ? { inicio: found.index, fim: found.index + found[0].length } : undefined
}

const DOCUMENTO = '(?:CPF|CNPJ|CPF/CNPJ|CNPJ/CPF|CPF OU CNPJ|DOCUMENTO|INSCRICAO ESTADUAL|IE)'

/** Words that no certificate has. The order counts: the first mark that stands in a page decides. */
const naoResultados: readonly Marca[] = [
  { situacao: 'bloqueado', se: bloqueio },
  {
    situacao: 'captcha-errado',
    se: /(?:CODIGO|TEXTO|CARACTERES|LETRAS|PALAVRA)(?: [A-Z]+){0,3} (?:IMAGEM|CAPTCHA|FIGURA)(?: [A-Z]+){0,3} (?:INVALID|INCORRET|ERRAD|NAO CONFERE)|\bNAO CONFEREM? COM AS? (?:[A-Z]+ D[AEO]S? )?(?:IMAGEM|FIGURA)|(?:CAPTCHA|ALTCHA) (?:[A-Z]+ ){0,3}(?:INVALID|INCORRET|ERRAD|EXPIRAD|NAO CONFERE)|VERIFICACAO DE SEGURANCA (?:INVALIDA|EXPIRADA)|(?:CODIGO|SEQUENCIA) DE (?:CARACTERES|SEGURANCA|VERIFICACAO) (?:INVALID|INCORRET)/,
  },
  {
    situacao: 'captcha',
    se: /COMPLETE A VERIFICACAO|(?:PREENCHA|RESOLVA|MARQUE|CONFIRME) O (?:RE)?CAPTCHA|CAPTCHA (?:E |NAO )?(?:OBRIGATORIO|INFORMADO|PREENCHIDO|RESOLVIDO)/,
  },
  {
    situacao: 'documento-invalido',
    se: new RegExp(
      `\\b${DOCUMENTO}(?: (?:INFORMAD|DIGITAD)[AO])?(?: [\\d./-]{1,20})?(?: ESTA| E)? (?:INVALID[AO]|INCORRET[AO]|INCOMPLET[AO])\\b|\\bINFORME (?:[A-Z/]+,? (?:OU )?){1,4}VALID[AO]\\b|\\bDIGITO VERIFICADOR (?:[A-Z/]+ ){0,4}(?:INVALIDO|INCORRETO|NAO CONFERE)`,
    ),
  },
  {
    situacao: 'pede-ie',
    // MA says so, and PA for a CNPJ that has a registration.
    se: /EMITIR PELA INSCRICAO ESTADUAL|NECESSARIO QUE SEJA INFORMAD[AO] A INSCRICAO ESTADUAL|EXISTE INSCRICAO ESTADUAL ATIVA PARA|\bINFORME A (?:IE|INSCRICAO ESTADUAL)\b/,
  },
  {
    situacao: 'sem-endereco',
    // MG's screen for a taxpayer without an address in SIARE (2026-01).
    se: /CLIQUE AQUI PARA INFORMAR (?:O )?ENDERECO/,
  },
  {
    situacao: 'por-email',
    // RN's dialog for a group with more than 100 CNPJs. Not all its words are known.
    se: /MAIS DE (?:100|CEM) [^.;!?]{0,60}CNPJ.{0,200}E-?MAIL/,
  },
  {
    situacao: 'formulario-errado',
    // PA and BA say so.
    se: /\bCAMPO E REQUERIDO|PREENCHA APENAS UM DOS CAMPOS/,
  },
  {
    situacao: 'fechado',
    se: /FORA DO HORARIO|(?:SERVICO|SISTEMA|EMISSAO|CONSULTA) (?:[A-Z]+ )?DISPONIVEL (?:SOMENTE |APENAS )?(?:NOS? |EM |DE |DAS |ENTRE )|SISTEMA FECHADO/,
  },
  {
    situacao: 'sessao-expirada',
    // ASP.NET says it in English.
    se: /SESSAO (?:[A-Z]+ ){0,3}(?:EXPIR|ENCERRAD|INVALID)|STATE INFORMATION IS INVALID/,
  },
  {
    situacao: 'indisponivel',
    se: /NO MOMENTO NAO PODEMOS ATENDER|INDISPONIVEL (?:NO|NESTE) MOMENTO|(?:SERVICO|SISTEMA|PORTAL|SITE|CONSULTA|EMISSAO) (?:[A-Z]+ ){0,3}(?:INDISPONIVEL|FORA DO AR)|(?:SISTEMA|SERVICO|PORTAL|SITE) EM MANUTENCAO|TENTE (?:NOVAMENTE )?MAIS TARDE|SERVICE UNAVAILABLE|BAD GATEWAY|GATEWAY TIME-?OUT|\b(?:PAGE|RESOURCE) (?:NOT|CANNOT BE) FOUND|\bNOT FOUND\b|PAGINA NAO (?:FOI )?ENCONTRADA|(?:RUNTIME|SERVER|APPLICATION) ERROR|\bHTTP (?:STATUS |ERRO(?:R)? )?[45]\d\d\b|\bERRO (?:HTTP )?[45]\d\d\b|\bERRO (?:AO|DURANTE|NA) [A-Z]+|\b[A-Z]*EXCEPTION\b|\bERRO (?:INTERNO|INESPERADO|DE PROCESSAMENTO|N[OA] (?:SERVIDOR|SISTEMA|PROCESSAMENTO))\b|OCORREU UM ERRO|FALHA (?:INTERNA|DE COMUNICACAO|NA COMUNICACAO)/,
  },
  {
    situacao: 'processando',
    se: /(?:REQUERIMENTO|SOLICITACAO|PEDIDO|CERTIDAO) (?:[A-Z]+ )?(?:EM PROCESSAMENTO|SENDO PROCESSAD[AO]|EM ANDAMENTO|REGISTRAD[AO])/,
  },
  {
    situacao: 'emitida',
    // RN's "Certidão emitida!", and PE's link to the paper.
    se: /CERTIDAO (?:FOI )?(?:EMITIDA|GERADA)(?: ?!| COM SUCESSO)|CLIQUE AQUI PARA VISUALIZAR ?\/ ?IMPRIMIR/,
  },
  {
    situacao: 'nao-entendido',
    // BA says so when nobody is found, and also when the site is in trouble.
    se: /NAO FOI POSSIVEL OBTER OS DADOS DO CONTRIBUINTE/,
  },
]

/** MT's waiting page has little more than this word. Its refusals have it too, so this is the last mark. */
const aguardando: Marca = {
  situacao: 'processando',
  se: /\bREQUERIMENTO\b(?!.{0,400}(?:INDEFERID|NEGAD[AO]|RECUSAD|NAO FOI POSSIVEL))/,
}

const cobraCampo =
  /\b(?:CAMPO|PREENCHIMENTO) OBRIGATORIO|\b(?:INFORME|PREENCHA|SELECIONE|DIGITE|ESCOLHA) (?:O|A|OS|AS|UM|UMA)\b/

const semCertidaoDita: Marca = {
  situacao: 'sem_certidao',
  se: /EXISTEM? PENDENCIAS?\b|NAO (?:FOI POSSIVEL|E POSSIVEL|PODE SER)(?: A)? (?:EMI|GERA)|CERTIDAO NAO (?:FOI )?(?:EMITIDA|GERADA|DISPONIVEL)|REQUERIMENTO (?:FOI )?(?:INDEFERIDO|NEGADO|RECUSADO)/,
}

/** Such a page may be the certificate itself. Its name proves nothing: every heading has it. */
const certifica = /\bCERTIFIC(?:A|O|AMOS|A-SE|AD[AO] QUE)\b/

const daMateria =
  /\b(?:CERTID(?:AO|OES)|CND|DEBITOS?|DIVIDAS?|PENDENCIAS?|CONTRIBUINTES?|INSCRI(?:CAO|COES|T[AO]S?)|IRREGULARIDADES?|TRIBUT\w+|FAZENDA|FAZENDARI[AO]|FISCAL|FISCO|COLETORIA)\b/

const recusa =
  /\b(?:NAO|NENHUMA?|SEM|IMPED\w+|RESTRI\w+|PENDENCIAS?|IRREGULARIDADES?|INDEFERID[AO]|NEGAD[AO]|RECUSAD[AO]|SUSPENS[AO]|CANCELAD[AO]|PROCUR(?:E|AR)|COMPARE(?:CA|CER)|DIRIJA|DIRIGIR|REGULARIZ\w+|CONTATO|NECESSARI[AO]|SOMENTE|APENAS)\b/

export type OrigemDoTexto = 'pdf' | 'pagina'

/** How a state prints its certificates, if a part of the paper says nothing of the outcome. */
export type MolduraDaCertidao = {
  /** It matches the title. A paper without a title is not understood. */
  titulo?: RegExp
  /** It matches where the foot begins. The foot is the same for all outcomes (GO's speaks of debts). */
  rodape?: RegExp
}

/** No message of a state was longer. A page is longer. */
const LONGEST_MESSAGE = 600

const LONGEST = 200_000

/** A contradiction, or unknown words, is `nao-entendido`; `sem_certidao` is a short refusal. */
export function classifyCertidao(
  texto: string,
  origem: OrigemDoTexto,
  moldura: MolduraDaCertidao = {},
): Classificacao {
  if (texto.length > LONGEST) return naoEntendido
  if (origem === 'pagina') return classifyPagina(lineOf(texto))
  const lida = classifyFramed(lineOf(texto), moldura)
  if (lida.situacao === 'positiva' || lida.situacao === 'nao-entendido') return lida
  // Where a name ends may be in doubt. No word in it makes a paper better.
  const certa = classifyFramed(lineOf(texto, withoutDuvida), moldura)
  const isSaid =
    certa.situacao === lida.situacao ||
    (certa.situacao === 'nao-entendido' && certa.frase.includes(lida.frase))
  return isSaid ? lida : { situacao: 'nao-entendido', frase: lida.frase }
}

/** A refusal (captcha, firewall, closed…) that a page of any state may show. */
export const findRecusa = (texto: string): SituacaoDita | undefined =>
  first(lineOf(texto.slice(0, LONGEST)), naoResultados)?.situacao

function classifyFramed(linha: Linha, { titulo, rodape }: MolduraDaCertidao): Classificacao {
  if (titulo && !titulo.exec(linha.folded)?.[0]) return naoEntendido
  return classifyPapel(rodape ? beforeFoot(linha, titulo, rodape) : linha)
}

function beforeFoot({ plain, folded }: Linha, titulo: RegExp | undefined, rodape: RegExp): Linha {
  const title = titulo?.exec(folded)
  const from = title ? title.index + title[0].length : 0
  const at = folded.slice(from).search(rodape)
  const end = at < 0 ? undefined : from + at
  return { plain: plain.slice(0, end), folded: folded.slice(0, end) }
}

function classifyPagina(linha: Linha): Classificacao {
  const none = first(linha, naoResultados)
  if (none) return none
  if (certifica.test(linha.folded)) return classifyPapel(linha)
  const { deve, nadaDeve } = readDividas(linha.folded)
  if (deve && nadaDeve) return { situacao: 'nao-entendido', frase: linha.plain.slice(0, LONGEST_MESSAGE) }
  if (deve) return { situacao: 'positiva', frase: wordsAt(linha, deve.inicio, deve.fim) }
  const said = first(linha, [recusaPorDebitos, naoInscrito, semCertidaoDita, aguardando])
  if (said) return said
  // One word ("Atenção") is the title of an empty box: without debts a certificate would have come.
  const { plain, folded } = linha
  const isMessage =
    plain.includes(' ') && plain.length <= LONGEST_MESSAGE && !cobraCampo.test(folded) && !nadaDeve
  const isRefusal = isMessage && daMateria.test(folded) && recusa.test(folded)
  return isRefusal ? { situacao: 'sem_certidao', frase: plain } : naoEntendido
}

const naoEntendido: Classificacao = { situacao: 'nao-entendido', frase: '' }
