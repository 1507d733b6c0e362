import { sql } from 'kysely'
import { lockEvent } from '#features/planning/planning/commands/events.ts'
import { getPlannedEvent } from '#features/planning/planning/queries/events.ts'
import { findParticipantsOfShifts } from '#features/planning/planning/queries/shifts.ts'
import { stableStringify } from '#features/planning/planning/rules/changes.ts'
import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { findLinks, getProgramme, loadPlan, type Programme } from '../queries/programme.ts'
import { nextRequestAt } from '../rules/following.ts'
import { newsDigest, newsOf, type Plan } from '../rules/plan.ts'
import { applyTimes } from './apply.ts'
import type { Fetched, ReadFile } from './fetch.ts'
import { fileColumns } from './source.ts'

type Following = {
  eventId: number
  /** The address that was requested; nothing is stored if the programme has another one by now. */
  url: string
  fetched: Fetched
  /** In whose name changes of times are applied. */
  automatic?: Actor | undefined
}

/**
 * Stores the result of a request. If the programme has changed: applies what may be applied automatically, and tells the planners about
 * the rest, once.
 */
export function storeFetched(
  context: CommandContext,
  { eventId, url, fetched, automatic }: Following,
  guard: Pick<Guard, 'lockPeople'> = GUARD,
): Promise<void> {
  return transact(context.db, async (tx) => {
    const shiftIds = (await findLinks(tx, eventId)).flatMap(({ shiftId }) => (shiftId === null ? [] : [shiftId]))
    await guard.lockPeople(tx, await findParticipantsOfShifts(tx, shiftIds))
    await lockEvent(tx, eventId)
    const before = await getProgramme(tx, eventId)
    if (!before || before.url !== url) return
    if (fetched.outcome === 'failed') return storeFailure(tx, context, before, fetched.failure)
    await sql`update programme set succeeded_at = ${context.now}, failure = null, failures = 0, next_at = ${nextRequestAt(context.now, 0)}
      where event_id = ${eventId}`.execute(tx)
    if (fetched.outcome === 'unchanged') return
    const { file, etag, lastModified } = fetched
    await tx.updateTable('programme').set({ etag, last_modified: lastModified }).where('event_id', '=', eventId).execute()
    if (stableStringify(file.content) === stableStringify(before.content)) return
    const programme = await storeContent(tx, context, before, file)
    if (automatic && (await getPlannedEvent(tx, automatic, eventId)))
      await applyTimes(tx, { ...context, actor: automatic }, programme)
    await announce(tx, context, programme)
  })
}

async function storeFailure(tx: Tx, { now }: CommandContext, before: Programme, failure: Programme['failure']): Promise<void> {
  const failures = before.failures + 1
  await sql`update programme set failure = ${JSON.stringify(failure)}::jsonb, failures = ${failures}, failed_at = ${now},
    next_at = ${nextRequestAt(now, failures)} where event_id = ${before.eventId}`.execute(tx)
}

async function storeContent(tx: Tx, { now }: CommandContext, before: Programme, file: ReadFile): Promise<Programme> {
  const { eventId } = before
  await tx
    .updateTable('programme')
    .set({ ...fileColumns(file), read_at: now })
    .where('event_id', '=', eventId)
    .execute()
  return { ...before, content: file.content }
}

const countOf = (plan: Plan, verdicts: readonly string[]): number =>
  newsOf(plan).filter(({ verdict }) => verdicts.includes(verdict)).length

/** Planners hear of the same differences once. */
async function announce(tx: Tx, context: CommandContext, programme: Programme): Promise<void> {
  const { eventId } = programme
  const { plan } = await loadPlan(tx, programme, { now: context.now, timeZone: context.site.timeZone })
  const digest = newsDigest(plan)
  const { announced } = (await getProgramme(tx, eventId))!
  if (digest === announced) return
  await tx.updateTable('programme').set({ announced: digest }).where('event_id', '=', eventId).execute()
  if (digest === null) return
  await record(tx, context, {
    kind: 'event.programme_differs',
    subject: { kind: 'event', id: eventId },
    eventId,
    changes: {
      created: [null, countOf(plan, ['new'])],
      changed: [null, countOf(plan, ['changed', 'own'])],
      removed: [null, countOf(plan, ['removed'])],
    },
  })
}
