import buildAjv from '@fastify/ajv-compiler'
import buildStringify from '@fastify/fast-json-stringify-compiler'
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify'
import type { FastifySerializerCompiler, FastifyValidationResult } from 'fastify/types/schema.js'
import { validatorOptions } from './validator.ts'

const compileValidator = buildAjv()({}, { customOptions: validatorOptions })
const compileSerializer = buildStringify()({})

/** Each schema is compiled with its first use: most processes use few, and no start waits for the rest. */
export function compileSchemasLate(app: FastifyInstance): void {
  app.setValidatorCompiler(lateValidator)
  app.setSerializerCompiler(lateSerializer)
}

const lateValidator: FastifySchemaCompiler<object> = (route) => {
  let compiled: FastifyValidationResult | undefined
  const validate: FastifyValidationResult = (data) => {
    // Other applications get the same one: the compiler keeps what it compiled.
    compiled ??= compileValidator(route)
    const isValid = compiled(data)
    validate.errors = compiled.errors ?? null
    return isValid === true
  }
  return validate
}

type Serializer = (data: unknown) => string

const serializers = new WeakMap<object, Serializer>()

function serializerOf(route: Parameters<FastifySerializerCompiler<object>>[0]): Serializer {
  const known = serializers.get(route.schema)
  if (known) return known
  const made = compileSerializer({ ...route, httpStatus: route.httpStatus ?? '' })
  serializers.set(route.schema, made)
  return made
}

const lateSerializer: FastifySerializerCompiler<object> = (route) => {
  let compiled: Serializer | undefined
  return (data) => {
    compiled ??= serializerOf(route)
    return compiled(data)
  }
}
