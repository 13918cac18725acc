import { camposDeEmpresa } from '../dados-abertos/linha-empresa.ts'
import { camposDeEstabelecimento } from '../dados-abertos/linhas.ts'
import type { Empresa, Plano, Tipo } from '../dados-abertos/plano.ts'
import { mix } from '../documento/aleatorio.ts'
import { regiaoFiscal, sementeDe, tipoDoDocumento } from '../documento/documento.ts'
import { isDeProdutor, makeInscricao } from '../documento/inscricao-estadual.ts'
import type { Uf } from '../documento/molde.ts'
import { inscricaoReservada } from '../documento/reserva.ts'
import { atividadesDeIcms } from './atividade.ts'
import type { Contribuinte, Inscricao } from './contribuinte.ts'
import { dataDe, porteDe } from './empresa.ts'
import { enderecoDaLinha, mudarDeEstado } from './endereco.ts'
import { planoDaAmostra } from './plano-da-amostra.ts'
import { pessoa, produtorComCnpj } from './produtor.ts'
import { entre, HOJE, registrar } from './registro.ts'

const TIPOS: readonly Tipo[] = [
  'limitada',
  'limitada',
  'limitada',
  'limitada',
  'individual',
  'mei',
  'anonima',
]
/** What of a company all its registrations share. */
type Base = Pick<Inscricao, 'cnae' | 'inicio' | 'endereco'> & { mei: boolean }

// A document that a visitor types is registered in its own state: a company in all 27, elsewhere as a tax
// substitute; a branch of the reserved range in one. A person has farms in every state of the CPF's fiscal
// region but SP, which registers no CPF.
/**
 * The holder of a valid document outside the seeded world, from its digits alone; undefined for one document
 * in five and for invalid ones. `onde` leaves out the registrations in other states.
 */
export function derivarDoDocumento(documento: string, onde: readonly Uf[]): Contribuinte | undefined {
  const tipo = tipoDoDocumento(documento)
  // This remainder leaves the numbers that examples everywhere use (11.222.333/0001-81, 529.982.247-25)
  // known.
  if (!tipo || sementeDe(documento) % 5 === 1) return undefined
  const plano = planoDaAmostra()
  if (tipo === 'cpf') {
    const regiao = Object.entries(regiaoFiscal).find(([digito]) => digito === documento[8])?.[1] ?? []
    const estados = regiao.filter((uf) => uf !== 'SP' && onde.includes(uf))
    return pessoa(plano, documento, estados, makeInscricao)
  }
  const reservada = inscricaoReservada(documento)
  if (!reservada) return derivarEmpresa(plano, documento, onde)
  const { uf, ie } = reservada
  return isDeProdutor(uf, ie)
    ? produtorComCnpj(plano, documento, uf, ie)
    : derivarEmpresa(plano, documento, onde, reservada)
}

function derivarEmpresa(
  plano: Plano,
  cnpj: string,
  onde: readonly Uf[],
  unica?: { uf: Uf; ie: string },
): Contribuinte | undefined {
  const raiz = cnpj.slice(0, 8)
  const semente = sementeDe(cnpj)
  const numero = sementeDe(raiz) >>> 1
  const dona: Empresa = { numero, raiz, tipo: TIPOS[numero % TIPOS.length] ?? 'limitada', filiais: 0 }
  const [, nome = '', naturezaJuridica = '', , , porte = ''] = camposDeEmpresa(plano, dona)
  const linha = camposDeEstabelecimento(plano, dona, Number.parseInt(cnpj.slice(8, 12), 36))
  const sede = enderecoDaLinha(linha)
  if (!sede) return undefined
  const base = {
    cnae: atividadesDeIcms[semente % atividadesDeIcms.length] ?? '4712100',
    inicio: dataDe(linha[10] ?? '') || '2010-01-04',
    endereco: unica ? mudarDeEstado(sede, unica.uf, semente) : sede,
    mei: dona.tipo === 'mei',
  }
  return {
    documento: cnpj,
    tipoDocumento: 'cnpj',
    nome,
    fantasia: linha[4] ?? '',
    naturezaJuridica,
    porte: porteDe(porte),
    inscricoes: unica
      ? [derivarInscricao(unica.uf, semente, base, unica.ie)]
      : onde.map((uf) => derivarInscricao(uf, mix(semente, sementeDe(uf)), base)),
  }
}

function derivarInscricao(uf: Uf, semente: number, base: Base, ie = makeInscricao(uf, semente)): Inscricao {
  const { cnae, inicio, endereco, mei } = base
  const propria = endereco.uf === uf
  const sorte = mix(semente, 8) % 20
  return registrar({
    uf,
    ie,
    tipo: propria ? 'NORMAL' : 'SUBSTITUTO',
    enquadramento: !propria ? 'substituto' : mei ? 'mei' : semente % 2 === 0 ? 'simples' : 'normal',
    cnae,
    situacao: sorte < 16 ? 'habilitado' : sorte < 18 ? 'baixado' : sorte < 19 ? 'suspenso' : 'cancelado',
    inicio: propria ? inicio : entre(inicio, HOJE, mix(semente, 9)),
    endereco,
    semente,
  })
}
