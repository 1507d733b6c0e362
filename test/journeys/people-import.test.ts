import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { peopleImportTasks } from '#features/accounts/people-import/jobs.ts'
import { systemClock } from '#platform/clock.ts'
import { renderHtml } from '#platform/html/html.ts'
import { cookieNames } from '#platform/http/cookies.ts'
import { qrView } from '#platform/ui/qr.ts'
import { findBrowser, openBrowser, overflowing, readMain } from '#test/support/browser.ts'
import { openInstance } from '#test/support/instance.ts'
import { OLGA } from '#test/support/people.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`the journey of a member list is skipped, ${skip}`)

const NAMES = ['Jürgen Groß', 'Käthe Weiß', 'Jörg Müller', 'Änne Schröder', 'Özlem Yıldız', 'Björn Åkesson']
/** A club of 200 as its secretary keeps it: a title, two forms of dates, a mailbox of a couple, an unknown group. */
function messyList(): Buffer {
  const rows = Array.from({ length: 200 }, (_, n) => {
    const [first, last] = NAMES[n % NAMES.length]!.replace('ı', 'i').split(' ')
    const day = `${String(1 + (n % 28)).padStart(2, '0')}`
    const birth = n % 2 ? `${day}.03.${1950 + (n % 50)}` : `${1950 + (n % 50)}-03-${day}`
    const email = n === 150 ? 'member149@club.example' : `member${n}@club.example`
    return `${last} ${n};${first};${email};${birth};Wasserwacht`
  })
  return Buffer.from(`Mitgliederliste;;;;\r\n;;;;\r\nName;Vorname;E-Mail;Geb.-Datum;Gruppe\r\n${rows.join('\r\n')}\r\n`, 'latin1')
}

describe('a member list on a phone', { skip }, async () => {
  const instance = await openInstance()
  const { base, db } = instance
  let browser: Browser
  let page: Page
  before(async () => {
    const found = await openBrowser()
    assert.ok(found.browser, found.reason)
    browser = found.browser
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' })
    const { sessionId } = await instance.browserOf(OLGA)
    await context.addCookies([{ name: cookieNames(base).session, value: sessionId, url: base }])
    page = await context.newPage()
  })
  after(() => browser?.close())

  const upload = async () => {
    await page.goto(`${base}/manage/people/import/`)
    await page.setInputFiles('[name=file]', { name: 'mitglieder.csv', mimeType: 'text/csv', buffer: messyList() })
    await page.getByRole('button', { name: 'Show preview' }).click()
    await page.waitForURL(/import\/\d+\//)
    assert.deepEqual(await overflowing(page), [])
    return readMain(page)
  }
  const work = async () => {
    const { rows } = await sql<{ id: number; payload: Record<string, unknown> }>`
      select j.id, j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'people_import'`.execute(db.write)
    const [task] = peopleImportTasks({ db, clock: systemClock, site: instance.app.site })
    for (const { payload } of rows) await task!.run(payload)
  }

  test('is previewed, corrected and imported; the same file again changes nothing', async () => {
    const preview = await upload()
    assert.match(preview, /200 rows · Windows-1252[\s\S]*Error\s*200/)
    await page.selectOption('[name=group_wasserwacht]', 'create')
    await page.getByRole('button', { name: 'Update preview' }).click()
    await page.waitForSelector('.flash')
    assert.match(await readMain(page), /New\s*200/)
    // Two people with one address.
    for (let next = 0; next < 3; next++) await page.getByRole('link', { name: 'Next', exact: true }).click()
    assert.match(await readMain(page), /Shared address of a family/)
    await page.getByRole('button', { name: 'Import 200 people' }).click()
    await page.waitForSelector('progress')
    await work()
    await page.waitForSelector('text=200 people were added')
    assert.deepEqual(await overflowing(page), [])
    await page.goto(`${base}/manage/people/?q=Muller+2`)
    assert.match(await readMain(page), /Jörg Müller 2/)
    assert.match(await upload(), /Same\s*200/)
  })

  test('is followed by a join link: a newcomer opens it on another phone, creates an account and is in the group', async () => {
    const { id: groupId } = await db.write
      .selectFrom('user_group')
      .select('id')
      .where('name', '=', 'Wasserwacht')
      .executeTakeFirstOrThrow()
    await page.goto(`${base}/manage/groups/${groupId}/join-links/`)
    await page.locator('[name=max_uses]').fill('1')
    await page.locator('[name=approval][value=no]').check()
    assert.deepEqual(await overflowing(page), [])
    await page.getByRole('button', { name: 'Create join link' }).click()
    await page.locator('svg.qr').waitFor()
    assert.deepEqual(await overflowing(page), [])
    const url = await page.locator('#join-link').inputValue()
    const code = await page.locator('svg.qr path').getAttribute('d')
    assert.ok(renderHtml(qrView({ text: url, title: '' })).includes(code!), 'the code contains the link')

    const phone = await (await browser.newContext({ viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' })).newPage()
    await phone.goto(url)
    assert.match(await readMain(phone), /Join Wasserwacht/)
    await phone.locator('[name=name]').fill('Nora New')
    await phone.locator('[name=email]').fill('nora@new.example')
    await phone.locator('[name=date_of_birth]').fill('1999-02-03')
    await phone.locator('[name=password]').fill('a good password for Nora')
    await phone.locator('[name=password_again]').fill('a good password for Nora')
    assert.deepEqual(await overflowing(phone), [])
    await phone.getByRole('button', { name: 'Create account' }).click()
    await phone.getByRole('link', { name: 'Sign in' }).click()
    await phone.locator('[name=email]').fill('nora@new.example')
    await phone.locator('[name=password]').fill('a good password for Nora')
    await phone.locator('form:has([name=password]) button').first().click()
    await phone.waitForURL(`${base}/`)
    const { rows } = await sql<{ name: string }>`
      select g.name from user_group g join user_group_member m on m.group_id = g.id join user_profile u on u.id = m.user_id
      where u.email = 'nora@new.example'`.execute(db.write)
    assert.deepEqual(rows, [{ name: 'Wasserwacht' }])
    // The link was for one person.
    await phone.context().clearCookies()
    await phone.goto(url)
    assert.doesNotMatch(await readMain(phone), /Join Wasserwacht/)
    await phone.context().close()
  })
})
