import { z } from 'zod'
import type { Extension, SignUpRule } from '#extension'
import type { FoundVerdict, signUpRule } from '#features/staffing/eligibility/points.ts'
import { wordOf } from '../rules/names.ts'
import type { Host } from './adapt-requests.ts'
import { readerOf } from './contexts.ts'
import { getSettingsOf } from './settings.ts'

const verdicts = z.array(
  z.object({
    personId: z.int(),
    shiftId: z.int(),
    text: z.string(),
    values: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
    isWarning: z.boolean().default(false),
  }),
)

/** It reads with a connection of its own, so that a statement that fails does not end the transaction of a sign-up. */
export function adaptRule(
  { name, guard, budgets, db }: Host,
  { words }: Extension,
  { name: rule, judge }: SignUpRule,
): Parameters<typeof signUpRule.add>[0] {
  return async ({ now, site, userIds, shiftIds }) => {
    const found = await guard.omit(`rule ${rule}`, budgets.sectionMs, async () => {
      const own = {
        now,
        timeZone: site.timeZone,
        db: readerOf(db),
        getSettings: () => getSettingsOf(db, site.keyring, name),
      }
      const given = verdicts.parse(await judge(own, { personIds: userIds, shiftIds }))
      const unknown = given.find(({ text }) => !(text in words.en))
      if (unknown) throw new Error(`words.en has no ${unknown.text}`)
      return given.map(
        ({ personId, shiftId, text, values, isWarning }): FoundVerdict => ({
          userId: personId,
          shiftId,
          message: wordOf(name, text),
          values,
          isWarning,
        }),
      )
    })
    return found ?? []
  }
}
