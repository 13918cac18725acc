import { type Static, Type } from 'typebox'
import { parseStored } from './stored.ts'

/** Version of the file format. Another one is refused, never guessed. */
export const FORMATO = 1

const Portao = Type.Object({
  nome: Type.String(),
  visto: Type.String(),
  esperado: Type.String(),
  ok: Type.Boolean(),
  dispensado: Type.Boolean(),
})

/** One gate: what was seen, what is expected, whether it held. `dispensado`: it failed and was waived. */
export type Portao = Static<typeof Portao>

const ArquivoConferido = Type.Object({ nome: Type.String(), bytes: Type.Number(), crc32: Type.Number() })

/** A file of the vintage, or a member of the zips that it came from. */
export type ArquivoConferido = Static<typeof ArquivoConferido>

const Counts = Type.Record(Type.String(), Type.Number())

const Manifesto = Type.Object({
  formato: Type.Number(),
  /**
   * Month of the dump, `YYYY-MM`, and token of its member names (`D61010`). The token is empty when they had
   * none.
   */
  versao: Type.String(),
  token: Type.String(),
  /** A partial base: the gates that assume the national one were waived. */
  amostra: Type.Boolean(),
  /** Start and end of the import, ISO 8601 in UTC. */
  iniciado: Type.String(),
  concluido: Type.String(),
  estabelecimentos: Type.Number(),
  empresas: Type.Number(),
  socios: Type.Number(),
  simples: Type.Number(),
  /** Smallest and largest root, empty in an empty base. */
  raiz_min: Type.String(),
  raiz_max: Type.String(),
  /** Lines read, orphans, duplicates, repairs: by name. */
  contagens: Counts,
  /** Lines sent to quarentena.ndjson, by reason. */
  quarentena: Counts,
  /** Codes that their table lacks: how often, by `table code`. */
  codigos_desconhecidos: Counts,
  /** Bytes of all files but the manifest. */
  bytes: Type.Number(),
  arquivos: Type.Array(ArquivoConferido),
  entradas: Type.Array(ArquivoConferido),
  portoes: Type.Array(Portao),
})

/** What a vintage says of itself (`manifesto.json`). */
export type Manifesto = Static<typeof Manifesto>

/** Reads `manifesto.json`. Throws (in Portuguese) when it is not a manifest or is of another format. */
export function parseManifesto(json: string): Manifesto {
  const manifesto = parseStored(Manifesto, json)
  if (manifesto === undefined) throw new Error('manifesto.json inválido')
  const { formato, versao } = manifesto
  if (formato === FORMATO) return manifesto
  throw new Error(`versão ${versao} está no formato ${formato}; este programa lê o ${FORMATO}`)
}
