import type { RequestKind } from '#features/accounts/requests/access.ts'
import { createRequest } from '#features/accounts/requests/commands.ts'
import { addJoinedMember, openJoinedAccount } from '#features/accounts/users/commands/joined-accounts.ts'
import { lockPerson } from '#features/accounts/users/commands/locks.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { decidesJoining, isJoiningDecidedBy, JOINING_REQUEST } from '../access.ts'
import { getLinkByToken, hasOpenRequest, isMember, joiningDetails } from '../queries.ts'
import { type LinkEnd, whyClosed } from '../rules.ts'
import { type ClaimUse, claimUse } from './links.ts'
import { queueJoinMail } from './mails.ts'

type JoinOutcome = { ok: true; state: 'joined' | 'member' | 'requested' | 'waiting' } | { ok: false; reason: LinkEnd | 'unknown' }

/** A person who is signed in joins the group of a link, or asks for it. */
export async function joinGroup(
  context: CommandContext,
  token: string,
  { claim = claimUse }: { claim?: ClaimUse } = {},
): Promise<JoinOutcome> {
  const { actor, now } = context
  if (actor.kind !== 'user' || actor.via.kind !== 'session') throw new Problem('permission_denied')
  const { userId } = actor
  return transact(context.db, async (tx): Promise<JoinOutcome> => {
    // Requests of one person run one after another: a second click finds the membership or the request.
    await lockPerson(tx, userId)
    const link = await getLinkByToken(tx, token)
    if (!link) return { ok: false, reason: 'unknown' }
    if (await isMember(tx, link.groupId, userId)) return { ok: true, state: 'member' }
    if (await hasOpenRequest(tx, link.groupId, userId)) return { ok: true, state: 'waiting' }
    const closed = whyClosed(link, now)
    if (closed) return { ok: false, reason: closed }
    if (!(await claim(tx, link.id, now))) return { ok: false, reason: 'used_up' }
    if (!link.needsApproval) {
      await addJoinedMember(tx, context, { groupId: link.groupId, userId })
      return { ok: true, state: 'joined' }
    }
    const data = { group_id: link.groupId, join_link_id: link.id, is_new: false }
    await createRequest(tx, context, { kind: JOINING_REQUEST, userId, data })
    return { ok: true, state: 'requested' }
  })
}

const groupIdIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

/** Requests to join a group, or to have an account. */
export const joiningRequest: RequestKind = {
  name: JOINING_REQUEST,
  icon: 'user-plus',
  isDecider: async (context) => decidesJoining(context),
  isDecidedBy: isJoiningDecidedBy,
  details: joiningDetails,
  describe: (words, { data, details: { email, dateOfBirth, groupName } }) => {
    const wish =
      data.group_id === null
        ? words.t('joining.asks_account')
        : typeof groupName === 'string'
          ? words.t(data.is_new ? 'joining.asks_new' : 'joining.asks_group', { group: groupName })
          : words.t('joining.asks_deleted_group')
    const birth = dateOfBirth && words.t('joining.born', { date: words.date(new Date(`${dateOfBirth}T12:00:00Z`)) })
    return { text: [wish, email, birth].filter(Boolean).join(' · ') }
  },
  apply: async (tx, context, { user_id: userId, data }) => {
    const groupId = groupIdIn(data.group_id)
    if (groupId !== undefined && !(await addJoinedMember(tx, context, { groupId, userId }))) return { ok: false, reason: 'group' }
    if (data.is_new === true) await openJoinedAccount(tx, userId)
    return { ok: true }
  },
  onRefused: async (tx, { id, data }) => {
    // People with an account are notified as usual.
    if (data.is_new === true) await queueJoinMail(tx, { kind: 'refused', requestId: id })
  },
}
