import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { transact } from '#platform/db/transaction.ts'
import { ANN, BEN, PAUL, VERA } from '#test/support/people.ts'
import { openPlanning } from '#test/support/planning.ts'
import { input } from '#test/support/shift-input.ts'
import {
  binTemplate,
  emptyTemplateBin,
  removeFromTemplates,
  renameTemplate,
  saveTemplate,
  useTemplate,
} from './commands/templates.ts'
import { findKnownQuestions, findTemplates, getTemplate } from './queries.ts'

const DAY_MS = 24 * 3_600_000
const chosen = { dates: ['2031-11-08'], faults: [], rule: undefined, singles: ['2031-11-08'], skipped: [] }

describe('commands of templates', async () => {
  const { world, write, contextOf, create, eventRow } = await openPlanning()
  const paul = contextOf(PAUL)
  const later = (ms: number) => ({ ...paul, now: new Date(world.now.getTime() + ms) })
  const text = { name: 'Night', description: 'At the pier' }
  const open = async (parts: ('people' | 'resources')[] = []) => {
    const { eventId } = await create([input({ label: 'Desk' })])
    return { eventId, ...(await saveTemplate(paul, { eventId, text, parts })) }
  }
  const row = (id: number) => write.selectFrom('event_template').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const log = async (id: number) =>
    (
      await write
        .selectFrom('journal')
        .select(['kind', 'changes'])
        .where('subject_kind', '=', 'event_template')
        .where('subject_id', '=', id)
        .orderBy('id')
        .execute()
    ).map(({ kind, changes }) => [kind, changes])
  const use = (id: number, { typeId = 1, context = paul } = {}) =>
    useTemplate(context, { id, title: 'Made', typeId, chosen, isLinked: false })

  test('are refused to people who may not add events, and about what does not exist', async () => {
    const { id, eventId } = await open()
    const before = await row(id)
    const ann = contextOf(ANN)
    const program = { ...paul, actor: { ...paul.actor, kind: 'partner' } } as unknown as typeof paul
    const hidden = (await world.addEvent({ responsible: [VERA], shifts: [{}] })).id
    const denied = { code: 'permission_denied' }
    const gone = { code: 'not_found' }
    for (const [attempt, code] of [
      [() => saveTemplate(ann, { eventId, text, parts: [] }), denied],
      [() => saveTemplate(program, { eventId, text, parts: [] }), denied],
      [() => saveTemplate(paul, { eventId: hidden, text, parts: [] }), gone],
      [() => saveTemplate(paul, { eventId: 0, text, parts: [] }), gone],
      [() => saveTemplate(paul, { eventId, text, parts: [], replaces: 0 }), gone],
      [() => renameTemplate(ann, { id, text: { name: 'Mine', description: '' } }), gone],
      [() => renameTemplate(paul, { id: 0, text }), gone],
      [() => binTemplate(ann, { id, isBinned: true }), gone],
      [() => binTemplate(paul, { id, isBinned: false }), gone],
      [() => use(id, { context: ann }), gone],
      [() => use(id, { context: program }), denied],
      [() => use(id, { typeId: 0 }), { code: 'invalid_input' }],
    ] as const)
      await assert.rejects(async () => attempt(), code)
    assert.deepEqual(await row(id), before)
    assert.deepEqual(await log(id), [['event_template.created', { name: [null, 'Night'], copied_from: [null, eventId] }]])
  })

  test('store what was typed and when, and tell the log each change once', async () => {
    const { id, eventId } = await open()
    const { content: _content, ...values } = await row(id)
    const now = world.now
    const stored = { id, ...text, type_id: 1, created_at: now, changed_at: now, deleted_at: null, last_used_at: null }
    assert.deepEqual(values, stored)
    await renameTemplate(later(1), { id, text })
    assert.deepEqual((await row(id)).changed_at, now, 'nothing changed')
    await renameTemplate(later(2), { id, text: { ...text, name: 'Evening' } })
    const renamed = await row(id)
    assert.deepEqual([renamed.name, renamed.description, renamed.changed_at], ['Evening', 'At the pier', later(2).now])
    await saveTemplate(later(3), { eventId, text: { name: 'New', description: '' }, parts: [], replaces: id })
    const replaced = await row(id)
    assert.deepEqual(
      [replaced.name, replaced.description, replaced.changed_at, replaced.created_at],
      ['New', '', later(3).now, now],
    )
    assert.deepEqual(await binTemplate(later(4), { id, isBinned: true }), { name: 'New' })
    assert.deepEqual((await row(id)).deleted_at, later(4).now)
    await assert.rejects(renameTemplate(paul, { id, text }), { code: 'not_found' })
    await assert.rejects(saveTemplate(paul, { eventId, text, parts: [], replaces: id }), { code: 'not_found' })
    await binTemplate(later(5), { id, isBinned: false })
    assert.equal((await row(id)).deleted_at, null)
    const [event] = (await use(id, { context: later(6) })).events
    assert.deepEqual((await row(id)).last_used_at, later(6).now)
    const made = await eventRow(event!)
    assert.deepEqual([made.title, made.type_id, made.active, made.location], ['Made', 1, false, 'Pier 3'])
    assert.deepEqual(await log(id), [
      ['event_template.created', { name: [null, 'Night'], copied_from: [null, eventId] }],
      ['event_template.changed', { name: ['Night', 'Evening'] }],
      ['event_template.replaced', { name: [null, 'New'], copied_from: [null, eventId] }],
      ['event_template.deleted', { name: ['New', 'New'] }],
      ['event_template.restored', { name: ['New', 'New'] }],
    ])
    const entry = await write
      .selectFrom('journal')
      .selectAll()
      .where('kind', '=', 'event.made_from_template')
      .where('event_id', '=', event!)
      .executeTakeFirstOrThrow()
    const changes = entry.changes as Record<string, unknown>
    assert.deepEqual([entry.subject_kind, entry.subject_id], ['event', event])
    assert.deepEqual(
      [changes.event_template, changes.date, changes.title],
      [
        [null, id],
        [null, '2031-11-08'],
        [null, 'Made'],
      ],
    )
  })

  test('keep people only if they are wanted, and lose those who are deleted', async () => {
    const { id } = await open(['people'])
    const other = await open(['people'])
    assert.deepEqual((await getTemplate(write, paul.actor, id))?.users, [PAUL.id])
    await write.insertInto('event_template_user').values({ template_id: id, user_id: BEN.id }).execute()
    await transact(write, (tx) => removeFromTemplates(tx, PAUL.id))
    assert.deepEqual((await getTemplate(write, paul.actor, id))?.users, [BEN.id])
    assert.deepEqual((await getTemplate(write, paul.actor, other.id))?.users, [])
  })

  test('are listed by name with those in the bin at the end, and leave the bin after 30 days', async () => {
    await write.deleteFrom('event_template').execute()
    const ids: Record<string, number> = {}
    for (const name of ['b', 'C', 'a']) {
      ids[name] = (await open()).id
      await renameTemplate(paul, { id: ids[name]!, text: { name, description: '' } })
    }
    await binTemplate(paul, { id: ids.a!, isBinned: true })
    await write.updateTable('event_template').set({ type_id: null }).where('id', '=', ids.C!).execute()
    const lines = await findTemplates({ ...paul, words: undefined } as never)
    const line = (name: string, type: string | null = 'Service') => ({
      id: ids[name],
      name,
      description: '',
      type,
      shifts: 1,
      lastUsedAt: null,
      deletedAt: name === 'a' ? world.now : null,
    })
    assert.deepEqual(lines, [line('b'), line('C', null), line('a')])
    assert.deepEqual(await findTemplates({ ...contextOf(ANN) } as never), [])
    const left = async () => (await findTemplates(paul as never)).map(({ name }) => name)
    await emptyTemplateBin(write, new Date(world.now.getTime() + 30 * DAY_MS))
    assert.deepEqual(await left(), ['b', 'C', 'a'])
    await emptyTemplateBin(write, new Date(world.now.getTime() + 30 * DAY_MS + 1))
    assert.deepEqual(await left(), ['b', 'C'])
    const { id } = await write
      .insertInto('question')
      .values({ name: 'Q', text: 'Lunch?', kind: 'text' })
      .returning('id')
      .executeTakeFirstOrThrow()
    assert.deepEqual(await findKnownQuestions(write, [id, 999_999]), new Set([id]))
    assert.deepEqual(await findKnownQuestions(write, []), new Set())
  })
})
