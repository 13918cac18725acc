import { exemplos } from '../mundo/exemplo.ts'
import { listContribuintes } from '../mundo/mundo.ts'
import { imoveisDe } from './imoveis.ts'
import type { Imovel } from './imovel.ts'
import { type Parcela, parcelasDe } from './parcelas.ts'

/** Documents worth asking the rural registries about. */
type ExemplosRurais = {
  /** By CPF and by CNPJ, with one property, in force. */
  pessoa: string
  empresa: string
  /** Three properties or more. */
  varios: string
  /** The main holder of a property, and the second one of the same. */
  comCondominos: string
  condomino: string
  comImunidades: string
  /** All that he has is closed: no property in force, old parcels alone. */
  soBaixados: string
  /** Known, without any property. */
  semNada: string
  /** Nobody. */
  desconhecida: string
  /** Properties, none of them in SIGEF. */
  semParcela: string
  /** Parcels that lie in two municipalities, and one whose matrículas are a list. */
  doisMunicipios: string
  variasMatriculas: string
  /** Old parcels beside those in force. */
  comHistorico: string
}

let achados: ExemplosRurais | undefined

/** The examples, each another, found in the world in its own order. Throws when it has none of a kind. */
export function exemplosRurais(): ExemplosRurais {
  achados ??= procurar()
  return achados
}

function procurar(): ExemplosRurais {
  const e = exemplos()
  const donos = listContribuintes()
    .map(({ documento, tipoDocumento }) => ({ documento, tipoDocumento, imoveis: imoveisDe(documento) }))
    .filter(({ imoveis }) => imoveis.length > 0)
  const usados = new Set<string>()
  const achar = (o: string, teste: (dono: (typeof donos)[number]) => boolean): string => {
    const achado = donos.find((dono) => !usados.has(dono.documento) && teste(dono))
    if (!achado) throw new Error(`O mundo do simulador não tem ${o}.`)
    usados.add(achado.documento)
    return achado.documento
  }
  const comImovel = (o: string, teste: (imovel: Imovel) => boolean) =>
    achar(o, ({ imoveis }) => imoveis.some(teste))
  const comParcelas = (o: string, teste: (parcelas: readonly Parcela[]) => boolean) =>
    achar(o, ({ documento }) => teste(parcelasDe(documento)))
  const umSo = ({ documento, imoveis }: (typeof donos)[number]) =>
    imoveis.length === 1 && imoveis[0]?.situacao === 'ATIVA' && parcelasDe(documento).length === 1
  const comCondominos = comImovel('condôminos', ({ donos }) => donos.length > 1)
  const outro = imoveisDe(comCondominos).find(({ donos }) => donos.length > 1)?.donos[1]
  usados.add(outro?.documento ?? '')
  const emVigor = (parcelas: readonly Parcela[]) =>
    parcelas.length > 0 && parcelas.every((uma) => !uma.historica)
  return {
    pessoa: achar('pessoa com um imóvel', (dono) => dono.tipoDocumento === 'cpf' && umSo(dono)),
    empresa: achar('produtor com CNPJ', (dono) => /^\d{14}$/.test(dono.documento) && umSo(dono)),
    varios: achar('vários imóveis', ({ imoveis }) => imoveis.length >= 3),
    comCondominos,
    condomino: outro?.documento ?? '',
    comImunidades: comImovel('imunidades', ({ imunidades }) => imunidades.length > 0),
    soBaixados: achar(
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
