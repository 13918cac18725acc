import { Type } from 'typebox'
import { diaOuVazio, OneOf, percentual, text } from '../platform/http/schemas.ts'

/** The person of a CPF (specification, "Rural property record"). */
export const PessoaFisica = Type.Object(
  {
    nome: text('Nome do titular'),
    data_nascimento: diaOuVazio('AAAA-MM-DD; vazio quando não se sabe'),
    situacao_cadastral: text('Situação do CPF, nas palavras do cadastro'),
    sexo: OneOf(['', 'M', 'F'], 'M ou F; vazio quando não se sabe'),
  },
  { title: 'PessoaFisicaCnir', description: 'O titular, quando o documento é um CPF' },
)

/** The company of a CNPJ. */
export const PessoaJuridica = Type.Object(
  {
    razao_social: text('Nome empresarial'),
    nome_fantasia: text('Vazio quando não há'),
    situacao_cadastral: text('Situação do CNPJ, nas palavras do cadastro'),
    data_abertura: diaOuVazio('AAAA-MM-DD; vazio quando não se sabe'),
    natureza_juridica: text('Natureza jurídica'),
  },
  { title: 'PessoaJuridicaCnir', description: 'O titular, quando o documento é um CNPJ' },
)

const DadosTributarios = Type.Object(
  {
    indicador_descaracterizacao: Type.Boolean({ description: 'Se o imóvel perdeu o caráter rural' }),
    origem_imovel: Type.Integer({ description: 'Código da origem' }),
    data_aquisicao: diaOuVazio('AAAA-MM-DD; vazio quando não se sabe'),
    area_adquirida: Type.Number({ minimum: 0, description: 'Área adquirida, em hectares' }),
    tipo_aquisicao: text('COMPRA, HERANCA etc.'),
    imunidades: Type.Array(
      Type.Object(
        { codigo: text('Código da imunidade'), descricao: text('O que ela é') },
        { title: 'ImunidadeDoImovel', description: 'Uma imunidade' },
      ),
      { description: 'Imunidades do ITR; vazia quando não há' },
    ),
    possui_decisao_judicial: Type.Boolean({ description: 'Se há decisão judicial sobre o imóvel' }),
  },
  { title: 'DadosTributariosDoImovel', description: 'O que o cadastro diz do imóvel para o ITR' },
)

const Condomino = Type.Object(
  {
    ni: text('CPF ou CNPJ'),
    nome: text('Nome'),
    percentual: percentual('Parte dele, de 0 a 100'),
  },
  { title: 'CondominoDoImovel', description: 'Quem possui o imóvel com o proprietário' },
)

/** A rural property (specification, "Rural property record"). */
export const Imovel = Type.Object(
  {
    cib: text('Código do imóvel no Cadastro Imobiliário Brasileiro'),
    nirf: text('Número do imóvel na Receita Federal'),
    denominacao: text('Nome do imóvel'),
    area_total: Type.Number({ minimum: 0, description: 'Em hectares' }),
    situacao: text('ATIVA, BAIXADA etc., nas palavras do cadastro'),
    codigo_situacao: Type.Integer({ description: 'Código da situação' }),
    ni_proprietario: text('CPF ou CNPJ do proprietário principal'),
    percentual_proprietario: percentual('Parte dele, de 0 a 100'),
    condominos: Type.Array(Condomino, { description: 'Os outros donos; vazia quando não há' }),
    dados_tributarios: DadosTributarios,
    municipio_sede: Type.Object(
      { codigo: text('Código do município'), uf: text('Sigla do estado'), nome: text('Nome') },
      { title: 'MunicipioSede', description: 'Onde fica a sede do imóvel' },
    ),
  },
  { title: 'ImovelCafir', description: 'Um imóvel rural do CNIR/CAFIR' },
)
