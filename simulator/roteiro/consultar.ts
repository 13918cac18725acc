import { servicos } from '../autoridades/cadastro-servicos.ts'
import type { Contribuinte } from '../mundo/contribuinte.ts'
import { ufs } from '../mundo/inscricao-estadual.ts'
import type { Uf } from '../mundo/molde.ts'
import { linhasDeComportamento } from './consultar-comportamento.ts'
import { cnpjDesconhecido, type Escolhido, escolher, trocarUltimo } from './escolha.ts'
import { type Linha, linha } from './linha.ts'

const CONSULTAR = '/api/consultar'

/** What there is to try with GET /api/consultar. */
export function linhasDeConsultar(): Linha[] {
  const atendidas = servicos.flatMap((servico) => servico.ufs).sort()
  return [
    ...atendidas.map((uf) => achar(uf, `uma inscrição em ${uf}`, umaSo)),
    ...linhasDePessoas(),
    ...linhasDeEmpresas(),
    ...(['SP', 'MT', 'PE', 'RS'] as const).map(pelaInscricao),
    ...linhasDeParametros(),
    ...ufs.filter((uf) => !atendidas.includes(uf)).map(naoLigada),
    ...linhasDeComportamento(CONSULTAR, atendidas),
  ]
}

function linhasDePessoas(): Linha[] {
  const amazonense = escolher('AM', produtor).contribuinte
  return [
    achar('RS', 'produtor rural, pelo CPF', produtor),
    achar('PR', 'produtor rural com mais de uma propriedade', (e) => produtor(e) && e.inscricoes.length > 1),
    achar('GO', 'produtor rural em GO, que só conta o mínimo', produtor),
    linha(
      CONSULTAR,
      { uf: 'SC', cpf: amazonense.documento },
      200,
      'CPF sem inscrição no estado: lista vazia',
    ),
    linha(
      CONSULTAR,
      { uf: 'AM', cpf: amazonense.documento },
      503,
      'AM não consulta por CPF',
      'SITE_INDISPONIVEL',
    ),
  ]
}

function linhasDeEmpresas(): Linha[] {
  const paulista = escolher('SP', umaSo).contribuinte.documento
  return [
    achar('SP', 'várias inscrições no estado', (e) => empresa(e) && e.inscricoes.length > 1),
    achar('BA', 'inscrição baixada', ({ inscricoes: [unica, ...mais] }) => !!unica?.baixa && !mais.length),
    achar('SC', 'inscrição suspensa', ({ inscricoes }) => inscricoes.every((i) => i.situacao === 'suspenso')),
    achar('MG', 'substituto tributário, com endereço em outro estado', ({ inscricoes: [primeira] }) => {
      return primeira?.tipo === 'SUBSTITUTO' && primeira.endereco.uf !== 'MG'
    }),
    achar('SP', 'CNPJ com letras', ({ contribuinte }) => /[A-Z]/.test(contribuinte.documento)),
    linha(CONSULTAR, { uf: 'sp', cnpj: paulista }, 200, 'a UF também vale em minúsculas'),
    linha(CONSULTAR, { uf: 'RS', cnpj: cnpjDesconhecido() }, 200, 'CNPJ que ninguém conhece: lista vazia'),
  ]
}

function linhasDeParametros(): Linha[] {
  const { contribuinte, inscricoes } = escolher('SP', umaSo)
  const { documento: cnpj } = contribuinte
  const cpf = escolher('RS', produtor).contribuinte.documento
  const ie = inscricoes[0]?.ie ?? ''
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
    erro({ uf: 'SP', cnpj: mascarar(cnpj) }, 'DOCUMENTO_INVALIDO', 'CNPJ com pontuação'),
    erro({ uf: 'RS', cpf: trocarUltimo(cpf) }, 'DOCUMENTO_INVALIDO', 'CPF com dígito verificador errado'),
    erro({ uf: 'SP', ie: trocarUltimo(ie) }, 'DOCUMENTO_INVALIDO', 'inscrição com dígito verificador errado'),
    erro({ uf: 'SP', ie: 'ISENTO' }, 'DOCUMENTO_INVALIDO', 'ISENTO não é número de inscrição'),
  ]
}

function achar(uf: Uf, nota: string, serve: (escolhido: Escolhido) => boolean): Linha {
  const { documento, tipoDocumento }: Contribuinte = escolher(uf, serve).contribuinte
  return linha(CONSULTAR, { uf, [tipoDocumento]: documento }, 200, nota)
}

function pelaInscricao(uf: Uf): Linha {
  const ie = escolher(uf, umaSo).inscricoes[0]?.ie ?? ''
  return linha(CONSULTAR, { uf, ie }, 200, `pelo número da inscrição em ${uf}`)
}

function naoLigada(uf: Uf): Linha {
  const cnpj = escolher('SP', umaSo).contribuinte.documento
  return linha(
    CONSULTAR,
    { uf, cnpj },
    503,
    `${uf} não oferece o serviço e ainda não está ligado`,
    'SITE_INDISPONIVEL',
  )
}

function umaSo({ contribuinte, inscricoes }: Escolhido): boolean {
  const [unica, ...mais] = inscricoes
  return contribuinte.tipoDocumento === 'cnpj' && unica?.situacao === 'habilitado' && mais.length === 0
}

const empresa = ({ contribuinte }: Escolhido) => contribuinte.tipoDocumento === 'cnpj'
const produtor = ({ contribuinte }: Escolhido) => contribuinte.tipoDocumento === 'cpf'

function mascarar(cnpj: string): string {
  return cnpj.replace(/^(..)(...)(...)(....)/, '$1.$2.$3/$4-')
}
