import { mix } from '../dados-abertos/aleatorio.ts'
import { camposDeEmpresa } from '../dados-abertos/linha-empresa.ts'
import { camposDeEstabelecimento } from '../dados-abertos/linha-estabelecimento.ts'
import type { Empresa, Plano, Tipo } from '../dados-abertos/plano.ts'
import { atividadesDeIcms } from './atividade.ts'
import type { Contribuinte, Inscricao, Situacao } from './contribuinte.ts'
import { regiaoFiscal, sementeDe, tipoDoDocumento } from './documento.ts'
import { dataDe, porteDe } from './empresa.ts'
import { enderecoDaLinha, mudarDeEstado } from './endereco.ts'
import { makeInscricao, ufs } from './inscricao-estadual.ts'
import type { Uf } from './molde.ts'
import { planoDaAmostra } from './plano-da-amostra.ts'
import { pessoa } from './produtor.ts'
import { entre, HOJE, registrar } from './registro.ts'
import { inscricaoReservada } from './reserva.ts'

const TIPOS: readonly Tipo[] = [
  'limitada',
  'limitada',
  'limitada',
  'limitada',
  'individual',
  'mei',
  'anonima',
]

/**
 * Who has a valid document that nobody of the seeded world has, from the digits alone; undefined for one document in
 * five and for invalid ones. Whoever types a number of their own shall find something in their own state, so a company
 * is registered in all 27 states (once each: in its own, elsewhere as a tax substitute), and a person has farms in
 * every state of the CPF's fiscal region but SP, which registers no CPF. A branch of the reserved range has the one
 * registration that it stands for.
 */
export function derivarDoDocumento(documento: string): Contribuinte | undefined {
  const tipo = tipoDoDocumento(documento)
  if (!tipo || sementeDe(documento) % 5 === 0) return undefined
  const plano = planoDaAmostra()
  if (tipo === 'cnpj') return derivarEmpresa(plano, documento)
  const estados = Object.entries(regiaoFiscal).find(([digito]) => digito === documento[8])?.[1] ?? []
  return pessoa(
    plano,
    documento,
    estados.filter((uf) => uf !== 'SP'),
    makeInscricao,
  )
}

function derivarEmpresa(plano: Plano, cnpj: string): Contribuinte | undefined {
  const reservada = inscricaoReservada(cnpj)
  const raiz = cnpj.slice(0, 8)
  const semente = sementeDe(cnpj)
  const numero = sementeDe(raiz) >>> 1
  const dona: Empresa = { numero, raiz, tipo: TIPOS[numero % TIPOS.length] ?? 'limitada', filiais: 0 }
  const [, nome = '', naturezaJuridica = '', , , porte = ''] = camposDeEmpresa(plano, dona)
  const linha = camposDeEstabelecimento(plano, dona, Number.parseInt(cnpj.slice(8, 12), 36))
  const sede = enderecoDaLinha(linha)
  if (!sede) return undefined
  const endereco = reservada ? mudarDeEstado(sede, reservada.uf, semente) : sede
  const base = {
    cnae: atividadesDeIcms[semente % atividadesDeIcms.length] ?? '4712100',
    inicio: dataDe(linha[10] ?? '') || '2010-01-04',
    endereco,
    mei: dona.tipo === 'mei',
  }
  const inscricoes = reservada
    ? [inscricaoDerivada(reservada.uf, reservada.ie, semente, base)]
    : ufs.map((uf) => {
        const propria = mix(semente, sementeDe(uf))
        return inscricaoDerivada(uf, makeInscricao(uf, propria), propria, base)
      })
  return {
    documento: cnpj,
    tipoDocumento: 'cnpj',
    nome,
    fantasia: linha[4] ?? '',
    naturezaJuridica,
    porte: porteDe(porte),
    inscricoes,
  }
}

function inscricaoDerivada(
  uf: Uf,
  ie: string,
  semente: number,
  base: Pick<Inscricao, 'cnae' | 'inicio' | 'endereco'> & { mei: boolean },
): Inscricao {
  const propria = base.endereco.uf === uf
  const sorte = mix(semente, 8) % 20
  const situacao: Situacao =
    sorte < 16 ? 'habilitado' : sorte < 18 ? 'baixado' : sorte < 19 ? 'suspenso' : 'cancelado'
  return registrar({
    uf,
    ie,
    tipo: propria ? 'NORMAL' : 'SUBSTITUTO',
    enquadramento: !propria ? 'substituto' : base.mei ? 'mei' : semente % 2 === 0 ? 'simples' : 'normal',
    cnae: base.cnae,
    situacao,
    inicio: propria ? base.inicio : entre(base.inicio, HOJE, mix(semente, 9)),
    endereco: base.endereco,
    semente,
  })
}
