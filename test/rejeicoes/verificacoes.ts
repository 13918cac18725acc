import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Compile } from 'typebox/schema'
import { FormatoDaVerificacao } from '../../src/catalogo/formato.ts'
import { consultarTabela } from '../../src/catalogo/tabelas.ts'
import type { Achado } from '../../src/domain/rejeicoes/laudo.ts'
import type { Verificacao } from '../../src/domain/rejeicoes/verificacao.ts'
import type { VerificacaoComCodigo } from '../../src/domain/verificacoes/preparar.ts'
import { prepararVerificacoes } from '../../src/domain/verificacoes/verificar.ts'
import { lerNota } from '../../tools/rejeicoes/ler-nota.ts'

const pasta = fileURLToPath(new URL('../../data/rejeicoes/verificacoes/', import.meta.url))

const formato = Compile(FormatoDaVerificacao)

/** Reads a check. Throws if it has another operator or member than the closed ones. */
function lerVerificacao(value: unknown, arquivo: string): Verificacao {
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

const verificar = prepararVerificacoes(verificacoes)

/** A minute after the notes were issued. */
const AGORA = '2026-11-10T10:16:00-03:00'

/** What all checks find in the text of a note, with the tables that we carry and nothing else. */
export const conferir = (xml: string, agora = AGORA): Achado[] =>
  verificar(lerNota(xml), { agora, tabela: consultarTabela, valor: () => undefined })
