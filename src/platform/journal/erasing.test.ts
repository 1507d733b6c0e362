import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { type Actor, type GuestActor, makeActor, type UserActor, type VisitorActor } from '#platform/auth/actor.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { freshDatabase, openTestDatabase } from '#test/support/database.ts'
import { findLaterEntries, findOldEntries } from './entries.ts'
import {
  clearFieldInJournal,
  deleteOldEntries,
  type Entry,
  eraseActors,
  erasePeople,
  erasePerson,
  record,
  redactJournal,
} from './journal.ts'

const { url } = await freshDatabase()
const db = openTestDatabase({ url })
after(db.close)
beforeEach(() => db.write.deleteFrom('journal').execute())

const NOW = new Date('2031-05-04T08:00:00Z')
const offset = (ms: number) => new Date(NOW.getTime() + ms)
const ann = makeActor<UserActor>({ kind: 'user', userId: 7, via: { kind: 'session' } } as UserActor)
const visitor = (visitorId: number) => makeActor<VisitorActor>({ kind: 'visitor', visitorId } as VisitorActor)
const guest = (guestId: number) => makeActor<GuestActor>({ kind: 'guest', guestId } as GuestActor)
const MOVED: Entry<'participation.moved'> = {
  kind: 'participation.moved',
  subject: { kind: 'participation', id: 31 },
  changes: {},
}
const ANSWERS = { answers: [{}, { 1: 'vegan' }] as [object, object] }
type Values = NonNullable<Entry<'participation.moved'>['personal']>['values']
const about = (personId: number | null, values: object = ANSWERS): Entry => ({
  ...MOVED,
  personal: { personId, values: values as Values },
})
const write = (entry: Entry, actor: Actor = ann, now = NOW) =>
  transact(db.write, (tx) => record(tx, { actor, now, requestId: null }, entry))
const run = (step: (tx: Tx) => Promise<void>) => transact(db.write, step)
const rows = () => db.read.selectFrom('journal').selectAll().orderBy('id').execute()
/** Entries whose personal values are still there. */
const kept = async () => (await rows()).filter(({ personal }) => personal !== null).map(({ id }) => id)

test('visitors, guests and guardians are named as actors', async () => {
  const mother = makeActor<UserActor>({
    kind: 'user',
    via: { kind: 'session' },
    userId: 7,
    by: { userId: 9, displayName: 'Eva' },
  } as UserActor)
  for (const actor of [visitor(4), guest(5), mother]) await write({ ...MOVED, changes: { state: [0, 1] } }, actor)
  assert.deepEqual(
    (await rows()).map(({ actor_kind, actor_id, changes }) => [actor_kind, actor_id, changes]),
    [
      ['visitor', 4, { state: [0, 1] }],
      ['guest', 5, { state: [0, 1] }],
      ['user', 9, { state: [0, 1], acted_for_id: 7 }],
    ],
  )
})

test('values about one person are erased, those about others stay', async () => {
  const [first, second] = [await write(about(7)), await write(about(8))]
  const third = await write(about(null))
  await run((tx) => erasePerson(tx, 7))
  assert.deepEqual(await kept(), [second, third])
  assert.deepEqual(
    (await rows()).map(({ id, person_id }) => [id, person_id]),
    [
      [first, 7],
      [second, 8],
      [third, null],
    ],
    'the entries remain',
  )
})

test('values about many people are erased at once', async () => {
  const ids = [await write(about(7)), await write(about(8)), await write(about(9))]
  await run((tx) => erasePeople(tx, [7, 9]))
  assert.deepEqual(await kept(), [ids[1]])
  await run((tx) => erasePeople(tx, []))
  assert.deepEqual(await kept(), [ids[1]])
})

test('one value is removed, of these people only', async () => {
  const both = { ...ANSWERS, comment: [null, 'late'] }
  for (const [person, values] of [
    [7, both],
    [8, both],
    [7, ANSWERS],
  ] as const)
    await write(about(person, values))
  await run((tx) => clearFieldInJournal(tx, [7], 'comment'))
  assert.deepEqual(
    (await rows()).map(({ personal }) => personal),
    [ANSWERS, both, ANSWERS],
  )
})

