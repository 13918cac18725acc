import type { Uf } from '../documento/molde.ts'
import { ufsComCadastro, ufsComCertidao } from '../estados/estados.ts'
import { efeitoEm } from '../mundo/comportamento.ts'
import { type Exemplos, exemplos } from '../mundo/exemplo.ts'
import { comReserva } from './documento.ts'
import { type Espera, type Linha, linhasDe, porDocumento, recusado, type Tentativa } from './linha.ts'
import { parametrosDoDocumento } from './parametros.ts'

/** An answer to which so many states contributed. */
const responderam = (estados: number): Espera => ({ http: 200, creditos: estados })

/** What there is to try with GET /api/consultar-ie-todos. */
export function linhasDeConsultarIeTodos(): Linha[] {
  const e = exemplos()
  const { cnpj, cpf } = umDeCada(e)
  return linhasDe('/api/consultar-ie-todos', [
    ...documentos(e, [...ufsComCadastro]),
    [{ cpf }, responderam(19), 'produtor rural pelo CPF: AL AM DF MS PA PI SE SP não consultam assim'],
    [
      { cnpj: comReserva('muitas').documento },
      responderam(ufsComCadastro.size),
      '40 inscrições em cada estado',
    ],
    [{ cnpj: comReserva('layout').documento }, responderam(15), 'só respondem os estados com web service'],
    ...parametrosDoDocumento(),
    [{ ie: '110042490114' }, recusado('IE_NAO_SUPORTADO'), 'só a ie'],
    [{ cnpj, cpf }, recusado('PARAMETRO_CONFLITANTE'), 'cnpj e cpf juntos'],
    [{ cnpj, ie: '110042490114' }, recusado('IE_NAO_SUPORTADO'), 'a ie é de um estado só'],
  ])
}

/** What there is to try with GET /api/consultar-cnd-todos. */
export function linhasDeConsultarCndTodos(): Linha[] {
  const e = exemplos()
  const { cnpj, cpf } = umDeCada(e)
  return linhasDe('/api/consultar-cnd-todos', [
    ...documentos(e, [...ufsComCertidao], PELO_CCC),
    [{ cpf }, responderam(ufsComCertidao.size), 'produtor rural pelo CPF'],
    [{ cnpj, cpf }, responderam(ufsComCertidao.size), 'cnpj e cpf juntos: vale o CNPJ'],
    [{ cnpj: comReserva('cnd-pdf-de-outro').documento }, responderam(0), 'todos enviam a certidão de outro'],
    ...parametrosDoDocumento(),
  ])
}

/** What there is to try with GET /api/perfil-produtor: the credits are those of its parts. */
export function linhasDePerfilProdutor(): Linha[] {
  const e = exemplos()
  const { cnpj, cpf } = umDeCada(e)
  const certidoes = ufsComCertidao.size
  const inteiro = 1 + ufsComCadastro.size + certidoes
  return linhasDe('/api/perfil-produtor', [
    [{ cnpj }, responderam(inteiro), 'empresa de SP: as três seções'],
    [{ cnpj, cpf }, responderam(inteiro), 'cnpj e cpf juntos: vale o CNPJ'],
    [{ cpf }, responderam(19 + certidoes), 'produtor rural pelo CPF: receita_federal é null'],
    [porDocumento(e.desconhecido), responderam(certidoes), 'CNPJ que ninguém conhece: só há certidões'],
    ...parametrosDoDocumento(),
  ])
}

/** PA certifies by registration. Only the national register tells it, at the host of SEFAZ-BA. */
const PELO_CCC: readonly Uf[] = ['PA']

/** What these states answer. `peloCcc` of them have no answer when the host of SEFAZ-BA does not answer. */
function documentos(e: Exemplos, estados: readonly Uf[], peloCcc: readonly Uf[] = []): Tentativa[] {
  const { documento, nota, efeito } = comReserva('misto')
  const todos = responderam(estados.length)
  const bons = estados.filter((uf) => efeitoEm(efeito, uf, 'cnd') === undefined && !peloCcc.includes(uf))
  return [
    [{ cnpj: umDeCada(e).cnpj }, todos, 'empresa de SP'],
    [porDocumento(e.desconhecido), todos, `CNPJ que ninguém conhece: os ${estados.length} respondem isso`],
    [{ cnpj: documento }, responderam(bons.length), nota],
  ]
}

function umDeCada({ umaInscricao, produtorRural }: Exemplos): { cnpj: string; cpf: string } {
  return {
    cnpj: umaInscricao.get('SP') ?? '',
    cpf: produtorRural.find(({ uf }) => uf === 'GO')?.documento ?? '',
  }
}
