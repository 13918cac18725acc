import { Type } from 'typebox'
import { tiposNacionais } from '../documento/documento.ts'
import { osEstados, SituacaoNoEstado } from '../inscricao/schema.ts'
import {
  diaOuVazio,
  documentoAsked,
  OneOf,
  OrNull,
  Procedencia,
  pdfEmBase64,
  RequestId,
  UfItem,
} from '../platform/http/schemas.ts'
import { situacoesCertidao } from '../portal/rules-certidao.ts'

/** State CND result (specification, "Resources and their fields"). */
export const CertidaoResult = Type.Object(
  {
    status: OneOf(
      situacoesCertidao,
      'nao_contribuinte: sem inscrição no estado; sem_certidao: o estado respondeu ' +
        'e não emitiu (não equivale a positiva); erro: veja source_status',
    ),
    status_raw: Type.String({ description: 'O texto do estado' }),
    validade: diaOuVazio('AAAA-MM-DD; vazio quando não se sabe'),
    emissao: diaOuVazio('AAAA-MM-DD; vazio quando não se sabe'),
    protocolo: Type.String({ description: 'Número da certidão' }),
    pdf_base64: pdfEmBase64('O PDF da certidão em base64, quando há'),
    url_verificacao: Type.String({ description: 'Onde conferir a autenticidade, quando há' }),
    codigo_autenticacao: Type.String({ description: 'Só de MT' }),
    impressao_base64: Type.Optional(
      pdfEmBase64(
        'Onde o estado mostra a certidão como página, e não como PDF: impressão nossa, em PDF (base64), do texto dela, ' +
          'que diz em cada folha o que é, de onde e de quando. pdf_base64 vem então vazio',
      ),
    ),
  },
  {
    title: 'Certidao',
    description: 'Uma certidão estadual de débitos, ou o que o estado disse no lugar dela',
  },
)

export const CertidaoDoEstado = Type.Object(
  {
    uf: UfItem,
    source_status: SituacaoNoEstado,
    result: OrNull(CertidaoResult, 'null quando o estado não foi alcançado'),
    ...Procedencia,
  },
  { title: 'EntradaCnd', description: 'A resposta de um estado' },
)

export const CertidoesEmTodos = Type.Object(
  { request_id: RequestId, ...documentoAsked(tiposNacionais), results: osEstados(CertidaoDoEstado) },
  { title: 'RespostaConsultarCndTodos' },
)
