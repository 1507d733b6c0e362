import { sql } from 'kysely'
import { extendQualification } from '#features/accounts/people/commands/grants.ts'
import type { RequestKind } from '#features/accounts/requests/access.ts'
import { createRequest } from '#features/accounts/requests/commands.ts'
import { lockPerson } from '#features/accounts/users/commands/locks.ts'
import { dayOf, endOfDay } from '#features/accounts/users/rules.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { deleteFiles, keepFile } from '#platform/files/stored-files.ts'
import { Problem } from '#platform/http/problem.ts'
import { startOfDay } from '#platform/i18n/days.ts'
import { record } from '#platform/journal/journal.ts'
import { decidesQualification, QUALIFICATION_REQUEST } from '../access.ts'
import { decidesQualifications, requestNames } from '../queries.ts'
import { readAsked, refuseAsking } from '../rules.ts'
import type { AskForm } from '../schema.ts'

/** Open requests of one person; more of them are a mistake or an attack on the disk. */
const MAX_OPEN_REQUESTS = 20

type AskOutcome =
  | { ok: true }
  | { ok: false; field: 'acquired'; reason: 'acquired_future' }
  | { ok: false; field: 'expires'; reason: 'expires_past' | 'expires_early' }
  | { ok: false; field: 'qualification'; reason: 'unknown' | 'held' | 'held_longer' | 'external' | 'asked' | 'too_many' }

/** A person asks for a qualification, or for a longer validity of one. */
export async function askForQualification(context: CommandContext, form: AskForm): Promise<AskOutcome> {
  const { actor, now, site } = context
  if (actor.kind !== 'user' || actor.via.kind !== 'session') throw new Problem('permission_denied')
  const today = dayOf(now, site.timeZone)
  if (form.acquired > today) return { ok: false, field: 'acquired', reason: 'acquired_future' }
  if (form.expires !== null && form.expires < today) return { ok: false, field: 'expires', reason: 'expires_past' }
  if (form.expires !== null && form.expires < form.acquired) return { ok: false, field: 'expires', reason: 'expires_early' }
  const expiresAt = form.expires === null ? null : endOfDay(form.expires, site.timeZone)
  const userId = actor.userId
  return transact(context.db, async (tx): Promise<AskOutcome> => {
    // Two requests at the same time take turns, so the second one sees the first.
    await lockPerson(tx, userId)
    const refusal = await findRefusal(tx, { userId, qualificationId: form.qualification, expiresAt, now })
    if (refusal) return { ok: false, field: 'qualification', reason: refusal }
    await keepFile(tx, form.proof, now)
    const data = {
      qualification_id: form.qualification,
      event_id: null,
      expires: expiresAt?.toISOString() ?? null,
      acquired: form.acquired,
      ...(form.note ? { note: form.note } : {}),
    }
    const id = await createRequest(tx, context, { kind: QUALIFICATION_REQUEST, userId, data })
    await tx.insertInto('qualification_proof').values({ request_id: id, file_id: form.proof.id }).execute()
    return { ok: true }
  })
}

type Asked = { userId: number; qualificationId: number; expiresAt: Date | null; now: Date }

async function findRefusal(tx: Tx, { userId, qualificationId, expiresAt, now }: Asked) {
  const found = await rowsOf(tx).first(sql<{
    title: string
    is_held: boolean
    expires_at: Date | null
    external: boolean | null
    asked: number
    open: number
  }>`
    select q.title, g.user_id is not null as is_held, g.expires_at, g.externally_managed as external,
      (count(r.id) filter (where r.data ->> 'qualification_id' = q.id::text))::int as asked, count(r.id)::int as open
    from qualification q left join qualification_grant g on g.qualification_id = q.id and g.user_id = ${userId}
      left join decision_request r on r.user_id = ${userId} and r.kind = ${QUALIFICATION_REQUEST} and r.state in ('open', 'failed')
    where q.id = ${qualificationId} group by q.id, q.title, g.user_id, g.expires_at, g.externally_managed`)
  if (!found) return 'unknown'
  if (found.asked) return 'asked'
  if (found.open >= MAX_OPEN_REQUESTS) return 'too_many'
  const held = found.is_held ? { expiresAt: found.expires_at, isExternal: found.external === true } : undefined
  return refuseAsking(held, expiresAt, now)
}

/** Requests for qualifications, by people and by events. */
export const qualificationRequest: RequestKind = {
  name: QUALIFICATION_REQUEST,
  icon: 'award',
  isDecider: decidesQualifications,
  isDecidedBy: decidesQualification,
  details: requestNames,
  describe: (words, { id, data, details: { title, event, proof } }) => {
    const asked = readAsked(data)
    if (!asked || typeof title !== 'string') return { text: words.t('qualreq.unreadable') }
    const validity = asked.expiresAt
      ? words.t('qualreq.until', { date: words.date(asked.expiresAt) })
      : words.t('qualreq.unlimited')
    const dayText = (day: string) => words.date(startOfDay(day, words.timeZone))
    const parts = [
      words.t('qualreq.line', { title, validity }),
      ...(asked.acquiredOn ? [words.t('qualreq.acquired_on', { date: dayText(asked.acquiredOn) })] : []),
      ...(asked.eventId === undefined ? [] : [words.t('qualreq.from_event', { event: event ?? '–' })]),
      ...(asked.note ? [words.t('qualreq.note_is', { note: asked.note })] : []),
    ]
    const link = proof ? { href: `/requests/${id}/proof/`, label: words.t('qualreq.open_proof', { name: proof }) } : undefined
    return { text: parts.join(' '), link }
  },
  apply: async (tx, context, { id, user_id, data }) => {
    const asked = readAsked(data)
    if (!asked) return { ok: false, reason: 'The request names no qualification.' }
    const { qualificationId, expiresAt } = asked
    await lockPerson(tx, user_id)
    const outcome = await extendQualification(tx, context, { userId: user_id, qualificationId, expiresAt, requestId: id })
    if (outcome === 'unknown') return { ok: false, reason: 'The qualification does not exist any more.' }
    if (outcome === 'external') return { ok: false, reason: 'An identity provider manages this qualification.' }
    return { ok: true }
  },
}

const KEEP_PROOF_DAYS = 90

/** Deletes proofs of requests that were decided or withdrawn more than 90 days ago. */
export async function deleteOldProofs({ write }: Pick<Database, 'write'>, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEEP_PROOF_DAYS * 24 * 3600_000)
  await transact(write, async (tx) => {
    const { rows } = await sql<{ request: number; user_id: number; file_id: string }>`
      delete from qualification_proof p using decision_request r
      where r.id = p.request_id and r.state in ('granted', 'refused', 'withdrawn') and r.decided_at < ${before}
      returning r.id as request, r.user_id, p.file_id`.execute(tx)
    for (const { request, user_id } of rows)
      await record(
        tx,
        { actor: ANONYMOUS, now, requestId: null },
        { kind: 'request.proof_deleted', subject: { kind: 'user', id: user_id }, changes: { request } },
      )
    await deleteFiles(
      tx,
      rows.map(({ file_id }) => file_id),
    )
  })
}

/** Before the requests of a deleted person are deleted. */
export async function deleteProofsOf(tx: Tx, userId: number): Promise<void> {
  const { rows } = await sql<{ file_id: string }>`
    delete from qualification_proof p using decision_request r where r.id = p.request_id and r.user_id = ${userId}
    returning p.file_id`.execute(tx)
  await deleteFiles(
    tx,
    rows.map(({ file_id }) => file_id),
  )
}