test('what visitors or guests did loses its personal values, by kind and id', async () => {
  const entries = []
  for (const actor of [visitor(4), visitor(5), guest(4), ann]) entries.push(await write(about(null), actor))
  await run((tx) => eraseActors(tx, 'visitor', []))
  assert.deepEqual(await kept(), entries)
  await run((tx) => eraseActors(tx, 'visitor', [4]))
  assert.deepEqual(await kept(), entries.slice(1))
  await run((tx) => eraseActors(tx, 'guest', [4, 5]))
  assert.deepEqual(await kept(), [entries[1], entries[3]])
})

test('names are replaced in changes and in personal values, wherever they occur', async () => {
  await write(about(7, { comment: ['Ann Ash', 'Ann Ash is late'] }))
  await write({ kind: 'group.created', subject: { kind: 'group', id: 1 }, changes: { name: 'Ann Ash' } } as never)
  await write(about(8, { comment: [null, 'Ben'] }))
  await run((tx) => redactJournal(tx, 'Ann Ash', '…'))
  assert.deepEqual(
    (await rows()).map(({ changes, personal }) => [changes, personal]),
    [
      [{}, { comment: ['…', '… is late'] }],
      [{ name: '…' }, null],
      [{}, { comment: [null, 'Ben'] }],
    ],
  )
})

test('entries before a time are counted and deleted, that of the time itself stays', async () => {
  assert.deepEqual(await findOldEntries(db.read, NOW), { count: 0, oldest: null })
  await write(MOVED, ann, offset(-2))
  await write(MOVED, ann, offset(-1))
  const last = [await write(MOVED), await write(MOVED, ann, offset(1))]
  assert.deepEqual(await findOldEntries(db.read, NOW), { count: 2, oldest: offset(-2) })
  assert.equal(await deleteOldEntries(db.write, NOW), 2)
  assert.deepEqual(
    (await rows()).map(({ id }) => id),
    last,
  )
  assert.equal(await deleteOldEntries(db.write, NOW), 0)
})

test('later entries are those about the same subject, oldest first', async () => {
  const subject = (kind: string, id: number) => ({ ...MOVED, subject: { kind, id } }) as Entry
  const earlier = await write(MOVED)
  const entry = (await rows()).find(({ id }) => id === earlier)!
  const second = await write(MOVED)
  await write(subject('participation', 32))
  await write(subject('shift', 31))
  const third = await write(MOVED)
  const later = async (id: number) => (await findLaterEntries(db.read, { ...entry, id } as never)).map((each) => each.id)
  assert.deepEqual(await later(earlier), [second, third])
  assert.deepEqual(await later(second), [third])
  assert.deepEqual(await later(third), [])
})

test('erasing rewrites only entries that have personal values', async () => {
  await write({ ...MOVED, personal: { personId: 7, values: {} } } as Entry)
  await db.write.updateTable('journal').set({ personal: null }).execute()
  await write(MOVED, visitor(4))
  const versions = async () => (await sql<{ xmin: string }>`select xmin::text from journal order by id`.execute(db.read)).rows
  const before = await versions()
  await run((tx) => erasePerson(tx, 7))
  await run((tx) => erasePeople(tx, [7]))
  await run((tx) => eraseActors(tx, 'visitor', [4]))
  assert.deepEqual(await versions(), before)
})

test('more old entries than one step deletes are deleted, and counted', async () => {
  const most = 10_000
  const fill = (count: number) =>
    sql`insert into journal (at, kind, actor_kind, subject_kind, changes)
      select ${offset(-1)}, 'participation.moved', 'system', 'participation', '{}' from generate_series(1, ${count}::int)`.execute(
      db.write,
    )
  for (const count of [most, most + 1]) {
    await fill(count)
    assert.equal(await deleteOldEntries(db.write, NOW), count)
    assert.deepEqual(await rows(), [])
  }
})
