import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { contextAs } from '#test/support/command-context.ts'
import { HELPERS, PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { CANDIDATES_AT_ONCE, chooseInTurns, sendMessage } from './commands.ts'
import { type Candidate, chooseRecipients, type RecipientGroup } from './rules.ts'

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

test('many people are chosen in their order, and the event loop turns meanwhile', async () => {
  const many = Array.from({ length: 2 * CANDIDATES_AT_ONCE + 1 }, (_, index): Candidate => {
    return {
      key: `u${index}`,
      name: '',
      noMail: index % 3 === 0 ? 'address' : null,
      isInvited: index % 2 === 0,
      participations: [],
    }
  })
  const choice = { groups: new Set<RecipientGroup>(['unanswered']), shiftId: undefined, people: new Set(['u7']) }
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const chosen = await chooseInTurns(many, choice)
  isDone = true
  assert.deepEqual(chosen, chooseRecipients(many, choice))
  assert.ok(turns >= 3, `${turns} turns`)
})
