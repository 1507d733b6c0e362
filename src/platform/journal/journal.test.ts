import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { type Actor, ANONYMOUS, makeActor, type PartnerActor, type UserActor } from '#platform/auth/actor.ts'
import { transact } from '#platform/db/transaction.ts'
import { freshDatabase, openTestDatabase } from '#test/support/database.ts'
import { getEntry, getOwnEntry } from './entries.ts'
import { type Entry, JOURNAL_TASK, record, recordAll, recordEach } from './journal.ts'
import { isListRequest, listRequest } from './list-requests.ts'
import { type JournalEntry, journalTask } from './readers.ts'

const { url } = await freshDatabase()
const db = openTestDatabase({ url })
after(db.close)

const NOW = new Date('2031-05-04T08:00:00Z')
const ann = makeActor<UserActor>({ kind: 'user', userId: 7, via: { kind: 'session' } } as UserActor)
const nord = makeActor<PartnerActor>({ kind: 'partner', federatedGuestId: 3, tokenId: 1 })
const MOVED: Entry<'participation.moved'> = {
  kind: 'participation.moved',
  subject: { kind: 'participation', id: 31 },
  changes: {},
}

const write = (entry: Entry, actor: Actor = ann) =>
  transact(db.write, (tx) => record(tx, { actor, now: NOW, requestId: 'r-1' }, entry))
const entryOf = (id: number) => db.read.selectFrom('journal').selectAll().where('id', '=', id).executeTakeFirst()
const jobs = async () =>
  (await db.readPool.query('select id from graphile_worker.jobs where task_identifier = $1', [JOURNAL_TASK])).rows

test('an entry contains actor, kind, subject, time and request', async () => {
  const id = await write({
    ...MOVED,
    eventId: 12,
    changes: { state: [0, 1] },
    personal: { personId: 7, values: { answers: [{}, { 1: 'vegan' }] } },
  })
  assert.deepEqual(await entryOf(id), {
    id,
    at: NOW,
    kind: 'participation.moved',
    actor_kind: 'user',
    actor_id: 7,
    subject_kind: 'participation',
    subject_id: 31,
    event_id: 12,
    request_id: 'r-1',
    changes: { state: [0, 1] },
    person_id: 7,
    personal: { answers: [{}, { 1: 'vegan' }] },
  })
})

for (const [who, actor, kind, id] of [
  ['a person', ann, 'user', 7],
  ['a partner', nord, 'partner', 3],
  ['nobody', ANONYMOUS, 'system', null],
] as const) {
  test(`an entry of ${who} has the actor kind ${kind}`, async () => {
    const entry = await entryOf(await write(MOVED, actor))
    assert.deepEqual(
      [entry!.actor_kind, entry!.actor_id, entry!.changes, entry!.personal, entry!.person_id],
      [kind, id, {}, null, null],
    )
  })
}

for (const kind of ['moved', 'Participation.Moved', 'a.b.c', 'participation.'] as const) {
  test(`refuses ${kind} for a kind`, async () => {
    await assert.rejects(write({ ...MOVED, kind: kind as typeof MOVED.kind }), { code: '23514' })
  })
}

test('jobs of all versions have one name, because a node of another version may run them', () => {
  assert.equal(JOURNAL_TASK, 'journal')
})

test('an entry and its job are committed and rolled back with the command', async () => {
  const before = (await jobs()).length
  const id = await write(MOVED)
  assert.equal((await jobs()).length, before + 1)
  await assert.rejects(
    transact(db.write, async (tx) => {
      await record(tx, { actor: ann, now: NOW, requestId: null }, MOVED)
      throw new Error('changed my mind')
    }),
    /changed my mind/,
  )
  assert.equal((await jobs()).length, before + 1)
  assert.equal(await entryOf(id + 1), undefined)
})

test('a job passes the entry to the readers of its kind, in order', async () => {
  const id = await write(MOVED)
  const read: string[] = []
  const reader = (name: string, wants: boolean) => ({
    name,
    wants: () => wants,
    read: async (entry: JournalEntry) => {
      read.push(`${name} ${entry.id} ${entry.kind}`)
    },
  })
  const task = journalTask(db.read, [reader('mails', true), reader('webhooks', false), reader('partners', true)])
  assert.equal(task.name, JOURNAL_TASK)
  await task.run({ id })
  assert.deepEqual(read, [`mails ${id} participation.moved`, `partners ${id} participation.moved`])
})

test('a failing reader fails the job; a missing entry does not', async () => {
  const id = await write(MOVED)
  const task = journalTask(db.read, [
    {
      name: 'mails',
      wants: () => true,
      read: async () => {
        throw new Error('no mail today')
      },
    },
  ])
  await assert.rejects(task.run({ id }), /no mail today/)
  await task.run({ id: 999_999 })
})

test('a job reads which modules are on with the entry, before its readers', async () => {
  const id = await write(MOVED)
  const seen: unknown[] = []
  const read = async () => void seen.push('read')
  const task = (stored: unknown) =>
    journalTask(db.read, [{ name: 'mails', wants: () => true, read }], {
      stored: sql`${stored === undefined ? null : JSON.stringify(stored)}::jsonb`,
      set: (found) => void seen.push(found),
    })
  await task({ on: ['hours'] }).run({ id })
  assert.deepEqual(seen.splice(0), [{ on: ['hours'] }, 'read'])
  await task(undefined).run({ id })
  assert.deepEqual(seen.splice(0), ['read'], 'nothing is stored')
  await task({ on: [] }).run({ id: 999_999 })
  assert.deepEqual(seen, [], 'there is no entry')
})

