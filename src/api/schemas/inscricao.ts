import { Type } from 'typebox'

/** IE result item: what the source does not tell is empty (specification, "Resources and their fields"). */
export const InscricaoItem = Type.Object(
  {
    inscricao_estadual: Type.String({ description: 'Número da inscrição' }),
    razao_social: Type.String({ description: 'Nome empresarial, ou do produtor' }),
    nome_fantasia: Type.String({ description: 'Vazio quando não há' }),
    situacao_ie: Type.String({ description: 'ATIVA, BAIXADA, NÃO HABILITADA, SUSPENSA etc.' }),
    uf_ie: Type.String({ description: 'UF da inscrição' }),
    tipo_ie: Type.String({ description: 'PRODUTOR RURAL etc.' }),
    logradouro: Type.String({ description: 'Vazio quando o estado não informa' }),
    complemento: Type.String({ description: 'Vazio quando não há' }),
    bairro: Type.String({ description: 'Vazio quando o estado não informa' }),
    numero: Type.String({ description: 'Como está no cadastro; pode ser SN' }),
    municipio: Type.String({
      description:
        'Como o estado escreve ou, quando ele só informa o código, da tabela pública de municípios, em maiúsculas e sem acentos',
    }),
    cep: Type.String({ description: '8 dígitos' }),
    regime_pagamento: Type.String({ description: 'Nas palavras do estado: NORMAL, SIMPLES NACIONAL...' }),
    data_situacao: Type.String({ description: 'AAAA-MM-DD' }),
    situacao_contribuinte: Type.String({ description: 'Nas palavras do estado' }),
    data_inicio_atividade: Type.String({ description: 'AAAA-MM-DD' }),
    cnae_codigo: Type.String({ description: '7 dígitos' }),
    cnae_descricao: Type.String({
      description:
        'Do estado ou, quando ele só informa o código, da tabela CNAE da base da Receita Federal; vazia quando nenhum dos dois a tem',
    }),
    regime_apuracao_icms: Type.String({ description: 'Nas palavras do estado' }),
    situacao_nfe: Type.String({ description: 'Habilitação para emitir NF-e' }),
    cpf_cnpj: Type.String({ description: 'Formatado: 00.000.000/0001-91' }),
    situacao_cadastral: Type.String({ description: 'HABILITADO, NÃO HABILITADO etc.' }),
    parcial: Type.Optional(
      Type.Literal(true, {
        description:
          'Só quando o estado não pôde ser consultado e a inscrição é a que o cadastro nacional (CCC) mostra: número, nome e situação; os demais campos vêm vazios',
      }),
    ),
  },
  { title: 'Inscricao', description: 'Uma inscrição estadual' },
)
