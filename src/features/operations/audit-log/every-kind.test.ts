import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { renderHtml } from '#platform/html/html.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import '#app'
import type { EventFieldName } from '#features/events/events/rules/event-fields.ts'
import type { ShiftFieldName } from '#features/events/events/rules/shift-fields.ts'
import { settingsPage } from '#features/operations/settings/points.ts'
import { ADDED } from '../../../features.ts'
import { ID_FIELDS, isCount, type JournalEntry, LOG_KINDS } from './rules/entries.ts'
import { HIDDEN_FIELDS, type LogValue, PROGRAM_FIELDS, type Shape, type ShownField } from './rules/fields.ts'
import { SHAPES } from './rules/shapes.ts'
import { logView } from './views.ts'
import { en } from './words.en.ts'

/** Plain fields of events and shifts have names of their own, which the forms show, too. */
type NamedField = EventFieldName | ShiftFieldName

/** The compiler refuses a field or a value of the program without words. */
export const FIELD_WORDS: Record<`log.field_${Exclude<ShownField, NamedField>}`, unknown> = en
export const VALUE_WORDS: Record<`log.value_${LogValue}`, unknown> = en

const ID = 424_242
const NAMED = new Map([...LOG_KINDS, 'participation_comment'].map((kind) => [`${kind} ${ID}`, 'Night watch']))

/** Values as programs store them. */
function samplesOf(field: string, shape: Shape): unknown[] {
  const isOne = !isCount(field, ID)
  if (field in ID_FIELDS) return shape === 'list' || shape === 'moved' || isOne ? [ID] : [[ID], 3]
  const told = Object.keys(en).flatMap((key) =>
    key.startsWith(`log.value_${field}_`) ? [key.slice(`log.value_${field}_`.length)] : [],
  )
  const words = (PROGRAM_FIELDS as readonly string[]).includes(field) ? [...told, 'some_program_word'] : told
  return [...words, 'A text', 3, true, null, '2031-05-04T08:00:00.000Z', '2031-05-04', { team_uuid: { a_b: 1 } }]
}

const shaped = (shape: Shape, value: unknown): unknown =>
  ({ pair: [value, value], list: [value, value], moved: { added: [value], removed: [value] }, value })[shape]

const entryOf = (kind: string, changes: Record<string, unknown>, n: number): JournalEntry => ({
  id: n,
  at: new Date('2031-05-04T08:00:00Z'),
  kind,
  actorKind: 'user',
  actorId: ID,
  subjectKind: kind.split('.')[0]!,
  subjectId: ID,
  eventId: ID,
  requestId: null,
  changes,
  personal: null,
})

const QUERY = { what: '', who: '', from: '', to: '', q: '', request: '', before: undefined, faults: {} }

