import { z } from 'zod'
import type { Span } from '#platform/time-span.ts'
import type { FlowTerms, Reason } from '../rules/model.ts'
import { readMoment, readOpening } from '../rules/opening.ts'

export type Flow<Configuration = unknown> = {
  slug: string
  /** Whether people ask first and somebody decides. */
  hasRequestStage: boolean
  configuration: z.ZodType<Configuration>
  /** Takes the configuration as it is stored; undefined if it cannot be read. */
  terms: (stored: unknown, shift: Span, timeZone: string) => FlowTerms | undefined
}

/** Flows in which people sign up themselves share this. Stored configurations may carry more keys; they are kept as they are. */
export const selfServiceConfiguration = z.looseObject({
  /** A date-time, or how long before the start, such as `P3D`. */
  signup_from: z.string().nullish(),
  /** The same; null is the end of the shift. */
  signup_until: z.string().nullish(),
  user_can_decline_confirmed: z.boolean().nullish(),
  user_can_customize_signup_times: z.boolean().nullish(),
  /** How long before the start, such as `P2D`, a change by somebody who is confirmed has to be decided again; null: never. */
  late_change_asks_again: z.string().nullish(),
})

export function defineSelfService(slug: string, { hasRequestStage }: { hasRequestStage: boolean }) {
  return {
    slug,
    hasRequestStage,
    configuration: selfServiceConfiguration,
    terms: (stored, shift, timeZone) => {
      const { data } = selfServiceConfiguration.safeParse(stored)
      // An empty field of a form is no time.
      const opening = data && readOpening({ from: data.signup_from || null, until: data.signup_until || null }, shift, timeZone)
      const late = hasRequestStage ? data?.late_change_asks_again || null : null
      const asksAgainFrom = late === null ? null : readMoment(late, shift.start, timeZone)
      if (!opening || asksAgainFrom === undefined) return undefined
      return {
        ...opening,
        asksAgainFrom,
        hasRequestStage,
        closedToAll: undefined,
        mayDeclineConfirmed: data?.user_can_decline_confirmed ?? false,
        mayChooseTimes: data?.user_can_customize_signup_times ?? true,
      }
    },
  } satisfies Flow<z.infer<typeof selfServiceConfiguration>>
}

/** Flows in which nobody signs up or declines themselves. */
export function defineOthersDecide<Configuration>(parts: {
  slug: string
  hasRequestStage: boolean
  configuration: z.ZodType<Configuration>
  why: (configuration: Configuration) => Reason
}): Flow<Configuration> {
  const { slug, hasRequestStage, configuration, why } = parts
  return {
    slug,
    hasRequestStage,
    configuration,
    terms: (stored, shift) => {
      const parsed = configuration.safeParse(stored)
      if (!parsed.success) return undefined
      const closedToAll = why(parsed.data)
      return {
        hasRequestStage,
        closedToAll,
        opensAt: null,
        closesAt: shift.end,
        mayDeclineConfirmed: false,
        mayChooseTimes: false,
        asksAgainFrom: null,
      }
    },
  }
}
