import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Compile } from 'typebox/schema'
import { FormatoDaVerificacao } from '../../src/catalogo/formato.ts'
import { consultarTabela } from '../../src/catalogo/tabelas.ts'
import type { Achado } from '../../src/domain/rejeicoes/laudo.ts'
import type { Verificacao } from '../../src/domain/rejeicoes/verificacao.ts'
import type { Contexto } from '../../src/domain/verificacoes/cena.ts'
import type { VerificacaoComCodigo } from '../../src/domain/verificacoes/preparar.ts'
import { prepararVerificacoes } from '../../src/domain/verificacoes/verificar.ts'
import { lerNota } from '../../tools/rejeicoes/ler-nota.ts'

const pasta = fileURLToPath(new URL('../../data/rejeicoes/verificacoes/', import.meta.url))

const formato = Compile(FormatoDaVerificacao)

/** Reads a check. Throws if it has another operator or member than the closed ones. */
export function lerVerificacao(value: unknown, arquivo: string): Verificacao {
  if (formato.Check(value)) return value
  throw new Error(`${arquivo}: ${JSON.stringify(value).slice(0, 80)} has not the format of a check`)
}

/** The checks of the catalogue as people write them, with the code that begins their id. */
export const verificacoes: readonly VerificacaoComCodigo[] = globSync('*.json', { cwd: pasta })
  .sort()
  .flatMap((arquivo) => {
    const lidas: unknown = JSON.parse(readFileSync(`${pasta}${arquivo}`, 'utf8'))
    if (!Array.isArray(lidas)) throw new Error(`${arquivo} is no array`)
    return lidas.map((lida) => lerVerificacao(lida, arquivo))
  })
  .map((verificacao) => ({ ...verificacao, codigo: Number(verificacao.id.split('-')[0]) }))

/** Whether the note and the tables that we carry decide the check. */
export const isDecidida = ({ dependencia }: Verificacao): boolean =>
  ['xml', 'tabela:municipios', 'tabela:uf', 'contexto:agora'].includes(dependencia)

const verificar = prepararVerificacoes(verificacoes)

/** A minute after the notes were issued. */
const AGORA = '2026-11-10T10:16:00-03:00'

/** The tables that we carry and nothing else. */
const semNada: Contexto = { agora: AGORA, tabela: consultarTabela, valor: () => undefined }

const tabelas: Readonly<Record<string, readonly string[]>> = {
  numeros_inutilizados: ['1|1199'],
  inscricoes: ['SP|123456702007', 'SP|234567803001'],
  destinatarios_regulares: ['SP|22333444000181'],
}

const valores: Readonly<Record<string, string>> = {
  chave_na_sefaz: '35261011222333000181550010000011501529183745',
  ambiente_ws: '1',
}

/** What a client may tell and registers may hold. */
export const circunstancias: Partial<Contexto> = {
  tabela: (nome, valor) => tabelas[nome]?.includes(valor),
  valor: (nome) => valores[nome],
}

/** What all checks find in the text of a note. */
export const conferir = (xml: string, contexto: Partial<Contexto> = {}): Achado[] =>
  verificar(lerNota(xml), { ...semNada, ...contexto })
