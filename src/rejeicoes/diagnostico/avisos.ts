import { dataBrasileira } from '../../documento/dia.ts'
import type { Exame } from './exame.ts'
import type { Verificadores } from './verificadores.ts'

/** What a message may have (MOC 7.0, Anexo I, rule B01). */
const MENSAGEM = 500 * 1024

/** What a client has to know of a diagnosis beside its findings, in Portuguese. */
export function avisosDe(
  texto: string,
  exame: Exame,
  comEmendas: boolean,
  { porId }: Verificadores,
): string[] {
  const { conferencia, assinatura, nota, pacote, autorizacao, base } = exame
  const avisos: [boolean, string][] = [
    [
      porId.size === 0,
      'O catálogo de verificações não está disponível: só o esquema e a assinatura foram conferidos.',
    ],
    [
      conferencia.comLetras,
      `O pacote ${pacote.nome} ainda não conhece o CNPJ com letras: o formato desses campos não foi conferido pelo esquema.`,
    ],
    ...avisosDoPacote(exame),
    [
      conferencia.incompleta,
      'Pode haver mais erros de esquema: corrija os que estão na lista e confira de novo.',
    ],
    [
      />\s+</.test(nota.xml),
      'Há espaços ou quebras de linha entre os elementos. Algumas UFs recusam isso (rejeição 588): transmita o XML sem eles.',
    ],
    [
      Buffer.byteLength(texto) > MENSAGEM,
      'O XML passa de 500 KB, o limite da mensagem na regra B01 (rejeição 214).',
    ],
    [
      autorizacao.situacao === 'esta',
      `Esta nota foi autorizada (protocolo de ${diaDaAutorizacao(autorizacao)}). O que a contradiz é de uma regra posterior ou diferença nossa, está em divergencias e não é uma rejeição provável.`,
    ],
    [
      autorizacao.situacao === 'outro',
      `O protocolo é desta chave, mas autorizou outro conteúdo: o resumo (digVal) não é o desta nota. Ela foi conferida pelas regras de ${diaDaAutorizacao(autorizacao)}, o dia do protocolo.`,
    ],
    [
      base === 'hoje',
      'A data de emissão (dhEmi) não pode ser lida: a nota foi conferida pelas regras de hoje.',
    ],
    [comEmendas && assinatura.situacao !== 'ausente', 'Depois de aplicar as emendas, assine a nota de novo.'],
  ]
  return [...(assinatura.avisos ?? []), ...avisos.flatMap(([cabe, aviso]) => (cabe ? [aviso] : []))]
}

const diaDaAutorizacao = (autorizacao: Exame['autorizacao']): string =>
  autorizacao.situacao === 'nenhuma' ? '' : dataBrasileira(autorizacao.dia)

/** What is uncertain of the package itself. */
function avisosDoPacote({ contexto, pacote, outroPacote, erros }: Exame): [boolean, string][] {
  return [
    [
      contexto.regencia.dia < pacote.desde && outroPacote === undefined,
      `A nota é de antes de ${dataBrasileira(pacote.desde)}, o primeiro dia do esquema mais antigo que o serviço tem: foi conferida por ele, o ${pacote.nome}, e um erro de esquema pode não ser da época.`,
    ],
    [
      erros.length > 0 && outroPacote !== undefined,
      `As fontes oficiais divergem sobre o dia em que um esquema sucedeu ao outro: contam aqui só os erros que ${pacote.nome} e ${outroPacote?.nome} recusam.`,
    ],
    [
      erros.length > 0 && pacote.origem === 'reconstruido',
      `O esquema ${pacote.nome} foi refeito por nós a partir das notas técnicas, sobre os arquivos oficiais do PL_010b. Para conferir pelo oficial, o operador instala o zip do portal: fiscal esquemas instalar.`,
    ],
  ]
}
