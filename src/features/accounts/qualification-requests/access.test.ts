import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { type Actor, ANONYMOUS } from '#platform/auth/actor.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import type { Condition } from '#platform/db/conditions.ts'
import { actorOf } from '#test/support/command-context.ts'
import { ANN, BEN, OLGA, PAUL } from '#test/support/people.ts'
import { openRecords } from '#test/support/records.ts'
import { decidesQualification, seesProof } from './access.ts'

const withPermission = (permission: Permission) => actorOf(BEN, { permissions: new Set([permission]) })

describe('a request of Ann for a qualification', async () => {
  const records = await openRecords()
  const { id: eventId } = await records.addEvent({ responsible: [PAUL] })
  /** For a request after the event, and for one without an event. */
  const holds = (condition: Condition) =>
    Promise.all(
      [{ event_id: eventId }, {}].map(async (data) => {
        const { rows } = await sql`select from (select ${ANN.id}::bigint as user_id, ${JSON.stringify(data)}::jsonb as data) r
          where ${condition}`.execute(records.db.write)
        return rows.length === 1
      }),
    )

  type Both = [afterEvent: boolean, withoutEvent: boolean]
  const CASES: [who: string, actor: Actor, decides: Both, sees: Both][] = [
    ['herself', actorOf(ANN), [false, false], [true, true]],
    ['another person', actorOf(BEN), [false, false], [false, false]],
    ['who is responsible for the event', actorOf(PAUL), [true, false], [true, false]],
    ['who changes all events', withPermission('change_event'), [true, false], [true, false]],
    ['who changes people', withPermission('change_user'), [true, true], [true, true]],
    ['who views people', withPermission('view_user'), [false, false], [false, false]],
    ['a superuser', actorOf(OLGA), [true, true], [true, true]],
    ['nobody', ANONYMOUS, [false, false], [false, false]],
  ]
  for (const [who, actor, decides, sees] of CASES)
    test(`decisions and proofs for ${who}`, async () => {
      assert.deepEqual(await holds(decidesQualification(actor)), decides)
      assert.deepEqual(await holds(seesProof(actor)), sees)
    })
})
