import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { loadBulk } from '#demo/bulk.ts'
import { SCOPES } from '#platform/auth/scopes.ts'
import type { Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const EVENTS = 20_000
const LARGE = ['event', 'shift', 'participation', 'user_profile']

type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: Plan[] }
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

describe(`modified_since with ${EVENTS} events`, async () => {
  const world = await openWorld({ empty: true })
  const { db, now, app } = world
  const passwords = { olga: 'not used', paul: 'not used', ann: 'not used' }
  const { timeZone, keyring } = app.site
  await loadBulk({ db, language: 'de', now, seed: 'plans', events: EVENTS, timeZone, keyring, passwords })
  // As many people as no organisation has, so that their table is large, too.
  await sql`insert into user_profile (display_name, email) select 'Person', 'person-' || n || '@a.example'
    from generate_series(1, ${EVENTS}) n`.execute(db.write)
  await vacuum()
  /** Again while a snapshot of another connection keeps pages from being marked: the planner relies on the marks. */
  async function vacuum(): Promise<void> {
    for (let attempt = 0; attempt < 20; attempt++) {
      await sql`vacuum analyze user_profile`.execute(db.write)
      const { rows } = await sql<{ isMarked: boolean }>`
        select relallvisible = relpages as "isMarked" from pg_class where relname = 'user_profile'`.execute(db.write)
      if (rows[0]!.isMarked) return
    }
  }
  const find = async (email: string) =>
    (await db.read.selectFrom('user_profile').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id
  const personOf = async (name: string) =>
    ({ kind: 'person', id: await find(`${name}@demo.example`), name, email: `${name}@demo.example` }) as Person
  const callers = { volunteer: await personOf('ann'), administrator: await personOf('olga') }

  /** Statements of one request that compare a time of modification. */
  async function statementsOf(person: Person, path: string): Promise<string[]> {
    const caller = world.as(person, ...SCOPES)
    const statements: string[] = []
    const original = pg.Client.prototype.query
    pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
      const text = (args[0] as { text?: string } | null)?.text
      if (text?.includes('modified_at >=')) statements.push(text)
      return Reflect.apply(original, this, args)
    } as typeof original
    try {
      assert.equal((await caller.get(path)).status, 200)
    } finally {
      pg.Client.prototype.query = original
    }
    return statements
  }

  for (const [name, person] of Object.entries(callers))
    for (const list of ['events', 'shifts', 'participations', 'users/me/participations', 'users'])
      for (const paging of ['limit=50', 'limit=50&cursor=']) {
        if (list === 'users' && name === 'volunteer') continue
        test(`${list} for a ${name} by ${paging} reads an index and not all rows`, async () => {
          const statements = await statementsOf(person, `/api/${list}/?${paging}&modified_since=2031-04-30T00:00:00Z`)
          assert.ok(statements.length, 'no statement was recorded')
          for (const statement of statements) {
            const { rows } = await db.readPool.query(`explain (generic_plan, format json) ${statement}`)
            const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan)
            const scanned = nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name'] ?? '')
            assert.deepEqual(
              scanned.filter((table) => LARGE.includes(table)),
              [],
              JSON.stringify(rows[0]['QUERY PLAN'][0].Plan),
            )
            assert.ok(
              nodes.some((node) => /_modified_idx$/.test(node['Index Name'] ?? '')),
              nodes.map((node) => node['Index Name'] ?? '').join(' '),
            )
          }
        })
      }
})
