import { type ErrorCode, errorCodes, type SourceCode, sourceCodes } from '../platform/errors.ts'
import type { RetryS } from '../platform/wire/fonte.ts'
import { ofRequests } from './erros-textos.ts'
import type { Explained } from './explained.ts'
import { ofAccounts } from './of-accounts.ts'
import { ofServices } from './of-services.ts'
import { ofSources } from './of-sources.ts'

/** A code with all that the page says of it. `status` is null for what comes in `source_status` alone. */
export type CodeEntry = Explained & { code: string; status: number | null; title: string; retryS: RetryS }

/** Codes that are told under one heading. */
type Group = { id: string; heading: string; about: string; entries: readonly CodeEntry[] }

/** A code without its explanation does not compile. */
const explained: Record<ErrorCode, Explained> = { ...ofRequests, ...ofAccounts, ...ofServices }

const isHttp = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code)
const isOfSource = (code: string): code is SourceCode => Object.hasOwn(sourceCodes, code)

const httpEntries = (group: object): CodeEntry[] =>
  Object.keys(group)
    .filter(isHttp)
    .map((code) => ({ code, ...errorCodes[code], ...explained[code] }))

const sourceEntries: readonly CodeEntry[] = Object.keys(sourceCodes)
  .filter(isOfSource)
  .map((code) => ({ code, status: null, ...sourceCodes[code], ...ofSources[code] }))

/** The codes in the order of the page. */
export const groups: readonly Group[] = [
  {
    id: 'requisicao',
    heading: 'O que foi enviado',
    about:
      'A requisição precisa de conserto: salvo onde se diz que vale repetir, a mesma requisição dá o mesmo erro.',
    entries: httpEntries(ofRequests),
  },
  {
    id: 'conta',
    heading: 'A conta de quem pergunta',
    about: 'A chave, o plano e os créditos.',
    entries: httpEntries(ofAccounts),
  },
  {
    id: 'servicos',
    heading: 'O que se procurou e quem foi consultado',
    about: 'A requisição estava certa.',
    entries: httpEntries(ofServices),
  },
  {
    id: 'fontes',
    heading: 'Só em source_status, com HTTP 200',
    about:
      'Algumas consultas respondem HTTP 200 também quando o órgão falha: `source_status.status` é então `error`, `source_status.error_code` traz um destes códigos, ou um dos de cima, e o resultado vem vazio, null ou com `status` = `erro`. Confira `source_status` antes de ler o resultado.',
    entries: sourceEntries,
  },
]

/** What is said of a code; undefined for one that is not ours. */
export const findEntry = (code: string): CodeEntry | undefined =>
  groups.flatMap(({ entries }) => entries).find((entry) => entry.code === code)
