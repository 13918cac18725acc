import { periodoOf } from './dia.ts'
import { hasCheckDigits, isCnpj, isCpf, maskDocumento } from './documento.ts'
import { type Uf, ufs, unidades } from './uf.ts'

/** The parts of an NF-e's access key (MOC 7.0, "Chave de acesso"; its letters by NT Conjunta 2025.001). */
export type Chave = {
  /** The 44 characters, without spaces or dots. */
  chave: string
  uf: Uf
  ano: number
  mes: number
  emitente: { tipo: 'cnpj' | 'cpf'; documento: string }
  modelo: '55'
  serie: number
  numero: number
  /** The kind of issue: 1 normal, 2 to 7 in contingency. */
  tpEmis: number
}

/** The defect of a key: its form, or a field that no NF-e has. SEFAZ was not asked and gave no code. */
export type ChaveProblem = {
  ok: false
  /** Portuguese, for the client. */
  mensagem: string
}

/** 2 to 9 from the right, over and over. */
const WEIGHTS = Array.from({ length: 43 }, (_, i) => 2 + ((42 - i) % 8))

const CHAVE =
  /^(?<cUF>\d{2})(?<aa>\d{2})(?<mm>\d{2})(?<emit>[A-Z0-9]{12}\d{2})(?<mod>\d{2})(?<serie>\d{3})(?<nNF>\d{9})(?<tpEmis>\d)\d{9}$/

/** The last series of companies. The series after it are of persons (MOC 7.0, Anexo I, rule of 617). */
const ULTIMA_SERIE_DE_CNPJ = 909

const CONFIRA = 'Confira a chave no DANFE ou no XML da nota.'

/**
 * Takes out the spaces (of any width, as in a DANFE's text) and the dots, which the specification ignores.
 * Tabs and line breaks stay.
 */
export const cleanChave = (text: string): string => text.replace(/[.\p{Zs}]/gu, '')

/**
 * Reads an access key, in the order of the national environment (NT 2014.002 v1.21, 3.10): check digit, UF,
 * year, month, issuer, model, number. `agora` bounds the year, in Brasília.
 */
export function parseChave(text: string, agora: Date): { ok: true; chave: Chave } | ChaveProblem {
  const chave = cleanChave(text)
  const { cUF, aa, mm, emit, mod, serie, nNF, tpEmis } = CHAVE.exec(chave)?.groups ?? {}
  if (!cUF || !aa || !mm || !emit || !mod || !serie || !nNF || !tpEmis)
    return { ok: false, mensagem: `A chave de acesso é inválida: ${formatoDaChaveProblem(chave)}.` }
  if (!isChaveComDigito(chave)) return invalida('o dígito verificador não confere')
  const uf = ufs.find((sigla) => unidades[sigla].codigo === cUF)
  if (!uf) return invalida(`${cUF} não é o código de nenhuma UF`)
  const ano = 2000 + Number(aa)
  if (ano < 2006 || ano > anoDe(agora)) return invalida(`${ano} não é ano de emissão de NF-e`)
  const mes = Number(mm)
  if (mes < 1 || mes > 12) return invalida(`${mm} não é um mês`)
  const emitente = parseEmitente(emit, Number(serie))
  if (!emitente) return invalida('o CNPJ ou CPF do emitente não é válido')
  if (mod !== '55') return invalida(describeModelo(mod))
  if (Number(nNF) === 0) return invalida('o número da nota é zero')
  if (!/[1-7]/.test(tpEmis)) return invalida(`o tipo de emissão ${tpEmis} não existe na NF-e`)
  return {
    ok: true,
    chave: {
      chave,
      uf,
      ano,
      mes,
      emitente,
      modelo: mod,
      serie: Number(serie),
      numero: Number(nNF),
      tpEmis: Number(tpEmis),
    },
  }
}

/** Whether a text is of 44 characters and the last is the check digit of those before it. */
export const isChaveComDigito = (chave: string): boolean =>
  CHAVE.test(chave) && hasCheckDigits(chave, WEIGHTS, 1)

/** Finds the check digit of the first 43 characters of a key. Undefined if they have not its form. */
export const digitoDaChave = (inicio: string): string | undefined =>
  [...'0123456789'].find((digito) => isChaveComDigito(inicio + digito))

/**
 * Makes the key of a note from its fields, which `read` gives by their paths, and the document whose series
 * it is (MOC 7.0, "Chave de acesso"). Undefined if they make no key.
 */
export function chaveDosCampos(read: (caminho: string) => string, documento: string): string | undefined {
  const ide = (campo: string): string => read(`ide/${campo}`)
  const dhEmi = ide('dhEmi')
  const inicio = [
    ide('cUF'),
    dhEmi.slice(2, 4),
    dhEmi.slice(5, 7),
    documento.padStart(14, '0'),
    ide('mod'),
    ide('serie').padStart(3, '0'),
    ide('nNF').padStart(9, '0'),
    ide('tpEmis'),
    ide('cNF').padStart(8, '0'),
  ].join('')
  const digito = digitoDaChave(inicio)
  return digito && inicio + digito
}

/**
 * Masks a key for the log: UF, month, series, number and the last four digits stay, to tell notes apart;
 * other text shows its length. The random code is masked too, because the check digit could reveal the
 * issuer.
 */
export function maskChave(text: string): string {
  const chave = cleanChave(text)
  if (!CHAVE.test(chave)) return `<${[...chave].length} caracteres>`
  return `${chave.slice(0, 6)}${maskDocumento(chave.slice(6, 20))}${chave.slice(20, 34)}******${chave.slice(40)}`
}

const anoDe = (instante: Date): number => Number(periodoOf(instante).slice(0, 4))

function parseEmitente(campo: string, serie: number): Chave['emitente'] | undefined {
  if (serie <= ULTIMA_SERIE_DE_CNPJ) return isCnpj(campo) ? { tipo: 'cnpj', documento: campo } : undefined
  const cpf = campo.slice(3)
  return campo.startsWith('000') && isCpf(cpf) ? { tipo: 'cpf', documento: cpf } : undefined
}

const outrosModelos: Partial<Record<string, string>> = {
  '57': 'um CT-e',
  '58': 'um MDF-e',
  '65': 'uma NFC-e',
}

function describeModelo(mod: string): string {
  const outro = outrosModelos[mod]
  return `o modelo é ${mod}${outro ? ` (${outro})` : ''}, e só o modelo 55 (NF-e) é consultado aqui`
}

/** Says in Portuguese why a text does not have the form of a key. Undefined if it has. */
export function formatoDaChaveProblem(text: string): string | undefined {
  const chave = cleanChave(text)
  const { length } = [...chave]
  if (/^NFe/i.test(chave)) return 'envie só os 44 caracteres da chave, sem o prefixo NFe'
  if (length !== 44)
    return `envie 44 dígitos (nas posições 7 a 18, também letras maiúsculas); caracteres recebidos, sem contar espaços e pontos: ${length}`
  if (CHAVE.test(chave)) return undefined
  return 'envie só dígitos e, nas posições 7 a 18 (o CNPJ de quem emitiu a nota), também letras maiúsculas'
}

const invalida = (problema: string): ChaveProblem => ({
  ok: false,
  mensagem: `Chave de acesso inválida: ${problema}. ${CONFIRA}`,
})
