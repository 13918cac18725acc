import { servicos } from '../autoridades/cadastro/servicos.ts'
import { EMPRESA } from '../icp/catalogo.ts'
import { findContribuinte, listContribuintes } from '../mundo/contribuinte.ts'
import { type Exemplos, exemplos, type NoEstado } from '../mundo/exemplo.ts'
import { ufs } from '../mundo/inscricao-estadual.ts'
import type { Uf } from '../mundo/molde.ts'
import { linhasDeComportamento } from './consultar-comportamento.ts'
import { mascararCnpj, trocarUltimo } from './documento.ts'
import { type Linha, linha } from './linha.ts'

const CONSULTAR = '/api/consultar'

/** The states that offer the service, and those of them that answer no query by CPF. */
const atendidas = servicos.flatMap((servico) => servico.ufs).sort()
const semCpf = servicos.filter(({ estilo }) => !estilo.consultaCpf).flatMap((servico) => servico.ufs)

/** What there is to try with GET /api/consultar. */
export function linhasDeConsultar(): Linha[] {
  const e = exemplos()
  return [
    ...atendidas.map((uf) => achado({ uf, documento: empresaDe(e, uf) }, `uma inscrição em ${uf}`)),
    ...linhasDeEmpresas(e),
    ...(['SP', 'MT', 'PE', 'RS'] as const).map((uf) => pelaInscricao(e, uf)),
    ...e.produtorRural.filter(({ uf }) => atendidas.includes(uf)).map(pelaPessoa),
    ...linhasDeParametros(e),
    ...ufs.filter((uf) => !atendidas.includes(uf)).map((uf) => naoLigada(uf, empresaDe(e, uf))),
    ...linhasDeComportamento(CONSULTAR, atendidas),
  ]
}

function linhasDeEmpresas(e: Exemplos): Linha[] {
  const varias = e.variasInscricoes.filter(({ uf }) => atendidas.includes(uf))
  return [
    ...varias.map((uma) => achado(uma, `mais de uma inscrição em ${uma.uf}`)),
    ...substitutoEm('MG').map((um) => achado(um, 'substituto tributário, com endereço em outro estado')),
    achado(e.produtorComCnpj, 'produtor rural com CNPJ, como em SP'),
    achado(e.baixada, 'inscrição baixada'),
    achado(e.suspensa, 'inscrição suspensa'),
    achado(e.alfanumerico, 'CNPJ com letras'),
    achado({ uf: 'SP', documento: EMPRESA.documento }, 'o próprio titular do certificado do serviço'),
    achado({ uf: 'sp', documento: empresaDe(e, 'SP') }, 'a UF também vale em minúsculas'),
    achado({ uf: 'PR', documento: e.semInscricao }, 'empresa sem inscrição estadual: lista vazia'),
    achado({ uf: 'RS', documento: e.desconhecido }, 'CNPJ que ninguém conhece: lista vazia'),
    achado({ uf: 'SC', documento: e.pessoaSemInscricao }, 'pessoa sem inscrição estadual: lista vazia'),
  ]
}

function linhasDeParametros(e: Exemplos): Linha[] {
  const cnpj = empresaDe(e, 'SP')
  const cpf = e.pessoaSemInscricao
  const ie = inscricaoDe(e, 'SP')
  const erro = (parametros: Record<string, string>, error_code: string, nota: string) =>
    linha(CONSULTAR, parametros, 400, nota, error_code)
  return [
    erro({}, 'PARAMETRO_AUSENTE', 'sem parâmetros'),
    erro({ uf: 'SP' }, 'PARAMETRO_AUSENTE', 'sem cpf, cnpj nem ie'),
    erro({ uf: 'SP', cnpj: '' }, 'PARAMETRO_AUSENTE', 'parâmetro vazio conta como não enviado'),
    erro({ cnpj }, 'PARAMETRO_AUSENTE', 'sem uf'),
    erro({ uf: 'SP', cnpj, cpf }, 'PARAMETRO_CONFLITANTE', 'cnpj e cpf juntos'),
    erro({ uf: 'SP', cnpj, ie }, 'PARAMETRO_CONFLITANTE', 'cnpj e ie juntos'),
    erro({ uf: 'XX', cnpj }, 'UF_NAO_SUPORTADA', 'UF que não existe'),
    erro({ uf: 'SP', cnpj: trocarUltimo(cnpj) }, 'DOCUMENTO_INVALIDO', 'CNPJ com dígito verificador errado'),
    erro({ uf: 'SP', cnpj: mascararCnpj(cnpj) }, 'DOCUMENTO_INVALIDO', 'CNPJ com pontuação'),
    erro({ uf: 'RS', cpf: trocarUltimo(cpf) }, 'DOCUMENTO_INVALIDO', 'CPF com dígito verificador errado'),
    erro({ uf: 'SP', ie: trocarUltimo(ie) }, 'DOCUMENTO_INVALIDO', 'inscrição com dígito verificador errado'),
    erro({ uf: 'SP', ie: 'ISENTO' }, 'DOCUMENTO_INVALIDO', 'ISENTO não é número de inscrição'),
  ]
}

function achado({ uf, documento }: { uf: string; documento: string }, nota: string): Linha {
  return linha(CONSULTAR, { uf, [documento.length === 11 ? 'cpf' : 'cnpj']: documento }, 200, nota)
}

function pelaInscricao(e: Exemplos, uf: Uf): Linha {
  return linha(CONSULTAR, { uf, ie: inscricaoDe(e, uf) }, 200, `pelo número da inscrição em ${uf}`)
}

function pelaPessoa({ uf, documento: cpf }: NoEstado): Linha {
  return semCpf.includes(uf)
    ? linha(CONSULTAR, { uf, cpf }, 503, `${uf} não consulta por CPF`, 'SITE_INDISPONIVEL')
    : achado({ uf, documento: cpf }, `produtor rural em ${uf}, pelo CPF`)
}

function naoLigada(uf: Uf, cnpj: string): Linha {
  const nota = `${uf} não oferece o serviço e ainda não está ligado`
  return linha(CONSULTAR, { uf, cnpj }, 503, nota, 'SITE_INDISPONIVEL')
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
