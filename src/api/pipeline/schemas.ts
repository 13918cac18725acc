import { Type } from 'typebox'

/** Outcome of the upstream source (specification, "Conventions common to the lookup endpoints"). */
export const SourceStatus = Type.Object({
  status: Type.String({ description: 'success ou error; nas consultas a todos os estados, também timeout' }),
  error_code: Type.String({ description: 'Vazio quando deu certo' }),
  error_message: Type.String({ description: 'Vazio quando deu certo' }),
})

/** The source of an answer, and notices about it. These members are additions to the specification's. */
export const Procedencia = {
  fonte: Type.String({
    description:
      'Quem respondeu: o identificador da fonte em GET /api/v1/fontes, como SP/ie; vazio quando ninguém',
  }),
  avisos: Type.Array(Type.String(), {
    description: 'O que convém saber desta resposta, em português; em geral vazia',
  }),
}

/** Company registry result (specification, "Resources and their fields"). */
export const EmpresaResult = Type.Object({
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
})

/** IE result item: what the source does not tell is empty (specification, "Resources and their fields"). */
export const InscricaoItem = Type.Object({
  inscricao_estadual: Type.String({ description: 'Número da inscrição' }),
  razao_social: Type.String(),
  nome_fantasia: Type.String(),
  situacao_ie: Type.String({ description: 'ATIVA, BAIXADA, NÃO HABILITADA, SUSPENSA etc.' }),
  uf_ie: Type.String({ description: 'UF da inscrição' }),
  tipo_ie: Type.String({ description: 'PRODUTOR RURAL etc.' }),
  logradouro: Type.String(),
  complemento: Type.String(),
  bairro: Type.String(),
  numero: Type.String(),
  municipio: Type.String(),
  cep: Type.String({ description: '8 dígitos' }),
  regime_pagamento: Type.String(),
  data_situacao: Type.String({ description: 'AAAA-MM-DD' }),
  situacao_contribuinte: Type.String(),
  data_inicio_atividade: Type.String({ description: 'AAAA-MM-DD' }),
  cnae_codigo: Type.String({ description: '7 dígitos' }),
  cnae_descricao: Type.String(),
  regime_apuracao_icms: Type.String(),
  situacao_nfe: Type.String({ description: 'Habilitação para emitir NF-e' }),
  cpf_cnpj: Type.String({ description: 'Formatado: 00.000.000/0001-91' }),
  situacao_cadastral: Type.String({ description: 'HABILITADO, NÃO HABILITADO etc.' }),
  parcial: Type.Optional(
    Type.Literal(true, {
      description:
        'Só quando o estado não pôde ser consultado e a inscrição é a que o cadastro nacional (CCC) mostra: número, nome e situação; os demais campos vêm vazios',
    }),
  ),
})

/** State CND result (specification, "Resources and their fields"). */
export const CertidaoResult = Type.Object({
  status: Type.String({
    description:
      'negativa, positiva, positiva_com_efeitos_de_negativa, nao_contribuinte (sem inscrição no estado), sem_certidao (o estado respondeu ' +
      'e não emitiu; não equivale a positiva) ou erro',
  }),
  status_raw: Type.String({ description: 'O texto do estado' }),
  validade: Type.String({ description: 'AAAA-MM-DD' }),
  emissao: Type.String({ description: 'AAAA-MM-DD' }),
  protocolo: Type.String({ description: 'Número da certidão' }),
  pdf_base64: Type.String({ description: 'O PDF da certidão em base64, quando há' }),
  url_verificacao: Type.String({ description: 'Onde conferir a autenticidade, quando há' }),
  codigo_autenticacao: Type.String({ description: 'Só de MT' }),
  impressao_base64: Type.Optional(
    Type.String({
      description:
        'Onde o estado mostra a certidão como página, e não como PDF: impressão nossa, em PDF (base64), do texto dela, ' +
        'que diz em cada folha o que é, de onde e de quando. pdf_base64 vem então vazio',
    }),
  ),
})
