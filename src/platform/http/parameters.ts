import type { RequestContext } from '#platform/auth/context.ts'
import type { ErrorCode } from './error-codes.ts'
import { type InputError, Problem } from './problem.ts'
import { type RawQuery, valuesOf } from './raw-query.ts'

/** Thrown by a parameter that cannot parse its values. */
export class BadParameter extends Error {
  readonly code: ErrorCode
  /** One or more. */
  readonly details: readonly string[]
  constructor(code: ErrorCode, ...details: string[]) {
    super(code)
    this.code = code
    this.details = details
  }
}

/**
 * One query parameter: how it is parsed, and how the OpenAPI document describes it. Values may be repeated, blank or hostile;
 * `BadParameter` is the only error that they may cause.
 */
export type Parameter<T> = {
  read: (values: string[], context: RequestContext) => T | undefined
  /** Checks that need the database, for example whether the caller may see the event. */
  verify?: (value: T, context: RequestContext) => Promise<void>
  description: string
  schema: Record<string, unknown>
  /** Repeated keys form a list. */
  list?: boolean
  /** Old names still work; responses announce the removal in headers. */
  deprecated?: { use: string }
}

// biome-ignore lint/suspicious/noExplicitAny: each parameter has a type of its own
export type Parameters = Record<string, Parameter<any>>
export type QueryOf<P extends Parameters> = { [K in keyof P]?: P[K] extends Parameter<infer T> ? T | undefined : never }

/** Parses all parameters; reports all errors at once. */
export async function readParameters<P extends Parameters>(
  parameters: P,
  query: RawQuery,
  context: RequestContext,
): Promise<QueryOf<P>> {
  const values: Record<string, unknown> = {}
  const errors: InputError[] = []
  const named = new Set(query.map(([name]) => name))
  for (const [name, parameter] of Object.entries(parameters)) {
    if (!named.has(name)) continue
    try {
      const value = parameter.read(valuesOf(query, name), context)
      if (value === undefined) continue
      if (parameter.verify) await parameter.verify(value, context)
      values[name] = value
    } catch (error) {
      if (!(error instanceof BadParameter)) throw error
      errors.push(...error.details.map((detail) => ({ parameter: name, code: error.code, detail })))
    }
  }
  if (errors.length) throw new Problem('invalid_input', { errors })
  return values as QueryOf<P>
}

/** Deprecated parameters that the request used. */
export function deprecatedIn(parameters: Parameters, query: RawQuery): string[] {
  const isDeprecated = (name: string): boolean => Object.hasOwn(parameters, name) && parameters[name]!.deprecated !== undefined
  const used = query.filter(([name, value]) => value.trim() !== '' && isDeprecated(name))
  return [...new Set(used.map(([name]) => name))]
}
