import { dvCnpj } from '../dados-abertos/documento.ts'
import { cenariosFederais } from '../federal/cenarios.ts'
import { exemplos } from '../mundo/exemplo.ts'
import { trocarUltimo } from './documento.ts'
import { certo, type Espera, type Linha, linhasDe, recusado } from './linha.ts'

/** What there is to try with GET /api/consultar-cnd-federal. */
export function linhasDeConsultarCndFederal(): Linha[] {
  const cnpj = documentoDe('valida')
  const cpf = exemplos().pessoaSemInscricao
  return linhasDe('/api/consultar-cnd-federal', [
    [{ cnpj }, { ...certo, status: 'negativa' }, 'certidão válida, emitida há 30 dias'],
    [
      { cnpj: documentoDe('efeitos') },
      { ...certo, status: 'positiva_com_efeitos_de_negativa' },
      'emitida na hora',
    ],
    [{ cnpj: documentoDe('insuficiente') }, semCusto('positiva'), 'informações insuficientes: sem PDF'],
    [{ cnpj: documentoDe('inapta') }, semCusto('positiva'), 'a situação no CNPJ não permite a emissão'],
    [{ cnpj: documentoDe('nao-inscrito') }, semCusto('nao_contribuinte'), 'o CNPJ não consta do cadastro'],
    [{ cnpj: filialDe(cnpj) }, semCusto('erro'), 'CNPJ de filial: a certidão é da matriz'],
    [{ cnpj: documentoDe('papel-contradiz') }, semCusto('erro'), 'o papel se contradiz'],
    [{ cpf }, semCusto('erro'), 'não há consulta por CPF'],
    [{ cnpj: documentoDe('falha') }, falha('PROVIDER_ERROR'), 'nem o contrato nem o portal respondem'],
    [{ cnpj: trocarUltimo(cnpj) }, falha('CNPJ_INVALIDO'), 'dígito verificador errado'],
    [{ cpf: trocarUltimo(cpf) }, falha('CPF_INVALIDO'), 'dígito verificador errado'],
    [{}, recusado('PARAMETRO_AUSENTE'), 'sem cnpj nem cpf'],
    [{ cnpj, emitir_nova: 'talvez' }, recusado('PARAMETRO_INVALIDO'), 'emitir_nova que não é sim nem não'],
  ])
}

const documentoDe = (cenario: string): string =>
  cenariosFederais.find(({ nome }) => nome === cenario)?.documento ?? ''

const filialDe = (matriz: string): string => {
  const doze = `${matriz.slice(0, 8)}0002`
  return doze + dvCnpj(doze)
}

const semCusto = (status: string): Espera => ({ http: 200, status, creditos: 0 })
const falha = (source_error: string): Espera => ({ http: 200, source_error, creditos: 0 })
