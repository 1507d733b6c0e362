import { getGroup } from '#features/accounts/people/queries/groups.ts'
import { requirePermission } from '#features/accounts/users/access.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { joinLinkEnd, refuseLink } from '../rules.ts'
import type { JoinLinkForm } from '../schema.ts'

/** Short enough to be typed from a poster, long enough not to be guessed (about 142 bits). */
const TOKEN_LENGTH = 24

type LinkOutcome = { ok: true; id: number; token: string } | { ok: false; reason: 'rights' | 'needs_approval' }

/** Undefined: no such group. */
export async function createJoinLink(
  context: CommandContext,
  groupId: number,
  form: JoinLinkForm,
): Promise<LinkOutcome | undefined> {
  const editor = requirePermission(context.actor, 'change_group')
  return transact(context.db, async (tx): Promise<LinkOutcome | undefined> => {
    const group = await getGroup(tx, groupId)
    if (!group) return undefined
    const needsApproval = form.approval === 'yes'
    const reason = refuseLink(group, editor, needsApproval)
    if (reason) return { ok: false, reason }
    const token = randomSecret(TOKEN_LENGTH)
    const { id } = await tx
      .insertInto('join_link')
      .values({
        group_id: groupId,
        token_hash: hashSecret(token),
        token_sealed: context.site.keyring.seal(token),
        note: form.note,
        needs_approval: needsApproval,
        max_uses: form.max_uses,
        created_by_id: editor.userId,
        created_at: context.now,
        expires_at: joinLinkEnd(context.now, form.days),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await record(tx, context, {
      kind: 'group.join_link_created',
      subject: { kind: 'group', id: groupId },
      changes: { join_link_id: id, needs_approval: needsApproval, max_uses: form.max_uses, days: form.days },
    })
    return { ok: true, id, token }
  })
}

/** False: no such link, or it was revoked before. */
export async function revokeJoinLink(context: CommandContext, groupId: number, id: number): Promise<boolean> {
  requirePermission(context.actor, 'change_group')
  return transact(context.db, async (tx) => {
    const row = await tx
      .updateTable('join_link')
      .set({ revoked_at: context.now })
      .where('id', '=', id)
      .where('group_id', '=', groupId)
      .where('revoked_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (row)
      await record(tx, context, {
        kind: 'group.join_link_revoked',
        subject: { kind: 'group', id: groupId },
        changes: { join_link_id: id },
      })
    return row !== undefined
  })
}

/** Counts a use. Of concurrent requests, no more than the limit get true. A parameter of commands, so that a test can show the race. */
export type ClaimUse = (tx: Tx, linkId: number, now: Date) => Promise<boolean>

export const claimUse: ClaimUse = async (tx, linkId, now) => {
  const row = await tx
    .updateTable('join_link')
    .set((eb) => ({ uses: eb('uses', '+', 1) }))
    .where('id', '=', linkId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .whereRef('uses', '<', 'max_uses')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
