import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { type App, buildApp } from '#app'
import { createFirstAdministratorLink } from '#features/access/sign-in/commands/administrators.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { readConfig } from '#platform/config.ts'
import { tasksOf } from '#platform/features/compose.ts'
import { makeLog } from '#platform/log.ts'
import type { Mail } from '#platform/mail/mail.ts'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, openBrowser, overflowing, readMain } from '#test/support/browser.ts'
import { freshDatabase, openTestDatabase, PATIENT } from '#test/support/database.ts'
import { findJobs } from '#test/support/mail-outbox.ts'
import { chooseVariants } from '#test/support/sizes.ts'
import { type AppOptions, makeRuntime } from '../../src/app-options.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`the first evening is skipped, ${skip}`)

const NOW = new Date('2026-05-20T17:30:00Z')
const PASSWORD = 'Wald Zug Lampe Reh'
const PEOPLE = 20
const MOST_TAPS = 40

/** As a German Excel saves it: semicolons, no UTF-8. */
const MEMBERS = Buffer.from(
  [
    'Nachname;Vorname;E-Mail;Tel. mobil;Geburtsdatum;Gruppe',
    ...Array.from(
      { length: PEOPLE },
      (_, n) => `Groß ${n};Jörg;m${n}@ff.example;0171 23456${10 + n};0${1 + (n % 9)}.03.1985;Mitglieder`,
    ),
  ].join('\r\n'),
  'latin1',
)

/** The chapter names the steps in the order of the list. */
const STEPS_OF_HANDBOOK = [
  ...readFileSync(new URL('../../handbook/de/first-evening.md', import.meta.url), 'utf8').matchAll(/^\d+\. \*\*(.+?)\*\*/gm),
].map(([, step]) => step!)

type Evening = Awaited<ReturnType<typeof openEmpty>>

/** An instance that nobody has touched, with a mail server, and the browser of a German reader who counts taps. */
async function openEmpty(browser: Browser, width: number) {
  const database = await freshDatabase()
  const db = openTestDatabase({ url: database.url })
  const sent: Mail[] = []
  const env = {
    SITE_URL: 'http://127.0.0.1',
    SECRET_KEY: 'k'.repeat(32),
    WORKER: 'off',
    MAIL_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'a@ff.example',
  }
  const options: AppOptions = {
    config: readConfig(env, 'serve'),
    databaseUrl: database.url,
    db,
    log: makeLog('silent'),
    keyring: makeKeyring(env.SECRET_KEY),
    clock: { now: () => NOW },
    mailer: { send: async (mail) => void sent.push(mail), describe: 'a test' },
    clientTimeouts: PATIENT,
  }
  const { app, site }: App = await buildApp(options)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const contexts: BrowserContext[] = []
  return {
    db,
    sent,
    site,
    origin: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    open: async (): Promise<Page> => {
      const look = { viewport: { width, height: 740 }, hasTouch: width < 500, isMobile: width < 500 }
      const context = await browser.newContext({ ...look, reducedMotion: 'reduce', locale: 'de-DE' })
      contexts.push(context)
      return context.newPage()
    },
    /** Runs the queued jobs of these tasks, as the worker would. */
    work: async (...names: string[]) => {
      for (const name of names) {
        const task = tasksOf(makeRuntime(options)).find((each) => each.name === name)!
        for (const { id, payload } of await findJobs(db, name)) {
          await task.run(payload)
          await sql`delete from graphile_worker._private_jobs where id = ${id}`.execute(db.write)
        }
      }
    },
    close: async () => {
      await Promise.all(contexts.map((context) => context.close()))
      await app.close()
      await db.close()
      await database.drop()
    },
  }
}

/** Follows the evening as the handbook tells it, and counts. Choosing from a list or a file takes two taps. */
class Administrator {
  readonly page: Page
  taps = 0
  constructor(page: Page) {
    this.page = page
  }
  async tap(place: Locator): Promise<void> {
    this.taps++
    await place.click()
    await this.page.waitForLoadState()
  }
  async press(name: string | RegExp): Promise<void> {
    await this.tap(this.page.getByRole('button', { name, exact: typeof name === 'string' }))
  }
  async follow(name: string | RegExp): Promise<void> {
    await this.tap(
      this.page
        .locator('main')
        .getByRole('link', { name, exact: typeof name === 'string' })
        .first(),
    )
    await this.looksRight()
  }
  async choosesFile(name: string, buffer: Buffer): Promise<void> {
    this.taps += 2
    await this.page.setInputFiles('[name=file]', { name, mimeType: 'text/csv', buffer })
  }
  async reads(text: string | RegExp): Promise<void> {
    await this.page.locator('main').getByText(text).first().waitFor()
  }
  async looksRight(): Promise<void> {
    assert.deepEqual(await axeProblems(this.page), [], this.page.url())
    assert.deepEqual(await overflowing(this.page), [], this.page.url())
  }
}

