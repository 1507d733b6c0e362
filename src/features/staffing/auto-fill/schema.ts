import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import { readMonth } from '#platform/i18n/days.ts'
import { defineForm, number } from '#platform/ui/define-form.ts'
import { type FixedPerson, readFixed, writeFixed } from './rules/chosen.ts'
import type { FormerProposal } from './rules/former.ts'
import { POOLS, type Pool } from './rules/pool.ts'

/** What is filled: a shift, an event, or a month (`2031-05`). */
export type FillScope = { kind: 'shift'; id: number } | { kind: 'event'; id: number } | { kind: 'month'; month: string }

/**
 * Without a pool: those who requested, or everyone if nobody has. `fixed`: whom the planner has given a place already. `taken`: who had a place
 * in the former proposal to which the planner goes back.
 */
export type FillOptions = {
  scope: FillScope
  pool: Pool | undefined
  isOptionalFilled: boolean
  fixed: readonly FixedPerson[]
  taken?: readonly FixedPerson[]
}

/** Addresses have a limit. */
const MAX_FIXED = 100

const id = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number)

/** `month`: taken if no scope is chosen, or it cannot be read. */
export function readFillOptions(query: URLSearchParams, month: string): FillOptions {
  const scope = readScope(query) ?? { kind: 'month', month }
  const former = readFormer(query.get('take'))
  if (former) {
    const { pool, isOptionalFilled, fixed, people } = former
    return { scope, pool, isOptionalFilled, fixed, taken: people }
  }
  return {
    scope,
    pool: POOLS.find((pool) => pool === query.get('pool')),
    isOptionalFilled: query.get('optional') === 'on',
    fixed: query
      .getAll('fix')
      .slice(0, MAX_FIXED)
      .flatMap((text) => readFixed(text) ?? []),
  }
}

function readScope(query: URLSearchParams): FillScope | undefined {
  for (const kind of ['shift', 'event'] as const) {
    const found = id.safeParse(query.get(kind))
    if (found.success) return { kind, id: found.data }
  }
  const month = readMonth(query.get('month'), 'en')
  return month && { kind: 'month', month: month.name }
}

export const writeScope = (scope: FillScope): URLSearchParams =>
  new URLSearchParams(scope.kind === 'month' ? { month: scope.month } : { [scope.kind]: String(scope.id) })

/** `was`: the proposal that the reader saw before. */
export function writeFillOptions({ scope, pool, isOptionalFilled, fixed }: FillOptions, was?: string): string {
  const query = writeScope(scope)
  if (pool !== undefined) query.set('pool', pool)
  if (isOptionalFilled) query.set('optional', 'on')
  for (const one of fixed.slice(0, MAX_FIXED)) query.append('fix', writeFixed(one))
  if (was !== undefined) query.set('was', was)
  return query.toString()
}

/** The fields of the proposal have dynamic names, see `rules/chosen.ts`. */
export const proposalForm = z.record(z.string(), z.union([z.string(), z.array(z.string())]))

export const undoForm = z.object({ run: id })

const weight = (name: 'hours' | 'nights' | 'weekends' | 'refusals') =>
  number({
    label: `fill.weight_${name}`,
    help: `fill.weight_${name}_help`,
    min: 0,
    max: 100,
    schema: z
      .string()
      .trim()
      .refine((value) => /^\d{1,3}$/.test(value) && Number(value) <= 100, 'fill.weight_invalid')
      .transform(Number),
  })

export const weightsForm = defineForm({
  hours: weight('hours'),
  nights: weight('nights'),
  weekends: weight('weekends'),
  refusals: weight('refusals'),
})

/** An address has room for two of them. */
const MAX_TEXT = 3_500
const MAX_BYTES = 200_000

const stored = z.object({
  pool: z.enum(POOLS).optional(),
  optional: z.boolean(),
  people: z.array(z.string()),
  fixed: z.array(z.string()),
})

/** For an address. Undefined: nobody was proposed, or too many. */
export function writeFormer({ pool, isOptionalFilled, people, fixed }: FormerProposal): string | undefined {
  if (people.length === 0) return undefined
  const value: z.input<typeof stored> = {
    pool,
    optional: isOptionalFilled,
    people: people.map(writeFixed),
    fixed: fixed.map(writeFixed),
  }
  const text = deflateRawSync(JSON.stringify(value)).toString('base64url')
  return text.length > MAX_TEXT ? undefined : text
}

export function readFormer(text: string | null): FormerProposal | undefined {
  if (!text || text.length > MAX_TEXT) return undefined
  try {
    const json = inflateRawSync(Buffer.from(text, 'base64url'), { maxOutputLength: MAX_BYTES }).toString()
    const { pool, optional, people, fixed } = stored.parse(JSON.parse(json))
    const read = (texts: readonly string[]) => texts.flatMap((one) => readFixed(one) ?? [])
    return { pool, isOptionalFilled: optional, people: read(people), fixed: read(fixed) }
  } catch {
    return undefined
  }
}
