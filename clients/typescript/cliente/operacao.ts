import type { operacoes } from '../gerado/operacoes.ts'
import type { operations } from '../openapi.d.ts'

/** An operation of the OpenAPI document, as `gerar.ts` writes it down. */
export type Operacao = {
  /** Its `operationId`. */
  id: string
  verbo: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `{nome}` where a parameter of the path goes. */
  caminho: string
  /** Takes no key. */
  publica?: true
  /** The field of its body that may be the bytes of an XML, which are sent as they are. */
  xml?: string
  /** Takes an `Idempotency-Key`. */
  idempotente?: true
  /** The schema of its events, where it has a stream, and the event that carries a part of the answer. */
  eventos?: string
  parte?: string
}

export type Operacoes = typeof operacoes

/** Os nomes dos métodos do cliente. */
export type NomeDeMetodo = keyof Operacoes

type Descricao<N extends NomeDeMetodo> = operations[Operacoes[N]['id']]

/** A member of `parameters`, or nothing where the operation takes none there. */
type Membro<P, K extends PropertyKey> = K extends keyof P
  ? [NonNullable<P[K]>] extends [never]
    ? unknown
    : NonNullable<P[K]>
  : unknown

type Corpo<O> = O extends { requestBody: { content: { 'application/json': infer B } } } ? B : unknown

/** What a file is read as, where the body may be an XML as it is. */
type ComBytes<N extends NomeDeMetodo, T> = Operacoes[N] extends { xml: infer C extends string }
  ? { [K in keyof T]: K extends C ? T[K] | Uint8Array<ArrayBuffer> : T[K] }
  : T

type Plano<T> = { [K in keyof T]: T[K] }

/** A query's booleans are words on the wire; `true` may be written as what it is. */
type ComBooleanos<T> = { [K in keyof T]: 'true' extends T[K] ? T[K] | boolean : T[K] }

/** O que se envia: os parâmetros do caminho e da consulta, ou o corpo, num objeto só. */
export type Pedido<N extends NomeDeMetodo> = Plano<
  ComBooleanos<Membro<Descricao<N>['parameters'], 'query'>> &
    Membro<Descricao<N>['parameters'], 'path'> &
    ComBytes<N, Corpo<Descricao<N>>>
>

type Sucesso<R> = R extends { 200: infer S } ? S : R extends { 201: infer S } ? S : never

/** O corpo da resposta, como o serviço o envia. */
export type Resposta<N extends NomeDeMetodo> =
  Sucesso<Descricao<N>['responses']> extends { content: { 'application/json': infer R } } ? R : undefined
