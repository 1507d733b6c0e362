import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { actorOf } from '#test/support/command-context.ts'
import { ANN, BEN } from '#test/support/people.ts'
import { openRecords } from '#test/support/records.ts'
import { decidedBy, detailsOf, type RequestKind } from './access.ts'

describe('requests of several kinds', async () => {
  const { db } = await openRecords()
  const kindOf = (name: string, more: Partial<RequestKind>) => ({ name, isDecidedBy: () => sql`false`, ...more }) as RequestKind
  const boats = kindOf('boat', {
    details: sql`json_build_object('boat', r.data ->> 'name')`,
    isDecidedBy: (actor) => sql`r.data ->> 'owner' = ${actor.displayName}`,
  })
  const keys = kindOf('key', { details: sql`null::json`, isDecidedBy: () => sql`true` })
  const plain = kindOf('plain', {})
  const request = (kind: string) => sql`(select ${kind}::text as kind, '{"name": "Elbe", "owner": "Ann"}'::jsonb as data) r`

  const readDetails = async (kinds: readonly RequestKind[], kind: string) =>
    (await sql<{ details: object }>`select ${detailsOf(kinds)} as details from ${request(kind)}`.execute(db.write)).rows[0]!
      .details
  for (const [what, kinds, kind, expected] of [
    ['of its own kind', [boats, keys, plain], 'boat', { boat: 'Elbe' }],
    ['that are missing', [boats, keys, plain], 'key', {}],
    ['of a kind without any', [boats, keys, plain], 'plain', {}],
    ['of an unknown kind', [boats], 'other', {}],
    ['if no kind has any', [plain], 'plain', {}],
  ] as const)
    test(`have details ${what}: ${JSON.stringify(expected)}`, async () => {
      assert.deepEqual(await readDetails(kinds, kind), expected)
    })

  const isDecided = async (kinds: readonly RequestKind[], kind: string, person = ANN) =>
    (await sql`select from ${request(kind)} where ${decidedBy(kinds, actorOf(person))}`.execute(db.write)).rows.length === 1
  test('are decided as their own kind says, for each person', async () => {
    assert.equal(await isDecided([boats, keys, plain], 'boat'), true)
    assert.equal(await isDecided([boats, keys, plain], 'boat', BEN), false)
    assert.equal(await isDecided([boats, keys, plain], 'key', BEN), true)
    assert.equal(await isDecided([boats, keys, plain], 'plain'), false)
    assert.equal(await isDecided([boats, keys, plain], 'other'), false)
  })
})
