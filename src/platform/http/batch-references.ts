/** The result of an earlier write, as the answer of the batch lists it. */
type Result = { status: number; headers: Record<string, string>; body: unknown }
type Step = { path: string; body?: unknown; if_match?: string | undefined }
export type Resolved<S> = { ok: true; step: S } | { ok: false; pointer: string }

/** `{0/body/id}` in a path or an ETag: a number or text of the first result. */
const PLACEHOLDER = /\{(\d{1,3}(?:\/[^{}/]+)+)\}/g
/** `{"$result": "0/body/id"}` in a body: also true, false and null. */
const KEY = '$result'

class Unknown extends Error {}

function valueAt(results: readonly Result[], reference: string): unknown {
  const [index, ...names] = reference.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  let value: unknown = /^\d{1,3}$/.test(index!) ? results[Number(index)] : undefined
  for (const name of names) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) throw new Unknown()
    value = (value as Record<string, unknown>)[name]
  }
  if (value === undefined) throw new Unknown()
  return value
}

/** Long texts and records, repeated in one body, would make it larger than bodies may be. */
const MAX_LENGTH = 500

function textOf(value: unknown): string {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.length > MAX_LENGTH)) throw new Unknown()
  return String(value)
}

function scalarOf(value: unknown): unknown {
  if (value !== null && typeof value !== 'boolean') textOf(value)
  return value
}

function resolveValue(results: readonly Result[], value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => resolveValue(results, each))
  const entries = Object.entries(value)
  const [first] = entries
  if (entries.length === 1 && first?.[0] === KEY && typeof first[1] === 'string') return scalarOf(valueAt(results, first[1]))
  return Object.fromEntries(entries.map(([name, each]) => [name, resolveValue(results, each)]))
}

/** The write with values of earlier results in place of the references to them; `pointer`: what refers to something that there is not. */
export function resolveReferences<S extends Step>(step: S, results: readonly Result[]): Resolved<S> {
  const resolved = { ...step }
  const parts: Record<string, () => void> = {
    '/path': () => {
      resolved.path = step.path.replace(PLACEHOLDER, (_, reference) => encodeURIComponent(textOf(valueAt(results, reference))))
    },
    '/if_match': () => {
      if (step.if_match !== undefined)
        resolved.if_match = step.if_match.replace(PLACEHOLDER, (_, reference) => textOf(valueAt(results, reference)))
    },
    '/body': () => {
      if (step.body !== undefined) resolved.body = resolveValue(results, step.body)
    },
  }
  for (const [pointer, resolve] of Object.entries(parts)) {
    try {
      resolve()
    } catch (error) {
      if (!(error instanceof Unknown)) throw error
      return { ok: false, pointer }
    }
  }
  return { ok: true, step: resolved }
}
