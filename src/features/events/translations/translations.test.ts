import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sendBy } from '#features/messaging/notifications/jobs/ways.ts'
import { copyHooks } from '#features/planning/series/points.ts'
import { hashSecret, makeKeyring } from '#platform/auth/secrets.ts'
import { moveOnBoard } from '#test/support/board.ts'
import { contextAs } from '#test/support/command-context.ts'
import { fieldsOf } from '#test/support/form-fields.ts'
import { journalOf } from '#test/support/journal.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, HELPERS, OLGA, PAUL } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { findTextsOf } from './queries.ts'

describe('texts of an organisation in several languages', async () => {
  const world = await openWorld()
  const { write, read } = world.db
  const paul = await browserOf(world, PAUL)
  const olga = await browserOf(world, OLGA)
  const ann = await browserOf(world, ANN)
  const { id: eventId, shifts } = await world.addEvent({
    seenBy: [HELPERS],
    responsible: [PAUL],
    description: 'Bring water.',
    shifts: [{ start: '2031-05-04T08:00:00Z', stats: { free: 3, missing: 3, max: 3 } }],
  })
  const { id: pageId } = await write
    .insertInto('content_page')
    .values({ title: 'Rules', slug: 'rules', content: 'No fire.', is_public: true, in_footer: false })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: questionId } = await write
    .insertInto('question')
    .values({ name: 'Size', text: 'Which size?', kind: 'single', choices: JSON.stringify(['Small', 'Large']) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await write.insertInto('shift_question').values({ shift_id: shifts[0]!, question_id: questionId }).execute()
  beforeEach(async () => {
    await write.deleteFrom('translated_text').execute()
    await write.deleteFrom('setting').where('name', 'in', ['modules', 'languages']).execute()
    await write.updateTable('event').set({ title: 'Harbour run' }).where('id', '=', eventId).execute()
    await reads('en')
  })
  /** Ann reads this language. */
  async function reads(language: string) {
    await write.updateTable('user_profile').set({ preferred_language: language }).where('id', '=', ANN.id).execute()
  }
  const FORM = `/events/${eventId}/languages/`
  const TEXTS = { 'de.title': 'Hafenlauf', 'de.description': 'Bringt Wasser mit.' }
  async function save(browser: typeof paul, path: string, form: Record<string, string>) {
    const { body } = await browser.get(path)
    assert.deepEqual(checkMarkup(body), [])
    const [shown] = new RegExp(`<form [^>]*action="${path}"[\\s\\S]*?</form>`).exec(body)!
    return browser.post(path, { form: { ...fieldsOf(shown), ...form } })
  }
  const eventPage = async () => {
    const { body } = await ann.get(`/events/${eventId}-harbour-run/`)
    return /<h1[^>]*>([^<]*)/.exec(body)?.[1] + (/(Bring water\.|Bringt Wasser mit\.)/.exec(body)?.[0] ?? '')
  }

  test('an event is shown in the language of the reader, on its page and in lists', async () => {
    assert.equal((await save(paul, FORM, TEXTS)).statusCode, 303)
    assert.equal(await eventPage(), 'Harbour runBring water.')
    await reads('de')
    assert.equal(await eventPage(), 'HafenlaufBringt Wasser mit.')
    for (const path of ['/', '/events/', '/shifts/', '/events/calendar/?month=2031-05', `/shifts/${shifts[0]}/signup/`])
      assert.match((await ann.get(path)).body, /Hafenlauf/, path)
    const entries = await journalOf(world, 'event', eventId)
    assert.deepEqual(entries.at(-1), { ...entries.at(-1)!, kind: 'event.translated', changes: { languages: ['de'] } })
  })

  test('mails, push messages and the list of notifications have the title in the language of their reader', async () => {
    await save(paul, FORM, TEXTS)
    const outbox = new NotificationOutbox(world)
    const subjects: string[] = []
    for (const language of ['en', 'de', 'fr']) {
      await reads(language)
      await outbox.clear()
      await write.deleteFrom('participation').execute()
      await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 0 })
      await moveOnBoard(contextAs(world, PAUL), { shiftId: shifts[0]!, who: { kind: 'local', id: ANN.id }, to: 1 })
      const [mail] = await outbox.deliver()
      subjects.push(/Harbour run|Hafenlauf/.exec(mail!.subject)![0])
      assert.equal(/Harbour run|Hafenlauf/.exec(mail!.text)![0], subjects.at(-1))
      assert.equal(/Harbour run|Hafenlauf/.exec((await ann.get('/notifications/')).body)![0], subjects.at(-1))
      const ids = (await outbox.rows()).map(({ id }) => id)
      const titles: (string | undefined)[] = []
      const way: Parameters<typeof sendBy>[0] = {
        channel: 'push',
        claim: async () => ids,
        mark: async () => {},
        send: async ({ notifications }) => void titles.push(...notifications.map(({ event }) => event?.title)),
      }
      await sendBy(way, outbox.context, { person: { kind: 'user', id: ANN.id }, bundle: '' })
      assert.deepEqual(titles, [subjects.at(-1)])
    }
    assert.deepEqual(subjects, ['Harbour run', 'Hafenlauf', 'Harbour run'])
    await outbox.clear()
    await write.deleteFrom('participation').execute()
  })

  test('calendars of other programs have title and description in the language of their person', async () => {
    await save(paul, FORM, TEXTS)
    await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 1 })
    const token = 'ann-calendar'
    const sealed = makeKeyring('k'.repeat(32)).seal(token)
    await write
      .updateTable('user_profile')
      .set({ calendar_token_hash: hashSecret(token), calendar_token_sealed: sealed })
      .where('id', '=', ANN.id)
      .execute()
    const texts = async () => {
      const feed = (await world.nobody.get(`/calendar/${token}/`, { unchecked: true })).text
      const file = (await ann.get(`/events/${eventId}-harbour-run/calendar.ics`)).body
      return [feed, file].map((text) => [/SUMMARY:(.*)\r/.exec(text)![1], /(Bring water\.|Bringt Wasser mit\.)/.exec(text)![0]])
    }
    assert.deepEqual(await texts(), [
      ['Harbour run', 'Bring water.'],
      ['Harbour run', 'Bring water.'],
    ])
    await reads('de')
    assert.deepEqual(await texts(), [
      ['Hafenlauf', 'Bringt Wasser mit.'],
      ['Hafenlauf', 'Bringt Wasser mit.'],
    ])
    await write.deleteFrom('participation').execute()
  })

  test('the API has what was written', async () => {
    await save(paul, FORM, TEXTS)
    await reads('de')
    const { body } = await world.as(ANN, 'PUBLIC_READ').get(`/api/events/${eventId}/`, { headers: { 'accept-language': 'de' } })
    assert.equal(body.title, 'Harbour run')
  })

  test('a text that has changed since is shown as it was written, and the form says so', async () => {
    await save(paul, FORM, TEXTS)
    await write.updateTable('event').set({ title: 'Harbour walk' }).where('id', '=', eventId).execute()
    await reads('de')
    const { body } = await ann.get(`/events/${eventId}-harbour-walk/`)
    assert.match(body, /<h1[^>]*>Harbour walk/)
    assert.match(body, /Bringt Wasser mit\./)
    assert.match((await paul.get(FORM)).body, /value="Hafenlauf"[\s\S]*has changed since/)
    assert.match((await paul.get(`/events/${eventId}/edit/`)).body, /Deutsch: translated in part/)
    await save(paul, FORM, { 'de.title': 'Hafengang' })
    assert.match((await ann.get(`/events/${eventId}-harbour-walk/`)).body, /<h1[^>]*>Hafengang/)
  })

  test('saving the same again changes nothing, and an empty text deletes the translation', async () => {
    await save(paul, FORM, TEXTS)
    const before = (await journalOf(world, 'event', eventId)).length
    await save(paul, FORM, {})
    assert.equal((await journalOf(world, 'event', eventId)).length, before)
    await save(paul, FORM, { 'de.title': '' })
    assert.deepEqual(
      (await findTextsOf(read, 'event', eventId)).map(({ field }) => field),
      ['description'],
    )
  })

  test('only those who plan the event translate it', async () => {
    assert.equal((await ann.get(FORM)).statusCode, 403)
    assert.equal((await ann.post(FORM, { form: TEXTS })).statusCode, 403)
    assert.equal((await paul.get(`/manage/pages/${pageId}/languages/`)).statusCode, 403)
    assert.equal((await paul.get(`/manage/questions/${questionId}/languages/`)).statusCode, 403)
    assert.deepEqual(await read.selectFrom('translated_text').selectAll().execute(), [])
  })

  test('a page', async () => {
    assert.match((await olga.get(`/manage/pages/${pageId}/`)).body, new RegExp(`href="/manage/pages/${pageId}/languages/"`))
    await save(olga, `/manage/pages/${pageId}/languages/`, { 'de.title': 'Regeln', 'de.content': 'Kein *Feuer*.' })
    assert.match((await ann.get('/pages/rules/')).body, /<h1[^>]*>Rules[\s\S]*No fire\./)
    await reads('de')
    assert.match((await ann.get('/pages/rules/')).body, /<h1[^>]*>Regeln[\s\S]*Kein <em>Feuer<\/em>\./)
  })

  test('a question: people read translated choices and answer with the original ones', async () => {
    const path = `/manage/questions/${questionId}/languages/`
    assert.match((await olga.get(`/manage/questions/${questionId}/`)).body, new RegExp(`href="${path}"`))
    const refused = await save(olga, path, { 'de.text': 'Welche Größe?', 'de.choices': 'Klein' })
    assert.equal(refused.statusCode, 422)
    assert.match(refused.body, /Please enter 2 choices, one per line\./)
    await save(olga, path, { 'de.text': 'Welche Größe?', 'de.choices': 'Klein\nGroß' })
    await reads('de')
    const { body } = await ann.get(`/shifts/${shifts[0]}/signup/`)
    assert.match(body, /Welche Größe\?[\s\S]*value="Small"[^>]*><span>Klein[\s\S]*value="Large"[^>]*><span>Groß/)
  })

  test('copies of an event have its translations', async () => {
    await save(paul, FORM, TEXTS)
    const copy = await world.addEvent({ seenBy: [HELPERS], shifts: [{}] })
    const context = contextAs(world, PAUL)
    await write.transaction().execute(async (tx) => {
      for (const hook of world.app.site.added(copyHooks)) await hook(tx, context, { from: eventId, to: copy.id }, new Map())
    })
    assert.deepEqual(await findTextsOf(read, 'event', copy.id), await findTextsOf(read, 'event', eventId))
    await write.deleteFrom('event').where('id', '=', copy.id).execute()
    assert.deepEqual(await findTextsOf(read, 'event', copy.id), [])
  })

  test('without the module, and with one language only, nothing of it is shown', async () => {
    await save(paul, FORM, TEXTS)
    await reads('de')
    const edit = async () => /In other languages/.test((await paul.get(`/events/${eventId}/edit/`)).body)
    assert.equal(await edit(), true)
    await write
      .insertInto('setting')
      .values({ name: 'modules', value: JSON.stringify(['questionnaires']) })
      .execute()
    assert.deepEqual([await edit(), await eventPage()], [false, 'Harbour runBring water.'])
    assert.equal((await paul.get(FORM)).statusCode, 404)
    await write.deleteFrom('setting').where('name', '=', 'modules').execute()
    await write
      .insertInto('setting')
      .values({ name: 'languages', value: JSON.stringify('en') })
      .execute()
    assert.equal(await edit(), false)
  })
})
