import { Type } from 'typebox'

/** What the header `X-Base-Cnpj` says. */
export const MES_DA_BASE = 'Mês da base CNPJ que respondeu, AAAA-MM'

/** Company registry result (specification, "Resources and their fields"). */
export const Empresa = Type.Object(
  {
    razao_social: Type.String(),
    nome_fantasia: Type.String(),
    situacao_cadastral: Type.String({ description: 'ATIVA, BAIXADA, SUSPENSA, INAPTA ou NULA' }),
    data_situacao_cadastral: Type.String({ description: 'AAAA-MM-DD ou vazio' }),
    cnae_principal_codigo: Type.String(),
    cnae_principal_descricao: Type.String(),
    cnaes_secundarios: Type.Array(Type.Object({ codigo: Type.String(), descricao: Type.String() })),
    natureza_juridica: Type.String(),
    capital_social: Type.String({ description: 'Valor decimal em texto, com ponto: 1061004829.23' }),
    endereco: Type.Object({
      logradouro: Type.String(),
      numero: Type.String(),
      complemento: Type.String(),
      bairro: Type.String(),
      municipio: Type.String(),
      uf: Type.String(),
      cep: Type.String(),
      codigo_ibge: Type.String({ description: 'Código IBGE do município, 7 dígitos; vazio no exterior' }),
    }),
    qsa: Type.Array(Type.Object({ nome: Type.String(), qualificacao: Type.String() })),
    porte: Type.String({ description: 'MICRO EMPRESA, PEQUENO PORTE, DEMAIS ou vazio' }),
  },
  { title: 'Empresa' },
)
