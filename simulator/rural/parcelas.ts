import { readMunicipios } from '../dados-abertos/palavras.ts'
import { mix } from '../documento/aleatorio.ts'
import { type Efeito, findComportamento } from '../mundo/comportamento.ts'
import { exemplos } from '../mundo/exemplo.ts'
import { entre, HOJE } from '../mundo/inscricoes.ts'
import { listContribuintes } from '../mundo/mundo.ts'
import { casoRural, efeitoRural } from './efeito.ts'
import {
  codigoDa,
  type Dono,
  type Imovel,
  imoveisDe,
  imoveisProprios,
  imoveisReservados,
  lugarDo,
} from './imoveis.ts'

/** A georeferenced parcel of a property. Areas are in square metres, dates YYYY-MM-DD. */
export type Parcela = {
  codigo: string
  imovel: Imovel
  nome: string
  area: number
  detentores: readonly Dono[]
  /** At least one; the first is the seat. */
  municipios: readonly { nome: string; uf: string }[]
  /** The number of the registry office, `00.000-0`, and what is registered there. */
  cns: string
  matricula: string
  registrada: boolean
  natureza: 'Particular' | 'Público'
  historica: boolean
  entrada: string
  aprovacao: string
  noAcervo: boolean
  semente: number
}

/** The parcels that the search shows for a holder: those of each of his properties, old ones with them. */
export const parcelasDe = (documento: string): Parcela[] =>
  imoveisDe(documento).flatMap((imovel) => {
    const [{ documento: primeiro }] = imovel.donos
    return todasDe(primeiro).filter((parcela) => parcela.imovel.numero === imovel.numero)
  })

/** The parcel of a code; undefined for an unknown one. */
export function parcelaDo(codigo: string): Parcela | undefined {
  const lugar = lugarDo(codigo)
  return lugar && todasDe(lugar.documento)[lugar.ordem]
}

/** All parcels of which the document is the first holder, in the order of their codes. */
function todasDe(documento: string): Parcela[] {
  const efeito = efeitoRural(documento, 'sigef')
  const reservado = findComportamento(documento) !== undefined
  const imoveis = reservado ? imoveisReservados(documento, 1) : imoveisProprios(documento)
  const pares = imoveis.flatMap((imovel) => {
    const quantas = reservado ? quantasDo(efeito) : quantasEm(imovel)
    return Array.from({ length: quantas }, (_, i) => ({ imovel, gleba: quantas > 1 ? i + 1 : 0 }))
  })
  const historicas = casoRural(efeito) === 'so-historico'
  return pares.map(({ imovel, gleba }, ordem) => {
    const parcela = parcelaDe(imovel, gleba, codigoDa({ documento, ordem }))
    return historicas ? { ...parcela, historica: true } : parcela
  })
}

/** Three pages of the list, where the misbehaviour is about its pages. */
function quantasDo(efeito: Efeito | undefined): number {
  if (efeito?.tipo === 'muitas') return efeito.quantas
  return casoRural(efeito) === 'paginacao-nova' || casoRural(efeito) === 'barrado-na-segunda' ? 25 : 1
}

/** Some properties are not georeferenced yet; closed ones keep what they had. */
const quantasEm = ({ semente, situacao }: Imovel): number =>
  situacao === 'SUSPENSA' ? 0 : ([0, 1, 1, 1, 1, 2, 2, 3][mix(semente, 20) % 8] ?? 1)

function parcelaDe(imovel: Imovel, gleba: number, codigo: string): Parcela {
  const semente = mix(imovel.semente, 30 + gleba)
  const aprovacao = entre('2013-11-25', HOJE, mix(semente, 1))
  const segunda = mix(semente, 2) % 6 === 0 ? vizinho(imovel, semente) : []
  return {
    codigo,
    imovel,
    nome: gleba > 0 ? `${imovel.denominacao} GLEBA ${gleba}` : imovel.denominacao,
    area: 10_000 + (mix(semente, 3) % Math.floor(imovel.area / (gleba > 0 ? 4 : 1))),
    detentores: imovel.donos,
    municipios: [imovel.lugar, ...segunda],
    cns: String(mix(semente, 4) % 1_000_000)
      .padStart(6, '0')
      .replace(/^(..)(...)(.)$/, '$1.$2-$3'),
    matricula: matriculaDe(semente),
    registrada: mix(semente, 6) % 2 === 0,
    natureza: mix(semente, 7) % 15 === 0 ? 'Público' : 'Particular',
    historica: imovel.situacao === 'BAIXADA' || (gleba > 1 && mix(semente, 8) % 4 === 0),
    entrada: entre('2013-11-25', aprovacao, mix(semente, 9)),
    aprovacao,
    noAcervo: mix(semente, 10) % 8 !== 0,
    semente,
  }
}

