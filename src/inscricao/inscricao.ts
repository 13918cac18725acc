import { Type } from 'typebox'
import { text, UfItem } from '../platform/http/schemas.ts'

/** IE result item: what the source does not tell is empty (specification, "Resources and their fields"). */
export const InscricaoItem = Type.Object(
  {
    inscricao_estadual: text('Número da inscrição'),
    razao_social: text('Nome empresarial, ou do produtor'),
    nome_fantasia: text('Vazio quando não há'),
    situacao_ie: text('ATIVA, BAIXADA, NÃO HABILITADA, SUSPENSA etc.'),
    uf_ie: Type.Unsafe<string>(UfItem),
    tipo_ie: text('PRODUTOR RURAL etc.'),
    logradouro: text('Vazio quando o estado não informa'),
    complemento: text('Vazio quando não há'),
    bairro: text('Vazio quando o estado não informa'),
    numero: text('Como está no cadastro; pode ser SN'),
    municipio: text(
      'Como o estado escreve ou, quando ele só informa o código, da tabela pública de municípios, em maiúsculas e sem acentos',
    ),
    cep: text('8 dígitos'),
    regime_pagamento: text('Nas palavras do estado: NORMAL, SIMPLES NACIONAL...'),
    data_situacao: text('AAAA-MM-DD'),
    situacao_contribuinte: text('Nas palavras do estado'),
    data_inicio_atividade: text('AAAA-MM-DD'),
    cnae_codigo: text('7 dígitos'),
    cnae_descricao: text(
      'Do estado ou, quando ele só informa o código, da tabela CNAE da base da Receita Federal; vazia quando nenhum dos dois a tem',
    ),
    regime_apuracao_icms: text('Nas palavras do estado'),
    situacao_nfe: text('Habilitação para emitir NF-e'),
    cpf_cnpj: text('Formatado: 00.000.000/0001-91'),
    situacao_cadastral: text('HABILITADO, NÃO HABILITADO etc.'),
    parcial: Type.Optional(
      Type.Literal(true, {
        description:
          'Só quando o estado não pôde ser consultado e a inscrição é a que o cadastro nacional (CCC) mostra: número, nome e situação; os demais campos vêm vazios',
      }),
    ),
  },
  { title: 'Inscricao', description: 'Uma inscrição estadual' },
)
