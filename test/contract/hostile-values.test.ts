import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { freshDemoDatabase, PASSWORDS } from '#test/support/demo-instance.ts'
import { findEveryPage, openTestApp, type TestApp } from '#test/support/every-page.ts'
import { formsIn, parametersIn } from '#test/support/forms.ts'
import { Browser } from '#test/support/http-browser.ts'
import { chooseSize } from '#test/support/sizes.ts'
import { addVisit } from '#test/support/visit.ts'

/** Values that are hard to store, to compare and to show. A browser can send all of them. */
const HOSTILE: readonly (readonly [what: string, value: string])[] = [
  ['null characters', 'a\0b'],
  ['line breaks and control characters', 'one\r\nTwo: 2\u0007\u001b[31m\u2028\u2029\u0085'],
  ['markup and characters that turn text around', '"><script>planted=1</script>\u202e\u2066{{7*7}}'],
  ['long texts', 'W'.repeat(20_000)],
  ['long texts of four bytes', '👩‍🚒'.repeat(4_000)],
  ['large numbers', '9'.repeat(30)],
  ['numbers out of order', '-1e999'],
  ['days that do not exist', '0000-00-00'],
  ['days after the last one', '+275760-09-14T00:00'],
]
/** Halves of characters in UTF-8, which no text contains: sent as bytes. */
const BROKEN_BYTES = '%ED%A0%80%C0%AF%FF'

/** How many values each parameter and each form gets. Others get the next ones, so that all are used. */
const TRIED = chooseSize({ usual: 1, full: HOSTILE.length + 1 })
/** Of how many fields of a form one gets a value while the others stay as they are. */
const FIELDS_PER_TRIAL = chooseSize({ usual: 5, full: 1 })

/** Values in turn. */
function takeInTurn<Value>(values: readonly Value[], count: number): () => Value[] {
  let next = 0
  return () => Array.from({ length: Math.min(count, values.length) }, () => values[next++ % values.length]!)
}

const kindOf = (path: string): string => path.split('?')[0]!.replace(/\/[^/]*\d[^/]*(?=\/)/g, '/{id}')

describe('values that are hard to store', () => {
  let testApp: TestApp
  let browser: Browser
  let places: string[]
  before(async () => {
    testApp = await openTestApp(await freshDemoDatabase(), { isUnlimited: true })
    const visit = await addVisit(testApp)
    const pages = (await findEveryPage(testApp)).filter((place) => !/^\/accounts\/(logout|login)/.test(place))
    places = [...new Set([...pages, ...visit.places])]
    browser = new Browser({ port: Number(new URL(testApp.origin).port) }, { host: new URL(testApp.origin).host })
    await browser.signIn(PASSWORDS.olga, 'olga@demo.example')
    // Pages for people of partner instances look at this cookie only.
    browser.cookies.set(visit.cookie.name, visit.cookie.value)
  })
  after(() => testApp?.close())

  /** Some forms end the session, and accept what they are sent. */
  const open = async (place: string) => {
    const page = await browser.get(place)
    if (!String(page.headers.location).startsWith('/accounts/login/')) return page
    await browser.signIn(PASSWORDS.olga, 'olga@demo.example')
    return browser.get(place)
  }

  test('are answered on every page that reads parameters', { timeout: 900_000 }, async () => {
    const problems: string[] = []
    const seen = new Set<string>()
    let asked = 0
    const take = takeInTurn([...HOSTILE.map(([, text]) => encodeURIComponent(text.slice(0, 1500))), BROKEN_BYTES], TRIED)
    for (const place of places) {
      const [path = ''] = place.split('?')
      const page = await browser.get(place)
      const names = new Set([...new URLSearchParams(place.split('?')[1]).keys(), ...parametersIn(page.body, path)])
      for (const name of names) {
        if (seen.has(`${kindOf(path)} ${name}`)) continue
        seen.add(`${kindOf(path)} ${name}`)
        for (const value of take()) {
          asked++
          const { statusCode } = await browser.get(`${path}?${encodeURIComponent(name)}=${value}`)
          if (statusCode === 400 || statusCode >= 500) problems.push(`${path}?${name}=${value.slice(0, 40)}: ${statusCode}`)
        }
      }
    }
    assert.ok(asked > 30 * TRIED, `only ${asked} requests`)
    assert.deepEqual(problems, [])
  })

  test('are answered by every form, in all fields and in single ones', { timeout: 900_000 }, async () => {
    const problems: string[] = []
    const sent = new Set<string>()
    const takeForAll = takeInTurn(HOSTILE, TRIED)
    const takeForOne = takeInTurn(HOSTILE, 1)
    let fieldsSeen = 0
    for (const place of places) {
      const page = await open(place)
      for (const form of formsIn(page.body, place)) {
        const fieldKinds = [...new Set(form.visible.map((field) => field.replace(/\d+/g, '1')))]
        const kind = `${kindOf(form.action)} ${fieldKinds.join()}`
        // Ends the visit.
        if (kind.startsWith('/visits/')) continue
        if (sent.has(kind)) continue
        sent.add(kind)
        // 400 is a refusal by the database, which does not say which field is wrong. Only what has no page of its own is refused so.
        const isAction = async () => (await browser.get(form.action)).statusCode === 405
        const post = async (what: string, change: (name: string, value: string) => string) => {
          const values: Record<string, string[]> = {}
          for (const [name, given] of form.filled)
            if (name !== 'csrf_token') values[name] = [...(values[name] ?? []), change(name, given)]
          const { statusCode } = await browser.post(form.action, { form: values })
          if (statusCode >= 500 || (statusCode === 400 && !(await isAction())))
            problems.push(`${place} → ${form.action}, ${what}: ${statusCode}`)
        }
        for (const [what, value] of takeForAll()) await post(what, (name, given) => (form.visible.includes(name) ? value : given))
        // One of two failures hides the other, so the other fields stay as they are.
        for (const [n, field] of form.filled.entries()) {
          if (form.filled.findIndex(([name]) => name.replace(/\d+/g, '1') === field[0].replace(/\d+/g, '1')) !== n) continue
          if (fieldsSeen++ % FIELDS_PER_TRIAL !== 0) continue
          const [[what, value] = HOSTILE[0]!] = takeForOne()
          await post(`${what} in ${field[0]}`, (name, given) => (name === field[0] ? value : given))
        }
      }
    }
    assert.ok(sent.size > 100, `only ${sent.size} forms`)
    // What was accepted is shown, in the log for example.
    for (const place of places) {
      const { statusCode } = await open(place)
      if (statusCode >= 500) problems.push(`${place} afterwards: ${statusCode}`)
    }
    assert.deepEqual(problems, [])
  })
})
