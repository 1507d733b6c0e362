import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeAnswerToken } from '#features/staffing/inquiries/queries/answers.ts'
import { makeOfferToken } from '#features/staffing/waiting-list/queries/offered.ts'
import type { SourceLanguage } from '#platform/i18n/languages.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, BEN, HELPERS, PAUL, type Person } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

const plain = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
const mainOf = (body: string) => plain(/<main[\s\S]*<\/main>/.exec(body)![0])
const at = (day: number) => ({ start: `2031-05-0${day}T08:00:00+02:00`, end: `2031-05-0${day}T12:00:00+02:00` })
const INSTANT = { flow: 'instant_confirmation', flowConfiguration: { user_can_decline_confirmed: true } }
const ADDRESSED = {
  en: /\b(you|your|yours|yourself|I|my)\b/i,
  de: /\b(du|dich|dir|dein|deine[mnrs]?|ich|mein|meine[mnrs]?|ihr)\b/i,
}

describe('what waits for the answer of a child, as a guardian reads it', async () => {
  const world = await openWorld()
  const { write } = world.db
  const { keyring } = world.app.site
  const outbox = new NotificationOutbox(world)
  const tom = await world.addPerson({ name: 'Tom Keller', groups: [HELPERS], dateOfBirth: '2020-03-04' } as never)
  await write.insertInto('guardianship').values({ guardian_id: ANN.id, child_id: tom.id, since: world.now }).execute()
  await write
    .insertInto('user_group_member')
    .values({ group_id: HELPERS.id, user_id: tom.id })
    .onConflict((c) => c.doNothing())
    .execute()
  const later = new Date(world.now.getTime() + 36 * 3_600_000)

  const addShift = async (day: number) => {
    const { shifts } = await world.addEvent({ title: 'Run', seenBy: [HELPERS], shifts: [{ ...at(day), ...INSTANT }] })
    return shifts[0]!
  }
  const eventOf = async (shift: number) =>
    (await write.selectFrom('shift').select('event_id').where('id', '=', shift).executeTakeFirstOrThrow()).event_id
  const idOf = async (row: Promise<{ id: number }>) => (await row).id
  const place = (who: Person, shift: number) => world.addParticipation({ who, shift, state: 1 })

  async function addInquiry() {
    const shift_id = await addShift(4)
    const inquiry = { shift_id, created_by_id: PAUL.id, created_at: world.now, wanted: 3, was_short: false, message: '' }
    const inquiry_id = await idOf(write.insertInto('inquiry').values(inquiry).returning('id').executeTakeFirstOrThrow())
    const asked = { inquiry_id, user_id: tom.id, position: 1, wave: 1, asked_at: world.now, expires_at: later }
    const id = await idOf(write.insertInto('inquiry_person').values(asked).returning('id').executeTakeFirstOrThrow())
    await outbox.record(
      {
        kind: 'shift.asked',
        subject: { kind: 'shift', id: shift_id },
        eventId: await eventOf(shift_id),
        changes: { inquiry: inquiry_id, wave: 1, users: [tom.id], until: later.toISOString() },
      } as never,
      PAUL,
    )
    return `/asked/${makeAnswerToken(keyring, { id, userId: tom.id, shiftId: shift_id, expiresAt: later })}/`
  }
  async function addOffer() {
    const shift_id = await addShift(5)
    const entry = { shift_id, user_id: tom.id, since: world.now, state: 'offered', offered_at: world.now, offered_until: later }
    const id = await idOf(write.insertInto('waiting_entry').values(entry).returning('id').executeTakeFirstOrThrow())
    return `/offered/${makeOfferToken(keyring, { kind: 'waiting_list', id, userId: tom.id, shiftId: shift_id })}/`
  }
  async function addStandIn() {
    const shift_id = await addShift(6)
    const participation_id = await place(BEN, shift_id)
    const search = { shift_id, participation_id, user_id: BEN.id, created_at: world.now }
    const stand_in_id = await idOf(write.insertInto('stand_in').values(search).returning('id').executeTakeFirstOrThrow())
    const asked = { stand_in_id, user_id: tom.id, asked_at: world.now }
    const id = await idOf(write.insertInto('stand_in_person').values(asked).returning('id').executeTakeFirstOrThrow())
    return `/offered/${makeOfferToken(keyring, { kind: 'stand_in', id, userId: tom.id, shiftId: shift_id })}/`
  }
  async function addSwap() {
    const [shift_id, other_shift_id] = [await addShift(7), await addShift(8)]
    const swap = {
      user_id: BEN.id,
      shift_id,
      participation_id: await place(BEN, shift_id),
      other_id: tom.id,
      other_shift_id,
      other_participation_id: await place(tom, other_shift_id),
      created_at: world.now,
      expires_at: later,
    }
    const id = await idOf(write.insertInto('swap').values(swap).returning('id').executeTakeFirstOrThrow())
    return `/offered/${makeOfferToken(keyring, { kind: 'swap', id, userId: tom.id, shiftId: shift_id })}/`
  }

  const QUESTIONS: [string, () => Promise<string>, readonly string[]][] = [
    ['an inquiry', addInquiry, ['can', 'cannot', 'can']],
    ['an offered place', addOffer, ['yes', 'no']],
    ['a stand-in', addStandIn, ['no', 'yes', 'no']],
    ['a swap', addSwap, ['no', 'yes', 'no']],
  ]
  const check = (language: SourceLanguage, what: string, text: string) => {
    assert.match(text, /Tom Keller/, what)
    assert.doesNotMatch(text.replaceAll('Thank you', ''), ADDRESSED[language], what)
  }

  for (const language of ['en', 'de'] as const)
    for (const [name, add, answers] of QUESTIONS)
      test(`${name} names the child, before and after each answer, in ${language}`, async () => {
        await write
          .updateTable('user_profile')
          .set({ preferred_language: language })
          .where('id', 'in', [ANN.id, tom.id])
          .execute()
        const path = await add()
        const guardian = await browserOf(world, ANN)
        const home = (await guardian.get('/')).body
        const waiting = [...home.matchAll(/<li><a href="([^"]*)">[\s\S]*?<\/a>/g)].find(([, href]) => href === path)
        assert.ok(waiting, 'home has the question')
        check(language, 'home', plain(waiting[0]))
        const asked = await guardian.get(path)
        assert.deepEqual(checkMarkup(asked.body), [])
        check(language, 'the question', mainOf(asked.body))
        check(language, 'the question without a session', mainOf((await world.nobody.get(path, { unchecked: true })).text))
        for (const answer of answers) {
          const { status } = await world.nobody.request('POST', path, {
            body: `answer=${answer}`,
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
            unchecked: true,
          })
          assert.equal(status, 303)
          const { body } = await guardian.get(path)
          check(language, `after ${answer}`, mainOf(body))
          assert.match(body, new RegExp(`href="/family/${tom.id}/events/`))
        }
        const own = mainOf((await (await browserOf(world, tom)).get(path)).body)
        assert.doesNotMatch(own, /Tom Keller (is|has|can|kann|hat|ist)/, 'the child reads about itself')
        await write.deleteFrom('participation').where('user_id', 'in', [tom.id, BEN.id]).execute()
      })

  for (const language of ['en', 'de'] as const)
    test(`the mail to the guardian names the child, in ${language}`, async () => {
      await write.updateTable('user_profile').set({ preferred_language: language }).where('id', '=', ANN.id).execute()
      await outbox.deliver()
      await addInquiry()
      const mail = (await outbox.deliver()).find(({ to }) => to === ANN.email)
      assert.ok(mail)
      // The end of the mail says to the guardian why they get it.
      const [text] = mail.text.split(language === 'en' ? /^You get/m : /^Du bekommst/m)
      check(language, 'the subject', mail.subject)
      check(language, 'the text', text!)
      assert.match(text!, language === 'en' ? /Tom Keller can’t/ : /Tom Keller kann nicht/)
    })
})
