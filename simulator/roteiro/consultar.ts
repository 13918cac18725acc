import { ufs } from '../documento/inscricao-estadual.ts'
import type { Uf } from '../documento/molde.ts'
import { ufsComCadastro } from '../estados/estados.ts'
import { type Exemplos, exemplos, type NoEstado } from '../mundo/exemplo.ts'
import { findContribuinte, listContribuintes } from '../mundo/mundo.ts'
import { EMPRESA } from '../platform/icp/catalogo.ts'
import { mascararCnpj, trocarUltimo } from './documento.ts'
import { linhasDeComportamento } from './inscricao.ts'
import { certo, indisponivel, type Linha, linhasDe, porDocumento, recusado, type Tentativa } from './linha.ts'

/** The states that answer no query by CPF. */
const semCpf: readonly Uf[] = ['AL', 'AM', 'MS', 'PI', 'SE', 'SP']

/** What there is to try with GET /api/consultar. */
export function linhasDeConsultar(): Linha[] {
  const e = exemplos()
  return linhasDe('/api/consultar', [
    ...ufs.map((uf) => daEmpresa(uf, empresaDe(e, uf))),
    ...empresas(e),
    ...[...ufsComCadastro].map((uf) => pelaInscricao(uf, inscricaoDe(e, uf))),
    ...[
      ...e.produtorRural.filter(({ uf }) => ufsComCadastro.has(uf)),
      { uf: 'SP', documento: e.pessoaSemInscricao } as const,
    ].map(pelaPessoa),
    ...parametros(e),
    ...linhasDeComportamento(),
  ])
}

function empresas(e: Exemplos): Tentativa[] {
  return [
    ...e.variasInscricoes.map((uma) => achado(uma, `mais de uma inscrição em ${uma.uf}`)),
    ...substitutoEm('MG').map((um) => achado(um, 'substituto tributário, com endereço em outro estado')),
    achado(e.produtorComCnpj, 'produtor rural com CNPJ, como em SP'),
    achado(e.baixada, 'inscrição baixada'),
    achado(e.suspensa, 'inscrição suspensa'),
    achado(e.alfanumerico, 'CNPJ com letras'),
    achado({ uf: 'SP', documento: EMPRESA.documento }, 'o próprio titular do certificado do serviço'),
    achado({ uf: 'sp', documento: empresaDe(e, 'SP') }, 'a UF também vale em minúsculas'),
    achado({ uf: 'PR', documento: e.semInscricao }, 'empresa sem inscrição estadual: lista vazia'),
    achado({ uf: 'RJ', documento: e.semInscricao }, 'o mesmo em um portal: lista vazia'),
    achado({ uf: 'RS', documento: e.desconhecido }, 'CNPJ que ninguém conhece: lista vazia'),
    achado({ uf: 'SC', documento: e.pessoaSemInscricao }, 'pessoa sem inscrição estadual: lista vazia'),
  ]
}

function parametros(e: Exemplos): Tentativa[] {
  const cnpj = empresaDe(e, 'SP')
  const cpf = e.pessoaSemInscricao
  const ie = inscricaoDe(e, 'SP')
  const ausente = recusado('PARAMETRO_AUSENTE')
  const conflitante = recusado('PARAMETRO_CONFLITANTE')
  const invalido = recusado('DOCUMENTO_INVALIDO')
  return [
    [{}, ausente, 'sem parâmetros'],
    [{ uf: 'SP' }, ausente, 'sem cpf, cnpj nem ie'],
    [{ uf: 'SP', cnpj: '' }, ausente, 'parâmetro vazio conta como não enviado'],
    [{ cnpj }, ausente, 'sem uf'],
    [{ uf: 'SP', cnpj, cpf }, conflitante, 'cnpj e cpf juntos'],
    [{ uf: 'SP', cnpj, ie }, conflitante, 'cnpj e ie juntos'],
    [{ uf: 'XX', cnpj }, recusado('UF_NAO_SUPORTADA'), 'UF que não existe'],
    [{ uf: 'SP', cnpj: trocarUltimo(cnpj) }, invalido, 'CNPJ com dígito verificador errado'],
    [{ uf: 'SP', cnpj: mascararCnpj(cnpj) }, invalido, 'CNPJ com pontuação'],
    [{ uf: 'RS', cpf: trocarUltimo(cpf) }, invalido, 'CPF com dígito verificador errado'],
    [{ uf: 'SP', ie: trocarUltimo(ie) }, invalido, 'inscrição com dígito verificador errado'],
    [{ uf: 'SP', ie: 'ISENTO' }, invalido, 'ISENTO não é número de inscrição'],
  ]
}

/** For states whose page is unknown, the national register (CCC) answers. */
function daEmpresa(uf: Uf, cnpj: string): Tentativa {
  return ufsComCadastro.has(uf)
    ? achado({ uf, documento: cnpj }, `uma inscrição em ${uf}`)
    : [{ uf, cnpj }, certo, `em ${uf} não se sabe o que a página pede: responde o cadastro nacional (CCC)`]
}

function achado({ uf, documento }: { uf: string; documento: string }, nota: string): Tentativa {
  return [{ uf, ...porDocumento(documento) }, certo, nota]
}

function pelaInscricao(uf: Uf, ie: string): Tentativa {
  return [{ uf, ie }, certo, `pelo número da inscrição em ${uf}`]
}

function pelaPessoa({ uf, documento: cpf }: NoEstado): Tentativa {
  return semCpf.includes(uf)
    ? [{ uf, cpf }, indisponivel, `${uf} não consulta por CPF`]
    : [{ uf, cpf }, certo, `produtor rural em ${uf}, pelo CPF`]
}

function empresaDe(e: Exemplos, uf: Uf): string {
  return e.umaInscricao.get(uf) ?? ''
}

function inscricaoDe(e: Exemplos, uf: Uf): string {
  const inscricoes = findContribuinte(empresaDe(e, uf))?.inscricoes
  return inscricoes?.find((inscricao) => inscricao.uf === uf)?.ie ?? ''
}

function substitutoEm(uf: Uf): NoEstado[] {
  const substituto = listContribuintes().find(({ inscricoes }) =>
    inscricoes.some((i) => i.uf === uf && i.tipo === 'SUBSTITUTO' && i.endereco.uf !== uf),
  )
  return substituto ? [{ uf, documento: substituto.documento }] : []
}
