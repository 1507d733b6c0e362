import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { migrate } from '#platform/db/migrate.ts'
import { ANN } from '#test/support/people.ts'
import { startReplication } from '#test/support/standby.ts'
import { openWorld } from '#test/support/world.ts'

/** A world whose reads go to a standby, and functions that stop and continue the replay there. */
async function openReplicatedWorld() {
  const servers = await startReplication()
  await migrate({ url: servers.primary.url })
  const database = { url: servers.primary.url, readUrl: servers.standby.url, drop: servers.stop }
  const world = await openWorld({ database })
  const isStandbyUsed = async () =>
    (await sql<{ yes: boolean }>`select pg_is_in_recovery() as yes`.execute(await world.db.chooseReader())).rows[0]!.yes
  const untilStandbyIsUsed = async () => {
    while (!(await isStandbyUsed())) await world.db.replicas!.poll()
  }
  const pause = () => servers.asSuperuser(servers.standby.url, 'select pg_wal_replay_pause()')
  const resume = () => servers.asSuperuser(servers.standby.url, 'select pg_wal_replay_resume()')
  return { world, untilStandbyIsUsed, pause, resume }
}

test('lists, records and their ETags are those of the primary while the standby is behind', async () => {
  const { world, untilStandbyIsUsed, pause, resume } = await openReplicatedWorld()
  const { id } = await world.addEvent({ title: 'Before', seenBy: [ANN] })
  const ann = world.as(ANN, 'PUBLIC_READ')
  await ann.get('/api/events/')
  await untilStandbyIsUsed()
  const list = await ann.get('/api/events/')
  const headers = { 'if-none-match': list.headers.etag! }
  assert.deepEqual([list.body.results[0].title, (await ann.get('/api/events/', { headers })).status], ['Before', 304])
  await pause()
  await world.db.write.updateTable('event').set({ title: 'After' }).where('id', '=', id).execute()
  const changed = await ann.get('/api/events/', { headers })
  assert.deepEqual([changed.status, changed.body.results[0].title], [200, 'After'])
  assert.equal((await ann.get(`/api/events/${id}/`)).body.title, 'After')
  await resume()
  await untilStandbyIsUsed()
  assert.equal((await ann.get('/api/events/', { headers: { 'if-none-match': changed.headers.etag! } })).status, 304)
})
