import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, mock, test } from 'node:test'
import pg from 'pg'
import { forgetKeptPages } from '#platform/http/kept-pages.ts'
import { namedExtensions } from '#test/support/extensions.ts'
import { ANN, HELPERS, OLGA, PAUL } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

const root = mkdtempSync(join(tmpdir(), 'turnout-extensions-'))
after(() => rmSync(root, { recursive: true }))

/** No export of this file. */
const EXPORT = 'export'

const BEGINNING = 60
const READ = 'select id from published.person where id = $1'
/** Each part reads once. */
const PARTS = {
  event_section: 'adds: { eventSection: async ({ db }, { id }) => { await read(db, id); return html`<p>own part</p>` } }',
  person_section: 'adds: { personSection: async ({ db }, { id }) => { await read(db, id); return html`<p>own part</p>` } }',
  home_link: "adds: { homeLink: async ({ db }) => { await read(db, 1); return { href: '/x/home_link/', label: 'own part' } } }",
  event_form: 'adds: { eventForm: { ...form, read: async ({ db }, { id }) => { await read(db, id); return {} } } }',
  shift_form: 'adds: { shiftForm: { ...form, read: async ({ db }, { id }) => { await read(db, id); return {} } } }',
  rule: "rules: [{ name: 'all', judge: async ({ db }, { personIds, shiftIds }) => { await read(db, 1); return personIds.flatMap((personId) => shiftIds.map((shiftId) => ({ personId, shiftId, text: 'title', isWarning: true }))) } }]",
}
type Part = keyof typeof PARTS

function write(name: Part): string {
  const folder = join(root, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, type: 'module', exports: './index.js' }))
  writeFileSync(
    join(folder, 'index.js'),
    `import { defineExtension, html } from 'turnout/extension'
const words = { title: 'own part', text: 'T', who: 'W' }
const read = (db, id) => db.query('${READ}', [id])
const form = { title: 'title', fields: [{ name: 'a', label: 'title', kind: 'text' }], save: async () => {} }
const extension = defineExtension({ name: '${name}', version: '1.0.0', turnout: '^1.4', words: { en: words, de: words }, ${PARTS[name]} })
${EXPORT} { extension as default }`,
  )
  return folder
}

describe('statements that an extension adds to a page', async () => {
  const names = Object.keys(PARTS) as Part[]
  const world = await openWorld({
    extensions: namedExtensions([...names.map(write), 'extensions/lottery'], { sectionMs: 60_000 }),
  })
  const { id: eventId, shifts } = await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts: [{}] })
  const [ann, paul, olga] = [await browserOf(world, ANN), await browserOf(world, PAUL), await browserOf(world, OLGA)]
  const event = `/events/${eventId}-harbour-run/`
  const PAGES: Record<Part, { path: string; reader: typeof ann }> = {
    event_section: { path: event, reader: paul },
    person_section: { path: `/manage/people/${ANN.id}/`, reader: olga },
    home_link: { path: '/', reader: ann },
    event_form: { path: `/events/${eventId}/edit/`, reader: paul },
    shift_form: { path: `/shifts/${shifts[0]}/edit/`, reader: paul },
    rule: { path: event, reader: ann },
  }
  const setModules = (modules: string[]) =>
    world.db.write
      .insertInto('setting')
      .values({ name: 'modules', value: JSON.stringify(modules) })
      .onConflict((same) => same.column('name').doUpdateSet({ value: JSON.stringify(modules) }))
      .execute()

  /** Of the second request, when what a process keeps is loaded. */
  async function read({ path, reader }: (typeof PAGES)[Part]): Promise<{ statements: string[]; body: string }> {
    await reader.get(path)
    forgetKeptPages(world.db)
    const query = mock.method(pg.Client.prototype, 'query')
    try {
      const { statusCode, body } = await reader.get(path)
      assert.equal(statusCode, 200)
      const texts = query.mock.calls.map(({ arguments: [first] }) => String((first as { text?: string }).text ?? first).trim())
      // Limits are stored in the background, and looks at the state are shared by requests at the same time.
      const own = texts.filter((text) => !text.includes('rate_count') && !text.startsWith('select pg_current_snapshot()'))
      return { statements: own, body }
    } finally {
      query.mock.restore()
    }
  }

  const addedTo = (before: readonly string[], now: readonly string[]): string[] => {
    // Some statements of Turnout read more from time to time, at their end.
    const left = before.map((text) => text.slice(0, BEGINNING))
    return now.filter((text) => {
      const index = left.indexOf(text.slice(0, BEGINNING))
      if (index >= 0) left.splice(index, 1)
      return index < 0
    })
  }

  for (const name of names)
    test(`${name.replaceAll('_', ' ')}: one, and none while it is off`, async () => {
      await setModules([])
      const off = await read(PAGES[name])
      assert.doesNotMatch(off.body, /own part/)
      await setModules([`x_${name}`])
      const on = await read(PAGES[name])
      assert.match(on.body, /own part/)
      assert.deepEqual(addedTo(off.statements, on.statements), [READ])
    })

  test('the lottery: one on the page of an event', async () => {
    await setModules([])
    const off = await read(PAGES.event_section)
    await setModules(['x_lottery'])
    const on = await read(PAGES.event_section)
    assert.match(addedTo(off.statements, on.statements).join('\n'), /^[^;]*x_lottery\.draw[^;]*$/)
  })
})
