import { Type } from 'typebox'
import { instante, OneOf, text } from '../platform/http/schemas.ts'
import { sourceErrorKinds } from '../platform/wire/fonte.ts'

export const Falha = Type.Object(
  {
    tipo: OneOf(
      sourceErrorKinds,
      'http: recusou ou falhou; network: não atendeu; parse: não se entende; timeout: demorou; blocked: barrou a consulta',
    ),
    codigo: text('O código do órgão, do HTTP ou do sistema; vazio quando não há'),
    em: instante('ISO 8601 UTC'),
  },
  { title: 'FalhaDaFonte', description: 'Uma consulta que falhou' },
)