test('entries of a list have one request, another one when it is undone', () => {
  const requests = [false, true].map((isUndo) => listRequest(12, { isUndo }))
  assert.deepEqual(requests, ['list-12', 'list-12-undo'])
  for (const request of requests) assert.equal(isListRequest(request), true)
  for (const request of ['r-1', 'list-', 'list-12-', '-12', 'a list-12']) assert.equal(isListRequest(request), false)
})

test('many entries at once have the same values as single ones, and no jobs', async () => {
  const entry: Entry<'participation.moved'> = {
    ...MOVED,
    eventId: 12,
    changes: { state: [0, 1] },
    personal: { personId: 7, values: { answers: [{}, { 1: 'vegan' }] } },
  }
  const single = await entryOf(await write(entry))
  const before = (await jobs()).length
  await transact(db.write, (tx) => recordAll(tx, { actor: ann, now: NOW, requestId: 'r-1' }, [entry, MOVED]))
  const rows = await db.read.selectFrom('journal').selectAll().where('id', '>', single!.id).orderBy('id').execute()
  assert.deepEqual(
    rows.map(({ id: _id, ...row }) => row),
    [entry, MOVED].map(({ eventId = null, changes, personal }) => ({
      at: single!.at,
      kind: single!.kind,
      actor_kind: 'user',
      actor_id: 7,
      subject_kind: 'participation',
      subject_id: 31,
      event_id: eventId,
      request_id: 'r-1',
      changes,
      person_id: personal?.personId ?? null,
      personal: personal?.values ?? null,
    })),
  )
  assert.equal((await jobs()).length, before)
})

test('entries that one statement writes are those of single ones, in their order, each with a job for its readers', async () => {
  const entry: Entry = { ...MOVED, eventId: 12, changes: { state: [0, 1] } }
  const child = makeActor<UserActor>({ kind: 'user', userId: 8, by: { userId: 7 }, via: { kind: 'session' } } as UserActor)
  const single = (await entryOf(await write(entry, child)))!
  const before = (await jobs()).length
  const context = { actor: child, now: NOW, requestId: 'r-1' }
  await transact(db.write, async (tx) => {
    await recordEach(tx, context, [])
    await recordEach(tx, context, [entry, { ...entry, eventId: 13 }, MOVED])
  })
  const rows = await db.read.selectFrom('journal').selectAll().where('id', '>', single.id).orderBy('id').execute()
  assert.deepEqual(
    rows.map(({ id: _id, ...row }) => row),
    [{}, { event_id: 13 }, { event_id: null, changes: { acted_for_id: 8 } }].map((other) => {
      const { id: _id, ...row } = single
      return { ...row, ...other }
    }),
  )
  assert.deepEqual((single.changes as { acted_for_id?: number }).acted_for_id, 8)
  assert.equal((await jobs()).length, before + 3)
})

test('an entry is found by one of its kinds, and by the one who caused it', async () => {
  const id = await write(MOVED)
  assert.equal((await getEntry(db.read, id, ['participation.kept', 'participation.moved']))?.id, id)
  assert.equal(await getEntry(db.read, id, ['participation.kept']), undefined)
  const own = (actor: Actor) => getOwnEntry(db.read, actor, id, ['participation.moved'])
  assert.equal((await own(ann))?.id, id)
  for (const actor of [makeActor<UserActor>({ kind: 'user', userId: 8, via: { kind: 'session' } } as UserActor), nord, ANONYMOUS])
    assert.equal(await own(actor), undefined)
  const ofNobody = await write(MOVED, ANONYMOUS)
  assert.equal((await getOwnEntry(db.read, ANONYMOUS, ofNobody, ['participation.moved']))?.id, ofNobody)
})

test('entries of people who let an assistant act say so, one by one and many at once', async () => {
  const via = (isForAssistant: boolean) => ({ kind: 'token', tokenId: 1, scopes: new Set<string>(), isForAssistant }) as const
  const helped = makeActor<UserActor>({ ...ann, via: via(true) })
  const own = makeActor<UserActor>({ ...ann, via: via(false) })
  const changesOf = async (actor: Actor) => (await entryOf(await write(MOVED, actor)))!.changes
  assert.deepEqual([await changesOf(helped), await changesOf(own)], [{ by_assistant: true }, {}])
  const last = async () => (await db.read.selectFrom('journal').selectAll().orderBy('id', 'desc').limit(2).execute()).reverse()
  const before = (await jobs()).length
  for (const [actor, more] of [
    [helped, { by_assistant: true }],
    [own, {}],
  ] as const) {
    await transact(db.write, (tx) =>
      recordAll(tx, { actor, now: NOW, requestId: 'many' }, [
        { ...MOVED, eventId: 12, changes: { state: [0, 1] } },
        {
          ...MOVED,
          subject: { kind: 'participation', id: 32 },
          personal: { personId: 8, values: { answers: [{}, { 1: 'x' }] } },
        },
      ]),
    )
    const common = { at: NOW, kind: 'participation.moved', actor_kind: 'user', actor_id: 7, request_id: 'many' }
    assert.deepEqual(
      (await last()).map(({ id: _, ...entry }) => entry),
      [
        {
          ...common,
          subject_kind: 'participation',
          subject_id: 31,
          event_id: 12,
          changes: { state: [0, 1], ...more },
          person_id: null,
          personal: null,
        },
        {
          ...common,
          subject_kind: 'participation',
          subject_id: 32,
          event_id: null,
          changes: more,
          person_id: 8,
          personal: { answers: [{}, { 1: 'x' }] },
        },
      ],
    )
  }
  assert.equal((await jobs()).length, before, 'nobody reads them')
  const { rows } = await db.readPool.query<{ count: number }>('select count(*)::int as count from journal')
  await transact(db.write, (tx) => recordAll(tx, { actor: own, now: NOW, requestId: null }, []))
  assert.deepEqual((await db.readPool.query('select count(*)::int as count from journal')).rows, rows)
})
