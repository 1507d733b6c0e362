import { isSelfService } from '#features/staffing/staffing/flows/registry.ts'
import { printInstant, readFixedMoment, readMoment } from '#features/staffing/staffing/rules/opening.ts'
import type { Fault } from './form-rows.ts'
import type { ShiftTimes } from './shift-times.ts'

/** For the form and the API. */
export const opensAfterClosing = (opens: Date | null, closes: Date | null): boolean =>
  opens !== null && closes !== null && opens >= closes

type Configuration = Record<string, unknown>
/** Keys of a configuration that hold a time or a duration before the start. */
export const DEADLINES: readonly string[] = ['signup_from', 'signup_until', 'late_change_asks_again']
const RULES = ['signup_from', 'signup_until'] as const
const textIn = (configuration: Configuration, key: string): string | undefined => {
  const value = configuration[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}

type FlowContext = {
  times: ShiftTimes | undefined
  timeZone: string
  /** Ids of shifts that can lead; rows of shifts that are created together with this one. */
  leaders: ReadonlySet<number>
  leaderRows: ReadonlySet<number>
}

/** Faults of a configuration of an API client, before `completeFlow`. Fields are paths in the configuration. */
export function checkFlow(slug: string, configuration: Configuration, context: FlowContext): Fault[] {
  if (slug === 'coupled') {
    const { leader_shift_id: id, leader_shift_index: row } = configuration
    if (typeof row === 'number') return context.leaderRows.has(row) ? [] : [{ field: 'leader_shift_index', code: 'no_leader' }]
    return typeof id === 'number' && context.leaders.has(id) ? [] : [{ field: 'leader_shift_id', code: 'no_leader' }]
  }
  if (!isSelfService(slug)) return []
  const { times, timeZone } = context
  // The form of a text does not depend on the times.
  const start = times?.start ?? new Date(0)
  const faults = DEADLINES.flatMap((key): Fault[] => {
    const rule = textIn(configuration, `${key}_rule`)
    if (rule !== undefined)
      return /^P/i.test(rule) && readMoment(rule, start, timeZone) ? [] : [{ field: `${key}_rule`, code: 'unreadable' }]
    const text = textIn(configuration, key)
    return text === undefined || readMoment(text, start, timeZone) ? [] : [{ field: key, code: 'unreadable' }]
  })
  if (faults.length || !times) return faults
  const momentOf = (key: string): Date | null => {
    const text = textIn(configuration, `${key}_rule`) ?? textIn(configuration, key)
    return text === undefined ? null : (readMoment(text, times.start, timeZone) ?? null)
  }
  return opensAfterClosing(momentOf('signup_from'), momentOf('signup_until') ?? times.end)
    ? [{ field: 'signup_from', code: 'opens_after_closing' }]
    : []
}

/** The configuration with the keys that the form writes, too. `signup_until_rule` replaces `signup_until`. */
export function completeFlow(slug: string, configuration: Configuration, timeZone: string): Configuration {
  if (slug === 'manual') {
    const text = configuration.no_selfservice_explanation ?? ''
    const explanation = typeof text === 'string' ? text.replaceAll('\r\n', '\n').trim() : text
    return { ...configuration, no_selfservice_explanation: explanation }
  }
  if (!isSelfService(slug)) return configuration
  const result: Configuration = {
    signup_until: null,
    user_can_decline_confirmed: false,
    user_can_customize_signup_times: true,
    ...configuration,
  }
  for (const key of RULES) {
    const rule = textIn(configuration, `${key}_rule`)
    if (rule !== undefined) result[key] = rule
    delete result[`${key}_rule`]
  }
  for (const key of DEADLINES) {
    const text = result[key]
    if (text === '') result[key] = null
    // API clients parse deadlines as date-times with an offset.
    const at = typeof text === 'string' ? readFixedMoment(text, timeZone) : undefined
    if (at) result[key] = printInstant(at, timeZone)
  }
  return result
}
