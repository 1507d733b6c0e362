import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { contextAs } from '#test/support/command-context.ts'
import { HELPERS, PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { CANDIDATES_AT_ONCE, chooseInTurns, notifyNext, sendMessage } from './commands.ts'
import { messageTasks } from './jobs.ts'
import { findSentMessages } from './queries.ts'
import { type Candidate, chooseRecipients, type RecipientGroup } from './rules.ts'
import { MESSAGE_TASK } from './schema.ts'

/** More than the command notifies itself. */
const MANY = CANDIDATES_AT_ONCE + 500

describe('sending a message', async () => {
  const world = await openWorld()
  const { write } = world.db
  const event = await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts: [{}] })

  const choice = { groups: new Set(['unanswered' as const]), people: new Set<string>(), shiftId: undefined }
  const message = { eventId: event.id, choice, subject: 'Rain', text: 'Bring boots.' }
  const at = contextAs(world, PAUL)
  const countNotified = async (messageId: number) => {
    const rows = await write.selectFrom('notification').select('user_id').where('message_id', '=', messageId).execute()
    assert.equal(new Set(rows.map(({ user_id }) => user_id)).size, rows.length)
    return rows.length
  }
  const lastMessage = async () => {
    const { rows } = await sql<{ id: number; waiting: number[] }>`
      select id, waiting_user_ids as waiting from event_message order by id desc limit 1`.execute(write)
    return rows[0]!
  }
  const countJobs = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from graphile_worker.jobs where task_identifier = ${MESSAGE_TASK}`.execute(write)
    return rows[0]!.count
  }

  test('to a few notifies them at once', async () => {
    const { recipients } = await sendMessage(contextAs(world, PAUL), message)
    const { id, waiting } = await lastMessage()
    assert.deepEqual([await countNotified(id), waiting, await countJobs()], [recipients, [], 0])
    assert.equal(await notifyNext(write, id, at), 0)
    assert.equal(await countNotified(id), recipients)
  })

  test('reaches everybody of a large organisation, the rest by a job, each once', async () => {
    const { rows: added } = await sql<{ id: number }>`
      with added as (
        insert into user_profile (email, display_name, created_at)
        select 'many' || n || '@demo.example', 'Helper ' || n, ${world.now} from generate_series(1, ${MANY}::int) n returning id),
      joined as (insert into user_group_member (group_id, user_id) select ${HELPERS.id}, id from added)
      select id from added`.execute(write)
    const { recipients } = await sendMessage(contextAs(world, PAUL), message)
    assert.ok(recipients >= MANY)
    const { id, waiting } = await lastMessage()
    assert.deepEqual(
      [await countNotified(id), waiting.length, await countJobs()],
      [CANDIDATES_AT_ONCE, recipients - CANDIDATES_AT_ONCE, 1],
    )
    const [listed] = await findSentMessages(write, event.id)
    assert.deepEqual([listed?.total, listed?.waiting], [recipients, recipients])
    // Whose account was deleted or switched off since gets nothing.
    const own = new Set(added.map((row) => row.id))
    const [gone, off] = waiting.filter((userId) => own.has(userId)).slice(-2)
    await sql`delete from user_profile where id = ${gone}`.execute(write)
    await sql`update user_profile set is_active = false where id = ${off}`.execute(write)
    assert.equal(await notifyNext(write, id, at, 200), waiting.length - 200)
    assert.equal(await countNotified(id), CANDIDATES_AT_ONCE + 200)
    assert.deepEqual((await lastMessage()).waiting, waiting.slice(200))
    const [task] = messageTasks({ db: world.db, clock: { now: () => world.now }, site: at.site })
    await task!.run({ messageId: id })
    assert.equal(await countNotified(id), recipients - 2)
    assert.deepEqual((await lastMessage()).waiting, [])
    // A job may run twice.
    await task!.run({ messageId: id })
    assert.equal(await countNotified(id), recipients - 2)
  })

  test('that was deleted meanwhile is sent to nobody', async () => {
    assert.equal(await notifyNext(write, 2 ** 31, at), 0)
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
