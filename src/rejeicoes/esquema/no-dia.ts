import { XmlDocument } from 'libxml2-wasm'
import type { NotaAberta } from '../nota/abrir.ts'
import { lerDocumento } from '../nota/abrir.ts'
import type { Elemento } from '../nota/arvore.ts'
import { abrirNoDia, type PacoteNoDia } from './calendario.ts'
import { type Conferencia, conferirEsquema, type ValorErrado } from './conferir.ts'
import type { Defeito } from './estrutura.ts'

/** What the schema of a day says of a note. `outro` is the other package of a disputed day. */
export type ConferenciaNoDia = {
  conferencia: Conferencia
  pacote: PacoteNoDia
  outro: PacoteNoDia | undefined
}

/**
 * Validates a note by the packages of its day, the newer first; the note's document is mended on the way. On
 * a disputed day a note that either takes is good, and of one that both refuse only the errors count that
 * both tell; those of the newer where they tell none alike.
 */
export function conferirNoDia(
  { documento, nfe, xml }: Pick<NotaAberta, 'documento' | 'nfe' | 'xml'>,
  pacotes: readonly [PacoteNoDia, ...PacoteNoDia[]],
): ConferenciaNoDia {
  const [novo, velho] = pacotes.map(abrirNoDia)
  if (!novo) throw new Error('there is no package of schemas')
  const doNovo = conferirEsquema(documento, nfe, novo.aberto)
  if (!velho || isBoa(doNovo)) return { conferencia: doNovo, pacote: novo.pacote, outro: velho?.pacote }
  const outroDocumento = lerDocumento(xml)
  if (!(outroDocumento instanceof XmlDocument)) throw new Error('a note that was read cannot be read again')
  try {
    const doVelho = conferirEsquema(outroDocumento, nfe, velho.aberto)
    if (isBoa(doVelho)) return { conferencia: doVelho, pacote: velho.pacote, outro: novo.pacote }
    return { conferencia: comuns(doNovo, doVelho), pacote: novo.pacote, outro: velho.pacote }
  } finally {
    outroDocumento.dispose()
  }
}

const isBoa = ({ valores, defeitos }: Conferencia): boolean => valores.length === 0 && defeitos.length === 0

function comuns(um: Conferencia, outro: Conferencia): Conferencia {
  const [valoresDoOutro, defeitosDoOutro] = [indexar(outro.valores), indexarDefeitos(outro.defeitos)]
  const valores = um.valores.filter(({ elemento, atributo }) =>
    valoresDoOutro.get(elemento)?.some((seu) => seu.atributo === atributo),
  )
  const defeitos = um.defeitos.filter((defeito) =>
    defeitosDoOutro.get(lugarDoDefeito(defeito))?.some((seu) => isIgual(defeito, seu)),
  )
  const juntos = { ...um, incompleta: um.incompleta || outro.incompleta }
  return valores.length + defeitos.length > 0 ? { ...juntos, valores, defeitos } : juntos
}

const indexar = (valores: readonly ValorErrado[]) => Map.groupBy(valores, ({ elemento }) => elemento)

const lugarDoDefeito = (defeito: Defeito): Elemento =>
  defeito.tipo === 'falta' ? defeito.pai : defeito.elemento

const indexarDefeitos = (defeitos: readonly Defeito[]) => Map.groupBy(defeitos, lugarDoDefeito)

/** Two that want another field each tell the same only where one field would do for both. */
const isIgual = (um: Defeito, outro: Defeito): boolean =>
  um.tipo === 'falta' && outro.tipo === 'falta'
    ? um.nomes.some((nome) => outro.nomes.includes(nome))
    : um.tipo !== 'falta' && outro.tipo !== 'falta'
