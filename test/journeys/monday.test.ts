import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { makeAnswerToken } from '#features/staffing/inquiries/queries/answers.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import type { Database } from '#platform/db/pool.ts'
import { transact } from '#platform/db/transaction.ts'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, overflowing } from '#test/support/browser.ts'
import { demoOptions, enterAs, getDemoPerson, NOW, openDemoInstance } from '#test/support/demo-instance.ts'
import { addEvent, addParticipation, type ShiftOptions } from '#test/support/fixtures.ts'
import type { Group, Person } from '#test/support/people.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`planners among 10,000 people are skipped, ${skip}`)

const PEOPLE = 10_000
const DESKTOP = { viewport: { width: 1280, height: 900 } }
/** A festival as it is copied from a spreadsheet: 67 shifts in the night from a Friday to the Sunday. */
const POSTS = Array.from({ length: 67 }, (_, n) => {
  const [day, hour] = [12 + Math.floor(n / 24), n % 24]
  return `${day}.6.2026\t${hour}:00\t${(hour + 2) % 24}:00\tPost ${n + 1}\t3`
})
const CROWD: Group = { kind: 'group', id: 90_000, name: 'Crowd', members: [] }

describe('two planners among 10,000 people', { skip }, () => {
  let browser: Browser
  let db: Database
  let origin: string
  let close: () => Promise<void>
  let paul: Person
  let ann: Person
  let mine: Page
  let theirs: Page
  const leave: (() => Promise<void>)[] = []

  before(async () => {
    ;({ browser, db, origin, close } = await openDemoInstance())
    paul = await getDemoPerson(db, 'paul')
    ann = await getDemoPerson(db, 'ann')
    await db.write.updateTable('user_profile').set({ preferred_language: 'en' }).where('id', '=', paul.id).execute()
    await db.write.insertInto('user_group').values({ id: CROWD.id, name: CROWD.name }).execute()
    await sql`
      with added as (
        insert into user_profile (email, display_name, date_of_birth, is_active, is_visible, created_at)
        select 'crowd' || n || '@demo.example', 'Crowd ' || n, '1990-01-01', true, true, ${NOW} from generate_series(1, ${PEOPLE}) n
        returning id)
      insert into user_group_member (group_id, user_id) select ${CROWD.id}, id from added`.execute(db.write)
    for (const name of ['paul', 'olga'] as const) {
      // A card that the other planner has changed is refused.
      const visit = await enterAs(name, { browser, origin, look: DESKTOP, expected: /status of (409|422)/ })
      leave.push(visit.close)
      if (name === 'paul') mine = visit.page
      else theirs = visit.page
    }
  })
  after(async () => {
    for (const each of leave) await each()
    await close?.()
  })

  const check = async (page: Page) => assert.deepEqual([await axeProblems(page), await overflowing(page)], [[], []], page.url())
  const shift = (label: string, start: string, end: string, min = 1): ShiftOptions => ({
    label,
    start: `${start}:00+02:00`,
    end: `${end}:00+02:00`,
    flow: 'request_confirm',
    configuration: { minimum_number_of_participants: min, maximum_number_of_participants: min },
  })
  const addShort = async (title: string, shifts: ShiftOptions[]) => {
    const made = await addEvent(db.write, { title, seenBy: [CROWD], responsible: [paul], shifts }, NOW)
    await transact(db.write, (tx) => refreshStatistics(tx, made.shifts))
    return made
  }
  const stateOf = async (shiftId: number, userId: number) =>
    (
      await db.read
        .selectFrom('participation')
        .select('state')
        .where('shift_id', '=', shiftId)
        .where('user_id', '=', userId)
        .executeTakeFirst()
    )?.state

  test('on Monday: sees what is missing, asks, is answered, and decides before the other planner', async () => {
    const { shifts } = await addShort('Harbour watch', [
      shift('Gate', '2026-05-25T08:00', '2026-05-25T12:00'),
      shift('Pier', '2026-05-26T08:00', '2026-05-26T12:00', 2),
    ])
    const gate = shifts[0]!
    await mine.goto(`${origin}/planning/`)
    const rows = mine.locator('tr', { hasText: 'Harbour watch' })
    assert.match((await rows.textContent())!, /Gate.*1 missing/s)
    assert.match((await mine.locator('tr.below', { hasText: 'Pier' }).textContent())!, /1 more shift of this event.*2 missing/s)
    assert.match((await rows.textContent())!, /more than 20 people/)
    await mine.locator(`a[href="/shifts/${gate}/ask/"].button`).click()
    await mine.locator('button[name=who][value=next]').click()
    await mine.locator('.ask-status', { hasText: /No answer yet/ }).waitFor()
    await check(mine)

    const asked = await db.read
      .selectFrom('inquiry_person')
      .selectAll()
      .where('asked_at', 'is not', null)
      .orderBy('position')
      .execute()
    const { id, user_id: userId, expires_at: expiresAt } = asked[0]!
    const { keyring } = demoOptions('', db)
    const token = makeAnswerToken(keyring, { id, userId: userId!, shiftId: gate, expiresAt: expiresAt! })
    const context = await browser.newContext({ viewport: { width: 360, height: 740 } })
    const phone = await context.newPage()
    await phone.goto(`${origin}/asked/${token}/`)
    await phone
      .locator('form', { has: phone.locator('input[name=answer][value=can]') })
      .locator('button')
      .click()
    await phone.locator('.answer-done').waitFor()
    await context.close()

    const board = `${origin}/shifts/${gate}/disposition/`
    const choose = async (page: Page, to: string) => {
      await page.locator(`#card-local-${userId} select[data-move]`).selectOption(to)
      await page.locator('[data-save]', { hasText: 'Save 1 change' }).waitFor()
    }
    await mine.goto(board)
    await theirs.goto(board)
    await choose(theirs, '3')
    await choose(mine, '1')
    await mine.locator('[data-save]').click()
    await mine.locator('[data-flash] p', { hasText: '1 change saved' }).waitFor()
    await theirs.locator('[data-save]').click()
    await theirs.locator('.dispo-stale').waitFor()
    assert.equal(await stateOf(gate, userId!), 1, 'the first one who saves decides')
    await mine.goto(`${origin}/planning/`)
    assert.match((await rows.allTextContents()).join(' '), /^(?!.*Gate).*Pier/s)
  })

  test('overrides a limit that refuses with a reason, which others see', async () => {
    const { id, shifts } = await addShort('Harbour nights', [
      shift('Early', '2026-06-02T06:00', '2026-06-02T14:00'),
      shift('Late', '2026-06-02T16:00', '2026-06-02T22:00'),
    ])
    await db.write.insertInto('work_limit').values({ kind: 'rest_hours', value: 11, blocks: true }).execute()
    for (const one of shifts) await addParticipation(db.write, { who: ann, shift: one, state: 0 }, NOW)
    await mine.goto(`${origin}/events/${id}/board/`)
    // Each of them alone keeps the limit.
    for (const one of shifts) await mine.locator(`[name="card.${one}.local-${ann.id}.to"]`).selectOption('1')
    await mine.locator('[data-save]', { hasText: 'Save 2 changes' }).click()
    await mine.locator('[data-flash] p', { hasText: '1 change saved' }).waitFor()
    assert.deepEqual([await stateOf(shifts[0]!, ann.id), await stateOf(shifts[1]!, ann.id)], [1, 0])
    const reason = mine.getByLabel(/^Reason for the exception/)
    await reason.fill('Nobody else can drive')
    await check(mine)
    await mine.locator('[data-save]').click()
    await reason.waitFor({ state: 'detached' })
    await mine.locator('[data-flash] p', { hasText: '1 change saved' }).waitFor()
    assert.equal(await stateOf(shifts[1]!, ann.id), 1)
    await theirs.goto(`${origin}/shifts/${shifts[1]}/disposition/`)
    assert.match((await theirs.locator(`#card-local-${ann.id}`).textContent())!, /2 hours.*Nobody else can drive/s)
    await db.write.deleteFrom('work_limit').execute()
  })

  test('fills a month with a person who is kept, and undoes it', async () => {
    const { shifts } = await addShort('Harbour month', [
      shift('First', '2027-03-06T08:00', '2027-03-06T12:00'),
      shift('Second', '2027-03-13T08:00', '2027-03-13T12:00', 2),
    ])
    await mine.goto(`${origin}/planning/fill/?month=2027-03`)
    const place = mine.locator('#proposal select').first()
    const kept = await place.locator('option').nth(1).textContent()
    await place.selectOption({ index: 1 })
    await mine.locator('#proposal .fill-fix input').first().check()
    await mine.getByRole('button', { name: 'Propose the rest again' }).click()
    await mine.waitForURL(/fix=/)
    assert.equal(await place.locator('option:checked').textContent(), kept)
    assert.equal(await mine.locator('#proposal .fill-fix input').first().isChecked(), true)
    await check(mine)
    await mine.getByRole('button', { name: 'Confirm 3 people' }).click()
    await mine.locator('[data-flash] p', { hasText: '3 people were confirmed' }).waitFor()
    const confirmed = () =>
      db.read
        .selectFrom('participation as p')
        .innerJoin('user_profile as u', 'u.id', 'p.user_id')
        .select('u.display_name')
        .where('p.shift_id', 'in', shifts)
        .where('p.state', '=', 1)
        .execute()
    const names = (await confirmed()).map(({ display_name }) => display_name)
    assert.ok(names.length === 3 && names.includes(kept!.trim()), names.join(', '))
    await mine.locator('.fill-last button').click()
    await mine.locator('[data-flash] p', { hasText: '3 people are as before' }).waitFor()
    assert.deepEqual(await confirmed(), [])
  })

  test('a festival of 67 shifts is pasted by one, changed at once by the other, and one shift is cancelled; both are undone', async () => {
    const { id, shifts } = await addShort('Harbour festival', [shift('Set-up', '2026-06-11T08:00', '2026-06-11T12:00', 20)])
    const setUp = shifts[0]!
    const crowd = await db.read
      .selectFrom('user_group_member')
      .select('user_id')
      .where('group_id', '=', CROWD.id)
      .orderBy('user_id')
      .limit(12)
      .execute()
    for (const { user_id: who } of crowd)
      await addParticipation(db.write, { who: { ...ann, id: who }, shift: setUp, state: 1 }, NOW)
    const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
    const timesOf = async () => {
      const rows = await db.read
        .selectFrom('shift')
        .select('start_time')
        .where('event_id', '=', id)
        .orderBy('start_time')
        .execute()
      return [rows.length, rows[0]!.start_time.toISOString(), rows.at(-1)!.start_time.toISOString()]
    }
    const AS_PASTED = [68, '2026-06-11T06:00:00.000Z', '2026-06-14T16:00:00.000Z']
    const path = `${origin}/events/${id}/shifts/`

    await mine.goto(path)
    await mine.locator('summary', { hasText: 'Paste from a spreadsheet' }).click()
    await mine.fill('[name=paste]', `Day\tFrom\tTo\tTask\tHelpers\n${POSTS.join('\n')}`)
    await press(mine, 'Add these rows')
    await mine.getByText('67 rows were added below. They are not saved yet.').waitFor()
    await press(mine, 'Save')
    await mine.getByText('67 shifts are saved. Nobody is notified of this change.').waitFor()
    assert.deepEqual(await timesOf(), AS_PASTED)

    await theirs.goto(path)
    await theirs.locator('[data-pick-all]').check()
    await theirs.locator('summary', { hasText: 'Change chosen rows' }).click()
    await theirs.fill('[name=by_count]', '30')
    await theirs.fill('[name=set_max]', '30')
    await press(theirs, 'Change')
    await theirs.getByText('68 rows were changed. They are not saved yet.').waitFor()
    await press(theirs, 'Save')
    await press(theirs, 'Save and notify 12 people')
    await theirs.getByText('68 shifts are saved.').waitFor()
    assert.deepEqual(await timesOf(), [68, '2026-06-11T06:30:00.000Z', '2026-06-14T16:30:00.000Z'])
    await theirs.locator('.table-last').getByRole('button', { name: 'Undo' }).click()
    await theirs.getByText('68 changes were taken back.').waitFor()
    assert.deepEqual(await timesOf(), AS_PASTED)

    await mine.goto(`${origin}/shifts/${setUp}/cancel/`)
    await mine.getByText('12 people are notified, with the reason').waitFor()
    await mine.fill('[name=reason]', 'Storm over the whole coast')
    await mine.locator('main form button').click()
    await mine.waitForURL(/-harbour-festival\/$/)
    assert.equal(await stateOf(setUp, crowd[0]!.user_id), undefined)
    await theirs.goto(`${origin}/events/${id}/`)
    await theirs.getByText('Storm over the whole coast').first().waitFor()
    await mine.locator('[data-flash] [data-undo] button').click()
    await mine.locator('[data-flash]', { hasText: 'Shift restored' }).waitFor()
    for (const { user_id: who } of crowd) assert.equal(await stateOf(setUp, who), 1)
    await theirs.goto(`${origin}/shifts/${setUp}/disposition/`)
    assert.equal(await theirs.locator('[id^=card-local-]').count(), 12)
  })

  test('prints whole shifts, and a year on four pages', async () => {
    const pagesOf = async (path: string) => {
      await theirs.goto(origin + path)
      const file = await theirs.pdf({ format: 'A4', preferCSSPageSize: true })
      return file.toString('latin1').match(/\/Type \/Page\b/g)!.length
    }
    assert.ok((await pagesOf('/planning/reports/print/?year=2026')) <= 4)
    // Four shifts of 25 open places: each fits a page, and two do not; broken, they would take three.
    const day = (n: number) => shift(`Post ${n}`, `2026-06-0${n}T08:00`, `2026-06-0${n}T12:00`, 25)
    const { id } = await addShort('Harbour crowd', [day(1), day(2), day(3), day(4)])
    assert.equal(await pagesOf(`/events/${id}/roster/`), 4)
  })
})
