import { dvCnpj } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'

/** The registries of rural properties: the connector to CNIR, the pages of SIGEF, its open geodata. */
export type OndeRural = 'cnir' | 'sigef' | 'wfs'

export type CasoRural =
  | 'paginacao-nova'
  | 'so-historico'
  | 'detalhe-404'
  | 'detalhe-mudado'
  | 'conta-errada'
  | 'barrado-na-segunda'
  | 'sessao-cai-no-detalhe'
  | 'sem-documento'
  | 'excecao'
  | 'retry-after'
  | 'nao-json'
  | 'sem-situacao'
  | 'sem-booleano'
  | 'numero-texto'
  | 'duas-pessoas'
  | 'registros-demais'
  | 'outros-membros'

type EfeitoRural =
  | { tipo: 'rural'; caso: CasoRural }
  | { tipo: 'muitas'; quantas: number }
  | { tipo: 'pagina'; status: number; titulo: string }
  | { tipo: 'demora'; ms: number }
  | { tipo: 'gigante'; bytes: number }
  | { tipo: 'queda'; quando: 'antes' | 'no-meio' }

const caso = (qual: CasoRural): EfeitoRural => ({ tipo: 'rural', caso: qual })
const paginaLinhas = (status: number, titulo: string): EfeitoRural => ({ tipo: 'pagina', status, titulo })

/** Later than anybody waits, in milliseconds. */
const SEM_FIM = 240_000

/** The misbehaviours of the rural registries alone. Order is identity: new rows go to the end. */
export const linhasRurais: readonly [nome: string, onde: OndeRural, efeito: EfeitoRural, nota: string][] = [
  ['sigef-25', 'sigef', { tipo: 'muitas', quantas: 25 }, 'SIGEF: 25 parcelas, em três páginas'],
  ['sigef-25-nova', 'sigef', caso('paginacao-nova'), 'SIGEF: 25 parcelas, com a paginação nova'],
  ['sigef-historico', 'sigef', caso('so-historico'), 'SIGEF: só há parcela no histórico: nenhuma vale'],
  ['sigef-401', 'sigef', paginaLinhas(401, 'Unauthorized'), 'SIGEF: HTTP 401'],
  ['sigef-500', 'sigef', paginaLinhas(500, 'Server Error (500)'), 'SIGEF: HTTP 500'],
  ['sigef-detalhe-404', 'sigef', caso('detalhe-404'), 'SIGEF: a parcela da lista não existe (HTTP 404)'],
  ['sigef-detalhe-mudado', 'sigef', caso('detalhe-mudado'), 'SIGEF: a página da parcela mudou'],
  ['sigef-conta-errada', 'sigef', caso('conta-errada'), 'SIGEF: a lista diz ter mais parcelas do que mostra'],
  [
    'sigef-barrado',
    'sigef',
    caso('barrado-na-segunda'),
    'SIGEF: a segunda página da lista é "Request Rejected", com HTTP 200',
  ],
  [
    'sigef-sessao-cai',
    'sigef',
    caso('sessao-cai-no-detalhe'),
    'SIGEF: a sessão acaba entre a lista e a parcela',
  ],
  ['sigef-lento', 'sigef', { tipo: 'demora', ms: SEM_FIM }, 'SIGEF: não responde a tempo'],
  [
    'wfs-fora',
    'wfs',
    paginaLinhas(503, 'Service Unavailable'),
    'o WFS está fora: falta só a data da certificação',
  ],
  [
    'wfs-lento',
    'wfs',
    { tipo: 'demora', ms: SEM_FIM },
    'o WFS não responde: falta só a data da certificação',
  ],
  ['wfs-excecao', 'wfs', caso('excecao'), 'o WFS responde com uma exceção: falta só a data da certificação'],
  ['cnir-401', 'cnir', paginaLinhas(401, 'Unauthorized'), 'CNIR: o conector recusa a assinatura'],
  ['cnir-429', 'cnir', caso('retry-after'), 'CNIR: HTTP 429, com Retry-After'],
  ['cnir-503', 'cnir', paginaLinhas(503, 'Service Unavailable'), 'CNIR: HTTP 503'],
  ['cnir-lento', 'cnir', { tipo: 'demora', ms: SEM_FIM }, 'CNIR: o conector não responde a tempo'],
  ['cnir-nao-json', 'cnir', caso('nao-json'), 'CNIR: a resposta não é JSON'],
  ['cnir-sem-situacao', 'cnir', caso('sem-situacao'), 'CNIR: um imóvel sem situação'],
  ['cnir-sem-booleano', 'cnir', caso('sem-booleano'), 'CNIR: um imóvel sem possui_decisao_judicial'],
  ['cnir-numero-texto', 'cnir', caso('numero-texto'), 'CNIR: uma área escrita como texto'],
  ['cnir-duas-pessoas', 'cnir', caso('duas-pessoas'), 'CNIR: a resposta traz uma pessoa e uma empresa'],
  ['cnir-demais', 'cnir', caso('registros-demais'), 'CNIR: 5.001 imóveis, mais do que se lê'],
  ['cnir-gigante', 'cnir', { tipo: 'gigante', bytes: 3 << 20 }, 'CNIR: uma resposta de mais de 2 MiB'],
  ['cnir-outros-membros', 'cnir', caso('outros-membros'), 'CNIR: membros que ninguém conhece são ignorados'],
  [
    'sigef-sem-documento',
    'sigef',
    caso('sem-documento'),
    'SIGEF: a página não mostra o documento do detentor',
  ],
]

