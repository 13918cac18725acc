import { motivo } from '../platform/motivos.ts'

/**
 * Words that the national environment was seen to use (answers of 2018 to 2026 in public code and issues);
 * they differ from the published ones.
 */
const vistos = new Map<number, string>([
  [128, 'Lote de evento processado'],
  [135, 'Evento registrado e vinculado a NF-e'],
  [136, 'Evento registrado, mas nao vinculado a NF-e'],
  [137, 'Nenhum documento localizado'],
  [138, 'Documento localizado'],
  [573, 'Rejeicao: Duplicidade de evento'],
  [632, 'Rejeicao: Solicitacao fora de prazo, a NF-e nao esta mais disponivel para download'],
  [640, 'Rejeicao: CNPJ/CPF do interessado nao possui permissao para consultar esta NF-e'],
])

/**
 * `xMotivo` of the national environment's answers: no accents; `detalhe` stands for what the rule says of the
 * case.
 */
export function motivoDoAn(cStat: number, detalhe?: string): string {
  if (detalhe !== undefined) return `Rejeicao: ${detalhe}`
  return vistos.get(cStat) ?? motivo(cStat, false)
}