function read(language: 'en' | 'de', entry: JournalEntry, names: ReadonlyMap<string, string>): string {
  const words = wordsFor(language, 'Europe/Berlin')
  const list = {
    words,
    now: entry.at,
    title: 'Log',
    path: '/manage/log/',
    query: QUERY,
    kinds: [],
    pages: new Map(),
    older: undefined,
  }
  const page = renderHtml(logView({ ...list, entries: [entry], names }))
  const shown = /<ol class="log".*<\/ol>/s.exec(page)?.[0] ?? ''
  assert.match(shown, /log-entry/)
  return shown
    .replaceAll(/<time.*?<\/time>|<span class="sr-only">.*?<\/span>/g, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
}

/** Names of columns, JSON, words of programs, and ids. */
const RAW = /[a-z]_[a-z]|[{}[\]]|&quot;\w+&quot;:|\bnull\b|undefined|object Object|424[.,]?242/

describe('the log', () => {
  const settings = ADDED(settingsPage.section).flatMap((section) => Object.keys(section.settings.fields))
  const kinds = Object.keys(en).flatMap((key) => (key.startsWith('journal.') ? [key.slice('journal.'.length)] : []))
  const shapes = SHAPES as Record<string, Record<string, Shape>>

  test('knows fields of kinds that exist', () => {
    assert.deepEqual(
      Object.keys(shapes).filter((kind) => !kinds.includes(kind)),
      [],
    )
    assert.ok(kinds.length > 200)
  })

  for (const language of ['en', 'de'] as const)
    test(`says every kind of entry in words, also about records that were deleted: ${language}`, () => {
      const raw: string[] = []
      for (const kind of kinds)
        for (const names of [NAMED, new Map<string, string>()]) {
          const bare = read(language, entryOf(kind, {}, 1), names)
          if (RAW.test(bare)) raw.push(`${kind}: ${bare}`)
          const fields = kind === 'instance.changed' ? settings.map((name) => [name, 'pair'] as const) : []
          for (const [field, shape] of [...fields, ...Object.entries(shapes[kind] ?? {})])
            for (const value of samplesOf(field, shape)) {
              const text = read(language, entryOf(kind, { [field]: shaped(shape, value) }, 1), names)
              if (RAW.test(text)) raw.push(`${kind} ${field} ${JSON.stringify(value)}: ${text}`)
            }
        }
      assert.deepEqual(raw, [])
    })

  test('shows a list of two as a list, and before and after as such', () => {
    const groups = new Map([
      ['group 1', 'Helpers'],
      ['group 2', 'Planners'],
    ])
    const text = (kind: string, changes: Record<string, unknown>) => read('en', entryOf(kind, changes, 1), groups)
    assert.match(text('group.created', { publish_for: [1, 2] }), /May publish for: Helpers and Planners/)
    assert.match(text('group.created', { bundles: ['plan', 'manage'] }), /Permissions: plan and manage/)
    assert.match(text('event.changed', { groups: [[1], [1, 2]] }), /Groups: Helpers → Helpers and Planners/)
    assert.match(text('event.shifts_edited', { removed: [null, 2] }), /Removed: 2/)
    assert.match(text('group.deleted', { members: 2 }), /Members: 2/)
    assert.match(text('resource.changed', { title: ['Van', 'Bus'] }), /Title: Van → Bus/)
    assert.match(text('token.created', { scopes: ['ME_READ', 'PUBLIC_READ'] }), /Scopes: ME_READ and PUBLIC_READ/)
  })

  test('says what a working time limit does', () => {
    const changes = { rest_hours: ['11 (refuse)', '8 (warn)'], minor_accompanied: [null, '1 (refuse)'] }
    const text = (language: 'en' | 'de') => read(language, entryOf('limits.changed', changes, 1), NAMED)
    assert.match(text('en'), /: 11, otherwise sign-up is refused → 8, otherwise people are warned/)
    assert.match(text('en'), /: yes, otherwise sign-up is refused/)
    assert.match(text('de'), /: 11, sonst wird die Anmeldung abgelehnt → 8, sonst wird gewarnt/)
    assert.match(read('en', entryOf('resource.changed', { title: ['Van', '11 (refuse)'] }, 1), NAMED), /Van → 11 \(refuse\)/)
  })

  test('shows names as people wrote them', () => {
    for (const [kind, changes] of [
      ['group.created', { name: 'night_watch' }],
      ['resource.changed', { title: ['night_watch', 'day_watch'] }],
    ] as const)
      assert.match(read('en', entryOf(kind, changes, 1), NAMED), /night_watch/)
    for (const title of ['2031-99-99', '0000-00-00', '2031-05-04T99:00:00Z'])
      assert.ok(read('en', entryOf('resource.changed', { title: ['Van', title] }, 1), NAMED).includes(`Van → ${title}`), title)
  })

  test('has words for every setting', () => {
    assert.ok(settings.length > 10)
    for (const name of settings) {
      const label = read('en', entryOf('instance.changed', { [name]: [1, 2] }, 1), NAMED)
      assert.ok(!label.includes(`${name.replaceAll('_', ' ')}:`), label)
    }
  })

  test('leaves out numbers that only programs need', () => {
    for (const field of HIDDEN_FIELDS) {
      const text = read('en', entryOf('shift.line_joined', { [field]: ID }, 1), NAMED)
      assert.doesNotMatch(text, /424|:/, field)
    }
  })
})
