import { sql } from 'kysely'
import { hasScope, type UserActor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import type { RequestData, RequestKind, StoredRequest } from './access.ts'
import { requestKinds } from './points.ts'
import { canDecide, type Decision, type RequestState } from './rules.ts'

/** Writes a request in the transaction of its caller. Its data are personal. */
export async function createRequest(
  tx: Tx,
  context: Pick<CommandContext, 'actor' | 'now' | 'requestId'>,
  { kind, userId, data, eventId }: { kind: string; userId: number; data: RequestData; eventId?: number },
): Promise<number> {
  const { id } = await tx
    .insertInto('decision_request')
    .values({ kind, user_id: userId, data: JSON.stringify(data), created_at: context.now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await record(tx, context, {
    kind: 'request.created',
    subject: { kind: 'user', id: userId },
    ...(eventId === undefined ? {} : { eventId }),
    changes: { request: id, what: kind },
    personal: { personId: userId, values: { ...data } },
  })
  return id
}

type WithdrawOutcome = { ok: true } | { ok: false; reason: 'decided' }

/** For the person who made the request. */
export async function withdrawRequest(context: CommandContext, id: number): Promise<WithdrawOutcome> {
  const { actor, now } = context
  if (actor.kind !== 'user') throw new Problem('permission_denied')
  return transact(context.db, async (tx): Promise<WithdrawOutcome> => {
    const request = await lockRequest(tx, id)
    if (!request || request.user_id !== actor.userId) throw new Problem('not_found')
    if (request.state !== 'open') return { ok: false, reason: 'decided' }
    await tx.updateTable('decision_request').set({ state: 'withdrawn', decided_at: now }).where('id', '=', id).execute()
    await record(tx, context, {
      kind: 'request.withdrawn',
      subject: { kind: 'user', id: request.user_id },
      changes: { request: id, what: request.kind },
    })
    return { ok: true }
  })
}

type DecisionOutcome = { ok: true; state: RequestState } | { ok: false; reason: 'own' | 'decided' }
type DecisionInput = { id: number; decision: Decision; comment: string; needsFourEyes: boolean }

/** Undefined: there is no such request, or the actor may not decide it. */
export async function decideRequest(
  context: CommandContext,
  { id, decision, comment, needsFourEyes }: DecisionInput,
  lock = lockRequest,
): Promise<DecisionOutcome | undefined> {
  const { actor, now, site } = context
  // Decisions about people require a session, or a token for it.
  if (actor.kind !== 'user' || !hasScope(actor, 'CONFIDENTIAL_WRITE')) throw new Problem('permission_denied')
  return transact(context.db, async (tx): Promise<DecisionOutcome | undefined> => {
    const request = await lock(tx, id)
    const kind = site.added(requestKinds).find(({ name }) => name === request?.kind)
    if (!request || !kind || !(await isDecider(tx, kind, actor, id))) return undefined
    if (needsFourEyes && request.user_id === actor.userId) return { ok: false, reason: 'own' }
    if (!canDecide(request.state, decision)) return { ok: false, reason: 'decided' }
    const applied = decision === 'grant' ? await kind.apply(tx, context, request) : undefined
    const state = applied === undefined ? 'refused' : applied.ok ? 'granted' : 'failed'
    const note = applied && !applied.ok ? applied.reason : comment
    await tx
      .updateTable('decision_request')
      .set({ state, comment: note, decided_at: now, decided_by_id: actor.userId })
      .where('id', '=', id)
      .execute()
    if (state === 'refused') await kind.onRefused?.(tx, request)
    await record(tx, context, {
      kind: state === 'granted' ? 'request.granted' : state === 'refused' ? 'request.refused' : 'request.failed',
      subject: { kind: 'user', id: request.user_id },
      changes: { request: id, what: kind.name, state: [request.state, state] },
      personal: { personId: request.user_id, values: { ...request.data, ...(note ? { comment: note } : {}) } },
    })
    return { ok: true, state }
  })
}

/** The row lock makes two concurrent decisions take turns: the second one sees the state that the first one wrote. */
async function lockRequest(tx: Tx, id: number): Promise<StoredRequest | undefined> {
  return rowsOf(tx).first(sql<StoredRequest>`
    select r.id, r.kind, r.user_id, r.data, r.state from decision_request r where r.id = ${id} for update`)
}

async function isDecider(tx: Tx, kind: RequestKind, actor: UserActor, id: number): Promise<boolean> {
  return rowsOf(tx).exists(sql`
    select from decision_request r where r.id = ${id} and ${kind.isDecidedBy(actor)}`)
}

/** Requests hold personal data, so they go with the person. */
export async function deleteRequestsOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('decision_request').where('user_id', '=', userId).execute()
}
