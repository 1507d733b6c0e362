import { MAX_COMPANIONS } from '#features/staffing/staffing/flows/flow.ts'
import { isSelfService } from '#features/staffing/staffing/flows/registry.ts'
import { printInstant, readFixedMoment, readMoment } from '#features/staffing/staffing/rules/opening.ts'
import { readWhich, resolveLocalTime, whichOf } from '#platform/i18n/local-time.ts'
import { type FormValues, fieldValue, isChecked } from '#platform/ui/form-values.ts'
import { opensAfterClosing } from './flow-checks.ts'
import type { Fault } from './form-rows.ts'
import { readWall, type ShiftTimes, toWallTime } from './shift-times.ts'

export type Configuration = Record<string, unknown>
/** `leaderRow`: the row of a leading shift that is created together with this one and has no id yet. */
type FlowRead = { configuration: Configuration; leaderRow?: number; faults: Fault[] }

export const DEADLINE_UNITS = ['hours', 'days', 'weeks'] as const
export type Unit = (typeof DEADLINE_UNITS)[number]

/** `start` and `end` of the shift; `keep`: a stored time that the form has no fields for. */
type DeadlineKind = 'never' | 'open' | 'start' | 'end' | 'before' | 'at' | 'keep'

const OFFERED_KINDS = {
  from: ['open', 'before', 'at'],
  until: ['start', 'end', 'before', 'at'],
  late: ['never', 'before'],
} as const satisfies Record<string, readonly DeadlineKind[]>
export type DeadlineName = keyof typeof OFFERED_KINDS
const STORED_KINDS = ['start', 'at', 'keep'] as const

/** What the form offers. A setting of another kind, which an API client stored, stays chosen, so that saving the form keeps it. */
export const offeredKinds = (name: DeadlineName, chosen: string): DeadlineKind[] => [
  ...new Set<DeadlineKind>([...OFFERED_KINDS[name], ...STORED_KINDS.filter((kind) => kind === chosen)]),
]

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

function readDuration(text: string): { count: number; unit: Unit } | undefined {
  const found = /^P(?:(\d{1,4})W|(\d{1,4})D|T(\d{1,4})H)$/.exec(text)
  if (!found) return undefined
  if (found[1]) return { count: Number(found[1]), unit: 'weeks' }
  return found[2] ? { count: Number(found[2]), unit: 'days' } : { count: Number(found[3]), unit: 'hours' }
}

const writeDuration = (count: number, unit: Unit): string =>
  unit === 'weeks' ? `P${count}W` : unit === 'days' ? `P${count}D` : `PT${count}H`

const minuteOf = (at: Date, timeZone: string): string => toWallTime(at, timeZone).toString().slice(0, 16)

/** The form values of a stored time. */
function deadlineValues(name: string, stored: unknown, start: Date, timeZone: string, usual: DeadlineKind): FormValues {
  const text = textOf(stored)
  if (text === null) return { [`${name}_kind`]: usual }
  const duration = readDuration(text)
  if (duration) return { [`${name}_kind`]: 'before', [`${name}_count`]: String(duration.count), [`${name}_unit`]: duration.unit }
  const fixed = readFixedMoment(text, timeZone)
  if (!fixed) return { [`${name}_kind`]: 'keep' }
  if (fixed.getTime() === start.getTime()) return { [`${name}_kind`]: 'start' }
  const which = whichOf(fixed, timeZone)
  return {
    [`${name}_kind`]: 'at',
    [`${name}_at`]: minuteOf(fixed, timeZone),
    ...(which ? { [`${name}_at_which`]: which } : {}),
  }
}

type Deadline = { text: string | null; at: Date | null } | { fault: Fault }

function readDeadline(
  values: FormValues,
  name: string,
  { times, timeZone, stored }: { times: ShiftTimes | undefined; timeZone: string; stored: unknown },
): Deadline {
  const kind = fieldValue(values, `${name}_kind`)
  const before = textOf(stored)
  const former = before === null ? undefined : readFixedMoment(before, timeZone)
  /** Keep the stored text if it means the same instant. */
  const print = (at: Date) => (former?.getTime() === at.getTime() ? before : printInstant(at, timeZone))
  if (kind === 'keep') return { text: before, at: null }
  if (kind === 'start') return { text: times ? print(times.start) : null, at: times?.start ?? null }
  if (kind === 'before') {
    const count = fieldValue(values, `${name}_count`).trim()
    const unit = fieldValue(values, `${name}_unit`) as Unit
    if (!/^\d{1,4}$/.test(count) || !DEADLINE_UNITS.includes(unit))
      return { fault: { field: `${name}_count`, code: count ? 'not_a_number' : 'missing' } }
    const text = writeDuration(Number(count), unit)
    return { text, at: (times && readMoment(text, times.start, timeZone)) ?? null }
  }
  if (kind === 'at') {
    const typed = fieldValue(values, `${name}_at`).trim()
    const wall = readWall(typed)
    if (!wall) return { fault: { field: `${name}_at`, code: typed ? 'unreadable' : 'missing' } }
    const which = readWhich(fieldValue(values, `${name}_at_which`))
    const isKept = former && minuteOf(former, timeZone) === wall.toString().slice(0, 16) && whichOf(former, timeZone) === which
    if (isKept) return { text: before, at: former }
    const local = resolveLocalTime(wall, timeZone, which)
    if (!local.ok) return { fault: { field: `${name}_at`, code: local.reason } }
    return { text: printInstant(local.at, timeZone), at: local.at }
  }
  return { text: null, at: null }
}

