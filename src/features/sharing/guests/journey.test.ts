import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { cookieNames } from '#platform/http/cookies.ts'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, openBrowser, overflowing } from '#test/support/browser.ts'
import { addShared } from '#test/support/federation.ts'
import { addParticipation } from '#test/support/fixtures.ts'
import { openInstance } from '#test/support/instance.ts'
import { ANN, BEN, PAUL } from '#test/support/people.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`the journey of guests is skipped, ${skip}`)

describe('guests in a browser', { skip }, async () => {
  const instance = await openInstance()
  const { base, db } = instance
  let browser: Browser
  before(async () => {
    const found = await openBrowser()
    assert.ok(found.browser, found.reason)
    browser = found.browser
  })
  after(() => browser?.close())

  const openPhone = (): Promise<BrowserContext> =>
    browser.newContext({ viewport: { width: 360, height: 740 }, reducedMotion: 'reduce', locale: 'en' })
  const fine = async (page: Page, where: string) =>
    assert.deepEqual([await axeProblems(page), await overflowing(page)], [[], []], where)

  test('a planner invites by link, a stranger signs up, has a qualification confirmed, and withdraws', async () => {
    const category = await db.write
      .insertInto('qualification_category')
      .values({ title: 'Medical' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.write.insertInto('qualification').values({ title: 'Medic', abbreviation: 'M', category_id: category.id }).execute()
    const { id, shifts } = await addShared(
      instance,
      { title: 'City fair', responsible: [PAUL], shifts: [{ label: 'Build' }] },
      [],
    )
    await addParticipation(db.write, { who: BEN, shift: shifts[0]!, state: 1 }, instance.now)
    await addParticipation(db.write, { who: ANN, shift: shifts[0]!, state: 0 }, instance.now)
    /** Members are counted for guests, and never named. */
    const readsNoNames = async (page: Page) => {
      const text = await page.evaluate(() => {
        for (const fold of document.querySelectorAll('details')) fold.open = true
        return document.querySelector('main')!.innerText
      })
      for (const { name } of [ANN, BEN]) assert.ok(!text.includes(name), `${name} in ${text}`)
      return text
    }
    const { sessionId } = await instance.browserOf(PAUL)
    const planning = await openPhone()
    await planning.addCookies([{ name: cookieNames(base).session, value: sessionId, url: base }])
    const planner = await planning.newPage()
    await planner.goto(`${base}/events/${id}/guests/`)
    await planner.getByRole('button', { name: 'Switch on' }).click()
    await planner.getByText('Guests can register by the link now.').waitFor()
    await fine(planner, 'link')
    const link = await planner.getByLabel('Registration link').inputValue()

    const stranger = await (await openPhone()).newPage()
    await stranger.goto(link)
    await fine(stranger, 'registration')
    await readsNoNames(stranger)
    await stranger.getByLabel('Name').fill('Gus Gray')
    await stranger.getByLabel('Email address').fill('gus@mail.example')
    await stranger.getByLabel('Date of birth').fill('1990-02-03')
    await stranger.getByLabel('Medic').check()
    await stranger.getByRole('button', { name: 'Take part' }).click()
    await stranger.getByText('You are here as Gus Gray').waitFor()
    await fine(stranger, 'personal page')
    await stranger.getByText('requested').first().waitFor()
    assert.match(await readsNoNames(stranger), /and 1 more person/)

    await planner.reload()
    await planner.getByRole('button', { name: 'Confirm Medic of Gus Gray' }).click()
    await planner.getByText('Medic of Gus Gray is confirmed and counts now.').waitFor()
    await fine(planner, 'guests')

    await stranger.reload()
    await stranger
      .getByRole('button', { name: /^(Withdraw|Decline|Can.t come)/ })
      .first()
      .click()
    await stranger
      .getByText(/declined/i)
      .first()
      .waitFor()
    const rows = await db.read.selectFrom('participation').select('state').where('event_id', '=', id).execute()
    assert.deepEqual(rows.map(({ state }) => state).sort(), [0, 1, 2])
  })
})
