import { fold } from './texto-plano.ts'

/** The states' words for one and the same thing. */
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

/** What registrations also become, in the words of one state or another: these stay as they are. */
const outras =
  /^(?:ATIVIDADES? )?(?:NAO (?:ATIV|APT|INSCRIT|CADASTRAD|REGULAR|CREDENCIAD)|(?:RE|DES|IN)?(?:ATIV|HABILIT|DEFER)[A-Z]{1,5}\b|(?:PRE|EM|PEDIDO|PROCESSO|AGUARDANDO|SOLICITA)\b|(?:CASSAD|BLOQUEAD|IMPEDID|ENCERRAD|EXTINT|EXCLUID|CONCEDID|PENDENTE|PROVISORI|IRREGULAR|REGULAR|INTERROMPID|TRANSFERID|REVOGAD|CADASTRAD|INSCRIT|LIBERAD|RESTRIT|FALID|LIQUIDAD|DESLIGAD|DESENQUADRAD|DESENQUADRAMENT|INCORPORAD|FUSIONAD|CINDID|APT|VIGENTE|INEXISTENTE)[A-Z]{0,2}\b)/

/** Longer is a sentence, or somebody's name. */
const LONGEST = 60

/**
 * A registration's status in the words of the specification (ATIVA, BAIXADA, SUSPENSA …), or in the state's
 * own where it has none for it; undefined for what is no status at all, as a value of another field is.
 */
export function situacaoIe(said: string): string | undefined {
  const words = fold(said).replace(/^\d{1,3} ?[-.)] ?/, '')
  const known = situacoes.find(([pattern]) => pattern.test(words))?.[1]
  if (said.length > LONGEST) return undefined
  return known ?? (outras.test(words) ? said : undefined)
}

/** Whether a text is a status and nothing more, so that it is nobody's name and no place. */
export const isSituacao = (text: string): boolean =>
  /^(?:NAO )?\S+$/.test(fold(text)) && situacaoIe(text) !== undefined
