import { Type } from 'typebox'
import { diaOuVazio, digitosOuVazio, ouVazio, text } from '../platform/http/schemas.ts'

/** What the header `X-Base-Cnpj` says. */
export const MES_DA_BASE = 'Mês da base CNPJ que respondeu, AAAA-MM'

const Cnae = Type.Object(
  { codigo: digitosOuVazio(7, '7 dígitos'), descricao: text('O que o código significa') },
  { title: 'Cnae', description: 'Uma atividade econômica' },
)

const Endereco = Type.Object(
  {
    logradouro: text('Com o tipo: RUA, AVENIDA etc.'),
    numero: text('Como está no cadastro; pode ser SN'),
    complemento: text('Vazio quando não há'),
    bairro: text('Vazio quando não há'),
    municipio: text('Nome do município'),
    uf: ouVazio('[A-Z]{2}', 'Sigla do estado; EX no exterior'),
    cep: digitosOuVazio(8, '8 dígitos; vazio quando não há'),
    codigo_ibge: digitosOuVazio(7, 'Código IBGE do município, 7 dígitos; vazio no exterior'),
  },
  { title: 'EnderecoDaEmpresa', description: 'O endereço do estabelecimento' },
)

const Socio = Type.Object(
  {
    nome: text('Nome do sócio ou administrador'),
    qualificacao: text('O que ele é na empresa, por extenso'),
  },
  { title: 'Socio', description: 'Um sócio ou administrador' },
)

/** Company registry result (specification, "Resources and their fields"). */
export const Empresa = Type.Object(
  {
    razao_social: text('Nome empresarial'),
    nome_fantasia: text('Vazio quando não há'),
    situacao_cadastral: text('ATIVA, BAIXADA, SUSPENSA, INAPTA ou NULA'),
    data_situacao_cadastral: diaOuVazio('AAAA-MM-DD ou vazio'),
    cnae_principal_codigo: digitosOuVazio(7, '7 dígitos'),
    cnae_principal_descricao: text('O que o código significa'),
    cnaes_secundarios: Type.Array(Cnae, { description: 'As outras atividades; vazia quando não há' }),
    natureza_juridica: text('Por extenso'),
    capital_social: ouVazio('-?[0-9]+[.][0-9]{2,}', 'Valor decimal em texto, com ponto: 1061004829.23'),
    endereco: Endereco,
    qsa: Type.Array(Socio, { description: 'Quadro de sócios e administradores; vazia quando não há' }),
    porte: text('MICRO EMPRESA, PEQUENO PORTE, DEMAIS ou vazio'),
  },
  { title: 'Empresa', description: 'Um estabelecimento de uma empresa, com os dados da empresa' },
)
