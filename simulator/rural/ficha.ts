import { mix } from '../documento/aleatorio.ts'
import { sementeDe } from '../documento/documento.ts'
import type { Contribuinte } from '../mundo/contribuinte.ts'
import { entre } from '../mundo/registro.ts'
import type { Imovel } from './imovel.ts'

/** The codes of the situations are made up: nobody has published the list. */
const CODIGOS = { ATIVA: 1, BAIXADA: 2, SUSPENSA: 3 } as const satisfies Record<Imovel['situacao'], number>

/** Area in hectares, to the square metre. */
const hectares = (metros: number): number => metros / 10_000

/** One entry of `imoveis_cafir`. */
export function fichaDo(imovel: Imovel) {
  const [dono, ...condominos] = imovel.donos
  return {
    cib: imovel.cib,
    nirf: imovel.nirf,
    denominacao: imovel.denominacao,
    area_total: hectares(imovel.area),
    situacao: imovel.situacao,
    codigo_situacao: CODIGOS[imovel.situacao],
    ni_proprietario: dono.documento,
    percentual_proprietario: dono.percentual,
    condominos: condominos.map(({ documento, nome, percentual }) => ({ ni: documento, nome, percentual })),
    dados_tributarios: {
      indicador_descaracterizacao: imovel.descaracterizado,
      origem_imovel: imovel.origem,
      data_aquisicao: imovel.aquisicao.data,
      area_adquirida: hectares(imovel.aquisicao.area),
      tipo_aquisicao: imovel.aquisicao.tipo,
      imunidades: imovel.imunidades,
      possui_decisao_judicial: imovel.decisaoJudicial,
    },
    municipio_sede: imovel.lugar,
  }
}

/** `pessoa_fisica` of a holder by CPF. */
export function pessoaFisica({ documento, nome }: Contribuinte) {
  const semente = sementeDe(documento)
  return {
    nome,
    data_nascimento: entre('1940-01-01', '2001-12-31', mix(semente, 70)),
    situacao_cadastral: mix(semente, 71) % 30 === 0 ? 'PENDENTE DE REGULARIZACAO' : 'REGULAR',
    sexo: /^\S+A\b/.test(nome) ? 'F' : 'M',
  }
}

/** `pessoa_juridica` of a holder by CNPJ. */
export function pessoaJuridica({ documento, nome, fantasia, naturezaJuridica, inscricoes }: Contribuinte) {
  return {
    razao_social: nome,
    nome_fantasia: fantasia,
    situacao_cadastral: 'ATIVA',
    data_abertura: inscricoes[0]?.inicio ?? entre('1990-01-01', '2020-12-31', mix(sementeDe(documento), 72)),
    natureza_juridica: naturezaJuridica.replace(/^(...)(.)$/, '$1-$2'),
  }
}