/** What goes wrong when an authority is asked about a document, whichever authority it is. */
export type Efeito =
  /** The right answer, late. */
  | { tipo: 'demora'; ms: number }
  /** Another page instead of the answer. */
  | { tipo: 'pagina'; status: number; titulo: string }
  | { tipo: 'redireciona'; para: string }
  | { tipo: 'fault'; soap: '1.1' | '1.2' }
  /** The connection is reset before the first byte, or after half of the body. */
  | { tipo: 'queda'; quando: 'antes' | 'no-meio' }
  /** A fatal TLS alert after the handshake, as for a refused certificate. */
  | { tipo: 'tls' }
  | { tipo: 'vazio' }
  | { tipo: 'gigante'; bytes: number }
  | { tipo: 'malformado' }
  /** The right answer in ISO-8859-1, said to be so or said to be UTF-8. */
  | { tipo: 'latin1'; declara: 'utf-8' | 'iso-8859-1' }
  | { tipo: 'outro' }
  | { tipo: 'muitas'; quantas: number }
  /** An address with the municipality's code (cMun) and without its name; of the web service alone. */
  | { tipo: 'municipio-sem-nome' }
  /** That code, as a rejection; of the web service alone. */
  | { tipo: 'codigo'; cStat: number }
  /** An outcome of a certificate, or a spoilt PDF. Registrations are answered rightly. */
  | { tipo: 'certidao'; desfecho: 'positiva' | 'efeitos' | 'nao-inscrito' | 'irregular' }
  | { tipo: 'papel'; papel: 'html' | 'outro' | 'corrompido' }
  | { tipo: 'fechado' }
  /** The answer to the captcha is never right; a page that has none shows one. */
  | { tipo: 'captcha'; quando: 'recusado' | 'inesperado' }
  | { tipo: 'layout' }
  | { tipo: 'waf' }
  | { tipo: 'sessao-velha' }
  /** An effect on one kind of service alone; elsewhere the right answer. */
  | { tipo: 'so-em'; onde: 'ws' | 'portal' | 'cnd' | OndeRural; efeito: Efeito }
  | { tipo: 'rural'; caso: CasoRural }
  /** Another effect in these states; elsewhere the right answer. */
  | { tipo: 'por-uf'; efeitos: readonly { ufs: readonly Uf[]; efeito: Efeito }[] }

/** Where a document is asked about: the web service, a portal of registrations, a portal of certificates. */
export type Onde = 'ws' | 'ie' | 'cnd'

export type Comportamento = { nome: string; documento: string; efeito: Efeito; nota: string }

const DEMORA = { longa: 30_000, curta: 2_000, semFim: 120_000 } as const

const pagina = (status: number, titulo: string): Efeito => ({ tipo: 'pagina', status, titulo })
const codigo = (cStat: number): Efeito => ({ tipo: 'codigo', cStat })

/** Five dead states, five that never answer in time; the other 17 answer. */
const MISTO: Efeito = {
  tipo: 'por-uf',
  efeitos: [
    { ufs: ['AC', 'AL', 'AM', 'AP', 'BA'], efeito: { tipo: 'queda', quando: 'antes' } },
    { ufs: ['CE', 'DF', 'ES', 'GO', 'MA'], efeito: { tipo: 'demora', ms: DEMORA.semFim } },
  ],
}

