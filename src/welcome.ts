import { formatDocumento } from './documento/documento.ts'
import type { Context } from './platform/context.ts'
import { avisoDeValidade, formatDia } from './platform/wire/certificado.ts'

const modes = {
  producao: 'produção',
  homologacao: 'homologação: testes, sem valor fiscal',
  simulador: 'simulador',
}

/**
 * A company of the sample base that the simulator's SEFAZ-RS has registered, with nothing odd in its record.
 */
const WITH_INSCRICAO = '99034721000180'

/** The PDF would fill the terminal. */
const SEM_PDF = `sed 's/"pdf_base64":"[^"]*"/"pdf_base64":"..."/g'`

/** What the terminal shows once the service is up: its address, a key to try it with, and lines to paste. */
export function welcome(
  ctx: Context,
  { address, apiKey, figures }: { address: string; apiKey: string | undefined; figures: string | undefined },
): string {
  const {
    config,
    sources: { ambiente, simulador },
    store: { base, db },
  } = ctx
  const manifesto = base.current()?.manifesto
  const live = config.AUTHORITIES === 'live'
  const lines = [
    '',
    `Consulta Fiscal no ar em ${address} (modo ${modes[ambiente]})`,
    '',
    `  SEFAZ agora   ${address}/sefaz/`,
    `  Rejeições     ${address}/blog/rejeicoes/ (e o diagnóstico do seu XML)`,
    `  Documentação  ${address}/docs/`,
    ...(config.PUBLIC_URL ? [`  Para clientes ${config.PUBLIC_URL}`] : []),
    `  Base CNPJ     ${describeBase(manifesto, live)}`,
    ...(db.dialect === 'postgres' ? [`  PostgreSQL    ${describeBanco(db.lugares)}`] : []),
    `  Certificado   ${describeCertificado(ctx)}`,
    ...(figures ? [`  Métricas      ${figures}/metrics`] : []),
    ...(simulador ? [`  Simulador     ${simulador} (o que experimentar)`] : []),
  ]
  if (live && apiKey === undefined) {
    lines.push('', 'Contas: npm run fiscal -- contas criar --nome NOME --email EMAIL --plano pro')
  }
  // In production the key is the operator's own and would stay in the log.
  if (apiKey !== undefined && !live) {
    const curl = (path: string) => `  curl -s -H 'X-API-Key: ${apiKey}' '${address}${path}'`
    lines.push(
      `  Chave de API  ${apiKey}`,
      '',
      'Para experimentar, cole em outro terminal:',
      '',
      curl(`/api/consultar-cnpj?cnpj=${WITH_INSCRICAO}`),
      curl(`/api/consultar?uf=RS&cnpj=${WITH_INSCRICAO}`),
      `${curl(`/api/consultar-cnd?uf=RS&cnpj=${WITH_INSCRICAO}`)} | ${SEM_PDF}`,
      curl(`/api/consultar-ie-todos?cnpj=${WITH_INSCRICAO}`),
      curl('/api/v1/base-cnpj'),
      curl('/api/v1/rejeicoes/539'),
      ...(simulador ? ['', `O XML de NF-e, com certificado A1: ${simulador}/#api-consultar-nfe-xml`] : []),
    )
  }
  return `${lines.join('\n')}\n\n`
}

/** The connections of one node, and how many nodes like it the server has room for. */
function describeBanco({ nossos, limite, onde }: { nossos: number; limite: number; onde: string }): string {
  const nodes = Math.floor(limite / nossos)
  const room =
    nodes === 0 ? 'menos do que este nó abre' : `bastam para ${nodes} ${nodes === 1 ? 'nó' : 'nós'}`
  return `${onde}: até ${nossos} conexões deste nó (DATABASE_CONNECTIONS); o servidor dá ${limite}, que ${room}`
}

function describeBase(
  manifesto: { versao: string; amostra: boolean; estabelecimentos: number } | undefined,
  live: boolean,
): string {
  if (!manifesto) return 'nenhuma ainda: use "npm run fiscal -- cnpj baixar" e "cnpj importar"'
  const total = manifesto.estabelecimentos.toLocaleString('pt-BR')
  const sample = live
    ? ' (amostra fictícia, que não responde em produção: importe a oficial)'
    : ' (amostra fictícia)'
  return `${manifesto.versao}, ${total} estabelecimentos${manifesto.amostra ? sample : ''}`
}

function describeCertificado({ sources, now }: Context): string {
  const { certificado } = sources
  if (!certificado) return 'nenhum: para consultar as SEFAZ, defina A1_FILE e A1_PASSWORD'
  const { titular, chave, fim } = certificado
  const { aviso } = avisoDeValidade(certificado, now())
  return `${titular.nome}, ${formatDocumento(titular.documento)}, ${chave}, até ${formatDia(fim)}${aviso ? `\n  ATENÇÃO       ${aviso}` : ''}`
}
