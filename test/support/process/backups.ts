import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { attachEmbedded } from '#platform/db/embedded/embedded.ts'
import { type Database, openDatabase } from '#platform/db/pool.ts'
import { Visitor } from './http-client.ts'
import { newDataDir, startTryOut, turnout, until } from './processes.ts'

export type BackupRound = { round: number; rows: number; written: number; backupMs: number }

const WRITERS = 3
/** Without pauses, clients take the processor from the backup. A sign-in takes much longer than a row. */
const WRITE_PAUSE_MS = 10
const SIGN_IN_PAUSE_MS = 200
const SITE_URL = 'http://localhost:8000'
const BACKUP_PASSPHRASE = 'seven quiet lamps'

/** Only guards against hanging: on a loaded machine a statement takes longer than in production. */
const timeouts = { statementTimeoutMs: 300_000, connectionTimeoutMs: 300_000 }

type Load = { isOver: boolean; written: number }

/** Backs up during sign-ins and changes of participations; restores each copy, runs `doctor` on it and signs in. */
export async function* backUpUnderLoad(rounds: number): AsyncGenerator<BackupRound> {
  const server = await startTryOut({ RATE_LIMIT: 'off' })
  const [, email, password] = /(ann@demo\.example) +(\S+)$/m.exec(server.stdout())!
  const signIn = async (origin: string) => (await new Visitor(origin).signIn(email!, password!)).status
  for (let round = 1; round <= rounds; round++) {
    const path = join(newDataDir(), 'loaded.backup')
    const { stderr, written, backupMs } = await underLoad(server.dataDir, () => signIn(server.origin), path)
    const copy = { DATA_DIR: newDataDir(), SITE_URL, BACKUP_PASSPHRASE }
    const restored = await turnout(['restore', path], copy)
    assert.equal(restored.code, 0, restored.stderr)
    assert.deepEqual(await turnout(['doctor'], copy), { code: 0, stdout: '', stderr: 'no findings\n' })
    assert.deepEqual(await findIncomplete(copy.DATA_DIR), [], 'the copy has both rows of a transaction or none')
    const second = await startTryOut({ DATA_DIR: copy.DATA_DIR })
    assert.equal(await signIn(second.origin), 303)
    assert.equal(await second.stop(), 0)
    yield { round, rows: Number(/Backup of (\d+) rows/.exec(stderr)![1]), written, backupMs }
  }
  assert.equal(await server.stop(), 0)
}

async function underLoad(dataDir: string, signIn: () => Promise<number>, path: string) {
  const attached = await attachEmbedded(dataDir)
  const db = openDatabase({ url: attached.url, writes: WRITERS, timeouts })
  const load: Load = { isOver: false, written: 0 }
  try {
    const working = Promise.all([
      ...Array.from({ length: WRITERS }, (_, n) => addAndDelete(db, n, load)),
      repeat(load, SIGN_IN_PAUSE_MS, async () => assert.equal(await signIn(), 303)),
    ])
    working.catch(() => {}) // awaited below
    await until('all clients write', () => load.written > 10 * WRITERS)
    const [since, before] = [performance.now(), load.written]
    const { code, stderr } = await turnout(['backup', path], { DATA_DIR: dataDir, SITE_URL, BACKUP_PASSPHRASE })
    const outcome = { stderr, written: load.written - before, backupMs: Math.round(performance.now() - since) }
    load.isOver = true
    await working
    assert.equal(code, 0, stderr)
    assert.ok(outcome.written > 0, 'nothing was written during the backup')
    return outcome
  } finally {
    load.isOver = true
    await db.close()
    await attached.stop()
  }
}

async function repeat(load: Load, pauseMs: number, work: () => Promise<void>): Promise<void> {
  while (!load.isOver) {
    await work()
    load.written++
    await sleep(pauseMs)
  }
}

/**
 * Inserts a participation and its comment in one transaction and deletes both in another: a backup reads the two tables at different times.
 * Only in past shifts: `doctor` compares the statistics of future ones, which this does not write.
 */
function addAndDelete({ write }: Database, writer: number, load: Load): Promise<void> {
  return repeat(load, WRITE_PAUSE_MS, async () => {
    const name = `under load ${writer} ${load.written}-${performance.now()}`
    await write.transaction().execute(async (tx) => {
      await sql`with added as (
          insert into participation (shift_id, kind, placeholder_name, state)
          select id, 'placeholder', ${name}, 1 from shift where end_time < now() order by random() limit 1 returning id)
        insert into participation_comment (participation_id, author_kind, text, visible_for, created_at)
        select id, 'responsible', ${name}, 0, now() from added`.execute(tx)
    })
    if (load.written % 2)
      await write.transaction().execute(async (tx) => {
        await sql`delete from participation_comment where text like ${`under load ${writer} %`}`.execute(tx)
        await sql`delete from participation where placeholder_name like ${`under load ${writer} %`}`.execute(tx)
      })
  })
}

async function findIncomplete(dataDir: string): Promise<unknown[]> {
  const attached = await attachEmbedded(dataDir)
  const db = openDatabase({ url: attached.url, timeouts })
  try {
    const { rows } = await sql`
      select participation.id as participation, comment.id as comment
      from (select * from participation where placeholder_name like 'under load%') participation
        full join (select * from participation_comment where text like 'under load%') comment
        on comment.participation_id = participation.id
      where participation.id is null or comment.id is null`.execute(db.read)
    return rows
  } finally {
    await db.close()
    await attached.stop()
  }
}
