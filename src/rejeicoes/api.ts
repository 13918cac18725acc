import { Type } from 'typebox'
import { diaOuVazio, OneOf, OrNull, text } from '../platform/http/schemas.ts'
import { AplicacaoItem } from './api-laudo.ts'
import { tiposDeRejeicao } from './rejeicao.ts'
import { resumo } from './rejeicoes-lista.ts'

const Expressao = (description: string) =>
  Type.Object({}, { additionalProperties: true, title: 'Condicao', description })

const CONDICAO =
  'Uma condição em dados, de operadores fechados: e, ou, nao, presente, ausente, igual, difere, em, casa, fecha, menor, maior, antes, todos, algum, unicos, tabela, dv. {"v": caminho} é o valor de um campo da nota'

const periodo = {
  de: diaOuVazio('Primeiro dia, AAAA-MM-DD; vazio quando não se sabe'),
  de_talvez: diaOuVazio('O primeiro dia segundo outra fonte; entre os dois nada se decide'),
  ate: diaOuVazio('Último dia, AAAA-MM-DD; vazio quando ainda vale'),
  ate_talvez: diaOuVazio('O último dia segundo outra fonte; entre os dois nada se decide'),
}

const VerificacaoAnalitica = Type.Object(
  {
    id: text('Único e estável, {codigo}-{assunto}'),
    titulo: text('O que se verifica'),
    descricao: text('A verificação em uma frase'),
    campos: Type.Array(Type.String(), {
      description: 'Todos os campos lidos, como caminhos a partir de infNFe',
    }),
    regra: Expressao(CONDICAO),
    mensagem_falha: text('O que dizer quando a regra não vale; {caminho} é o valor encontrado'),
    modelos: Type.Array(OneOf(['55', '65'], '55 é a NF-e, 65 a NFC-e'), {
      description: 'Os modelos a que se aplica',
    }),
    escopo: text(
      'O grupo em que se repete, como det (cada item); vazio quando se faz uma vez. Nela, ./ é relativo a ele',
    ),
    quando: OrNull(Expressao(CONDICAO), 'A condição para que se aplique; null quando sempre se aplica'),
    exceto: Type.Array(Expressao(CONDICAO), {
      description: 'Se uma destas condições vale, não se aplica',
    }),
    dependencia: text('xml, ou a tabela ou o dado de fora da nota de que depende'),
    aplicacao: AplicacaoItem,
    vigencia: Type.Object(
      {
        ...periodo,
        texto: diaOuVazio('O dia do texto oficial que traz a regra, onde o início não foi publicado'),
        homologacao: Type.Object(periodo, { description: 'Os mesmos dias no ambiente de homologação' }),
      },
      { description: 'Os dias em que a SEFAZ aplica a regra, em produção' },
    ),
    fonte: Type.Object(
      { documento: text('O documento oficial'), regra: text('O número da regra nele') },
      { description: 'De onde vem a regra' },
    ),
  },
  {
    title: 'VerificacaoAnalitica',
    description: 'Uma regra da SEFAZ como dados, que um programa pode aplicar',
  },
)

/** The answer of GET /api/v1/rejeicoes/{codigo}. */
export const detalheResponse = Type.Object(
  {
    ...resumo,
    causas: Type.Array(Type.String(), { description: 'Causas comuns' }),
    solucao_passos: Type.Array(Type.String(), { description: 'Os passos para resolver, em ordem' }),
    exemplos: Type.Array(
      Type.Object(
        {
          passo: Type.Integer({ minimum: 1, description: 'O passo de solucao_passos, a partir de 1' }),
          verificacao: text('O id da verificação que o par ilustra'),
          errado: text('O trecho do XML como é recusado; vazio quando o erro é a falta do elemento'),
          certo: text('O mesmo trecho como é aceito; vazio quando o elemento não pode existir'),
        },
        { title: 'ExemploDoPasso', description: 'Só os elementos que diferem, no máximo 8 linhas' },
      ),
      { description: 'O errado e o certo no XML, onde há um par; no máximo 3' },
    ),
    onde_consultar: Type.Array(
      Type.Object(
        {
          nome: text('O cadastro ou a tabela'),
          endereco: text('A página oficial'),
          origem: text('De quem é'),
        },
        { title: 'OndeConsultar', description: 'Um cadastro ou uma tabela oficial' },
      ),
      { description: 'Onde conferir os campos do código; no máximo 3, e vazia onde não há' },
    ),
    verificacoes_analiticas: Type.Array(VerificacaoAnalitica, {
      description: 'Verificações que se podem fazer no XML; pode ser vazia',
    }),
    tipo: OneOf(
      tiposDeRejeicao,
      'rejeicao: da nota; rejeicao-evento: de um evento; rejeicao-servico: de outro serviço; rejeicao-historica: de regra que já não vale; denegacao: o número fica usado; alerta: a nota é autorizada',
    ),
    campos: Type.Array(Type.String(), { description: 'Os campos da nota que as regras do código nomeiam' }),
    regras: Type.Array(
      Type.Object(
        {
          regra: text('O número da regra'),
          modelo: text('O modelo, como a regra o dá: 55, 65 ou 55/65; pode ser vazio'),
          documento: text('O documento oficial'),
        },
        { title: 'RegraOficial', description: 'Uma regra oficial que devolve o código' },
      ),
      { description: 'As regras oficiais por trás do código; vazia onde nenhuma é publicada' },
    ),
    fontes: Type.Array(Type.String(), { description: 'Os documentos que trazem o motivo' }),
    outro_significado: OrNull(
      Type.Object(
        { motivo: text('O outro motivo oficial'), fonte: text('O documento que o traz') },
        { title: 'OutroSignificado', description: 'Outro motivo, oficial ao mesmo tempo, do mesmo número' },
      ),
      'null quando o número tem um motivo só',
    ),
  },
  { title: 'RespostaRejeicao' },
)
