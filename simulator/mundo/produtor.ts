import { nomeDePessoa } from '../dados-abertos/linhas.ts'
import type { Plano } from '../dados-abertos/plano.ts'
import { mix } from '../documento/aleatorio.ts'
import { dvCnpj, dvCpf, pickRaizAlfanumerica, regiaoFiscal, sementeDe } from '../documento/documento.ts'
import { isUf, ufs } from '../documento/inscricao-estadual.ts'
import type { Uf } from '../documento/uf.ts'
import type { Contribuinte, Inscricao } from './contribuinte.ts'
import { enderecoRural } from './endereco.ts'
import type { Emissor } from './inscricoes.ts'
import { atividadesRurais, entre, HOJE, register } from './inscricoes.ts'

/** How many persons by CPF produce, how many have no registration, how many producers of SP have a CNPJ. */
const PRODUTORES = 600
const SEM_INSCRICAO = 40
const DE_SAO_PAULO = 40

/** The ninth digit of a CPF that each state's people get. */
const digitoDaRegiao = new Map<string, string>(
  Object.entries(regiaoFiscal).flatMap(([digito, estados]) => estados.map((uf) => [uf, digito] as const)),
)

/** Where producers live: every state but SP (which registers them by CNPJ), the farming ones more often. */
const estadosDeProdutores = [
  ...ufs.filter((uf) => uf !== 'SP'),
  ...'PR PR RS RS MG MG MT MT GO GO SC MS'.split(' '),
].filter(isUf)

export function* produtores(plano: Plano, issue: Emissor): Generator<Contribuinte> {
  for (let numero = 0; numero < PRODUTORES; numero++) {
    const uf = estadosDeProdutores[numero % estadosDeProdutores.length] ?? 'PR'
    yield pessoa(plano, cpfDo(numero, uf), estadosDe(uf, mix(numero, 40)), issue)
  }
  for (let numero = 0; numero < SEM_INSCRICAO; numero++)
    yield pessoa(plano, cpfDo(10_000 + numero, ufs[numero % ufs.length] ?? 'SP'), [], issue)
  for (let numero = 0; numero < DE_SAO_PAULO; numero++) yield produtorPaulista(plano, numero, issue)
}

/** A natural person, with one registration for each of 1 to 5 farms in each of `estados`. */
export const pessoa = (plano: Plano, cpf: string, estados: readonly Uf[], issue: Emissor): Contribuinte => ({
  documento: cpf,
  tipoDocumento: 'cpf',
  nome: nomeDe(plano, cpf),
  fantasia: '',
  naturezaJuridica: '',
  porte: '',
  inscricoes: estados.flatMap((uf) => fazendas(plano, cpf, uf, issue)),
})

/** SP registers producers by CNPJ since 2007-07-01, legal nature 412-0 (Portaria CAT 14/2006). */
function produtorPaulista(plano: Plano, numero: number, issue: Emissor): Contribuinte {
  const raiz =
    numero % 4 === 0 ? raizComLetras(plano, numero) : String(9_000_000 + numero * 17_389).padStart(8, '0')
  const cnpj = `${raiz}0001${dvCnpj(`${raiz}0001`)}`
  const semente = sementeDe(cnpj)
  return produtorComCnpj(plano, cnpj, 'SP', issue('SP', semente))
}

/** New CNPJs may have letters since July 2026 (IN RFB 2.229/2024). */
function raizComLetras(plano: Plano, numero: number): string {
  plano.aleatorio.seed(numero, 98)
  return pickRaizAlfanumerica(plano.aleatorio)
}

/** A producer who has a CNPJ, legal nature 412-0, with the one registration `ie`. */
export const produtorComCnpj = (plano: Plano, cnpj: string, uf: Uf, ie: string): Contribuinte => ({
  documento: cnpj,
  tipoDocumento: 'cnpj',
  nome: nomeDe(plano, cnpj.slice(0, 8)),
  fantasia: '',
  naturezaJuridica: '4120',
  porte: 'DEMAIS',
  inscricoes: [fazenda(plano, uf, ie, sementeDe(cnpj), /[A-Z]/.test(cnpj) ? '2026-07-01' : '2007-07-01')],
})

function fazendas(plano: Plano, cpf: string, uf: Uf, issue: Emissor): Inscricao[] {
  const semente = mix(sementeDe(cpf), sementeDe(uf))
  const sorte = semente % 20
  const quantas = sorte < 12 ? 1 : sorte < 16 ? 2 : sorte < 18 ? 3 : sorte < 19 ? 4 : 5
  return Array.from({ length: quantas }, (_, i) => {
    const propria = mix(semente, 50 + i)
    const ie = issue(uf, propria, uf === 'PR' ? 'produtor' : 'comum')
    return fazenda(plano, uf, ie, propria, '1985-01-01')
  })
}

function fazenda(
  { aleatorio, vocabulario }: Plano,
  uf: Uf,
  ie: string,
  semente: number,
  desde: string,
): Inscricao {
  aleatorio.seed(semente, 4121)
  const nome = `FAZENDA ${vocabulario.fantasia(aleatorio)} ${vocabulario.rara(aleatorio)}`
  const sorte = mix(semente, 51) % 24
  return register({
    uf,
    ie,
    tipo: 'PRODUTOR RURAL',
    enquadramento: 'produtor',
    cnae: atividadesRurais[mix(semente, 52) % atividadesRurais.length] ?? '0151201',
    situacao: sorte < 3 ? 'baixado' : sorte < 4 ? 'suspenso' : 'habilitado',
    inicio: entre(desde, HOJE, mix(semente, 53)),
    endereco: enderecoRural(uf, semente, nome),
    semente,
  })
}

function estadosDe(uf: Uf, sorte: number): Uf[] {
  const outra = estadosDeProdutores[(sorte >>> 8) % estadosDeProdutores.length]
  return sorte % 5 === 0 && outra && outra !== uf ? [uf, outra] : [uf]
}

function cpfDo(numero: number, uf: Uf): string {
  const oito = String(10_000_000 + (mix(numero, 41) % 89_000_000))
  const nove = oito + (digitoDaRegiao.get(uf) ?? '8')
  return nove + dvCpf(nove)
}

function nomeDe(plano: Plano, documento: string): string {
  plano.aleatorio.seed(sementeDe(documento), 4120)
  return nomeDePessoa(plano)
}
