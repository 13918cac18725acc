import { CEP } from '../dados-abertos/linhas.ts'
import { type Municipio, readMunicipios } from '../dados-abertos/palavras.ts'
import { mix } from '../documento/aleatorio.ts'
import { isUf } from '../documento/inscricao-estadual.ts'
import type { Uf } from '../documento/uf.ts'
import type { Endereco } from './contribuinte.ts'

const municipios = readMunicipios()
const porTom = new Map(municipios.map((municipio) => [municipio.tom, municipio]))
const porUf = Map.groupBy(municipios, ({ uf }) => uf)

/** The address in a row of Estabelecimentos; undefined when it is abroad or its columns are displaced. */
export function enderecoDaLinha(campos: readonly string[]): Endereco | undefined {
  const [tipo, logradouro, numero, complemento, bairro, cep, , tom] = campos.slice(13, 21).map(clean)
  const municipio = porTom.get(tom ?? '')
  if (!municipio || !isUf(municipio.uf)) return undefined
  return {
    logradouro: clean(`${tipo} ${logradouro}`),
    numero: numero ?? '',
    complemento: complemento ?? '',
    bairro: bairro ?? '',
    codigoMunicipio: municipio.ibge,
    municipio: municipio.nome,
    uf: municipio.uf,
    cep: /^\d{7,8}$/.test(cep ?? '') ? (cep ?? '').padStart(8, '0') : '',
  }
}

type Rua = Pick<Endereco, 'logradouro' | 'numero' | 'complemento' | 'bairro'>

export const enderecoEm = (uf: Uf, semente: number, rua: Rua): Endereco => ({ ...rua, ...lugar(uf, semente) })

export function enderecoRural(uf: Uf, semente: number, fazenda: string): Endereco {
  const logradouro = `ESTRADA MUNICIPAL KM ${1 + (semente % 60)}`
  return enderecoEm(uf, semente, { logradouro, numero: 'S/N', complemento: fazenda, bairro: 'ZONA RURAL' })
}

/** The same street and number in a municipality of another state. */
export const moveToEstado = (endereco: Endereco, uf: Uf, semente: number): Endereco =>
  endereco.uf === uf ? endereco : enderecoEm(uf, semente, endereco)

function lugar(uf: Uf, semente: number): Pick<Endereco, 'codigoMunicipio' | 'municipio' | 'uf' | 'cep'> {
  const doEstado: readonly Municipio[] = porUf.get(uf) ?? []
  const municipio = doEstado[mix(semente, 5) % doEstado.length]
  const prefixo = (CEP[uf] ?? 1) * 1000 + (Number(municipio?.tom) % 90) * 10
  return {
    codigoMunicipio: municipio?.ibge ?? '',
    municipio: municipio?.nome ?? '',
    uf,
    cep: `${String(prefixo).padStart(5, '0')}000`,
  }
}

/** A text of the dump as a state's own register would hold it: a NUL in it stands for no letter. */
export const clean = (texto: string): string =>
  texto
    .replaceAll('\0', '')
    .replace(/[\p{Cc}\\]/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()
