import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { buildApp } from '#app'
import { loadDemoWorld } from '#demo/world.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { readConfig } from '#platform/config.ts'
import { makeLog } from '#platform/log.ts'
import { freshDatabase, openTestDatabase, PATIENT } from '#test/support/database.ts'
import { formsIn, linksIn, type PageForm } from '#test/support/forms.ts'
import { Browser, type BrowserResponse } from '#test/support/http-browser.ts'
import { chooseSize } from '#test/support/sizes.ts'

const NOW = new Date('2026-05-20T09:30:00Z')
const PASSWORDS = { olga: 'olga needs this', paul: 'paul needs this', ann: 'ann needs this' }
/** Pages of the same kind that are visited. */
const PAGES_PER_KIND = chooseSize({ usual: 1, full: 2 })
/** These end the session of the test, or change what other pages show. */
const NOT_FOLLOWED = /^\/(accounts\/|api\/|calendar\/|styleguide\/)|\.(csv|ics)/
/** Errors that concern no single field. */
const WITHOUT_FIELD = [/^Add at least one shift/, /^Email address or password is wrong/]

const kindOf = (path: string): string => path.split('?')[0]!.replace(/\/[^/]*\d[^/]*(?=\/)/g, '/{id}')

describe('every form that is sent empty', async () => {
  let close: () => Promise<void>
  let port: number

  before(async () => {
    const database = await freshDatabase()
    const db = openTestDatabase({ url: database.url })
    const config = readConfig({ WORKER: 'off', RATE_LIMIT: 'off' }, 'try-out')
    const keyring = makeKeyring('a key of thirty-two bytes or more')
    await loadDemoWorld({ db, language: 'en', now: NOW, seed: 7, timeZone: config.timeZone, keyring, passwords: PASSWORDS })
    const { app } = await buildApp({
      config,
      databaseUrl: database.url,
      db,
      log: makeLog('silent'),
      keyring,
      clock: { now: () => NOW },
      mailer: { send: async () => {}, describe: 'nowhere' },
      clientTimeouts: PATIENT,
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
    port = (app.server.address() as AddressInfo).port
    close = async () => {
      await app.close()
      await db.close()
      await database.drop()
    }
  })
  after(() => close())

  const openBrowser = () => new Browser({ port }, { host: '127.0.0.1' })

  /** Follows links from these pages, and sends each kind of form once. */
  async function sendForms(browser: Browser, from: readonly string[]): Promise<{ sent: string[]; problems: string[] }> {
    const visits = new Map<string, number>()
    const sent = new Set<string>()
    const problems: string[] = []
    const rest = [...from]
    for (let url = rest.shift(); url; url = rest.shift()) {
      const visit = (visits.get(kindOf(url)) ?? 0) + 1
      visits.set(kindOf(url), visit)
      if (visit > PAGES_PER_KIND) continue
      const page = await browser.get(url)
      if (!String(page.headers['content-type']).startsWith('text/html')) continue
      rest.push(...linksIn(page.body).filter((link) => !NOT_FOLLOWED.test(link)))
      for (const form of formsIn(page.body, url)) {
        const name = `${kindOf(form.action)} ${form.visible.map((field) => field.replace(/\d+/g, '1')).join()}`
        if (sent.has(name)) continue
        sent.add(name)
        for (const fields of form.submits) {
          const answer = await send(browser, form, fields)
          for (const problem of problemsOf(answer))
            problems.push(`${url} → ${form.action} ${JSON.stringify(fields.at(-1))}: ${problem}`)
        }
      }
    }
    return { sent: [...sent], problems }
  }

  function send(browser: Browser, form: PageForm, fields: readonly [string, string][]): Promise<BrowserResponse> {
    const values: Record<string, string[]> = {}
    for (const [name, value] of fields) if (name !== 'csrf_token') values[name] = [...(values[name] ?? []), value]
    return browser.post(form.action, { form: values })
  }

  test('of an administrator stays on a page, with errors at the fields', { timeout: 600_000 }, async () => {
    const browser = openBrowser()
    await browser.signIn(PASSWORDS.olga, 'olga@demo.example')
    const { sent, problems } = await sendForms(browser, ['/', '/manage/', '/settings/', '/events/new/'])
    assert.ok(sent.length > 30, `only ${sent.length} forms: ${sent.join('\n')}`)
    assert.deepEqual(problems, [])
  })

  test('of a member stays on a page, with errors at the fields', { timeout: 600_000 }, async () => {
    const browser = openBrowser()
    await browser.signIn(PASSWORDS.ann, 'ann@demo.example')
    const { sent, problems } = await sendForms(browser, ['/', '/events/?fits=1'])
    assert.ok(
      sent.some((form) => form.startsWith('/shifts/{id}/signup/')),
      sent.join('\n'),
    )
    assert.deepEqual(problems, [])
  })

  test('of a visitor without an account stays on a page, with errors at the fields', async () => {
    const { sent, problems } = await sendForms(openBrowser(), ['/accounts/login/'])
    assert.equal(sent.length, 1, sent.join())
    assert.deepEqual(problems, [])
  })
})

function problemsOf({ statusCode, body, headers }: BrowserResponse): string[] {
  if (statusCode === 303) return []
  if (!String(headers['content-type']).startsWith('text/html') || !body.includes('<html')) return []
  if (/<main[^>]*class="[^"]*bare/.test(body) && statusCode >= 400 && !body.includes('error-summary'))
    return [`a bare error page, ${statusCode}`]
  if (statusCode !== 200 && statusCode !== 422) return [`status ${statusCode}`]
  const summaries = [...body.matchAll(/<div class="error-summary"[\s\S]*?<\/div>/g)].map(([summary]) => summary)
  // Boards have one form with many cards; their errors stand at the card or at the field only.
  const hasMessage = summaries.length === 1 || /class="(field-error|notice)|role="alert"/.test(body)
  if (statusCode === 422 && !hasMessage) return ['no error is shown']
  return summaries.flatMap((summary) =>
    [...summary.matchAll(/<li>([\s\S]*?)<\/li>/g)].flatMap(([, line]) => {
      const [, id, text] = /^<a href="#([^"]+)">([\s\S]*)<\/a>$/.exec(line!) ?? []
      if (!id) return WITHOUT_FIELD.some((pattern) => pattern.test(line!)) ? [] : [`without a field: ${line}`]
      return [
        ...(body.includes(` id="${id}"`) ? [] : [`no field ${id}`]),
        ...(body.includes(` id="${id}-error"`) ? [] : [`no error at the field: ${line}`]),
        ...(/^[^:]+: /.test(text!) ? [] : [`without the name of the field: ${line}`]),
      ]
    }),
  )
}
