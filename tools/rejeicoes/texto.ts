import { trusted } from '../../src/platform/trusted.ts'
import { comDias } from './dias.ts'
import type { Familia, Ficha, Texto } from './familias/familia.ts'
import type { FichaEscrita } from './fichas.ts'
import { finais, numeroDoTipo } from './finais.ts'
import type { Oficial } from './oficiais.ts'
import { comPalavrasDaTela } from './palavras.ts'

const familias = new Map<string, Promise<Familia>>()

/** The family of a name. Throws if there is none. */
function acharFamilia(nome: string): Promise<Familia> {
  const achada = familias.get(nome) ?? import(`./familias/${nome}.ts`).then(familiaDe)
  familias.set(nome, achada)
  return achada
}

const familiaDe = (modulo: unknown): Familia => trusted<{ familia: Familia }>(modulo).familia

/** The sheet as its family reads it. */
function abrirFicha({ codigo, titulo }: Oficial, { campos, p = {} }: FichaEscrita): Ficha {
  const lista = (nome: string): readonly string[] => [p[nome] ?? []].flat()
  const talvez = (nome: string): string => lista(nome).join(' ')
  const um = (nome: string): string => {
    if (!p[nome]) throw new Error(`${codigo}: its family needs the parameter ${nome}`)
    return talvez(nome)
  }
  return { codigo, titulo, campos, um, talvez, lista }
}

/** The field that is mended, where the sheet or the parameters of its family tell it. */
const doParametro = ({ familia, campos, corrige, p = {} }: FichaEscrita): string[] => {
  if (corrige?.includes('/')) return [corrige]
  if (familia.startsWith('campos/')) return campos.slice(0, 1)
  return [p.grupo, p.total, p.campo].flatMap((valor) =>
    typeof valor === 'string' && valor.includes('/') ? valor : [],
  )
}

/**
 * The text of a code: that of its family, then the sheet's own sentences, then what another meaning of the
 * number says and how the number of the note stands.
 */
export async function fazerTexto(
  oficial: Oficial,
  escrita: FichaEscrita,
  rotulos: ReadonlyMap<string, string>,
): Promise<Texto> {
  const familia = await acharFamilia(escrita.familia)
  const base = familia(abrirFicha(oficial, escrita))
  const numero = escrita.numero ?? numeroDoTipo(oficial.tipo)
  const { outro } = oficial
  const { titulo, categoria, codigo } = oficial
  const passos = [...base.passos, ...(escrita.passos ?? [])].map(comDias)
  const final = {
    titulo,
    categoria,
    rotulos,
    passos,
    isRetirada: escrita.familia === 'campos/fora-da-nfce' && !escrita.p?.conserto,
    alvo: doParametro(escrita)[0],
    campos: escrita.campos,
    corrige: escrita.corrige?.includes('/') ? undefined : escrita.corrige,
  }
  return comPalavrasDaTela(
    {
      causas: [
        ...[...base.causas, ...(escrita.causas ?? [])].map(comDias),
        ...(outro
          ? [
              `O número ${codigo} tem dois significados oficiais: o outro é “${outro.motivo}” (${outro.fonte}). O texto do xMotivo decide qual deles se aplica.`,
            ]
          : []),
      ],
      passos: [...passos, ...(numero === 'proprio' ? [] : [finais[numero](final)])],
    },
    rotulos,
    { codigo, campos: escrita.campos },
  )
}
