import type { Autoridade } from '../platform/autoridade.ts'
import type { Pagina } from '../platform/mensagem.ts'
import { autorizadores } from './autorizadores.ts'
import { lerImposto } from './caso.ts'
import { escreverPassado } from './passado.ts'
import type { Sefaz } from './sefaz.ts'

/**
 * What an authority adds to the simulator's own site: `/sefaz.json`, which shows how all authorizers stand
 * and takes what is to override the weather, and `/sefaz/passado.json`, the weather of the 90 days before.
 */
export function criarInstrumentos(sefaz: Sefaz): NonNullable<Autoridade['instrumentos']> {
  return [
    { caminho: '/sefaz.json', atender: (metodo, corpo) => impor(sefaz, metodo, corpo.toString()) },
    {
      caminho: '/sefaz/passado.json',
      atender: (metodo) =>
        metodo === 'GET' ? json(200, JSON.stringify(escreverPassado(sefaz.agora()))) : undefined,
    },
  ]
}

function impor(sefaz: Sefaz, metodo: string, corpo: string): Pagina | undefined {
  if (metodo === 'PUT') {
    const lido = lerImposto(corpo)
    if (typeof lido === 'string') return json(400, JSON.stringify({ erro: lido }))
    sefaz.impor(lido)
  } else if (metodo === 'DELETE') sefaz.impor({})
  else if (metodo !== 'GET') return undefined
  const agora = Object.fromEntries(autorizadores.map(({ id }) => [id, sefaz.tempoDe(id)]))
  return json(200, JSON.stringify({ imposto: sefaz.imposto(), agora }, null, 2))
}

const json = (status: number, texto: string): Pagina => ({
  status,
  tipo: 'application/json; charset=utf-8',
  corpo: `${texto}\n`,
})
