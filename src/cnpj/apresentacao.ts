import { dataBrasileira } from '../documento/dia.ts'
import { formatDocumento } from '../documento/documento.ts'
import { type Apresentar, ditos, type Fato, type ParteDaResposta } from '../platform/pages/apresentacao.ts'
import { formatCep, formatCnae, formatReais, semCaixaAlta } from '../platform/pages/formatos.ts'
import { trusted } from '../platform/trusted.ts'
import type { RespostaConsultarCnpj } from './api.ts'

type Empresa = RespostaConsultarCnpj['result']

export const apresentarCnpj: Apresentar = (corpo) => {
  // The endpoint's own schema wrote it.
  const { cnpj, result, fonte, consultado_em, cached } = trusted<RespostaConsultarCnpj>(corpo)
  const { razao_social, situacao_cadastral } = result
  const situacao = semCaixaAlta(situacao_cadastral).toLowerCase().replace('nao ', 'não ')
  const quem = isMatriz(cnpj) ? 'Empresa' : 'Filial'
  return {
    tom: situacao_cadastral === 'ATIVA' ? 'bom' : 'nota',
    veredito: situacao_cadastral === 'NULA' ? 'Inscrição anulada' : `${quem} ${situacao || 'no cadastro'}`,
    nome: razao_social,
    ...(razao_social !== '' &&
      situacao !== '' && { selo: { tom: tomDa(result), palavra: semCaixaAlta(situacao_cadastral) } }),
    onde: 'Receita Federal',
    frase: `${fraseDa(result)} ${fonte === '' ? DA_BASE : AO_VIVO}`.trim(),
    fatos: fatosDoVeredito(cnpj, result),
    partes: [doEndereco(result), atividades(result), socios(result)].flat(),
    ...(consultado_em !== '' && {
      respondido: {
        quem: fonte === '' ? '' : 'Receita Federal, pelo SERPRO',
        em: consultado_em,
        guardada: cached,
      },
    }),
  }
}

const tomDa = ({ situacao_cadastral: dita }: Empresa) =>
  dita === 'ATIVA' ? 'bom' : dita === 'BAIXADA' ? 'neutro' : dita === 'NULA' ? 'ruim' : 'lento'

const DA_BASE = 'São os dados da última base mensal da Receita Federal; para os de agora, consulte ao vivo.'
const AO_VIVO = 'Consultada ao vivo na Receita Federal.'

/** The order stands after the root of eight characters. */
const isMatriz = (cnpj: string): boolean => cnpj.slice(8, 12) === '0001'

/** Since when, and what to do where the company is not in order. */
function fraseDa({ situacao_cadastral, data_situacao_cadastral }: Empresa): string {
  const dia = dataBrasileira(data_situacao_cadastral)
  const desde = dia === '' ? '' : ` desde ${dia}`
  switch (situacao_cadastral) {
    case 'ATIVA':
      return dia === '' ? '' : `Ativa${desde}.`
    case 'BAIXADA':
      return `Baixada${dia === '' ? '' : ` em ${dia}`}: não emite nem recebe notas.`
    case 'SUSPENSA':
      return `Suspensa${desde}: acerte o cadastro no e-CAC antes de emitir ou receber notas.`
    case 'INAPTA':
      return `Inapta${desde}, em geral por declarações que faltam: entregue-as no e-CAC. Até lá, as notas dela podem não ser aceitas.`
    case 'NULA':
      return `A inscrição foi anulada${dia === '' ? '' : ` em ${dia}`}: este CNPJ não serve a ninguém.`
    default:
      return `Na situação${desde}.`
  }
}

const portes: Readonly<Record<string, string>> = {
  'MICRO EMPRESA': 'Microempresa',
  'PEQUENO PORTE': 'Empresa de pequeno porte',
  DEMAIS: 'Acima de pequeno porte',
}

const fatosDoVeredito = (cnpj: string, empresa: Empresa): readonly Fato[] => [
  { rotulo: isMatriz(cnpj) ? 'CNPJ da matriz' : 'CNPJ da filial', valor: formatDocumento(cnpj) },
  ...ditos([
    { rotulo: 'Nome de fantasia', valor: empresa.nome_fantasia },
    { rotulo: 'Natureza jurídica', valor: empresa.natureza_juridica },
    { rotulo: 'Porte', valor: portes[empresa.porte] ?? semCaixaAlta(empresa.porte) },
    { rotulo: 'Capital', valor: empresa.capital_social && formatReais(Number(empresa.capital_social)) },
    { rotulo: 'Município', valor: municipioDe(empresa) },
  ]),
]

const municipioDe = ({ endereco: { municipio, uf } }: Empresa): string =>
  [municipio, uf !== '' && `(${uf})`].filter(Boolean).join(' ')

function doEndereco({ endereco }: Empresa): ParteDaResposta[] {
  const { logradouro, numero, complemento, bairro, cep, codigo_ibge } = endereco
  const fatos = ditos([
    { rotulo: 'Logradouro', valor: [logradouro, numero, complemento].filter(Boolean).join(', ') },
    { rotulo: 'Bairro', valor: bairro },
    { rotulo: 'CEP', valor: formatCep(cep) },
    { rotulo: 'Código IBGE do município', valor: codigo_ibge },
  ])
  return fatos.length === 0 ? [] : [{ titulo: 'Endereço', fatos }]
}

function atividades(empresa: Empresa): ParteDaResposta[] {
  const { cnae_principal_codigo, cnae_principal_descricao, cnaes_secundarios } = empresa
  const principal = [formatCnae(cnae_principal_codigo), cnae_principal_descricao, 'Principal']
  const outras = cnaes_secundarios.map(({ codigo, descricao }) => [
    formatCnae(codigo),
    descricao,
    'Secundária',
  ])
  const linhas = [...(cnae_principal_codigo === '' ? [] : [principal]), ...outras]
  if (linhas.length === 0) return []
  const valor = principal.slice(0, 2).filter(Boolean).join(' · ')
  if (outras.length === 0) return [{ titulo: 'Atividade', fatos: [{ rotulo: 'CNAE principal', valor }] }]
  return [{ titulo: 'Atividades', tabela: { colunas: ['CNAE', 'Atividade', 'Ordem'], linhas } }]
}

function socios({ qsa }: Empresa): ParteDaResposta[] {
  if (qsa.length === 0) return []
  const linhas = qsa.map(({ nome, qualificacao }) => [nome, qualificacao])
  return [{ titulo: 'Sócios e administradores', tabela: { colunas: ['Nome', 'Qualificação'], linhas } }]
}
