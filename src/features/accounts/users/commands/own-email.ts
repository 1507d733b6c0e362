import { sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { lockPerson } from './locks.ts'

// For a change of the own address, and for requests to change what others manage. Access was checked by the caller.

type AddressChange = { userId: number; from: string; to: string; cause: 'confirmed' | 'reverted' }

/** False: the address is taken, the person was closed, or the address was changed in another way meanwhile. */
export async function changeOwnAddress(
  tx: Tx,
  context: CommandContext,
  { userId, from, to, cause }: AddressChange,
): Promise<boolean> {
  await lockPerson(tx, userId)
  const { rows } = await sql<{ id: number }>`
    update user_profile u set email = ${to}, email_invalid = false
    where u.id = ${userId} and u.email = ${from} and u.is_active and u.deleted_at is null
      and not exists (select from user_profile o where lower(o.email) = lower(${to}) and o.id <> u.id)
    returning u.id`.execute(tx)
  if (!rows.length) return false
  await record(tx, context, {
    kind: cause === 'confirmed' ? 'user.email_confirmed' : 'user.email_reverted',
    subject: { kind: 'user', id: userId },
    personal: { personId: userId, values: { email: [from, to] } },
  })
  return true
}

/** Writes what a person proposed and another person approved. */
export async function applyProposal(
  tx: Tx,
  context: CommandContext,
  { userId, name, dateOfBirth }: { userId: number; name?: string | undefined; dateOfBirth?: string | undefined },
): Promise<boolean> {
  await lockPerson(tx, userId)
  const before = await tx
    .selectFrom('user_profile')
    .select(['display_name', 'date_of_birth'])
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!before) return false
  const after = { display_name: name ?? before.display_name, date_of_birth: dateOfBirth ?? before.date_of_birth }
  await tx.updateTable('user_profile').set(after).where('id', '=', userId).execute()
  await record(tx, context, {
    kind: 'user.proposal_applied',
    subject: { kind: 'user', id: userId },
    personal: {
      personId: userId,
      values: {
        ...(name === undefined ? {} : { display_name: [before.display_name, name] }),
        ...(dateOfBirth === undefined ? {} : { date_of_birth: [before.date_of_birth, dateOfBirth] }),
      },
    },
  })
  return true
}
