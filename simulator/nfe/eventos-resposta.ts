import { type Campo, escreverCampos, NFE } from '../platform/nfe-xml.ts'
import type { TpAmb } from './ambiente-nacional.ts'
import { dataHora } from './inf-nfe.ts'
import { motivoDoAn } from './motivos-an.ts'
import type { Desfecho } from './registro.ts'
import { findTipo } from './tipos.ts'

/** Namespace of the service (official WSDL of NFeRecepcaoEvento4). */
export const WSDL = 'http://www.portalfiscal.inf.br/nfe/wsdl/NFeRecepcaoEvento4'

/** What became of a lot: 128 and its events, or the code that the whole of it was refused with. */
export type Resultado = { idLote?: string | undefined; cStat: number; desfechos?: readonly Desfecho[] }

/**
 * A retEnvEvento 1.00 in the wrapper of the national environment, nfeRecepcaoEventoNFResult
 * (leiauteConfRecebto_v1.00.xsd; answers captured in 2023 and 2026).
 */
export function escreverRetorno(
  { idLote = '0', cStat, desfechos = [] }: Resultado,
  tpAmb: TpAmb,
  agora: Date,
): string {
  const campos: Campo[] = [
    ['idLote', idLote],
    ...cabecalho(tpAmb, cStat),
    ...desfechos.map(
      (desfecho): Campo => ['retEvento versao="1.00"', [escreverInfEvento(desfecho, tpAmb, agora)]],
    ),
  ]
  return escreverCampos([
    [`nfeRecepcaoEventoNFResult xmlns="${WSDL}"`, [[`retEnvEvento versao="1.00" xmlns="${NFE}"`, campos]]],
  ])
}

function cabecalho(tpAmb: TpAmb, cStat: number, detalhe?: string): Campo[] {
  return [
    ['tpAmb', tpAmb],
    ['verAplic', 'AN_1.10.2'],
    ['cOrgao', '91'],
    ['cStat', String(cStat)],
    ['xMotivo', motivoDoAn(cStat, detalhe)],
  ]
}

/** Id, the recipient and nProt come only with what was registered. */
function escreverInfEvento({ evento, cStat, detalhe, nProt }: Desfecho, tpAmb: TpAmb, agora: Date): Campo {
  const { chave, tpEvento, nSeqEvento, autor } = evento
  return [
    nProt ? `infEvento Id="ID${nProt}"` : 'infEvento',
    [
      ...cabecalho(tpAmb, cStat, detalhe),
      ['chNFe', chave],
      ['tpEvento', tpEvento],
      ['xEvento', findTipo(tpEvento)?.descEvento],
      ['nSeqEvento', nSeqEvento],
      [autor.tipo === 'cpf' ? 'CPFDest' : 'CNPJDest', nProt && autor.documento],
      ['dhRegEvento', dataHora(agora)],
      ['nProt', nProt],
    ],
  ]
}
