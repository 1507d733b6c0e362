import { erasureSteps } from '#features/accounts/users/points.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { getIdentifyingPattern } from '../queries/identifying.ts'
import { REDACTED } from '../rules/identifying.ts'

/** What the erasure of a person deletes besides the profile; `erasure.test.ts` tries it without each step. */
export async function deletePersonalData(tx: Tx, context: CommandContext, userId: number): Promise<void> {
  // Read first: the steps delete where former names and addresses are stored.
  const pattern = await getIdentifyingPattern(tx, userId)
  const steps = context.site.added(erasureSteps).toReversed()
  const ordered = [...steps.filter(({ isRedaction }) => !isRedaction), ...steps.filter(({ isRedaction }) => isRedaction)]
  for (const { run } of ordered) await run(tx, { context, userId, pattern, replacement: REDACTED })
}
