import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { sendDueWaves } from '#features/staffing/inquiries/commands/end.ts'
import { makeAnswerToken } from '#features/staffing/inquiries/queries/answers.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { Database } from '#platform/db/pool.ts'
import { transact } from '#platform/db/transaction.ts'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, overflowing } from '#test/support/browser.ts'
import { demoOptions, enterAs, NOW, openDemoInstance } from '#test/support/demo-instance.ts'
import { addEvent, addPerson } from '#test/support/fixtures.ts'
import type { Person } from '#test/support/people.ts'
import { ADDED } from '../../src/features.ts'

const PHONE = { viewport: { width: 360, height: 740 } }
const HOUR_MS = 3_600_000

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`asking people in a browser is skipped, ${skip}`)

describe('asking people by phone', { skip }, () => {
  let browser: Browser
  let db: Database
  let origin: string
  let close: () => Promise<void>
  const people: Person[] = []

  before(async () => {
    ;({ browser, db, origin, close } = await openDemoInstance())
    for (const [index, name] of ['Ada Quist', 'Bo Quist', 'Cy Quist', 'Di Quist', 'Ed Quist'].entries()) {
      const person: Person = {
        kind: 'person',
        id: 9000 + index,
        name,
        email: `q${index}@demo.example`,
        dateOfBirth: '1990-01-01',
        phone: null,
      }
      await addPerson(db.write, person, NOW)
      people.push(person)
    }
  })
  after(() => close?.())

  const check = async (page: Page) => assert.deepEqual([await axeProblems(page), await overflowing(page)], [[], []], page.url())

  test('a planner finds the shift, asks in waves, three accept by link, one cannot, and the shift is full', async () => {
    const shift = {
      label: 'Gate',
      start: '2026-05-21T10:00:00+02:00',
      end: '2026-05-21T14:00:00+02:00',
      flow: 'instant_confirmation',
      flowConfiguration: { user_can_decline_confirmed: true },
      configuration: { minimum_number_of_participants: 3, maximum_number_of_participants: 3 },
    }
    const { shifts } = await addEvent(db.write, { title: 'Harbour run', seenBy: people, shifts: [shift] }, NOW)
    // A week with 40 shifts, of which five lack people.
    const week = Array.from({ length: 39 }, (_, n) => ({
      ...shift,
      label: n % 10 ? `Fine ${n}` : `Short ${n}`,
      start: `2026-05-2${n % 9}T15:00:00+02:00`,
      end: `2026-05-2${n % 9}T18:00:00+02:00`,
      configuration: { minimum_number_of_participants: n % 10 ? 0 : 2 },
    }))
    const others = await addEvent(db.write, { title: 'Harbour week', seenBy: people, shifts: week }, NOW)
    await transact(db.write, (tx) => refreshStatistics(tx, [...shifts, ...others.shifts]))
    const shiftId = shifts[0]!

    const { page } = await enterAs('olga', { browser, origin, look: PHONE })
    await page.goto(`${origin}/planning/`)
    await check(page)
    // An event is listed once, with its other shifts folded below.
    const listed = (await page.locator('.shortages').textContent()) ?? ''
    assert.deepEqual(
      [...listed.matchAll(/Short (?:0|\d0)|Gate/g)].map(([label]) => label).toSorted(),
      ['Gate', 'Short 0', 'Short 10', 'Short 20', 'Short 30'],
      'the five of 40 that need people',
    )
    const row = page.locator('tr', { hasText: 'Harbour run' })
    assert.match((await row.textContent()) ?? '', /3 (missing|fehlen)/)
    await row.locator(`a[href="/shifts/${shiftId}/ask/"].button`).click()
    // Nobody has to be ticked; who wants to choose unfolds the list and finds people by their name.
    assert.equal(await page.locator('input[name="people"]').first().isVisible(), false)
    await check(page)
    await page.locator('#choose > summary').click()
    await page.locator('#choose input[name="q"]').fill('quist')
    await page.locator('#choose button[value="search"]').click()
    await page.locator('#choose button[value="clear"]').waitFor()
    await page.locator('#choose button[value="all"]').click()
    await page.locator('#choose button[value="none"]').waitFor()
    assert.equal(await page.locator('input[name="people"]:checked').count(), people.length)
    await page.locator('input[name="how"][value="waves"]').check()
    await page.locator('input[name="size"]').fill('3')
    await page.locator('input[name="wanted"]').fill('3')
    await check(page)
    await Promise.all([page.waitForURL(/ask/), page.locator('button[name="who"][value="chosen"]').click()])
    await page.locator('table').waitFor()
    assert.match((await page.locator('.ask-status').textContent()) ?? '', /Asked\s*3.*Can\s*0.*Can’t\s*0.*No answer yet\s*3/s)
    await check(page)

    const linkOf = async ({ id: userId }: Person) => {
      const row = await db.read
        .selectFrom('inquiry_person')
        .select(['id', 'expires_at'])
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      const { keyring } = demoOptions('', db)
      return `${origin}/asked/${makeAnswerToken(keyring, { id: row.id, userId, shiftId, expiresAt: row.expires_at! })}/`
    }
    // Another phone, on which nobody is signed in.
    const phone = await (await browser.newContext(PHONE)).newPage()
    const say = async (person: Person, answer: 'can' | 'cannot', reason = '') => {
      await phone.goto(await linkOf(person))
      await check(phone)
      const form = phone.locator('form', { has: phone.locator(`input[name="answer"][value="${answer}"]`) })
      if (reason) await form.locator('textarea').fill(reason)
      await form.locator('button').click()
      await phone.locator('.answer-done').waitFor()
      return (await phone.locator('h1').textContent()) ?? ''
    }
    // The order of people who are equal is drawn.
    const asked = await db.read.selectFrom('inquiry_person').select('user_id').orderBy('position').execute()
    const inOrder = asked.map(({ user_id }) => people.find(({ id }) => id === user_id)!)
    const [first, second, third, fourth] = inOrder as [Person, Person, Person, Person]
    assert.match(await say(first, 'can'), /You are confirmed/)
    assert.match(await say(second, 'can'), /You are confirmed/)
    // The second changes their mind, twice, on the page that the answer leads to.
    await phone.getByRole('button', { name: 'I can’t after all' }).click()
    await phone.getByRole('heading', { name: 'You can’t this time' }).waitFor()
    await check(phone)
    // By keys: a second tap at the same place is ignored for a while.
    await phone.getByRole('button', { name: 'I can after all' }).press('Enter')
    await phone.getByRole('heading', { name: 'You are confirmed' }).waitFor()
    assert.equal(await phone.getByRole('link', { name: /Add to calendar/ }).count(), 1)
    assert.match(await say(third, 'cannot', 'on holiday'), /You can’t this time/)
    const { keyring, config } = demoOptions('', db)
    const site = { url: origin, timeZone: config.timeZone, keyring, tokenMaxDays: 365, added: ADDED }
    const later = { db: db.write, actor: ANONYMOUS, now: new Date(NOW.getTime() + 2 * HOUR_MS), site, requestId: null }
    await sendDueWaves(later)
    assert.match(await say(fourth, 'can'), /You are confirmed/)
    await check(phone)

    await page.reload()
    const text = (await page.locator('main').textContent()) ?? ''
    assert.match(text, /on holiday/)
    assert.match((await page.locator('.ask-status').textContent()) ?? '', /Asked\s*5.*Can\s*3.*Can’t\s*1.*No answer yet\s*1/s)
    await page.locator('summary', { hasText: 'What was sent' }).click()
    await check(page)
    await page.goto(`${origin}/planning/`)
    assert.equal(await page.locator('tr', { hasText: 'Harbour run' }).count(), 0)
  })
})
