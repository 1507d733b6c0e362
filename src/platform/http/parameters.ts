import type { Words } from '#platform/i18n/words.ts'
import { Problem } from './problem.ts'
import { type RawQuery, valuesOf } from './raw-query.ts'

/** Thrown by a parameter that cannot make sense of its values. */
export class BadParameter extends Error {
  readonly code: string
  readonly detail: string
  constructor(code: string, detail: string) {
    super(code)
    this.code = code
    this.detail = detail
  }
}

export type ParameterContext = { words: Words; timeZone: string }

/**
 * One query parameter as a value: how it is read, and how the OpenAPI document tells it.
 * Query strings are text that may be repeated, blank or hostile; reading never throws anything but `BadParameter`.
 */
export type Parameter<T> = {
  read: (values: string[], context: ParameterContext) => T | undefined
  description: string
  schema: Record<string, unknown>
  /** Repeated keys mean a list. */
  list?: boolean
  /** Old names still work; the answer says so in its headers. */
  deprecated?: { use: string }
}

export type Parameters = Record<string, Parameter<unknown>>
export type QueryOf<P extends Parameters> = { [K in keyof P]: P[K] extends Parameter<infer T> ? T | undefined : never }

/** Reads all parameters and reports all mistakes at once. */
export function readParameters<P extends Parameters>(parameters: P, query: RawQuery, context: ParameterContext): QueryOf<P> {
  const values: Record<string, unknown> = {}
  const errors = []
  for (const [name, parameter] of Object.entries(parameters)) {
    const given = valuesOf(query, name)
    if (!given.length) continue
    try {
      values[name] = parameter.read(given, context)
    } catch (error) {
      if (!(error instanceof BadParameter)) throw error
      errors.push({ parameter: name, code: error.code, detail: error.detail })
    }
  }
  if (errors.length) throw new Problem('invalid_input', { errors })
  return values as QueryOf<P>
}

/** Old names that this request used. */
export function deprecatedIn(parameters: Parameters, query: RawQuery): string[] {
  return Object.entries(parameters)
    .filter(([name, parameter]) => parameter.deprecated && valuesOf(query, name).some((value) => value.trim() !== ''))
    .map(([name]) => name)
}
