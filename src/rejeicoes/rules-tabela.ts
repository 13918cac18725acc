import { dataBrasileira } from '../documento/dia.ts'

/** One row of a table. Days are AAAA-MM-DD, both inclusive; empty for no bound. */
export type LinhaDaTabela = {
  de: string
  /** The first day that another source names, or from which the code may have been there. */
  deTalvez: string
  ate: string
  celulas: readonly string[]
}

export type TabelaDeCodigos = {
  nome: string
  /** How a sentence names it, in Portuguese: `CFOP`. */
  titulo: string
  origem: string
  de: string
  /** What the table lacks may have been in an older one before this day, and be in a newer one after that. */
  certaDesde: string
  certaAte: string
  /** A source of today's codes alone: on a day before its first one a code may have been there too. */
  iniciosIncertos: boolean
  colunas: readonly string[]
  /** By code. A code that came back has several rows. */
  linhas: ReadonlyMap<string, readonly LinhaDaTabela[]>
}

/** What a table says of a code on a day. `duvida`: nobody can tell. */
export type ConsultaDaTabela =
  | { situacao: 'vigente'; linha: LinhaDaTabela }
  | { situacao: 'ausente' }
  | { situacao: 'antes' | 'depois'; dia: string }
  | { situacao: 'duvida'; linha: LinhaDaTabela | undefined }

export function lookUp(tabela: TabelaDeCodigos, codigo: string, dia: string): ConsultaDaTabela {
  const linhas = tabela.linhas.get(codigo)
  if (!linhas) {
    const isCerta = tabela.certaDesde <= dia && dia <= tabela.certaAte
    return isCerta ? { situacao: 'ausente' } : { situacao: 'duvida', linha: undefined }
  }
  for (const linha of linhas)
    if (linha.de <= dia && (linha.ate === '' || dia <= linha.ate)) return { situacao: 'vigente', linha }
  const talvez = linhas.find(({ de, deTalvez }) => deTalvez !== '' && deTalvez <= dia && dia < de)
  if (talvez) return { situacao: 'duvida', linha: talvez }
  const [proxima] = linhas.filter(({ de }) => de > dia).sort((a, b) => (a.de < b.de ? -1 : 1))
  if (proxima && tabela.iniciosIncertos) return { situacao: 'duvida', linha: proxima }
  if (proxima) return { situacao: 'antes', dia: proxima.de }
  return { situacao: 'depois', dia: linhas.reduce((maior, { ate }) => (ate > maior ? ate : maior), '') }
}

/** Whether the code is in force on the day; undefined where nobody can tell. */
export function isListed(tabela: TabelaDeCodigos, codigo: string, dia: string): boolean | undefined {
  const { situacao } = lookUp(tabela, codigo, dia)
  return situacao === 'duvida' ? undefined : situacao === 'vigente'
}

/**
 * Undefined without a row in force, and for an empty cell. Throws for a column that the table does not have.
 */
export function celulaDe(
  tabela: TabelaDeCodigos,
  codigo: string,
  { coluna, dia }: { coluna: string; dia: string },
): string | undefined {
  const onde = tabela.colunas.indexOf(coluna)
  if (onde < 0) throw new Error(`the table ${tabela.nome} has no column ${coluna}`)
  const consulta = lookUp(tabela, codigo, dia)
  return consulta.situacao === 'vigente' ? consulta.linha.celulas[onde] || undefined : undefined
}

/** A sentence without a stop. `codigo` is quoted as given. */
export function tellConsulta(tabela: TabelaDeCodigos, codigo: string, dia: string): string {
  const consulta = lookUp(tabela, codigo, dia)
  const onde = `tabela de ${tabela.titulo}`
  const dito = codigo || 'vazio'
  switch (consulta.situacao) {
    case 'vigente':
      return `o código ${dito} consta da ${onde}`
    case 'ausente':
      return `o código ${dito} não consta da ${onde} em ${dataBrasileira(dia)}`
    case 'antes':
      return `na ${onde}, o código ${dito} só vale desde ${dataBrasileira(consulta.dia)}`
    case 'depois':
      return `na ${onde}, o código ${dito} só valeu até ${dataBrasileira(consulta.dia)}`
    case 'duvida':
      return tellDuvida(consulta.linha, `o código ${dito}`, { onde, dia, tabela })
  }
}

/** The day that stands for "not known" in the first day of a row. */
const SEM_INICIO = '9999-12-31'

function tellDuvida(
  linha: LinhaDaTabela | undefined,
  dito: string,
  { onde, dia, tabela }: { onde: string; dia: string; tabela: TabelaDeCodigos },
): string {
  if (!linha && dia > tabela.certaAte)
    return `a ${onde} é de ${dataBrasileira(tabela.de)}, e não se sabe se ${dito} entrou depois`
  if (!linha || linha.de === SEM_INICIO)
    return `não se sabe se ${dito} consta da ${onde} em ${dataBrasileira(dia)}`
  if (linha.deTalvez === '' && tabela.iniciosIncertos)
    return `a ${onde} só traz ${dito} desde ${dataBrasileira(linha.de)}, e não se sabe se já valia antes`
  return `As fontes divergem sobre desde quando ${dito} consta da ${onde}: ${dataBrasileira(linha.deTalvez)} ou ${dataBrasileira(linha.de)}`
}