async function setUp(admin: Administrator, { origin, db, site }: Evening): Promise<void> {
  const { page } = admin
  await page.goto(`${origin}/`)
  await admin.reads('Diese Instanz ist neu')
  const link = await createFirstAdministratorLink({ db: db.write, actor: ANONYMOUS, now: NOW, site, requestId: null })
  await page.goto(`${origin}/accounts/first-administrator/${link!.token}/`)
  await page.fill('[name=name]', 'Petra Brand')
  await page.fill('[name=email]', 'petra@ff.example')
  await page.fill('[name=password]', PASSWORD)
  await page.fill('[name=password_again]', PASSWORD)
  await admin.press('Konto anlegen und einloggen')
  await admin.reads('Diese Liste hakt sich selbst ab')
  assert.deepEqual(await page.locator('.step > span > a').allTextContents(), STEPS_OF_HANDBOOK)
  await admin.looksRight()

  await admin.follow('Name und Logo')
  await page.fill('[name=organization_name]', 'Feuerwehr Waldstadt')
  await admin.press('Einstellungen speichern')
  await admin.reads('Name und Logo ist erledigt')
  await admin.follow('Weiter: Sprache und Zeitzone')
  // Her own language is proposed.
  assert.equal(await page.inputValue('[name=default_language]'), 'de')
  await admin.press('Einstellungen speichern')
  await admin.follow('Weiter: Was ihr nutzt')
  await admin.follow(/^Feuerwehr oder Hilfsorganisation/)
  await admin.press('Diese Module nutzen')
  await admin.follow('Weiter: E-Mails')
  await admin.press(/^Test-E-Mail an petra@ff\.example senden/)
  await admin.reads('Der Mailserver hat eine Test-E-Mail')
  await admin.follow('Weiter: Gruppen')
  await admin.follow(/^Mitglieder und Planer.*: Gruppen ansehen|Gruppen ansehen/)
  await admin.press('Gruppen anlegen')
  await admin.follow('Weiter: Qualifikationen')
  await admin.follow('Mit einer Liste beginnen')
  await admin.follow(/^Feuerwehr: Liste ansehen/)
  await admin.press('Importieren')
  await admin.reads(/Qualifikationen hinzugefügt/)
  await admin.follow('Weiter: Veranstaltungstypen')
  await page.fill('[name=title]', 'Übung')
  await admin.press('Veranstaltungstyp anlegen')
}

async function invite(admin: Administrator, { sent, work }: Evening): Promise<void> {
  const { page } = admin
  await admin.follow('Weiter: Personen')
  await admin.choosesFile('mitglieder.csv', MEMBERS)
  await admin.press('Vorschau zeigen')
  await admin.looksRight()
  await admin.tap(page.getByRole('checkbox', { name: /Einladungen senden/ }))
  await admin.press(`${PEOPLE} Personen importieren`)
  await work('people_import', 'account_mail')
  await admin.reads(`${PEOPLE} Personen wurden angelegt.`)
  const invited = sent.filter(({ to, text }) => /^m\d+@ff/.test(to) && text.includes('/accounts/welcome/'))
  assert.equal(new Set(invited.map(({ to }) => to)).size, PEOPLE)
}

/** From a template of the list for her kind of organisation. */
async function publish(admin: Administrator): Promise<string> {
  const { page } = admin
  await admin.follow('Weiter: Die erste Veranstaltung')
  await admin.follow('Mit einer Vorlage beginnen')
  await admin.reads('Ihr habt noch keine Vorlage')
  await admin.press(/^Diese Vorlage nutzen: Übungsabend/)
  await admin.reads('Übungsabend gehört jetzt zu euren Vorlagen.')
  await admin.looksRight()
  const [type] = await page.locator('[name=type] option:checked').allTextContents()
  assert.deepEqual([type, await page.inputValue('[name=first]')], ['Übung', '2026-05-27'])
  await page.fill('[name=location]', 'Gerätehaus')
  await admin.press('Entwürfe anlegen')
  await admin.press('Veröffentlichen')
  await admin.reads('Übungsabend ist veröffentlicht.')
  await admin.looksRight()
  return page.url()
}

describe('the first evening, from an empty instance to an event with invited people', { skip }, () => {
  let browser: Browser
  before(async () => {
    const found = await openBrowser()
    assert.ok(found.browser, found.reason)
    browser = found.browser
  })
  after(() => browser?.close())

  for (const width of chooseVariants([360, 1280], 0))
    test(`takes at most ${MOST_TAPS} taps, at ${width} pixels, in German`, async () => {
      const evening = await openEmpty(browser, width)
      try {
        const admin = new Administrator(await evening.open())
        await setUp(admin, evening)
        await invite(admin, evening)
        const event = await publish(admin)
        console.log(`${admin.taps} taps at ${width} pixels`)
        assert.ok(admin.taps <= MOST_TAPS, `${admin.taps} taps`)

        // What is done is ticked: all but the backup, which the server makes at night.
        await admin.page.goto(evening.origin)
        const open = admin.page.locator('.step.tone-quiet')
        assert.deepEqual(await open.evaluateAll((steps) => steps.map((step) => step.getAttribute('data-step'))), ['backup'])

        const welcome = /\/accounts\/welcome\/\w+\//.exec(evening.sent.find(({ to }) => to === 'm7@ff.example')!.text)![0]
        const member = await evening.open()
        await member.goto(evening.origin + welcome)
        await member.fill('[name=password]', 'ein Satz nur für Jörg')
        await member.fill('[name=password_again]', 'ein Satz nur für Jörg')
        await member.click('main form button')
        await member.waitForURL(`${evening.origin}/`)
        await member.goto(event)
        assert.match(await readMain(member), /Übungsabend.*Anmelden/s)
      } finally {
        await evening.close()
      }
    })
})
