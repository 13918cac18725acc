import type { DestinoDoNumero } from './familias/familia.ts'

/** The last step of an entry: what may be sent again, and whether the number of the note is free. */
export const finais: Readonly<Record<Exclude<DestinoDoNumero, 'proprio'>, string>> = {
  livre:
    'Gere o XML de novo, assine e transmita com a mesma série e o mesmo número: a nota rejeitada não fica gravada na SEFAZ e o número continua livre.',
  consulte:
    'Antes de reutilizar o número, consulte a situação da chave na SEFAZ: se houver nota autorizada com ele, use essa nota ou emita a venda com o próximo número da série.',
  consumido:
    'Não use o número outra vez: a nota denegada fica gravada na SEFAZ e consome a série e o número.',
  aguarde: 'Depois da espera, envie de novo: a nota recusada não foi gravada e o número continua livre.',
  evento:
    'Se o evento ainda couber, assine-o e transmita-o com o mesmo número de sequência (nSeqEvento): o rejeitado não foi registrado e a nota não mudou.',
  inutilizacao:
    'Assine e transmita o pedido de inutilização corrigido: o pedido rejeitado não inutilizou nenhum número.',
  'nao-se-aplica':
    'O pedido pode ser repetido depois da correção: ele não gravou nada nem usou número de nota.',
  pedido:
    'Envie de novo depois da correção: nada do que foi recusado ficou gravado. Em nota, a série e o número continuam livres; em evento, a sequência também.',
  'outro-numero':
    'Emita a nota com o próximo número livre da série: o número recusado não pode mais ser usado.',
}

/** How the number stands where the sheet does not say it, by the kind of the code. */
export function numeroDoTipo(tipo: string): DestinoDoNumero {
  if (tipo === 'rejeicao-evento') return 'evento'
  if (tipo === 'rejeicao-servico') return 'nao-se-aplica'
  return tipo === 'denegacao' ? 'consumido' : 'livre'
}
