import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { contextAs } from '#test/support/command-context.ts'
import { HELPERS, PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { sendMessage } from './commands.ts'

/** Their notifications have more values than one statement may have. */
const MANY = 4_500

describe('sending a message', async () => {
  const world = await openWorld()
  const { write } = world.db
  const event = await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts: [{}] })

  test('reaches everybody of a large organisation', async () => {
    await sql`
      with added as (
        insert into user_profile (email, display_name, created_at)
        select 'many' || n || '@demo.example', 'Helper ' || n, ${world.now} from generate_series(1, ${MANY}::int) n returning id)
      insert into user_group_member (group_id, user_id) select ${HELPERS.id}, id from added`.execute(write)
    const choice = { groups: new Set(['unanswered' as const]), people: new Set<string>(), shiftId: undefined }
    const message = { eventId: event.id, choice, subject: 'Rain', text: 'Bring boots.' }
    const { recipients } = await sendMessage(contextAs(world, PAUL), message)
    assert.ok(recipients >= MANY)
    const stored = await write
      .selectFrom('notification')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('kind', '=', 'event_message')
      .executeTakeFirstOrThrow()
    assert.equal(Number(stored.count), recipients)
  })
})
