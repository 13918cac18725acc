import type { RegistroCnpj } from '../cnpj/base/registro.ts'
import { findBase, type RecursosCnpj } from '../cnpj/lookup.ts'
import type { EstabelecimentoNaBase, RetratoDaBase } from './rules-lista-federal.ts'
import { somarTempo } from './verificacoes/momento.ts'

/** The monthly base as a picture of the federal list; undefined while there is none that may answer. */
export function retratoDaBase(recursos: RecursosCnpj): RetratoDaBase | undefined {
  const base = findBase(recursos)
  if (!base) return undefined
  const { versao, token, amostra, simples } = base.manifesto
  return {
    mes: versao,
    ...diasDe(versao, token),
    parcial: amostra,
    comOpcoes: simples > 0,
    find: (cnpj) => {
      const registro = base.find(cnpj)
      return registro && estabelecimentoDe(registro)
    },
  }
}

/** The day of the token, such as `D61010`; any day of the month where there is none of that month. */
function diasDe(mes: string, token: string): { de: string; ate: string } {
  const [, doMes, dia] = /^D\d(\d{2})(\d{2})$/.exec(token) ?? []
  if (doMes === mes.slice(5) && dia) return { de: `${mes}-${dia}`, ate: `${mes}-${dia}` }
  const de = `${mes}-01`
  return { de, ate: somarTempo(somarTempo(de, 1, 'meses') ?? de, -1, 'dias') ?? de }
}

const estabelecimentoDe = ({ result, outros }: RegistroCnpj): EstabelecimentoNaBase => ({
  situacao: outros.situacao.codigo,
  data_situacao: result.data_situacao_cadastral,
  data_abertura: outros.data_abertura,
  uf: result.endereco.uf,
  opcoes: outros.simples && outros.mei && { simples: outros.simples, mei: outros.mei },
})
