import type { RespostaConsultarCnpj } from '../../cnpj/api.ts'
import { formatDocumento } from '../../documento/documento.ts'
import { formatInscricao } from '../../documento/inscricao-estadual.ts'
import type { RespostaConsultarIeTodos } from '../../inscricao/api.ts'
import type { Apresentacao, EstadoApresentado } from '../../platform/pages/apresentacao.ts'
import { trusted } from '../../platform/trusted.ts'
import type { RespostaConsultarCnir } from '../../rural/api-cnir.ts'
import type { RespostaConsultarSigef } from '../../rural/api-sigef.ts'
import {
  type Comparacao,
  type Divergencia,
  findComparacoes,
  findDivergencias,
  type Registro,
  semCpfNoFim,
} from './divergencias.ts'

/** A question of a dossier with its answer, as a page says it. */
export type SecaoDoDossie = {
  /** The question's id, as the workplace has it. */
  pergunta: string
  titulo: string
  http: number
  corpo: unknown
  request_id: string
  cobrados: number
  /** Who answered, where the answer itself does not tell. */
  origem: string
  apresentacao: Apresentacao
}

/** All that was found of somebody, and where the registers contradict each other. */
export type Dossie = {
  documento: string
  nome: string
  feitoEm: Date
  secoes: readonly SecaoDoDossie[]
  /** What is asked still, or was lost on the way. */
  faltam: readonly Pick<SecaoDoDossie, 'pergunta' | 'titulo'>[]
  divergencias: readonly Divergencia[]
  comparacoes: readonly Comparacao[]
  /** How many registers told anything. */
  cadastros: number
  creditos: number
}

export function montarDossie({
  documento,
  secoes,
  faltam,
  feitoEm,
}: Pick<Dossie, 'documento' | 'secoes' | 'faltam' | 'feitoEm'>): Dossie {
  const registros = secoes.flatMap(registrosDe)
  return {
    documento,
    nome: semCpfNoFim(secoes.find(({ apresentacao }) => apresentacao.nome !== '')?.apresentacao.nome ?? ''),
    feitoEm,
    secoes: secoes.map((secao) => semDocumento(secao, documento)),
    faltam,
    divergencias: findDivergencias(registros, documento),
    comparacoes: findComparacoes(registros, documento),
    cadastros: registros.length,
    creditos: secoes.reduce((sum, { cobrados }) => sum + cobrados, 0),
  }
}

/** The head of a dossier says whose it is. Whether it is of a head office stays: that is a fact. */
const semDocumento = (secao: SecaoDoDossie, documento: string): SecaoDoDossie => ({
  ...secao,
  apresentacao: {
    ...secao.apresentacao,
    fatos: secao.apresentacao.fatos.filter(
      ({ rotulo, valor }) => rotulo.includes(' da ') || valor !== formatDocumento(documento),
    ),
  },
})

/** What an answer tells of its holder, as the register tells it. A certificate tells of debts alone. */
function registrosDe({ pergunta, http, corpo }: SecaoDoDossie): Registro[] {
  const read = http === 200 ? leitores[pergunta] : undefined
  return read ? read(corpo) : []
}

/** The API's own schemas wrote what these read. */
const leitores: Readonly<Record<string, (corpo: unknown) => Registro[]>> = {
  cnpj: (corpo) => {
    const { cnpj, result } = trusted<RespostaConsultarCnpj>(corpo)
    const { razao_social, situacao_cadastral, endereco } = result
    return [
      {
        fonte: 'a Receita Federal',
        uf: '',
        nome: razao_social,
        documento: cnpj,
        situacao: situacao_cadastral,
        endereco,
      },
    ]
  },
  'ie-todos': (corpo) =>
    trusted<RespostaConsultarIeTodos>(corpo).results.flatMap(({ uf, results }) =>
      results.map((um): Registro => {
        const { logradouro, numero, cep, municipio, uf_ie } = um
        const daUf = uf_ie || uf
        return {
          fonte: `${uf} (inscrição ${formatInscricao(uf, um.inscricao_estadual)})`,
          uf,
          nome: um.razao_social,
          documento: um.cpf_cnpj,
          situacao: um.situacao_ie,
          endereco: { logradouro, numero, cep, municipio, uf: daUf },
        }
      }),
    ),
  cnir: (corpo) => {
    const { pessoa_fisica, pessoa_juridica } = trusted<RespostaConsultarCnir>(corpo)
    const pessoa = pessoa_fisica ?? pessoa_juridica
    if (!pessoa) return []
    const nome = 'nome' in pessoa ? pessoa.nome : pessoa.razao_social
    // Its document is the one that was asked for, and no second word.
    return [{ fonte: 'o CNIR', uf: '', nome, documento: '', situacao: pessoa.situacao_cadastral }]
  },
  sigef: (corpo) => {
    const { result } = trusted<RespostaConsultarSigef>(corpo)
    // A parcel of several holders does not tell which of the names is this document's.
    const [sozinho] = (result?.parcelas ?? []).filter(({ detentor }) => !detentor.includes('; '))
    return sozinho ? [{ fonte: 'o SIGEF', uf: '', nome: sozinho.detentor, documento: '', situacao: '' }] : []
  },
}

/** What did not come, in the words of a page; empty where all came that was asked for. */
export function falhasDe({
  http,
  apresentacao,
  corpo,
}: SecaoDoDossie): readonly EstadoApresentado[] | 'toda' {
  const status: unknown = Object(Object(corpo).source_status).status
  if (http !== 200 || (status !== undefined && status !== 'success')) return 'toda'
  return (apresentacao.porEstado ?? []).filter(({ desfecho }) => desfecho === 'falhou')
}
