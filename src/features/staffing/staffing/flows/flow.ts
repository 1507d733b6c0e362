import { z } from 'zod'
import type { Span } from '#platform/time-span.ts'
import type { Reason, SignupRules } from '../rules/model.ts'
import { readMoment, readOpening } from '../rules/opening.ts'

export type Flow<Configuration = unknown> = {
  slug: string
  /** Sign-ups are requests that a responsible decides on. */
  hasRequestStage: boolean
  /** People sign up themselves. */
  isSelfService: boolean
  configuration: z.ZodType<Configuration>
  /** Reads the stored configuration; undefined if it is invalid. */
  readRules: (stored: unknown, shift: Span, timeZone: string) => SignupRules | undefined
}

/** Most people that a planner can allow each person to bring. */
export const MAX_COMPANIONS = 20

/** Configuration of all flows in which people sign up themselves. Unknown keys of stored configurations are kept. */
const selfServiceConfiguration = z.looseObject({
  /** A date-time, or how long before the start, such as `P3D`. */
  signup_from: z.string().nullish(),
  /** A date-time or how long before the start; null is the end of the shift. */
  signup_until: z.string().nullish(),
  user_can_decline_confirmed: z.boolean().nullish(),
  user_can_customize_signup_times: z.boolean().nullish(),
  /** From this long before the start, such as `P2D`, a change by a confirmed person needs a new decision; null: never. */
  late_change_asks_again: z.string().nullish(),
  /** How many others each person may bring. */
  user_can_bring: z.int().min(0).max(MAX_COMPANIONS).nullish(),
})

export function defineSelfServiceFlow(slug: string, { hasRequestStage }: { hasRequestStage: boolean }) {
  return {
    slug,
    hasRequestStage,
    isSelfService: true,
    configuration: selfServiceConfiguration,
    readRules: (stored, shift, timeZone) => {
      const { data } = selfServiceConfiguration.safeParse(stored)
      // Forms store an empty field as ''.
      const opening = data && readOpening({ from: data.signup_from || null, until: data.signup_until || null }, shift, timeZone)
      const late = hasRequestStage ? data?.late_change_asks_again || null : null
      const lateChangesFrom = late === null ? null : readMoment(late, shift.start, timeZone)
      if (!opening || lateChangesFrom === undefined) return undefined
      return {
        ...opening,
        lateChangesFrom,
        hasRequestStage,
        selfServiceRefusal: undefined,
        canDeclineConfirmed: data?.user_can_decline_confirmed ?? false,
        canChooseTimes: data?.user_can_customize_signup_times ?? true,
        maxCompanions: data?.user_can_bring ?? 0,
      }
    },
  } satisfies Flow<z.infer<typeof selfServiceConfiguration>>
}

/** For flows in which people cannot sign up or decline themselves. `reason` is what they see instead. */
export function defineManagedFlow<Configuration>(parts: {
  slug: string
  hasRequestStage: boolean
  configuration: z.ZodType<Configuration>
  reason: (configuration: Configuration) => Reason
}): Flow<Configuration> {
  const { slug, hasRequestStage, configuration, reason } = parts
  return {
    slug,
    hasRequestStage,
    isSelfService: false,
    configuration,
    readRules: (stored, shift) => {
      const parsed = configuration.safeParse(stored)
      if (!parsed.success) return undefined
      const selfServiceRefusal = reason(parsed.data)
      return {
        hasRequestStage,
        selfServiceRefusal,
        opensAt: null,
        closesAt: shift.end,
        canDeclineConfirmed: false,
        canChooseTimes: false,
        maxCompanions: 0,
        lateChangesFrom: null,
      }
    },
  }
}