/** Order is identity: the n-th row is the CNPJ with root 98765000 + n, so new rows go to the end. */
const linhas: readonly [nome: string, efeito: Efeito, nota: string][] = [
  ['lento', { tipo: 'demora', ms: DEMORA.longa }, 'responde certo, mas só depois de 30 segundos'],
  ['demorado', { tipo: 'demora', ms: DEMORA.curta }, 'responde certo depois de 2 segundos'],
  ['html-403', pagina(403, 'Acesso bloqueado'), 'HTTP 403 com a página de um firewall'],
  ['html-429', pagina(429, 'Muitas requisições'), 'HTTP 429 com página HTML'],
  ['html-503', pagina(503, 'Serviço indisponível'), 'HTTP 503 com página HTML'],
  ['html-200', pagina(200, 'Sistema em manutenção'), 'página de erro do portal com HTTP 200'],
  ['html-404', pagina(404, 'Página não encontrada'), 'HTTP 404: o serviço mudou de endereço'],
  ['fault', { tipo: 'fault', soap: '1.2' }, 'SOAP Fault 1.2 com HTTP 500'],
  ['fault-1.1', { tipo: 'fault', soap: '1.1' }, 'SOAP Fault 1.1 com HTTP 500'],
  ['reset', { tipo: 'queda', quando: 'no-meio' }, 'a conexão cai no meio da resposta'],
  ['corta-antes', { tipo: 'queda', quando: 'antes' }, 'a conexão cai antes do primeiro byte'],
  ['tls', { tipo: 'tls' }, 'o servidor recusa o certificado na camada TLS'],
  ['xml-malformado', { tipo: 'malformado' }, 'o XML da resposta vem cortado'],
  ['charset', { tipo: 'latin1', declara: 'utf-8' }, 'bytes em ISO-8859-1 anunciados como UTF-8'],
  ['charset-certo', { tipo: 'latin1', declara: 'iso-8859-1' }, 'ISO-8859-1 anunciado como tal: é lido bem'],
  ['outro-documento', { tipo: 'outro' }, 'a resposta é sobre outro CNPJ'],
  ['vazio', { tipo: 'vazio' }, 'HTTP 200 sem corpo'],
  ['gigante', { tipo: 'gigante', bytes: 10 << 20 }, 'corpo de 10 MiB'],
  ['redireciona', { tipo: 'redireciona', para: '/manutencao.html' }, 'HTTP 302 para outra página'],
  ['muitas', { tipo: 'muitas', quantas: 40 }, 'cStat 112 com 40 inscrições'],
  ['108', codigo(108), 'cStat 108: serviço paralisado momentaneamente'],
  ['109', codigo(109), 'cStat 109: serviço paralisado sem previsão'],
  ['215', codigo(215), 'cStat 215: falha no schema XML'],
  ['239', codigo(239), 'cStat 239: versão do arquivo não suportada'],
  ['252', codigo(252), 'cStat 252: ambiente divergente'],
  ['257', codigo(257), 'cStat 257: o dono do certificado não está habilitado a emitir NF-e'],
  ['258', codigo(258), 'cStat 258: a SEFAZ diz que o CNPJ é inválido'],
  ['259', codigo(259), 'cStat 259: não cadastrado na UF'],
  ['260', codigo(260), 'cStat 260: a SEFAZ diz que a IE é inválida'],
  ['261', codigo(261), 'cStat 261: IE não cadastrada na UF'],
  ['262', codigo(262), 'cStat 262: a UF não consulta por CPF'],
  ['263', codigo(263), 'cStat 263: a SEFAZ diz que o CPF é inválido'],
  ['264', codigo(264), 'cStat 264: CPF não cadastrado na UF'],
  ['265', codigo(265), 'cStat 265: UF diferente da do serviço'],
  ['289', codigo(289), 'cStat 289: código da UF divergente'],
  ['402', codigo(402), 'cStat 402: codificação diferente de UTF-8'],
  ['404', codigo(404), 'cStat 404: prefixo de namespace'],
  ['656', codigo(656), 'cStat 656: consumo indevido'],
  ['999', codigo(999), 'cStat 999: erro não catalogado'],
  ['777', codigo(777), 'cStat 777: código que nenhuma tabela tem'],
  [
    'cnd-positiva',
    { tipo: 'certidao', desfecho: 'positiva' },
    'há débitos: certidão positiva, ou mensagem que os declara',
  ],
  ['cnd-efeitos', { tipo: 'certidao', desfecho: 'efeitos' }, 'certidão positiva com efeitos de negativa'],
  [
    'cnd-nao-inscrito',
    { tipo: 'certidao', desfecho: 'nao-inscrito' },
    'a página da certidão diz que não é inscrito, onde ela o diz',
  ],
  [
    'cnd-sem-certidao',
    { tipo: 'certidao', desfecho: 'irregular' },
    'não há débitos nem certidão: uma pendência de outra ordem',
  ],
  ['cnd-html-como-pdf', { tipo: 'papel', papel: 'html' }, 'página HTML servida como PDF da certidão'],
  ['cnd-pdf-de-outro', { tipo: 'papel', papel: 'outro' }, 'o PDF da certidão é de outro CNPJ'],
  ['cnd-pdf-corrompido', { tipo: 'papel', papel: 'corrompido' }, 'o PDF da certidão vem corrompido'],
  [
    'cnd-fechado',
    { tipo: 'so-em', onde: 'cnd', efeito: { tipo: 'fechado' } },
    'a certidão só é emitida em dias úteis e em certas horas',
  ],
  [
    'cnd-lenta',
    { tipo: 'so-em', onde: 'cnd', efeito: { tipo: 'demora', ms: DEMORA.semFim } },
    'só a página da certidão não responde a tempo',
  ],
  ['captcha-recusado', { tipo: 'captcha', quando: 'recusado' }, 'a resposta do captcha nunca é aceita'],
  [
    'captcha-inesperado',
    { tipo: 'captcha', quando: 'inesperado' },
    'um captcha aparece em página que não costuma ter',
  ],
  ['layout', { tipo: 'layout' }, 'a página do portal mudou'],
  ['waf', { tipo: 'waf' }, 'o portal mostra com HTTP 200 a página do firewall'],
  ['sessao-velha', { tipo: 'sessao-velha' }, 'o portal diz que a sessão expirou'],
  [
    'portal-fora',
    { tipo: 'so-em', onde: 'portal', efeito: pagina(503, 'Portal fora do ar') },
    'o portal está fora do ar; o web service responde',
  ],
  [
    'ws-fora',
    { tipo: 'so-em', onde: 'ws', efeito: codigo(108) },
    'o web service está paralisado (cStat 108); o portal responde',
  ],
  [
    'misto',
    MISTO,
    'AC AL AM AP BA derrubam a conexão; CE DF ES GO MA não respondem a tempo; as outras respondem certo',
  ],
  [
    'municipio-sem-nome',
    { tipo: 'municipio-sem-nome' },
    'o endereço traz o código do município (cMun) e não o nome (xMun)',
  ],
]