const municipios = Map.groupBy(readMunicipios(), ({ uf }) => uf)

function vizinho({ lugar }: Imovel, semente: number): { nome: string; uf: string }[] {
  const doEstado = municipios.get(lugar.uf) ?? []
  const outro = doEstado[mix(semente, 11) % doEstado.length]
  return outro && outro.nome !== lugar.nome ? [outro] : []
}

/** One number, or several on one line, as seen: `714;2012 e 2390`. */
function matriculaDe(semente: number): string {
  const [a, b, c] = [12, 13, 14].map((sal) => 100 + (mix(semente, sal) % 40_000))
  return mix(semente, 5) % 6 === 0 ? `${a};${b} e ${c}` : String(a)
}

/** Documents worth asking the rural registries about. */
type ExemplosRurais = {
  pessoa: string
  empresa: string
  varios: string
  /** The main holder of a property, and the second one of the same. */
  comCondominos: string
  condomino: string
  comImunidades: string
  /** All that he has is closed: no property in force, old parcels alone. */
  soBaixados: string
  semNada: string
  desconhecida: string
  semParcela: string
  doisMunicipios: string
  variasMatriculas: string
  comHistorico: string
}

let achados: ExemplosRurais | undefined

/** The examples, each another, found in the world in its own order. Throws when it has none of a kind. */
export function exemplosRurais(): ExemplosRurais {
  achados ??= lookUp()
  return achados
}

function lookUp(): ExemplosRurais {
  const e = exemplos()
  const donos = listContribuintes()
    .map(({ documento, tipoDocumento }) => ({ documento, tipoDocumento, imoveis: imoveisDe(documento) }))
    .filter(({ imoveis }) => imoveis.length > 0)
  const usados = new Set<string>()
  const find = (o: string, teste: (dono: (typeof donos)[number]) => boolean): string => {
    const achado = donos.find((dono) => !usados.has(dono.documento) && teste(dono))
    if (!achado) throw new Error(`O mundo do simulador não tem ${o}.`)
    usados.add(achado.documento)
    return achado.documento
  }
  const comImovel = (o: string, teste: (imovel: Imovel) => boolean) =>
    find(o, ({ imoveis }) => imoveis.some(teste))
  const comParcelas = (o: string, teste: (parcelas: readonly Parcela[]) => boolean) =>
    find(o, ({ documento }) => teste(parcelasDe(documento)))
  const umSo = ({ documento, imoveis }: (typeof donos)[number]) =>
    imoveis.length === 1 && imoveis[0]?.situacao === 'ATIVA' && parcelasDe(documento).length === 1
  const comCondominos = comImovel('condôminos', ({ donos }) => donos.length > 1)
  const outro = imoveisDe(comCondominos).find(({ donos }) => donos.length > 1)?.donos[1]
  usados.add(outro?.documento ?? '')
  const emVigor = (parcelas: readonly Parcela[]) =>
    parcelas.length > 0 && parcelas.every((uma) => !uma.historica)
  return {
    pessoa: find('pessoa com um imóvel', (dono) => dono.tipoDocumento === 'cpf' && umSo(dono)),
    empresa: find('produtor com CNPJ', (dono) => /^\d{14}$/.test(dono.documento) && umSo(dono)),
    varios: find('vários imóveis', ({ imoveis }) => imoveis.length >= 3),
    comCondominos,
    condomino: outro?.documento ?? '',
    comImunidades: comImovel('imunidades', ({ imunidades }) => imunidades.length > 0),
    soBaixados: find(
      'só imóveis baixados',
      ({ documento, imoveis }) =>
        imoveis.every(({ situacao }) => situacao === 'BAIXADA') && parcelasDe(documento).length > 0,
    ),
    semNada: e.pessoaSemInscricao,
    desconhecida: e.desconhecido,
    semParcela: comParcelas('imóvel sem parcela', ({ length }) => length === 0),
    doisMunicipios: comParcelas(
      'parcela em dois municípios',
      (suas) => emVigor(suas) && suas.some(({ municipios }) => municipios.length > 1),
    ),
    variasMatriculas: comParcelas(
      'parcela com várias matrículas',
      (suas) => emVigor(suas) && suas.some(({ matricula }) => matricula.includes(';')),
    ),
    comHistorico: comParcelas(
      'parcela no histórico',
      (suas) => suas.some(({ historica }) => historica) && suas.some(({ historica }) => !historica),
    ),
  }
}
