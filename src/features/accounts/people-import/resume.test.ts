import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#platform/db/transaction.ts'
import { readSpreadsheet } from '#platform/spreadsheet/read.ts'
import { actorOf, contextOf } from '#test/support/command-context.ts'
import { OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { resumeImports } from './commands/resume.ts'
import { startImport } from './commands/start.ts'
import { peopleImportTasks } from './jobs.ts'

describe('a list whose process was killed', async () => {
  const world = await openWorld()
  const task = peopleImportTasks({ db: world.db, clock: { now: () => world.now }, site: world.app.site })[0]!
  const stateOf = async (id: number) =>
    await world.db.write.selectFrom('people_import').select(['state', 'refusal']).where('id', '=', id).executeTakeFirstOrThrow()
  const addList = async (state: 'running' | 'undoing' | 'waiting', locked: 'locked' | 'waiting' | 'none') => {
    const context = contextOf(world, actorOf(OLGA))
    const content = Buffer.from('Name;Email\nIda;ida@club.example\n')
    const id = await startImport(context, { fileName: 'members.csv', spreadsheet: await readSpreadsheet(content) })
    await world.db.write.updateTable('people_import').set({ state }).where('id', '=', id).execute()
    if (locked === 'none') return id
    await sql`select graphile_worker.add_job('people_import', ${JSON.stringify({ id, by: OLGA.id })}::json)`.execute(
      world.db.write,
    )
    if (locked === 'locked')
      await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'dead', attempts = 1 where payload->>'id' = ${String(id)}`.execute(
        world.db.write,
      )
    return id
  }
  const freeJobs = async (id: number) =>
    (
      await sql<{ payload: Record<string, unknown> }>`
        select payload from graphile_worker._private_jobs where payload->>'id' = ${String(id)} and locked_at is null`.execute(
        world.db.write,
      )
    ).rows.map(({ payload }) => payload)

  beforeEach(async () => {
    await sql`delete from graphile_worker._private_jobs`.execute(world.db.write)
    await world.db.write.deleteFrom('people_import').execute()
  })

  test('is started again once, for the same person', async () => {
    const id = await addList('running', 'locked')
    await resumeImports(world.db.write)
    await resumeImports(world.db.write)
    assert.deepEqual(await freeJobs(id), [{ id, by: OLGA.id }])
    await task.run((await freeJobs(id))[0]!)
    assert.deepEqual(await stateOf(id), { state: 'applied', refusal: null })
    const people = world.db.read.selectFrom('user_profile').select('display_name').where('email', '=', 'ida@club.example')
    assert.deepEqual(await people.execute(), [{ display_name: 'Ida' }])
  })

  test('is opened again if no job is left, and an undo can be repeated', async () => {
    const running = await addList('running', 'none')
    const undoing = await addList('undoing', 'none')
    await resumeImports(world.db.write)
    assert.deepEqual(await stateOf(running), { state: 'open', refusal: 'failed' })
    assert.equal((await stateOf(undoing)).state, 'applied')
  })

  test('stays as it is if a job waits for it, or if it has not begun', async () => {
    const id = await addList('running', 'waiting')
    const waiting = await addList('waiting', 'locked')
    await resumeImports(world.db.write)
    assert.equal((await freeJobs(id)).length, 1)
    assert.equal((await freeJobs(waiting)).length, 0)
    assert.equal((await stateOf(waiting)).state, 'waiting')
  })

  test('is left alone while a process works on it; without the lock it would be started twice', async () => {
    const id = await addList('running', 'locked')
    await transact(world.db.write, async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtext('turnout.people_import'))`.execute(tx)
      await resumeImports(world.db.write)
      assert.deepEqual(await freeJobs(id), [])
      await resumeImports(world.db.write, async () => true)
      assert.equal((await freeJobs(id)).length, 1)
    })
  })
})
