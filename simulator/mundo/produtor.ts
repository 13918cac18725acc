import { mix } from '../dados-abertos/aleatorio.ts'
import { dvCnpj, dvCpf } from '../dados-abertos/documento.ts'
import { nomeDePessoa } from '../dados-abertos/pessoa.ts'
import type { Plano } from '../dados-abertos/plano.ts'
import { atividadesRurais } from './atividade.ts'
import type { Contribuinte, Inscricao } from './contribuinte.ts'
import { regiaoFiscal, sementeDe } from './documento.ts'
import type { Emissor } from './emissor.ts'
import { enderecoRural } from './endereco.ts'
import { isUf, ufs } from './inscricao-estadual.ts'
import type { Uf } from './molde.ts'
import { entre, HOJE, registrar } from './registro.ts'

/** How many persons by CPF are producers, how many have no registration, and how many producers of SP have a CNPJ. */
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
  'PR',
  'PR',
  'RS',
  'RS',
  'MG',
  'MG',
  'MT',
  'MT',
  'GO',
  'GO',
  'SC',
  'MS',
].filter(isUf)

/** Rural producers by CPF, producers of SP by CNPJ, and persons by CPF without any registration. */
export function* produtores(plano: Plano, emitir: Emissor): Generator<Contribuinte> {
  for (let numero = 0; numero < PRODUTORES; numero++) {
    const uf = estadosDeProdutores[numero % estadosDeProdutores.length] ?? 'PR'
    yield pessoa(plano, cpfDo(numero, uf), estadosDe(uf, mix(numero, 40)), emitir)
  }
  for (let numero = 0; numero < SEM_INSCRICAO; numero++)
    yield pessoa(plano, cpfDo(10_000 + numero, ufs[numero % ufs.length] ?? 'SP'), [], emitir)
  for (let numero = 0; numero < DE_SAO_PAULO; numero++) yield produtorPaulista(plano, numero, emitir)
}

/** A natural person, with one registration for each of 1 to 5 farms in each of `estados`. */
export function pessoa(plano: Plano, cpf: string, estados: readonly Uf[], emitir: Emissor): Contribuinte {
  return {
    documento: cpf,
    tipoDocumento: 'cpf',
    nome: nomeDe(plano, cpf),
    fantasia: '',
    naturezaJuridica: '',
    porte: '',
    inscricoes: estados.flatMap((uf) => fazendas(plano, cpf, uf, emitir)),
  }
}

/** SP registers producers by CNPJ since 2007-07-01, legal nature 412-0 (Portaria CAT 14/2006). */
function produtorPaulista(plano: Plano, numero: number, emitir: Emissor): Contribuinte {
  // Far from the roots of the sample base, which start at 99,000,000.
  const raiz = String(9_000_000 + (mix(numero, 42) % 900) * 1000 + numero).padStart(8, '0')
  const documento = `${raiz}0001${dvCnpj(`${raiz}0001`)}`
  return {
    documento,
    tipoDocumento: 'cnpj',
    nome: `${nomeDe(plano, documento)}${numero % 4 === 0 ? ' E OUTROS' : ''}`,
    fantasia: '',
    naturezaJuridica: '4120',
    porte: 'DEMAIS',
    inscricoes: fazendas(plano, documento, 'SP', emitir).slice(0, 1),
  }
}

function fazendas(plano: Plano, documento: string, uf: Uf, emitir: Emissor): Inscricao[] {
  const semente = mix(sementeDe(documento), sementeDe(uf))
  const sorte = semente % 20
  const quantas = sorte < 12 ? 1 : sorte < 16 ? 2 : sorte < 18 ? 3 : sorte < 19 ? 4 : 5
  return Array.from({ length: quantas }, (_, i) => {
    const propria = mix(semente, 50 + i)
    plano.aleatorio.semear(propria, 4121)
    const fazenda = `FAZENDA ${plano.vocabulario.fantasia(plano.aleatorio)} ${plano.vocabulario.rara(plano.aleatorio)}`
    const mudou = mix(propria, 51) % 8
    return registrar({
      uf,
      ie: emitir(uf, propria, uf === 'PR' ? 'produtor' : 'comum'),
      tipo: 'PRODUTOR RURAL',
      enquadramento: 'produtor',
      cnae: atividadesRurais[mix(propria, 52) % atividadesRurais.length] ?? '0151201',
      situacao: mudou === 0 ? 'baixado' : mudou === 1 && propria % 3 === 0 ? 'suspenso' : 'habilitado',
      inicio: entre(documento.length === 14 ? '2007-07-01' : '1985-01-01', HOJE, mix(propria, 53)),
      endereco: enderecoRural(uf, propria, fazenda),
      semente: propria,
    })
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
  plano.aleatorio.semear(sementeDe(documento), 4120)
  return nomeDePessoa(plano)
}
