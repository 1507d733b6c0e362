import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { transact } from '#platform/db/transaction.ts'
import { ANN, BEN, PAUL, VERA } from '#test/support/people.ts'
import { openPlanning } from '#test/support/planning.ts'
import { input } from '#test/support/shift-input.ts'
import { findDueProgrammes } from '../queries/programme.ts'
import { nextRequestAt } from '../rules/following.ts'
import { DEFAULT_OPTIONS } from '../rules/options.ts'
import { applyProgramme } from './apply.ts'
import { changeOptions, removeProgramme, setSource, stopAutomaticOf } from './source.ts'
import { undoProgramme } from './undo.ts'

const ADDRESS = 'https://programme.example/secret/schedule.xml'
const fileOf = (count: number) => ({
  format: 'ical',
  title: `With ${count}`,
  content: {
    sessions: Array.from({ length: count }, (_, index) => ({
      key: `k${index}`,
      title: `Talk ${index}`,
      room: 'Hall',
      track: '',
      type: '',
      start: '2031-06-07T08:00:00.000Z',
      end: '2031-06-07T09:00:00.000Z',
    })),
    faults: [],
  },
})
const file = { kind: 'file' as const, fileName: 'plan.ics' }
const address = (url = ADDRESS) => ({ kind: 'address' as const, url, etag: '"1"', lastModified: 'yesterday' })

