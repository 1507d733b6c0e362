import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbedded } from '#platform/db/embedded/embedded.ts'
import { chooseFolder, connect, FOLDER_PREFIX } from './postgres-server.ts'

const SETTINGS = { fsync: 'off', full_page_writes: 'off', wal_level: 'replica', max_wal_senders: '4' }

/** A primary and a standby that streams from it; `asSuperuser` runs a statement on one of them. */
export async function startReplication() {
  const dir = mkdtempSync(join(chooseFolder(), FOLDER_PREFIX))
  const [first, second] = [join(dir, 'primary'), join(dir, 'standby')]
  const initial = await startEmbedded(first, { settings: SETTINGS })
  await initial.stop()
  const rules = join(first, 'postgres/pg_hba.conf')
  writeFileSync(rules, `local all postgres trust\nlocal replication postgres trust\n${readFileSync(rules, 'utf8')}`)
  // A server that is stopped can be copied as it is; the binaries contain no pg_basebackup.
  execFileSync('cp', ['-a', first, second])
  writeFileSync(join(second, 'postgres/standby.signal'), '')
  const primary = await startEmbedded(first, { settings: SETTINGS })
  const host = new URL(primary.url).searchParams.get('host')!
  const standby = await startEmbedded(second, { settings: { ...SETTINGS, primary_conninfo: `host=${host} user=postgres` } })
  const asSuperuser = async (url: string, sql: string) => {
    const address = Object.assign(new URL(url), { username: 'postgres', password: '' }).href
    const client = await connect(address)
    const { rows } = await client.query(sql)
    await client.end()
    return rows
  }
  return {
    primary,
    standby,
    asSuperuser,
    stop: async () => {
      await standby.stop()
      await primary.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
