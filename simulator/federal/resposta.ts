import type { Mensagem } from '../platform/mensagem.ts'
import { findCenarioFederal, type ManiaDoContrato } from './cenarios.ts'
import type { CertidaoFederal } from './certidao.ts'
import { emJson } from './mensagem.ts'
import { octetosDaCertidao } from './octetos.ts'

/** The HTTP status of each status of the product; the exact words of `Mensagem` are not known. */
const HTTP: Readonly<Record<number, number>> = { 5: 202, 6: 202, 7: 201, 8: 404, 14: 404, 99: 500 }

/** An answer without a certificate. Parameters that are refused are HTTP 400. */
export function semCertidao(status: number, mensagem: string, chave?: string): Mensagem {
  const http = HTTP[status] ?? (status >= 9 ? 400 : 200)
  return emJson(http, {
    Status: status,
    Mensagem: mensagem,
    ...(chave === undefined ? {} : { Chave: chave }),
    Certidao: null,
  })
}

const TIPO = { negativa: 1, efeitos: 2, positiva: 3 } as const

/** An answer with a certificate: Status 1 where it was there, 2 where it is new. */
export async function comCertidao(
  status: 1 | 2,
  certidao: CertidaoFederal,
  querPdf: boolean,
): Promise<Mensagem> {
  const mania = findCenarioFederal(certidao.cnpj)?.contrato
  const { cnpj, codigo, emissao, hora, validade, tipo } = certidao
  const troca = mania === 'nomes-trocados'
  return emJson(200, {
    Status: status,
    [troca ? 'Messagem' : 'Mensagem']: status === 1 ? 'Certidão válida encontrada.' : 'Certidão emitida.',
    Certidao: {
      TipoContribuinte: 1,
      ContribuinteCertidao: cnpj,
      [troca ? 'TipoCertidão' : 'TipoCertidao']: mania === 'tipo-1' ? 1 : TIPO[tipo],
      CodigoControle: mania === 'codigo-corrido' ? codigo.replaceAll('.', '') : codigo,
      DataEmissao: `${emissao}T${hora}`,
      DataValidade: `${validade}T00:00:00`,
      ...(querPdf && mania !== 'sem-pdf' ? { DocumentoPdf: await pdfDe(certidao, mania) } : {}),
    },
  })
}

async function pdfDe(certidao: CertidaoFederal, mania: ManiaDoContrato | undefined): Promise<string> {
  const base64 = (await octetosDaCertidao(certidao)).toString('base64')
  if (mania !== 'data-uri') return base64
  return `data:application/pdf;base64,${base64.replace(/.{76}/g, '$&\r\n')}`
}
