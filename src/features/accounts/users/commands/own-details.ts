import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { pairChanges } from '#platform/journal/kinds.ts'
import { accountHooks } from '../points.ts'
import type { OwnDetailsForm } from '../schema.ts'
import { requireActing } from './guardians.ts'
import { lockPerson } from './locks.ts'
import { readPhone } from './people.ts'

type OwnDetailsOutcome =
  | { ok: true; isChanged: boolean }
  | { ok: false; fields: ('phone' | 'emergency_phone')[]; reason: 'phone_invalid' }

const COLUMNS = ['display_name', 'phone', 'shows_phone', 'emergency_name', 'emergency_phone'] as const

/** What people change about themselves. A name is ignored if it is locked. */
export async function changeOwnDetails(context: CommandContext, form: OwnDetailsForm): Promise<OwnDetailsOutcome> {
  const { actor } = context
  if (actor.kind !== 'user') throw new Problem('permission_denied')
  const { userId } = actor
  return transact(context.db, async (tx): Promise<OwnDetailsOutcome> => {
    await lockPerson(tx, userId)
    await requireActing(tx, context)
    const before = await tx
      .selectFrom('user_profile')
      .select(COLUMNS)
      .where('id', '=', userId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!before) throw new Problem('not_found')
    const country = await accountHooks.of(context.site).getPhoneCountry(tx)
    const phone = readPhone(form.phone, before.phone, country)
    const emergencyPhone = readPhone(form.emergency_phone, before.emergency_phone, country)
    if (phone === undefined || emergencyPhone === undefined) {
      const fields = (['phone', 'emergency_phone'] as const).filter(
        (field) => (field === 'phone' ? phone : emergencyPhone) === undefined,
      )
      return { ok: false, fields, reason: 'phone_invalid' }
    }
    const isLocked = form.name === undefined || (await accountHooks.of(context.site).isOwnNameLocked(tx))
    const after = {
      display_name: isLocked ? before.display_name : form.name!,
      phone,
      shows_phone: form.shows_phone,
      emergency_name: form.emergency_name,
      emergency_phone: emergencyPhone,
    }
    const changed = COLUMNS.filter((name) => before[name] !== after[name])
    if (!changed.length) return { ok: true, isChanged: false }
    await tx.updateTable('user_profile').set(after).where('id', '=', userId).execute()
    const { shows_phone, ...personal } = pairChanges(changed, before, after)
    await record(tx, context, {
      kind: 'user.own_details_changed',
      subject: { kind: 'user', id: userId },
      changes: shows_phone ? { shows_phone } : {},
      personal: { personId: userId, values: personal },
    })
    return { ok: true, isChanged: true }
  })
}