export function flowValues(
  prefix: string,
  { slug, configuration, start, timeZone }: { slug: string; configuration: Configuration; start: Date; timeZone: string },
): FormValues {
  const self = isSelfService(slug) ? configuration : undefined
  const flag = (name: string, value: boolean) => (value ? { [`${prefix}${name}`]: 'on' } : {})
  return {
    [`${prefix}flow`]: slug,
    ...deadlineValues(`${prefix}from`, self?.signup_from, start, timeZone, 'open'),
    ...deadlineValues(`${prefix}until`, self?.signup_until, start, timeZone, self ? 'end' : 'start'),
    ...deadlineValues(`${prefix}late`, self?.late_change_asks_again, start, timeZone, 'never'),
    ...flag('decline', self?.user_can_decline_confirmed === true),
    ...flag('times', self?.user_can_customize_signup_times !== false),
    [`${prefix}bring`]: String(self?.user_can_bring ?? 0),
    [`${prefix}explanation`]: slug === 'manual' ? (textOf(configuration.no_selfservice_explanation) ?? '') : '',
    [`${prefix}leader`]: slug === 'coupled' ? String(configuration.leader_shift_id ?? '') : '',
  }
}

/** Defaults of a new shift: sign-up closes at the start, participants may choose their times. */
export const newFlowValues = (prefix: string): FormValues => ({
  [`${prefix}flow`]: 'request_confirm',
  [`${prefix}from_kind`]: 'open',
  [`${prefix}until_kind`]: 'start',
  [`${prefix}late_kind`]: 'never',
  [`${prefix}times`]: 'on',
  [`${prefix}bring`]: '0',
  [`${prefix}explanation`]: '',
  [`${prefix}leader`]: '',
})

type FlowContext = {
  timeZone: string
  times: ShiftTimes | undefined
  /** The stored configuration of the same flow; unknown keys are kept. */
  kept: Configuration
  /** Valid values of the leader field. */
  leaders: ReadonlySet<string>
}

export function readFlow(values: FormValues, prefix: string, context: FlowContext): FlowRead {
  const { kept, leaders } = context
  const slug = fieldValue(values, `${prefix}flow`)
  if (slug === 'manual')
    return {
      configuration: {
        ...kept,
        no_selfservice_explanation: fieldValue(values, `${prefix}explanation`).replaceAll('\r\n', '\n').trim(),
      },
      faults: [],
    }
  if (slug === 'coupled') {
    const leader = fieldValue(values, `${prefix}leader`)
    const row = /^row-(\d{1,4})$/.exec(leader)?.[1]
    if (!leaders.has(leader)) return { configuration: kept, faults: [{ field: `${prefix}leader`, code: 'no_leader' }] }
    if (row !== undefined) return { configuration: kept, leaderRow: Number(row), faults: [] }
    return { configuration: { ...kept, leader_shift_id: Number(leader) }, faults: [] }
  }
  return isSelfService(slug) ? readSelfService(values, prefix, context) : { configuration: kept, faults: [] }
}

function readSelfService(values: FormValues, prefix: string, { kept, times, timeZone }: FlowContext): FlowRead {
  const from = readDeadline(values, `${prefix}from`, { times, timeZone, stored: kept.signup_from })
  const until = readDeadline(values, `${prefix}until`, { times, timeZone, stored: kept.signup_until })
  const late = readDeadline(values, `${prefix}late`, { times, timeZone, stored: kept.late_change_asks_again })
  const faults = [from, until, late].flatMap((each) => ('fault' in each ? [each.fault] : []))
  if ('fault' in from || 'fault' in until || 'fault' in late) return { configuration: kept, faults }
  const bring = fieldValue(values, `${prefix}bring`).trim() || '0'
  if (!/^\d{1,2}$/.test(bring) || Number(bring) > MAX_COMPANIONS)
    faults.push({ field: `${prefix}bring`, code: /^\d+$/.test(bring) ? 'too_many_companions' : 'not_a_number' })
  if (opensAfterClosing(from.at, until.at ?? times?.end ?? null))
    faults.push({ field: `${prefix}from_kind`, code: 'opens_after_closing' })
  const configuration = {
    ...kept,
    // Other readers of the configuration do not expect `signup_from`, so it is written only if set.
    ...(from.text !== null || 'signup_from' in kept ? { signup_from: from.text } : {}),
    signup_until: until.text,
    // Only requests can be decided again.
    ...(fieldValue(values, `${prefix}flow`) === 'request_confirm' && (late.text !== null || 'late_change_asks_again' in kept)
      ? { late_change_asks_again: late.text }
      : {}),
    user_can_decline_confirmed: isChecked(values, `${prefix}decline`),
    user_can_customize_signup_times: isChecked(values, `${prefix}times`),
    ...(Number(bring) > 0 || 'user_can_bring' in kept ? { user_can_bring: Number(bring) } : {}),
  }
  return { configuration, faults }
}
