import type { RequestKind } from '#features/accounts/requests/access.ts'
import { createRequest } from '#features/accounts/requests/commands.ts'
import { findRequestsOf } from '#features/accounts/requests/queries.ts'
import { requireActing } from '#features/accounts/users/commands/guardians.ts'
import { lockPerson } from '#features/accounts/users/commands/locks.ts'
import { applyProposal } from '#features/accounts/users/commands/own-email.ts'
import { dayOf } from '#features/accounts/users/rules.ts'
import { getSettings } from '#features/operations/settings/queries.ts'
import { accountSettings } from '#features/operations/settings/schema/settings.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { isProfileDecidedBy, PROFILE_REQUEST } from '../access.ts'
import { presentValues } from '../queries.ts'
import { readProposal } from '../rules.ts'
import type { ProposalForm } from '../schema.ts'
import { requireOwner } from './email.ts'

type ProposalOutcome =
  | { ok: true }
  | { ok: false; field: 'name' | 'date_of_birth' | undefined; reason: 'nothing' | 'waiting' | 'future' }

/** A person asks others to change what they manage. */
export async function proposeChange(context: CommandContext, form: ProposalForm): Promise<ProposalOutcome> {
  const { userId } = requireOwner(context)
  const { now, site } = context
  if (form.date_of_birth > dayOf(now, site.timeZone)) return { ok: false, field: 'date_of_birth', reason: 'future' }
  return transact(context.db, async (tx): Promise<ProposalOutcome> => {
    await lockPerson(tx, userId)
    await requireActing(tx, context)
    const { own_name_locked: isNameLocked } = await getSettings(tx, accountSettings)
    const person = await tx
      .selectFrom('user_profile')
      .select(['display_name', 'date_of_birth'])
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    const isNew = isNameLocked && form.name !== '' && form.name !== person.display_name
    const isOther = form.date_of_birth !== '' && form.date_of_birth !== person.date_of_birth
    if (!isNew && !isOther) return { ok: false, field: 'date_of_birth', reason: 'nothing' }
    const earlier = await findRequestsOf(tx, userId, profileRequest, 1)
    if (earlier[0]?.state === 'open') return { ok: false, field: undefined, reason: 'waiting' }
    const data = {
      ...(isNew ? { name: form.name } : {}),
      ...(isOther ? { date_of_birth: form.date_of_birth } : {}),
      ...(form.note ? { note: form.note } : {}),
    }
    await createRequest(tx, context, { kind: PROFILE_REQUEST, userId, data })
    return { ok: true }
  })
}

export const profileRequest: RequestKind = {
  name: PROFILE_REQUEST,
  icon: 'user',
  isDecidedBy: isProfileDecidedBy,
  details: presentValues,
  describe: (words, { data, details }) => {
    const day = (value: string | null | undefined) =>
      value ? words.date(new Date(`${value}T12:00:00Z`)) : words.t('settings.unknown')
    const proposal = readProposal(data)
    if (!proposal) return { text: words.t('profiles.unreadable') }
    const { name, dateOfBirth } = proposal
    const parts = [
      ...(name === undefined ? [] : [words.t('profiles.asks_name', { from: details.name ?? '–', to: name })]),
      ...(dateOfBirth === undefined
        ? []
        : [words.t('profiles.asks_birth', { from: day(details.dateOfBirth), to: day(dateOfBirth) })]),
      ...(typeof data.note === 'string' ? [words.t('profiles.asks_note', { note: data.note })] : []),
    ]
    return { text: parts.join(' · ') }
  },
  apply: async (tx, context, { user_id: userId, data }) => {
    const proposal = readProposal(data)
    if (!proposal || !(await applyProposal(tx, context, { userId, ...proposal }))) return { ok: false, reason: 'data' }
    return { ok: true }
  },
}
