import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { transact } from '#platform/db/transaction.ts'
import type { Upload } from '#platform/files/upload.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, HELPERS, OLGA, PAUL, type Person, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import {
  addSharedFiles,
  attachFiles,
  attachmentTemplate,
  changeAttachment,
  chooseFiles,
  copyAttachments,
  deleteAttachment,
  removeFromEvent,
} from './commands.ts'
import {
  findAttachments,
  findSharedFiles,
  findStoredAttachments,
  getAttachment,
  getPlannedEvent,
  getReadableEvent,
  getStoredAttachment,
  getUsedBytes,
} from './queries.ts'

const QUOTA_BYTES = 1_000

describe('files in the database', async () => {
  const world = await openWorld()
  const { write } = world.db
  const as = (person: Person) => contextAs(world, person)
  const addEvent = (title: string, more: Parameters<typeof world.addEvent>[0] = {}) =>
    world.addEvent({ title, seenBy: [HELPERS], responsible: [PAUL], shifts: [{}], ...more })
  const file = (name: string, bytes: number): Upload => ({
    id: randomUUID(),
    name,
    type: 'application/pdf',
    bytes,
    sha256: 'a'.repeat(64),
  })
  const attach = (eventId: number, files: Upload[], person = PAUL) =>
    attachFiles(as(person), { eventId, files, quotaBytes: QUOTA_BYTES })
  const idsOf = async (...titles: string[]) => {
    const rows = await write.selectFrom('attachment').select(['id', 'title']).where('title', 'in', titles).execute()
    return titles.map((title) => rows.find((row) => row.title === title)!.id)
  }
  const titlesOn = async (eventId: number, person = ANN) => (await findAttachments(as(person), eventId)).map(({ title }) => title)

  /** Of files in the journal, since the last call. */
  const entries = async () => {
    const found = await write
      .selectFrom('journal')
      .select(['id', 'kind', 'subject_kind', 'subject_id', 'event_id', 'changes'])
      .where('kind', 'in', ['attachment.created', 'event.files_added', 'event.file_removed'])
      .where('id', '>', last)
      .orderBy('id')
      .execute()
    last = found.at(-1)?.id ?? last
    return found.map(({ kind, subject_kind, subject_id, event_id, changes }) => [
      kind,
      subject_kind,
      subject_id,
      event_id,
      changes,
    ])
  }
  let last = 0

  const fair = await addEvent('Fair')
  const party = await addEvent('Party', { shifts: [{ start: '2031-06-04T08:00:00+02:00' }] })
  const draft = await addEvent('Draft', { draft: true, shifts: [{ start: '2031-07-04T08:00:00+02:00' }] })
  const bin = await addEvent('Bin', { deleted: true })
  const hidden = await addEvent('Hidden', { seenBy: [], responsible: [OLGA] })

  test('are stored within the space, with who added them, and listed by title for readers of the event', async () => {
    assert.deepEqual(await attach(fair.id, [file('plan b', 400), file('Plan A', 600)]), { ok: true })
    assert.deepEqual(await attach(fair.id, [file('one byte', 1)]), { ok: false, reason: 'quota', freeBytes: 0 })
    assert.equal(await getUsedBytes(write), 1_000)
    await write.updateTable('stored_file').set({ bytes: 40 }).where('bytes', '=', 400).execute()
    await write.updateTable('stored_file').set({ bytes: 60 }).where('bytes', '=', 600).execute()
    assert.deepEqual(await attach(fair.id, [file('too', 500), file('much', 401)]), { ok: false, reason: 'quota', freeBytes: 900 })
    const less = { eventId: fair.id, files: [file('less space', 1)], quotaBytes: 99 }
    assert.deepEqual(await attachFiles(as(PAUL), less), { ok: false, reason: 'quota', freeBytes: 0 })
    assert.deepEqual(await addSharedFiles(as(OLGA), { files: [file('shared', 901)], quotaBytes: QUOTA_BYTES }), {
      ok: false,
      reason: 'quota',
      freeBytes: 900,
    })
    assert.deepEqual(await entries(), [['event.files_added', 'event', fair.id, fair.id, { files: [null, ['plan b', 'Plan A']] }]])
    const [b, a] = await idsOf('plan b', 'Plan A')
    assert.deepEqual(await findAttachments(as(ANN), fair.id), [
      { id: a, title: 'Plan A', fileId: (await getStored(a!)).file_id, type: 'application/pdf', bytes: 60 },
      { id: b, title: 'plan b', fileId: (await getStored(b!)).file_id, type: 'application/pdf', bytes: 40 },
    ])
    const { uploader_id, created_at, shared } = await getStored(a!)
    assert.deepEqual([uploader_id, created_at, shared], [PAUL.id, world.now, false])
    for (const [who, event, expected] of [
      [VERA, fair, []],
      [ANN, party, []],
      [OLGA, fair, ['Plan A', 'plan b']],
    ] as const)
      assert.deepEqual(await titlesOn(event.id, who), expected, `${who.name} ${event.id}`)
    for (const [who, event] of [
      [ANN, fair],
      [PAUL, bin],
      [PAUL, hidden],
    ] as const) {
      assert.equal(await attach(event.id, [file('no', 1)], who), undefined, `${who.name} ${event.id}`)
      assert.equal(await getPlannedEvent(as(who), event.id), undefined)
    }
    assert.deepEqual(await getPlannedEvent(as(PAUL), draft.id), { id: draft.id, title: 'Draft' })
  })
  const getStored = (id: number) => write.selectFrom('attachment').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  test('that are shared are offered to events that do not have them, and chosen once', async () => {
    assert.deepEqual(await addSharedFiles(as(OLGA), { files: [file('rules', 10), file('Map', 10)], quotaBytes: QUOTA_BYTES }), {
      ok: true,
    })
    const [rules, map, own] = (await idsOf('rules', 'Map', 'Plan A')) as [number, number, number]
    const offered = async (id: number) => (await findSharedFiles(write, id)).map(({ title }) => title)
    assert.deepEqual(await offered(party.id), ['Map', 'rules'])
    assert.deepEqual(await chooseFiles(as(PAUL), party.id, [rules, own, 999_999]), { added: 1 }, 'only what is shared')
    assert.deepEqual(await chooseFiles(as(PAUL), party.id, [rules]), { added: 0 })
    assert.deepEqual(await chooseFiles(as(PAUL), party.id, [rules, map]), { added: 1 })
    assert.equal(await chooseFiles(as(ANN), party.id, [map]), undefined)
    assert.deepEqual([await offered(party.id), await offered(fair.id)], [[], ['Map', 'rules']])
    assert.deepEqual(await titlesOn(party.id), ['Map', 'rules'])
    await chooseFiles(as(PAUL), draft.id, [map])
    const added = (event: { id: number }, title: string) => [
      'event.files_added',
      'event',
      event.id,
      event.id,
      { files: [null, [title]] },
    ]
    assert.deepEqual(await entries(), [
      ['attachment.created', 'attachment', rules, null, { files: [null, ['rules', 'Map']] }],
      added(party, 'rules'),
      added(party, 'Map'),
      added(draft, 'Map'),
    ])
    const { name, isShared, otherEvents, bytes } = (await getAttachment(as(ANN), party.id, map))!
    assert.deepEqual([name, isShared, otherEvents, bytes], ['Map', true, 1, 10])
    assert.equal(await getAttachment(as(ANN), fair.id, map), undefined)
    assert.equal(await getAttachment(as(VERA), party.id, map), undefined)
    assert.equal(await getAttachment(as(ANN), draft.id, map), undefined, 'a draft')
    assert.equal((await getAttachment(as(PAUL), draft.id, map))?.otherEvents, 1)
  })

  test('lead to the latest event of the reader that has them', async () => {
    const [map] = (await idsOf('Map')) as [number]
    assert.equal(await getReadableEvent(as(PAUL), map), draft.id)
    assert.equal(await getReadableEvent(as(ANN), map), party.id)
    assert.equal(await getReadableEvent(as(VERA), map), undefined)
  })

  test('are listed for those who manage them by size, with the events that the reader may know', async () => {
    await transact(write, (tx) => copyAttachments(tx, { from: party.id, to: hidden.id }))
    await write.insertInto('attachment').values({ title: 'missing', created_at: world.now, shared: false }).execute()
    const all = await findStoredAttachments(as(PAUL))
    assert.deepEqual(
      all.map(({ title, bytes, eventCount, isShared, uploader, events }) => [
        title,
        bytes,
        eventCount,
        isShared,
        uploader,
        events.map((event) => event.title),
      ]),
      [
        ['Plan A', 60, 1, false, 'Paul', ['Fair']],
        ['plan b', 40, 1, false, 'Paul', ['Fair']],
        ['rules', 10, 2, true, 'Olga', ['Party']],
        ['Map', 10, 3, true, 'Olga', ['Party', 'Draft']],
        ['missing', null, 0, false, null, []],
      ],
    )
    const [map] = (await idsOf('Map')) as [number]
    assert.deepEqual((await getStoredAttachment(as(OLGA), map))?.events, [
      { id: hidden.id, title: 'Hidden', isDeleted: false },
      { id: party.id, title: 'Party', isDeleted: false },
      { id: draft.id, title: 'Draft', isDeleted: false },
    ])
    assert.equal(await getStoredAttachment(as(OLGA), 999_999), undefined)
    await transact(write, (tx) => copyAttachments(tx, { from: draft.id, to: bin.id }))
    const known = async (person: Person) =>
      (await getStoredAttachment(as(person), map))!.events.map((event) => Object.values(event))
    assert.deepEqual(
      (await known(OLGA)).filter(([, title]) => title === 'Bin'),
      [[bin.id, 'Bin', true]],
    )
    assert.deepEqual(
      (await known(PAUL)).map(([, title]) => title),
      ['Party', 'Draft'],
      'not what is in the bin',
    )
    await write.deleteFrom('event_attachment').where('event_id', '=', bin.id).execute()
  })

  test('are changed by a current form: title, sharing or both', async () => {
    const [map] = (await idsOf('Map')) as [number]
    const { version } = await getStored(map)
    const olga = as(OLGA)
    assert.deepEqual(await changeAttachment(olga, map, { title: 'Map', shared: true, version }), { ok: true, isChanged: false })
    assert.deepEqual(await changeAttachment(olga, map, { title: 'Way', shared: true, version: version + 1 }), {
      ok: false,
      reason: 'outdated',
    })
    assert.equal(await changeAttachment(olga, 999_999, { title: 'Way', shared: true, version }), undefined)
    assert.deepEqual(await changeAttachment(olga, map, { title: 'Way', shared: true, version }), { ok: true, isChanged: true })
    const next = (await getStored(map)).version
    assert.deepEqual(await changeAttachment(olga, map, { title: 'Way', shared: false, version: next }), {
      ok: true,
      isChanged: true,
    })
    const { title, shared } = await getStored(map)
    assert.deepEqual([title, shared], ['Way', false])
    assert.equal((await getStored((await idsOf('rules'))[0]!)).shared, true, 'the other file stays')
    const journal = await write
      .selectFrom('journal')
      .select('changes')
      .where('kind', '=', 'attachment.changed')
      .orderBy('id')
      .execute()
    assert.deepEqual(
      journal.map(({ changes }) => changes),
      [{ title: ['Map', 'Way'] }, { shared: [true, false] }],
    )
    await assert.rejects(changeAttachment(as(PAUL), map, { title: 'x', shared: true, version: next }), {
      code: 'permission_denied',
    })
  })

  test('are removed from one event, restored by templates as far as they exist, and deleted from all', async () => {
    const [rules, way, planA] = (await idsOf('rules', 'Way', 'Plan A')) as [number, number, number]
    assert.equal(await removeFromEvent(as(ANN), party.id, rules), undefined)
    assert.equal(await removeFromEvent(as(PAUL), fair.id, rules), undefined, 'not on this event')
    assert.equal((await removeFromEvent(as(PAUL), party.id, rules))?.title, 'rules')
    assert.deepEqual(await titlesOn(party.id), ['Way'])
    assert.deepEqual(await titlesOn(hidden.id, OLGA), ['rules', 'Way'], 'other events keep it')
    assert.equal((await removeFromEvent(as(PAUL), fair.id, planA))?.title, 'Plan A')
    assert.deepEqual(await entries(), [
      ['event.file_removed', 'event', party.id, party.id, { files: [['rules'], null] }],
      ['event.file_removed', 'event', fair.id, fair.id, { files: [['Plan A'], null] }],
    ])
    assert.equal(await getStoredAttachment(as(OLGA), planA), undefined, 'its last event, and not shared')
    const saved = await attachmentTemplate.save(write, hidden.id)
    assert.deepEqual(saved.toSorted(), [rules, way].toSorted())
    await transact(write, (tx) => attachmentTemplate.restore(tx, fair.id, new Map(), [rules, 999_999]))
    assert.deepEqual(await titlesOn(fair.id), ['plan b', 'rules'])
    assert.equal((await deleteAttachment(as(OLGA), way))?.title, 'Way')
    assert.equal(await deleteAttachment(as(OLGA), way), undefined)
    assert.deepEqual([await titlesOn(party.id), await titlesOn(hidden.id, OLGA)], [[], ['rules']])
    const { changes } = await write
      .selectFrom('journal')
      .select('changes')
      .where('kind', '=', 'attachment.deleted')
      .executeTakeFirstOrThrow()
    assert.deepEqual(changes, { title: ['Way', null], events: [[party.id, draft.id, hidden.id].sort((a, b) => a - b), null] })
  })
})
