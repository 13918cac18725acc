import { fold } from '../platform/texto.ts'

/** The words of the states for the same status. */
const situacoes: readonly [RegExp, string][] = [
  [/^NAO HABILITAD/, 'NÃO HABILITADA'],
  [/^(?:HABILITAD|ATIV)[OA]\b/, 'ATIVA'],
  // AL says BAIXA.
  [/^BAIXA/, 'BAIXADA'],
  [/^SUSPENS/, 'SUSPENSA'],
  [/^CANCELAD/, 'CANCELADA'],
  [/^INAPT/, 'INAPTA'],
  [/^PARALISAD/, 'PARALISADA'],
  [/^(?:NUL[OA]|ANULAD)/, 'NULA'],
]

/** Other statuses, in the words of some states. They stay as they are. */
const outras =
  /^(?:ATIVIDADES? )?(?:NAO (?:ATIV|APT|INSCRIT|CADASTRAD|REGULAR|CREDENCIAD)|(?:RE|DES|IN)?(?:ATIV|HABILIT|DEFER)[A-Z]{1,5}\b|(?:PRE|EM|PEDIDO|PROCESSO|AGUARDANDO|SOLICITA)\b|(?:CASSAD|BLOQUEAD|IMPEDID|ENCERRAD|EXTINT|EXCLUID|CONCEDID|PENDENTE|PROVISORI|IRREGULAR|REGULAR|INTERROMPID|TRANSFERID|REVOGAD|CADASTRAD|INSCRIT|LIBERAD|RESTRIT|FALID|LIQUIDAD|DESLIGAD|DESENQUADRAD|DESENQUADRAMENT|INCORPORAD|FUSIONAD|CINDID|APT|VIGENTE|INEXISTENTE)[A-Z]{0,2}\b)/

/** A longer text is a sentence, or somebody's name. */
const LONGEST = 60

/**
 * Gives the status of a registration in the specification's words (ATIVA, BAIXADA, SUSPENSA …), else in the
 * state's own. Undefined for a text that is no status, such as the value of another field.
 */
export function situacaoIe(said: string): string | undefined {
  const words = fold(said).replace(/^\d{1,3} ?[-.)] ?/, '')
  const known = situacoes.find(([pattern]) => pattern.test(words))?.[1]
  if (said.length > LONGEST) return undefined
  return known ?? (outras.test(words) ? said : undefined)
}

/** Whether a text is exactly a status, so that it cannot be a name or a place. */
export const isSituacao = (text: string): boolean =>
  /^(?:NAO )?\S+$/.test(fold(text)) && situacaoIe(text) !== undefined
