import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { isLoopback, SAMPLE_PEOPLE, type SampleRole } from '../rules/try-out.ts'
import { enter } from './second-step.ts'
import type { Device, NewSession } from './sessions.ts'

/** Checks that tests replace to show what they prevent. */
export const TRY_OUT_GUARD = {
  mayEnter: ({ site }: { site: { isTryOut?: boolean } }, ip: string): boolean => site.isTryOut === true && isLoopback(ip),
}

/**
 * Signs in as a person of the sample data without a password. Only while the program is tried out, and only from the same machine: the
 * passwords are printed there, so the button gives nothing away.
 */
export async function signInToTryOut(
  context: CommandContext,
  { role, ip, device }: { role: SampleRole; ip: string; device: Device },
  guard = TRY_OUT_GUARD,
): Promise<NewSession | undefined> {
  if (!guard.mayEnter(context, ip)) return undefined
  return transact(context.db, async (tx) => {
    const person = await tx
      .selectFrom('user_profile')
      .select('id')
      .where('email', '=', SAMPLE_PEOPLE[role])
      .where('is_active', '=', true)
      .executeTakeFirst()
    if (!person) return undefined
    const entry = await enter(tx, context, { userId: person.id, device, next: '/' })
    // Somebody who set up a second factor signs in with it.
    return entry.kind === 'session' ? entry.session : undefined
  })
}
