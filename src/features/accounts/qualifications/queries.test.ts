import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { openWorld, type Qualification } from '#test/support/world.ts'
import { topQualificationsOf } from './queries.ts'

describe('qualifications shown next to a name', async () => {
  const { db, ...world } = await openWorld().then((opened) => ({
    db: opened.db,
    addQualification: opened.addQualification.bind(opened),
  }))
  const CASES: [what: string, held: string, edges: string, hidden: string, shown: string[]][] = [
    ['nothing held', '', 'b a>b', '', []],
    ['the highest alone', 'ab', 'b a>b', '', ['a']],
    ['what is held only through another does not show', 'a', 'b a>b', '', ['a']],
    ['two that have nothing to do with each other', 'ac', 'b c a>b', '', ['a', 'c']],
    ['a hidden one gives way to those below', 'a', 'b c a>bc', 'a', ['b', 'c']],
    ['hidden ones on two levels', 'a', 'c b>c a>b', 'ab', ['c']],
    ['below a hidden one, but also below a shown one', 'ad', 'b a>b d>b', 'a', ['d']],
    ['a hidden one between two shown', 'a', 'c b>c a>b', 'b', ['a']],
    ['all hidden', 'a', 'b a>b', 'ab', []],
  ]
  for (const [what, held, edges, hidden, shown] of CASES)
    test(what, async () => {
      const made = new Map<string, Qualification>()
      for (const edge of edges.split(' ')) {
        const [name, below = ''] = edge.split('>') as [string, string?]
        const one = await world.addQualification(
          name,
          [...below].map((each) => made.get(each)!),
        )
        made.set(name, one)
        const values = { show_with_user: !hidden.includes(name) }
        await db.write.updateTable('qualification_category').set(values).where('uuid', '=', one.category).execute()
      }
      const ids = [...held].map((name) => made.get(name)!.id)
      const { rows } = await sql<{ title: string }>`
        select title from (${topQualificationsOf(sql`select unnest(${ids}::bigint[])`)}) q order by title`.execute(db.read)
      assert.deepEqual(
        rows.map(({ title }) => title),
        shown,
      )
    })
})