describe('the source of a programme', async () => {
  const { world, write, contextOf, create } = await openPlanning()
  const paul = contextOf(PAUL)
  const later = (ms: number) => ({ ...paul, now: new Date(world.now.getTime() + ms) })
  const open = async () => (await create([input({ label: 'Desk' })])).eventId
  const row = (eventId: number) => write.selectFrom('programme').selectAll().where('event_id', '=', eventId).executeTakeFirst()
  const log = async (eventId: number) =>
    (
      await write
        .selectFrom('journal')
        .select(['kind', 'subject_kind', 'subject_id', 'changes'])
        .where('event_id', '=', eventId)
        .where('kind', 'like', 'event.programme%')
        .orderBy('id')
        .execute()
    ).map(({ kind, subject_kind, subject_id, changes }) => {
      assert.deepEqual([subject_kind, subject_id], ['event', eventId])
      return [kind.slice('event.programme_'.length), changes]
    })

  test('is stored as a whole: a file, then an address, then a file again', async () => {
    const eventId = await open()
    const common = {
      event_id: eventId,
      format: 'ical',
      options: DEFAULT_OPTIONS,
      failed_at: null,
      failure: null,
      failures: 0,
      announced: null,
      automatic_by_id: null,
      former: null,
    }
    const { now } = world
    const ofFile = { url: null, file_name: 'plan.ics', etag: null, last_modified: null, succeeded_at: null, next_at: null }
    await setSource(paul, { eventId, source: file, file: fileOf(2) })
    const first = { ...common, ...ofFile, title: 'With 2', content: fileOf(2).content, read_at: now }
    assert.deepEqual(await row(eventId), first)
    const other = await open()
    await setSource(paul, { eventId: other, source: file, file: fileOf(2) })
    await write
      .updateTable('programme')
      .set({ failed_at: now, failure: '{"code":"x"}', failures: 3, announced: 'x' })
      .where('event_id', '=', eventId)
      .execute()
    const at = later(5).now
    await setSource(later(5), { eventId, source: address(), file: fileOf(3) })
    const followed = {
      ...common,
      url: ADDRESS,
      file_name: '',
      etag: '"1"',
      last_modified: 'yesterday',
      succeeded_at: at,
      next_at: nextRequestAt(at, 0),
      title: 'With 3',
      content: fileOf(3).content,
      read_at: at,
    }
    assert.deepEqual(await row(eventId), followed)
    await setSource(later(9), { eventId, source: file, file: fileOf(2) })
    assert.deepEqual(await row(eventId), { ...first, read_at: later(9).now })
    assert.deepEqual(await row(other), { ...first, event_id: other })
    assert.deepEqual(await log(eventId), [
      ['read', { source: [null, 'plan.ics'], sessions: [null, 2] }],
      ['read', { source: [null, 'programme.example'], sessions: [2, 3] }],
      ['read', { source: [null, 'plan.ics'], sessions: [3, 2] }],
    ])
  })

  test('is followed in the name of the first who wanted it, until the address changes', async () => {
    const eventId = await open()
    await world.grantsEvent(BEN, eventId, 'change')
    await setSource(paul, { eventId, source: address(), file: fileOf(1) })
    const by = async () => (await row(eventId))?.automatic_by_id
    const change = (isAutomatic: boolean, more: object = {}, context = paul) =>
      changeOptions(context, { eventId, options: { ...DEFAULT_OPTIONS, ...more }, isAutomatic })
    await change(false)
    assert.equal(await by(), null)
    await change(true)
    assert.equal(await by(), PAUL.id)
    await change(true, { lead: 5 }, contextOf(BEN))
    assert.deepEqual([await by(), (await row(eventId))?.options], [PAUL.id, { ...DEFAULT_OPTIONS, lead: 5 }])
    await setSource(paul, { eventId, source: address(), file: fileOf(1) })
    assert.deepEqual([await by(), (await row(eventId))?.options], [PAUL.id, { ...DEFAULT_OPTIONS, lead: 5 }], 'the same address')
    await transact(write, (tx) => stopAutomaticOf(tx, BEN.id))
    assert.equal(await by(), PAUL.id)
    await setSource(paul, { eventId, source: address(`${ADDRESS}?v=2`), file: fileOf(1) })
    assert.equal(await by(), null)
    await change(true, { lead: 5 })
    await transact(write, (tx) => stopAutomaticOf(tx, PAUL.id))
    assert.equal(await by(), null)
    await change(true, { lead: 5 }, contextOf(BEN))
    assert.equal(await by(), BEN.id)
    await change(false, { lead: 5 })
    assert.equal(await by(), null)
    assert.deepEqual(
      (await log(eventId)).filter(([kind]) => kind === 'options_changed').map(([, changes]) => changes),
      [['automatic'], ['lead'], ['automatic'], ['automatic'], ['automatic']].map((names) => ({ options: [null, names] })),
    )
  })

  test('is given, changed, applied, undone and removed by people who plan the event, where there is one', async () => {
    const eventId = await open()
    const none = await open()
    await setSource(paul, { eventId, source: file, file: fileOf(1) })
    const before = await row(eventId)
    const attempts = (context: typeof paul, id: number) => [
      () => changeOptions(context, { eventId: id, options: { ...DEFAULT_OPTIONS, lead: 9 }, isAutomatic: false }),
      () => applyProgramme(context, { eventId: id, seen: '', overwrite: [], remove: [], again: [] }),
      () => undoProgramme(context, { eventId: id, step: 1 }),
      () => removeProgramme(context, { eventId: id }),
    ]
    for (const attempt of attempts(paul, none)) await assert.rejects(attempt, { code: 'not_found' })
    for (const attempt of attempts(contextOf(VERA), eventId)) await assert.rejects(attempt, { code: 'not_found' })
    for (const attempt of attempts(contextOf(ANN), eventId)) await assert.rejects(attempt, { code: 'permission_denied' })
    await assert.rejects(setSource(contextOf(ANN), { eventId, source: file, file: fileOf(4) }), { code: 'permission_denied' })
    assert.deepEqual(await applyProgramme(paul, { eventId, seen: '', overwrite: [], remove: [], again: [] }), {
      ok: false,
      reason: 'stale',
    })
    assert.deepEqual(await undoProgramme(paul, { eventId, step: 1 }), { ok: false })
    assert.deepEqual(await row(eventId), before)
    await setSource(paul, { eventId: none, source: file, file: fileOf(1) })
    await removeProgramme(paul, { eventId })
    assert.equal(await row(eventId), undefined)
    assert.notEqual(await row(none), undefined)
    assert.deepEqual((await log(eventId)).at(-1), ['removed', {}])
  })

  test('is asked for when it is due, as long as the event is coming, the longest waiting first', async () => {
    await write.deleteFrom('programme').execute()
    const add = async (values: object, event: object = {}) => {
      const eventId = await open()
      await setSource(paul, { eventId, source: address(), file: fileOf(1) })
      await write.updateTable('programme').set(values).where('event_id', '=', eventId).execute()
      if (Object.keys(event).length) await write.updateTable('event').set(event).where('id', '=', eventId).execute()
      return eventId
    }
    const { now } = world
    const second = await add({ next_at: now })
    const first = await add({ next_at: later(-1).now })
    await add({ next_at: later(1).now })
    await add({ next_at: now, url: null })
    await add({ next_at: now }, { cancelled_at: now, cancellation_reason: 'Storm' })
    await add({ next_at: now }, { deleted_at: now })
    const running = await add({ next_at: later(-2).now })
    const over = await add({ next_at: now })
    const end = (eventId: number, ms: number) =>
      write
        .updateTable('shift')
        .set({ meeting_time: later(ms - 2).now, start_time: later(ms - 2).now, end_time: later(ms).now })
        .where('event_id', '=', eventId)
        .execute()
    await end(running, 1)
    await end(over, 0)
    const empty = await add({ next_at: later(-3).now })
    await write.deleteFrom('shift').where('event_id', '=', empty).execute()
    assert.deepEqual(await findDueProgrammes(write, now), [empty, running, first, second])
  })
})
