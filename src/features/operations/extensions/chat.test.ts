import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { moveOnBoard } from '#test/support/board.ts'
import { startMatrix, startTelegram } from '#test/support/chat-services.ts'
import { contextAs } from '#test/support/command-context.ts'
import { namedExtensions } from '#test/support/extensions.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

const TELEGRAM = '/x/chat/channels/telegram/'
const MATRIX = '/x/chat/channels/matrix/'
const [TELEGRAM_TOKEN, MATRIX_TOKEN] = ['110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw', 'syt_bot_token']
const ANN_ON_MATRIX = '@ann:hs.example'
const ROOM = '!room:hs.example'

describe('chat, with services that speak the protocols of Telegram and Matrix', async () => {
  const [telegram, matrix] = [await startTelegram(TELEGRAM_TOKEN), await startMatrix(MATRIX_TOKEN)]
  after(() => Promise.all([telegram.stop(), matrix.stop()]))
  const world = await openWorld({ extensions: namedExtensions(['extensions/chat']), outboundAllow: '127.0.0.1' })
  const { write } = world.db
  const outbox = new NotificationOutbox(world)
  const [ann, ben, olga] = [await browserOf(world, ANN), await browserOf(world, BEN), await browserOf(world, OLGA)]
  const event = await world.addEvent({ title: 'Soup & <bread>', seenBy: [HELPERS], responsible: [PAUL], shifts: [{}] })

  const codeIn = (page: string) => /<code class="wrap">(\w{12})<\/code>/.exec(page)![1]!
  const links = async () =>
    (await write.selectFrom('channel_link').select(['user_id', 'channel', 'address', 'label']).orderBy('id').execute()).map(
      (row) => Object.values(row).join(' '),
    )
  async function confirm(who: Person): Promise<void> {
    await world.addParticipation({ who, shift: event.shifts[0]!, state: 0 })
    await moveOnBoard(contextAs(world, PAUL), { shiftId: event.shifts[0]!, who: { kind: 'local', id: who.id }, to: 1 })
    await outbox.deliver()
  }
  const repeat = async () => {
    world.now = new Date(world.now.getTime() + 120_000)
    await outbox.runTask('queue_notifications')
    await outbox.runDue()
  }
  async function linkTelegram(id = 42): Promise<void> {
    telegram.write(id, `/start ${codeIn((await ann.get(TELEGRAM)).body)}`, { username: 'ann_t' })
    await ann.post(`${TELEGRAM}sent/`)
    telegram.sent.length = 0
  }
  async function linkMatrix(): Promise<void> {
    const code = codeIn((await ann.get(MATRIX)).body)
    matrix.open(ROOM, ANN_ON_MATRIX)
    matrix.write(ROOM, ANN_ON_MATRIX, code)
    await ann.post(`${MATRIX}sent/`)
    matrix.sent.length = 0
  }

  beforeEach(async () => {
    await outbox.clear()
    for (const table of ['channel_link', 'channel_code', 'participation'] as const) await write.deleteFrom(table).execute()
    await sql`delete from x_chat.position`.execute(write)
    telegram.chats.clear()
    telegram.state.refusal = undefined
    matrix.rooms.clear()
    matrix.state.limited = false
    telegram.sent.length = 0
    matrix.sent.length = 0
    await olga.get('/x/chat/settings/')
    await olga.post('/x/chat/settings/', {
      form: {
        telegram_token: TELEGRAM_TOKEN,
        telegram_server: telegram.url,
        matrix_server: `${matrix.url}/`,
        matrix_token: MATRIX_TOKEN,
      },
    })
  })

  test('Telegram: is linked by the button that sends the code, and greets', async () => {
    const page = (await ann.get(TELEGRAM)).body
    const code = codeIn(page)
    assert.match(page, /Open @turnout_test_bot in Telegram/)
    assert.match(page, new RegExp(`href="https://t\\.me/turnout_test_bot\\?start=${code}"`))
    telegram.write(41, 'hello')
    telegram.write(-7, code, { type: 'group' })
    telegram.write(42, `/start ${code}`, { username: 'ann_t' })
    await ann.post(`${TELEGRAM}sent/`)
    assert.deepEqual(await links(), [`${ANN.id} x_chat_telegram 42 @ann_t`])
    assert.deepEqual(
      telegram.sent.map(({ chat_id, text }) => [chat_id, text]),
      [[42, `Hello ${ANN.name}! Messages reach you here from now on.`]],
    )
    // The next request confirms what was read.
    await ben.get(TELEGRAM)
    await ben.post(`${TELEGRAM}sent/`)
    assert.equal(telegram.waiting(), 0)
  })

  test('Telegram: sends a message with a button for the page, escaped', async () => {
    await linkTelegram()
    await confirm(ANN)
    assert.equal(telegram.sent.length, 1)
    const [{ chat_id, text, reply_markup }] = telegram.sent as [(typeof telegram.sent)[0]]
    assert.equal(String(chat_id), '42')
    assert.match(text, /^<b>Soup &amp; &lt;bread&gt;<\/b>\nYou are confirmed: /)
    assert.deepEqual(reply_markup, {
      inline_keyboard: [[{ text: 'Open', url: `https://a.example/events/${event.id}-soup-bread/` }]],
    })
  })

  test('Telegram: buttons for the answer stand above', async () => {
    await linkTelegram()
    const until = new Date(world.now.getTime() + 3_600_000)
    const { id: entry } = await write
      .insertInto('waiting_entry')
      .values({
        shift_id: event.shifts[0]!,
        user_id: ANN.id,
        since: world.now,
        state: 'offered',
        offered_at: world.now,
        offered_until: until,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const changes = { entry, users: [ANN.id], until: until.toISOString() }
    await outbox.record({
      kind: 'shift.place_offered',
      subject: { kind: 'shift', id: event.shifts[0]! },
      eventId: event.id,
      changes,
    })
    await outbox.deliver()
    const [answer, open] = telegram.sent[0]!.reply_markup!.inline_keyboard.flat()
    assert.notEqual(answer!.text, open!.text)
    assert.equal((await ben.get(new URL(answer!.url).pathname)).statusCode, 200)
    await write.deleteFrom('waiting_entry').execute()
  })

  for (const [what, prepare] of [
    ['has blocked the bot', () => telegram.chats.set(42, 'blocked')],
    ['has deleted the chat', () => telegram.chats.delete(42)],
  ] as const)
    test(`Telegram: a person who ${what} is unlinked`, async () => {
      await linkTelegram()
      prepare()
      await confirm(ANN)
      assert.deepEqual(await links(), [])
    })

  for (const [code, description] of [
    [429, 'Too Many Requests: retry after 8'],
    [401, 'Unauthorized'],
    [500, 'Internal Server Error'],
  ] as const)
    test(`Telegram: after ${code} the message is sent later, once`, async () => {
      await linkTelegram()
      telegram.state.refusal = { code, description }
      await confirm(ANN)
      assert.deepEqual([telegram.sent.length, (await links()).length], [0, 1])
      telegram.state.refusal = undefined
      await repeat()
      await repeat()
      assert.equal(telegram.sent.length, 1)
    })

  test('Matrix: joins the chat with one person, and is linked by the code there', async () => {
    const page = (await ann.get(MATRIX)).body
    assert.match(page, /direct chat with @turnout:hs\.example/)
    const code = codeIn(page)
    matrix.open('!crowd:hs.example', '@eve:hs.example', '@mallory:hs.example')
    matrix.write('!crowd:hs.example', '@eve:hs.example', code)
    matrix.open(ROOM, ANN_ON_MATRIX)
    matrix.write(ROOM, ANN_ON_MATRIX, `My code is ${code}.`)
    await ann.post(`${MATRIX}sent/`)
    assert.deepEqual(await links(), [`${ANN.id} x_chat_matrix ${ROOM} ${ANN_ON_MATRIX}`])
    assert.deepEqual(matrix.sent, [{ room: ROOM, body: `Hello ${ANN.name}! Messages reach you here from now on.` }])
  })

  test('Matrix: sends text and HTML with links, escaped', async () => {
    await linkMatrix()
    await confirm(ANN)
    const [{ body, formatted_body }] = matrix.sent as [(typeof matrix.sent)[0]]
    const url = `https://a.example/events/${event.id}-soup-bread/`
    assert.match(body, /^Soup & <bread>\nYou are confirmed: /)
    assert.ok(body.endsWith(`\nOpen: ${url}`), body)
    assert.match(formatted_body!, /^<strong>Soup &amp; &lt;bread&gt;<\/strong><br>/)
    assert.ok(formatted_body!.endsWith(`<a href="${url}">Open</a>`), formatted_body)
  })

  test('Matrix: a message that is limited is sent later, and the link ends when the bot was removed from the chat', async () => {
    await linkMatrix()
    matrix.state.limited = true
    await confirm(ANN)
    assert.equal(matrix.sent.length, 0)
    matrix.state.limited = false
    await repeat()
    assert.equal(matrix.sent.length, 1)
    await write.updateTable('notification_delivery').set({ state: 'waiting' }).execute()
    // The homeserver knows the transaction.
    await repeat()
    assert.equal(matrix.sent.length, 1)
    matrix.leave(ROOM)
    await write.updateTable('notification_delivery').set({ state: 'waiting' }).execute()
    await repeat()
    assert.deepEqual(await links(), [])
  })

  test('both at once, and the greeting in the language of the person', async () => {
    await write.updateTable('user_profile').set({ preferred_language: 'de' }).where('id', '=', ANN.id).execute()
    await linkTelegram()
    await linkMatrix()
    await confirm(ANN)
    await write.updateTable('user_profile').set({ preferred_language: 'en' }).where('id', '=', ANN.id).execute()
    assert.deepEqual([telegram.sent.length, matrix.sent.length], [1, 1])
    assert.match(matrix.sent[0]!.body, /\nÖffnen: https:/)
  })

  test('a service that is down: the page for the code says so, and nothing is lost', async () => {
    await linkTelegram()
    await olga.get('/x/chat/settings/')
    await olga.post('/x/chat/settings/', { form: { telegram_server: 'http://127.0.0.1:1', matrix_server: 'http://127.0.0.1:1' } })
    assert.equal((await ben.get(TELEGRAM)).statusCode, 503)
    assert.equal((await ben.get(MATRIX)).statusCode, 503)
    await confirm(ANN)
    assert.equal(outbox.sent.length, 1)
    await olga.post('/x/chat/settings/', { form: { telegram_server: telegram.url } })
    await repeat()
    assert.equal(telegram.sent.length, 1)
  })
})
