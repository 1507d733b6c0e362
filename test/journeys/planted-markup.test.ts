import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import type { DB } from '#platform/db/tables.ts'
import { findBrowser, openBrowser } from '#test/support/browser.ts'
import { freshDemoDatabase } from '#test/support/demo-instance.ts'
import { findEveryPage, openAsOlga, openPlace, openTestApp, type TestApp } from '#test/support/every-page.ts'
import { PLANTED, PLANTED_JSON, PLANTED_LISTS, PLANTED_VALUES } from '#test/support/planted.ts'
import { IS_EXHAUSTIVE } from '#test/support/sizes.ts'
import { addVisit } from '#test/support/visit.ts'

const LEAK = 'leak.example'
const IMAGE = `"><img src=//${LEAK}/i onerror=planted=1>`
/** The longest first: a column takes the first that its checks accept. */
const TEXTS = [
  `${IMAGE}</title></textarea><script>planted=1</script>[m](javascript:planted=1)<a href="javascript:planted=1">a</a>\u202egnorw`,
  IMAGE,
  '<b onclick=planted=1>',
  '\'"><b>',
]
const ADDRESSES = [
  `javascript:planted=1//https://x.example/${IMAGE}`,
  `https://x.example/${IMAGE}`,
  `https://x.example/"onerror=planted=1`,
]
/** Columns whose checks refuse all of them. */
const REFUSED = ['oauth_application.purpose', 'user_profile.username']

const isAddress = (column: string): boolean => /(url|uri|issuer|endpoint|announced)$/.test(column)

/** Columns that took nothing. */
async function plant(db: Kysely<DB>): Promise<string[]> {
  const refused: string[] = []
  const numbered = (text: string) => sql`${text}::text || (n.n)::text`
  await sql`insert into extension (name, source) values ('left_out', ''), ('stopped', '')`.execute(db)
  await sql`update extension set is_loaded = true, stopped_at = now() where name = 'stopped'`.execute(db)
  for (const [table, columns] of Object.entries(PLANTED))
    for (const column of columns) {
      const planted = await plantColumn(db, { table, column, values: isAddress(column) ? ADDRESSES : TEXTS, write: numbered })
      if (planted === undefined) refused.push(`${table}.${column}`)
    }
  for (const [table, column] of PLANTED_LISTS) {
    const planted = await plantColumn(db, { table, column, values: ADDRESSES, write: (text) => sql`array[${text}::text]` })
    if (planted === undefined) refused.push(`${table}.${column}`)
  }
  // Every string with a letter, but not the ones that the program reads, such as states and times.
  for (const [table, column] of PLANTED_JSON)
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = regexp_replace(${sql.ref(column)}::text,
      ${'"(title|name|label|room|persons|reason|abstract|description|text|speaker|subject|comment)": ?"[^"\\\\]*"'}, ${`"\\1": ${JSON.stringify(TEXTS[0]).replaceAll('\\', '\\\\')}`}, 'g')::jsonb
      where ${sql.ref(column)} is not null`.execute(db)
  for (const [table, column, where] of PLANTED_VALUES)
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = to_jsonb(${TEXTS[0]}::text)
      where jsonb_typeof(${sql.ref(column)}) = 'string' and ${sql.raw(where)}`.execute(db)
  await plantTranslations(db)
  return refused
}

/** A translation is shown only while its original is the same. */
async function plantTranslations(db: Kysely<DB>): Promise<void> {
  for (const [owner, table, fields] of [
    ['event_id', 'event', ['title', 'description']],
    ['page_id', 'content_page', ['title', 'content']],
    ['question_id', 'question', ['text', 'description']],
  ] as const)
    for (const field of fields)
      await sql`insert into translated_text (${sql.ref(owner)}, language, field, original, text)
        select t.id, language, ${field === 'description' && table === 'question' ? 'explanation' : field}, t.${sql.ref(field)}, ${TEXTS[0]}
        from ${sql.table(table)} t, unnest(array['de', 'en']) language where t.${sql.ref(field)} <> ''`.execute(db)
}

type Column = { table: string; column: string; values: readonly string[]; write: (text: string) => ReturnType<typeof sql> }