/** The rows of the rural registries begin here, so that two lists may grow at their ends. */
const RURAIS = 200

/** Every misbehaviour, by the document that brings it about. */
export const comportamentos: readonly Comportamento[] = [
  ...linhas.map(([nome, efeito, nota], indice) => ({
    nome,
    efeito,
    nota,
    documento: reservado(indice + 1),
  })),
  ...linhasRurais.map(([nome, onde, efeito, nota], indice) => ({
    nome,
    efeito: { tipo: 'so-em', onde, efeito } as const,
    nota,
    documento: reservado(RURAIS + indice),
  })),
]

/** What an effect comes to in one state's service; undefined where the answer there is right. */
export function efeitoEm(efeito: Efeito | undefined, uf: Uf, onde: Onde): Efeito | undefined {
  if (efeito?.tipo === 'por-uf') return efeito.efeitos.find(({ ufs }) => ufs.includes(uf))?.efeito
  if (efeito?.tipo !== 'so-em') return efeito
  return efeito.onde === onde || (efeito.onde === 'portal' && onde !== 'ws') ? efeito.efeito : undefined
}

export const OUTRO_DOCUMENTO = reservado(0)

const porDocumento = new Map(comportamentos.map((linha) => [linha.documento, linha]))

/** Undefined for all but the reserved series 98.765.NNN/0001. */
export function findComportamento(documento: string): Comportamento | undefined {
  return porDocumento.get(documento)
}

function reservado(numero: number): string {
  const doze = `${98_765_000 + numero}0001`
  return doze + dvCnpj(doze)
}
