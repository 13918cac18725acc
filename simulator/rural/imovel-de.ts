import { mix } from '../documento/aleatorio.ts'
import { sementeDe } from '../documento/documento.ts'
import type { Contribuinte, Inscricao } from '../mundo/contribuinte.ts'
import { entre } from '../mundo/registro.ts'
import type { Dono, Imovel } from './imovel.ts'

const AQUISICOES = ['COMPRA', 'COMPRA', 'COMPRA', 'HERANCA', 'DOACAO', 'PERMUTA'] as const
const SITUACOES = {
  habilitado: 'ATIVA',
  suspenso: 'SUSPENSA',
  baixado: 'BAIXADA',
  cancelado: 'BAIXADA',
} as const satisfies Record<Inscricao['situacao'], Imovel['situacao']>

/** Wording of Lei 9.393/1996, articles 2 and 3; the codes are made up. */
const IMUNIDADES = [
  { codigo: '1', descricao: 'PEQUENA GLEBA RURAL' },
  { codigo: '3', descricao: 'INSTITUICAO DE EDUCACAO OU DE ASSISTENCIA SOCIAL SEM FINS LUCRATIVOS' },
] as const

/**
 * The property behind a farm's registration: in the same municipality, under the same name. The main holder
 * is the registration's, `outros` hold the rest in equal shares.
 */
export function imovelDe(
  { documento, nome }: Contribuinte,
  fazenda: Inscricao,
  numero: number,
  outros: readonly Contribuinte[] = [],
): Imovel {
  const semente = mix(sementeDe(documento), 900 + numero)
  const { endereco, situacao } = fazenda
  const cota = outros.length === 0 ? 0 : outros.length === 1 ? 33.34 : 20
  const condominos = outros.map((um): Dono => ({ documento: um.documento, nome: um.nome, percentual: cota }))
  const area = 20_000 + (mix(semente, 1) % 4_000) ** 2
  const data = entre(
    '1996-01-02',
    fazenda.inicio > '1996-01-02' ? fazenda.inicio : '2005-06-30',
    mix(semente, 2),
  )
  return {
    numero,
    cib: cibDe(mix(semente, 3)),
    nirf: String(mix(semente, 4) % 100_000_000).padStart(8, '0'),
    codigoSncr: `9${String(mix(semente, 5)).padStart(11, '0')}${semente % 10}`,
    denominacao: endereco.complemento || 'SITIO SEM DENOMINACAO',
    area,
    situacao: SITUACOES[situacao],
    lugar: { codigo: endereco.codigoMunicipio, nome: endereco.municipio, uf: endereco.uf },
    donos: [{ documento, nome, percentual: 100 - cota * outros.length }, ...condominos],
    aquisicao: { data, area: mix(semente, 6) % 4 === 0 ? Math.floor(area / 2) : area, tipo: tipoDe(semente) },
    origem: 1 + (mix(semente, 7) % 4),
    imunidades: IMUNIDADES.slice(0, [0, 0, 0, 0, 0, 0, 1, 2][mix(semente, 8) % 8]),
    descaracterizado: mix(semente, 9) % 25 === 0,
    decisaoJudicial: mix(semente, 10) % 20 === 0,
    semente,
  }
}

const tipoDe = (semente: number): string => AQUISICOES[mix(semente, 11) % AQUISICOES.length] ?? 'COMPRA'

const SINAIS = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** Seven characters and one more, for the algorithm of the check digit is not published. */
function cibDe(semente: number): string {
  const sete = Array.from({ length: 7 }, (_, i) => SINAIS[mix(semente, i) % SINAIS.length]).join('')
  return `${sete}-${semente % 10}`
}