async function plantColumn(db: Kysely<DB>, { table, column, values, write }: Column): Promise<number | undefined> {
  const filled = sql`t.${sql.ref(column)} is not null`
  // Some columns are empty for some kinds of rows.
  const tries = [sql`true`, filled].flatMap((where) => values.map((text) => ({ text, where })))
  for (const { text, where } of tries) {
    try {
      const done = await sql`update ${sql.table(table)} t set ${sql.ref(column)} = ${write(text)}
        from (select ctid, row_number() over () n from ${sql.table(table)}) n where n.ctid = t.ctid and ${where}`.execute(db)
      return Number(done.numAffectedRows)
    } catch (error) {
      // A check, the length of the column, or a rule that a column is empty for this kind of row.
      if (!['23514', '22001', '23505'].includes((error as { code?: string }).code ?? '')) throw error
    }
  }
  return undefined
}

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`planted markup is skipped, ${skip}`)

describe('markup that outsiders planted', { skip }, () => {
  let browser: Browser
  let testApp: TestApp
  before(async () => {
    browser = (await openBrowser()).browser!
    testApp = await openTestApp(await freshDemoDatabase())
  })
  after(async () => {
    await browser?.close()
    await testApp?.close()
  })

  test('runs on no page, loads nothing, and becomes no link that runs', async () => {
    const places = await findEveryPage(testApp)
    const member = await openAsOlga(browser, testApp.origin)
    const anonymous = await browser.newContext({ reducedMotion: 'reduce' })
    const visit = await addVisit(testApp)
    await anonymous.addCookies([{ ...visit.cookie, url: testApp.origin }])
    assert.deepEqual(await plant(testApp.db.write), REFUSED)
    const found: string[] = []
    let marked = 0
    // Every fourth page; the contract tests read the markup of all.
    const chosen = places.filter((_, n) => IS_EXHAUSTIVE || n % 4 === 0)
    const rest = [...new Set([...visit.places, ...chosen])]
    const markedVisits: string[] = []
    const walker = async () => {
      const pages = { member: await member.newPage(), anonymous: await anonymous.newPage() }
      for (let place = rest.shift(); place; place = rest.shift()) {
        const page = /^\/(accounts|join)\/|\/shared\//.test(place) ? pages.anonymous : pages.member
        const { problems, isMarked } = await lookAt(page, testApp.origin, place)
        if (isMarked) marked++
        if (isMarked && visit.places.includes(place)) markedVisits.push(place)
        found.push(...problems.map((problem) => `${place} ${problem}`))
      }
    }
    await Promise.all([walker(), walker()])
    await Promise.all([member.close(), anonymous.close()])
    assert.deepEqual(found, [])
    assert.ok(markedVisits.length > 2, `visits of people of partners show what was planted: ${markedVisits}`)
    assert.ok(marked > chosen.length / 3, `only ${marked} of ${chosen.length} pages show what was planted`)
  })
})

async function lookAt(page: Page, origin: string, place: string): Promise<{ problems: string[]; isMarked: boolean }> {
  const problems: string[] = []
  const onRequest = (request: { url: () => string }) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) problems.push(`requests ${request.url()}`)
  }
  const onConsole = (message: { text: () => string }) => {
    if (/Content Security Policy|planted/.test(message.text())) problems.push(`logs ${message.text()}`)
  }
  page.on('request', onRequest)
  page.on('console', onConsole)
  try {
    const answer = await openPlace(page, origin + place)
    if (!answer?.headers()['content-type']?.startsWith('text/html')) return { problems, isMarked: false }
    if (answer.status() >= 500) problems.push(`answers ${answer.status()}`)
    const seen = await page.evaluate((leak) => {
      const found: string[] = []
      if ('planted' in window) found.push('runs')
      for (const element of document.querySelectorAll('*')) {
        for (const { name, value } of element.attributes) {
          const isScript =
            /^(href|src|action|formaction|xlink:href|(data-)?hx-\w+)$/.test(name) &&
            /^\s*(javascript|data|vbscript):/i.test(value)
          const isHandler = name.startsWith('on')
          const isLoad = name === 'src' && value.includes(leak)
          if (isScript || isHandler || isLoad) found.push(`has ${element.tagName} ${name}=${value}`)
        }
        if (element.tagName === 'SCRIPT' && /^planted/.test(element.textContent ?? '')) found.push('has the script')
      }
      if (/[\u202a-\u202e]/.test(document.documentElement.outerHTML)) found.push('turns text around')
      return { found, isMarked: /onerror=planted|planted=1/.test(document.body.textContent ?? '') }
    }, LEAK)
    problems.push(...seen.found)
    return { problems, isMarked: seen.isMarked }
  } finally {
    page.off('request', onRequest)
    page.off('console', onConsole)
  }
}
