import type { Site } from '#platform/auth/context.ts'
import { extensionPoint } from '#platform/features/extension-points.ts'
import type { RuleVerdict } from './rules/eligibility.ts'

/** People with an account who may take part in shifts. */
type AskedRule = { now: Date; site: Site; userIds: readonly number[]; shiftIds: readonly number[] }
export type FoundVerdict = RuleVerdict & { userId: number; shiftId: number }

/** A further rule of sign-ups. It answers for all people and shifts at once, reads by itself, and never throws. */
export const signUpRule = extensionPoint<(asked: AskedRule) => Promise<readonly FoundVerdict[]>>('eligibility.sign-up-rule')
