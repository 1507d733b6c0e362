import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { eraseAccount } from '#features/accounts/users/commands/account-state.ts'
import { ensureCode, linkByCode } from '#features/messaging/channels/commands/links.ts'
import { CODE_MINUTES, RENEWED_MINUTES } from '#features/messaging/channels/rules.ts'
import { mergeAccounts } from '#features/operations/privacy/commands/merge.ts'
import { transact } from '#platform/db/transaction.ts'
import { personalDataOf } from '#platform/features/personal-data.ts'
import { moveOnBoard } from '#test/support/board.ts'
import { contextAs } from '#test/support/command-context.ts'
import { namedExtensions } from '#test/support/extensions.ts'
import { formsIn } from '#test/support/forms.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { FEATURES } from '../../../features.ts'

const CHANNEL = 'x_pigeons_flight'
const SETTINGS = '/settings/notifications/'
const PATH = '/x/pigeons/channels/flight/'

type Sent = { address: string; title: string; text: string; url: string; answers: { label: string; url: string }[]; tag: string }
/** What the extension of these tests does. */
type Pigeons = {
  sent: Sent[]
  outcome: (message: Sent) => string
  /** Codes that came in, with the senders. */
  inbox: { code: string; address: string }[]
  settings: Record<string, string>
  welcomed: string[]
}
const pigeons: Pigeons = { sent: [], outcome: () => 'sent', inbox: [], settings: {}, welcomed: [] }
Object.assign(globalThis, { pigeonsOfTest: pigeons })

const EXPORT = 'export'
const CODE = `import { defineExtension } from 'turnout/extension'
const pigeons = globalThis.pigeonsOfTest
const words = { title: 'Pigeons', text: 'T', who: 'W', flight: 'Pigeon post', key: 'Key', loft: 'Loft', hello: 'Hello {name}' }
${EXPORT} default defineExtension({
  name: 'pigeons', version: '1.0.0', turnout: '^1.1', words: { en: words, de: { ...words, hello: 'Hallo {name}' } },
  settings: [{ name: 'key', label: 'key', kind: 'secret' }, { name: 'loft', label: 'loft', kind: 'url', isRequired: false }],
  channels: [{
    name: 'flight', label: 'flight',
    guide: async ({ settings }, code) => ({ text: 'Send ' + code, link: { href: 'https://pigeons.example/', label: 'Open' } }),
    receive: async ({ link }) => {
      for (const { code, address } of pigeons.inbox.splice(0)) {
        const linked = await link(code, { address, label: '@' + address })
        if (linked) pigeons.welcomed.push(linked.t('hello', { name: linked.name }))
      }
    },
    send: async ({ settings }, address, message) => {
      pigeons.settings = settings
      const outcome = pigeons.outcome({ address, ...message })
      if (outcome === 'sent') pigeons.sent.push({ address, ...message })
      return outcome
    },
  }],
})`

describe('a channel of an extension', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-channels-'))
  after(() => rmSync(folder, { recursive: true }))
  const own = join(folder, 'pigeons')
  mkdirSync(own)
  writeFileSync(join(own, 'package.json'), JSON.stringify({ name: 'pigeons', type: 'module', exports: './index.js' }))
  writeFileSync(join(own, 'index.js'), CODE)
  const world = await openWorld({ extensions: namedExtensions([own]) })
  const { write } = world.db
  const outbox = new NotificationOutbox(world)
  const [ann, olga] = [await browserOf(world, ANN), await browserOf(world, OLGA)]
  const NOW = world.now
  const event = await world.addEvent({
    title: 'Harbour run',
    seenBy: [HELPERS],
    responsible: [PAUL],
    shifts: Array.from({ length: 5 }, (_, at) => ({ start: `2031-06-0${at + 4}T08:00:00+02:00` })),
  })

  const saveKey = async (form: Record<string, string>) => {
    await olga.get('/x/pigeons/settings/')
    return olga.post('/x/pigeons/settings/', { form })
  }
  const link = (who: Person, address: string) =>
    write
      .insertInto('channel_link')
      .values({ user_id: who.id, channel: CHANNEL, address, label: `@${address}`, linked_at: world.now })
      .execute()
  const links = async () =>
    (await write.selectFrom('channel_link').select(['user_id', 'address']).orderBy('id').execute()).map(
      ({ user_id, address }) => [user_id, address],
    )
  const states = async () =>
    (await write.selectFrom('notification_delivery').select('state').orderBy('notification_id').execute()).map(
      ({ state }) => state,
    )
  async function confirm(who: Person, shifts = 1): Promise<void> {
    for (const shiftId of event.shifts.slice(0, shifts)) {
      await world.addParticipation({ who, shift: shiftId, state: 0 })
      const context = { ...contextAs(world, PAUL), requestId: 'one click' }
      await moveOnBoard(context, { shiftId, who: { kind: 'local', id: who.id }, to: 1 })
    }
  }
  const passMinutes = (minutes: number) => {
    world.now = new Date(world.now.getTime() + minutes * 60_000)
  }
  /** As the worker does each minute. */
  const repeat = async () => {
    await outbox.runTask('queue_notifications')
    await outbox.runDue()
  }

  beforeEach(async () => {
    world.now = NOW
    Object.assign(pigeons, { sent: [], outcome: () => 'sent', inbox: [], welcomed: [] })
    await outbox.clear()
    for (const table of ['channel_link', 'channel_code', 'participation', 'guardianship'] as const)
      await write.deleteFrom(table).execute()
    await write.updateTable('user_profile').set({ disabled_notifications: '[]', quiet_hours: null }).execute()
    await sql`delete from extension_setting`.execute(write)
    await saveKey({ key: 'coo', loft: '' })
  })

  test('is offered when administrators have entered what it needs, sealed and not shown again', async () => {
    await write.deleteFrom('extension_setting').execute()
    assert.doesNotMatch((await ann.get(SETTINGS)).body, /Pigeon post/)
    assert.equal((await ann.get(PATH)).statusCode, 404)
    assert.match((await olga.get('/manage/modules/')).body, /href="\/x\/pigeons\/settings\/"/)
    assert.equal((await ann.get('/x/pigeons/settings/')).statusCode, 403)
    await saveKey({ key: 'coo-coo', loft: 'https://loft.example/' })
    assert.match((await ann.get(SETTINGS)).body, /Pigeon post[\s\S]*href="\/x\/pigeons\/channels\/flight\/"/)
    const page = (await olga.get('/x/pigeons/settings/')).body
    assert.doesNotMatch(page, /coo-coo/)
    assert.match(page, /value="https:\/\/loft\.example\/"/)
    const rows = await write.selectFrom('extension_setting').select('value_sealed').execute()
    assert.ok(rows.every(({ value_sealed }) => !value_sealed.includes('coo-coo')))
    assert.equal((await saveKey({ key: '', loft: 'javascript:alert(1)' })).statusCode, 422)
    // An empty secret stays, and is removed when that is ticked.
    await saveKey({ key: '', loft: '' })
    assert.match((await ann.get(SETTINGS)).body, /Pigeon post/)
    await saveKey({ key: '', loft: '', removed_key: 'on' })
    assert.doesNotMatch((await ann.get(SETTINGS)).body, /Pigeon post/)
  })

  test('is linked by the code that its person has sent, once', async () => {
    const shown = /<code class="wrap">(\w{12})<\/code>/.exec((await ann.get(PATH)).body)![1]!
    assert.equal(/<code class="wrap">(\w{12})<\/code>/.exec((await ann.get(PATH)).body)![1], shown)
    assert.equal((await ann.post(`${PATH}sent/`)).headers.location, PATH)
    pigeons.inbox.push(
      { code: 'wrongwrong12', address: 'eve' },
      { code: shown, address: 'ann<b>' },
      { code: shown, address: 'eve' },
    )
    assert.equal((await ann.post(`${PATH}sent/`)).headers.location, `${SETTINGS}#${CHANNEL}`)
    assert.deepEqual(await links(), [[ANN.id, 'ann<b>']])
    assert.deepEqual(pigeons.welcomed, [`Hello ${ANN.name}`])
    assert.match((await ann.get(SETTINGS)).body, /Messages go to @ann&lt;b&gt;\./)
    assert.equal((await ann.post(`${PATH}unlink/`)).statusCode, 303)
    assert.deepEqual(await links(), [])
    assert.equal((await ann.post(`${PATH}unlink/`)).statusCode, 404)
    const { rows } = await sql<{
      kind: string
    }>`select kind from journal where kind like 'channel.%' order by id desc limit 2`.execute(write)
    assert.deepEqual(
      rows.map(({ kind }) => kind),
      ['channel.unlinked', 'channel.linked'],
    )
    assert.match((await olga.get('/manage/log/')).body, /linked a service for messages/)
  })

  test('is not linked by a code that is too old or of another channel, and an address has one person', async () => {
    const context = contextAs(world, ANN)
    const { code } = await ensureCode(context, CHANNEL)
    const to = { channel: CHANNEL, address: 'a', label: 'a' } as const
    assert.equal(await linkByCode({ db: write, now: world.now }, { ...to, channel: 'x_other_flight', code }), undefined)
    const end = new Date(world.now.getTime() + CODE_MINUTES * 60_000)
    assert.equal(await linkByCode({ db: write, now: end }, { ...to, code }), undefined)
    assert.equal((await linkByCode({ db: write, now: new Date(end.getTime() - 1) }, { ...to, code }))?.userId, ANN.id)
    const other = await ensureCode(contextAs(world, BEN), CHANNEL)
    await linkByCode({ db: write, now: world.now }, { ...to, code: other.code })
    assert.deepEqual(await links(), [[BEN.id, 'a']])
  })

  test('shows a new code when the former one has little time left', async () => {
    const codeAt = async (minutes: number) => {
      world.now = new Date(NOW.getTime() + minutes * 60_000)
      return (await ensureCode(contextAs(world, ANN), CHANNEL)).code
    }
    const first = await codeAt(0)
    assert.equal(await codeAt(CODE_MINUTES - RENEWED_MINUTES - 1), first)
    assert.notEqual(await codeAt(CODE_MINUTES - RENEWED_MINUTES), first)
  })

  test('gets what its person is told, with the address of the page, once', async () => {
    await link(ANN, 'ann')
    await confirm(ANN)
    await confirm(BEN)
    await outbox.readJournal()
    const jobs = await outbox.jobs()
    await outbox.sendQueued()
    assert.equal(outbox.sent.length, 2)
    assert.equal(pigeons.sent.length, 1)
    const { address, title, text, url, answers } = pigeons.sent[0]!
    assert.deepEqual([address, title, answers], ['ann', 'Harbour run', []])
    assert.match(text, /^You are confirmed: /)
    assert.equal(url, `${world.app.site.url}/events/${event.id}-harbour-run/`)
    assert.deepEqual(pigeons.settings, { key: 'coo' })
    // A job that is repeated after a crash.
    for (const job of jobs) await outbox.run(job)
    assert.equal(pigeons.sent.length, 1)
    assert.match((await ann.get(SETTINGS)).body, /Your last message came by a linked service\./)
  })

  test('has a page for the answer to a question', async () => {
    await link(BEN, 'ben')
    const until = new Date(NOW.getTime() + 86_400_000)
    const { id: entry } = await write
      .insertInto('waiting_entry')
      .values({
        shift_id: event.shifts[0]!,
        user_id: BEN.id,
        since: NOW,
        state: 'offered',
        offered_at: NOW,
        offered_until: until,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const changes = { entry, users: [BEN.id], until: until.toISOString() }
    const subject = { kind: 'shift', id: event.shifts[0]! } as const
    await outbox.record({ kind: 'shift.place_offered', subject, eventId: event.id, changes })
    await outbox.deliver()
    const [message] = pigeons.sent
    assert.equal(message?.answers.length, 1)
    for (const { url } of message!.answers) assert.ok(url.startsWith(`${world.app.site.url}/`), url)
    assert.ok(!message!.answers.some(({ url }) => url === message!.url))
  })

  test('sends many at once as one message', async () => {
    await link(ANN, 'ann')
    await confirm(ANN, 4)
    await outbox.deliver()
    assert.deepEqual(
      pigeons.sent.map(({ text }) => text),
      ['4 new notifications'],
    )
    assert.deepEqual(await states(), ['sent', 'sent', 'sent', 'sent'])
  })

  test('sends the kinds that its person has chosen, apart from mail and push', async () => {
    await link(ANN, 'ann')
    const page = (await ann.get(SETTINGS)).body
    assert.match(page, /Choose what you get by which way/)
    const form = formsIn(page, SETTINGS).find(({ action }) => action === SETTINGS)!
    const kept = form.filled.filter(([name, value]) => name !== 'csrf_token' && value !== `${CHANNEL} participation_state`)
    assert.ok(kept.length < form.filled.length - 1, 'the kind has a box')
    const fields: Record<string, string[]> = {}
    for (const [name, value] of kept) fields[name] = [...(fields[name] ?? []), value]
    await ann.post(SETTINGS, { form: fields })
    await confirm(ANN)
    const mails = await outbox.deliver()
    assert.deepEqual([mails.length, pigeons.sent.length, await states()], [1, 0, ['skipped']])
    const { disabled_notifications } = await write
      .selectFrom('user_profile')
      .select('disabled_notifications')
      .where('id', '=', ANN.id)
      .executeTakeFirstOrThrow()
    assert.deepEqual(disabled_notifications, [[CHANNEL, 'participation_state']])
  })

  test('waits for the end of quiet hours', async () => {
    await link(ANN, 'ann')
    await write.updateTable('user_profile').set({ quiet_hours: '22:00-07:00' }).where('id', '=', ANN.id).execute()
    world.now = new Date('2031-05-02T23:30:00+02:00')
    await confirm(ANN)
    await outbox.readJournal()
    world.now = new Date('2031-05-03T06:59:59+02:00')
    const jobs = await outbox.jobs()
    for (const job of jobs) await outbox.run(job)
    await repeat()
    assert.deepEqual([pigeons.sent.length, await states()], [0, ['waiting']])
    world.now = new Date('2031-05-03T07:00:00+02:00')
    for (const job of jobs) await outbox.run(job)
    assert.deepEqual([pigeons.sent.length, await states()], [1, ['sent']])
  })

  for (const [what, outcome] of [
    ['is not available', () => 'later'],
    ['fails', () => assert.fail('thrown by a channel')],
    ['answers nonsense', () => 'perhaps'],
  ] as const)
    test(`that ${what} costs its own message only, which is tried again for an hour`, async () => {
      await link(ANN, 'ann')
      Object.assign(pigeons, { outcome })
      await confirm(ANN)
      assert.equal((await outbox.deliver()).length, 1)
      assert.deepEqual([await states(), await links()], [['waiting'], [[ANN.id, 'ann']]])
      passMinutes(2)
      pigeons.outcome = () => 'sent'
      await repeat()
      await repeat()
      assert.deepEqual([await states(), pigeons.sent.length, outbox.sent.length], [['sent'], 1, 1])
      await write.updateTable('notification_delivery').set({ state: 'waiting' }).execute()
      Object.assign(pigeons, { outcome })
      passMinutes(58)
      await repeat()
      assert.deepEqual(await states(), ['waiting'])
      passMinutes(1)
      await repeat()
      assert.deepEqual(await states(), ['failed'])
    })

  test('that breaks off in the middle does not repeat what has arrived', async () => {
    await link(ANN, 'ann')
    let count = 0
    pigeons.outcome = () => (++count === 2 ? 'later' : 'sent')
    await confirm(ANN, 3)
    await outbox.deliver()
    assert.deepEqual(await states(), ['sent', 'waiting', 'waiting'])
    passMinutes(2)
    await repeat()
    assert.equal(new Set(pigeons.sent.map(({ tag }) => tag)).size, 3)
    assert.equal(pigeons.sent.length, 3)
  })

  test('whose address is gone is unlinked', async () => {
    await link(ANN, 'ann')
    pigeons.outcome = () => 'gone'
    await confirm(ANN)
    await outbox.deliver()
    assert.deepEqual([await states(), await links()], [['skipped'], []])
  })

  test('sends a test message', async () => {
    assert.equal((await ann.post(`${PATH}test/`)).statusCode, 404)
    await link(ANN, 'ann')
    const told = async () => /class="flash tone-(\w+)/.exec((await ann.get(SETTINGS)).body)?.[1]
    await told()
    await ann.post(`${PATH}test/`)
    assert.equal(await told(), 'good')
    assert.deepEqual(
      pigeons.sent.map(({ address, tag }) => [address, tag]),
      [['ann', 'test']],
    )
    assert.deepEqual(await links(), [[ANN.id, 'ann']])
    pigeons.outcome = () => 'gone'
    await ann.post(`${PATH}test/`)
    assert.equal(await told(), 'warn')
    assert.deepEqual(await links(), [])
  })

  test('a guardian with a linked address is told what a child is told', async () => {
    await write.insertInto('guardianship').values({ guardian_id: ANN.id, child_id: BEN.id, since: world.now }).execute()
    await write
      .updateTable('user_profile')
      .set({ date_of_birth: '2020-01-01' as never })
      .where('id', '=', BEN.id)
      .execute()
    await link(ANN, 'ann')
    await confirm(BEN)
    await outbox.deliver()
    await write.updateTable('user_profile').set({ date_of_birth: null }).where('id', '=', BEN.id).execute()
    assert.deepEqual(
      pigeons.sent.map(({ address }) => address),
      ['ann'],
    )
    assert.ok(pigeons.sent[0]!.title.includes(BEN.name))
  })

  test('sends nothing while its module is off', async () => {
    await link(ANN, 'ann')
    const turn = async (to: 'on' | 'off') => {
      await olga.get('/manage/modules/')
      await olga.post('/manage/modules/switch/', { form: { modules: 'x_pigeons', to } })
    }
    await turn('off')
    assert.doesNotMatch((await ann.get(SETTINGS)).body, /Pigeon post/)
    await confirm(ANN)
    await outbox.deliver()
    await turn('on')
    assert.match((await ann.get(SETTINGS)).body, /Pigeon post/)
    await outbox.deliver()
    assert.deepEqual([pigeons.sent, await states()], [[], []])
  })

  test('is in the download without codes, follows a merge, and ends with an erasure', async () => {
    const tables = personalDataOf(FEATURES).filter(({ table }) => table.startsWith('channel_'))
    const [kim, lea, lou] = [
      await world.addPerson({ name: 'Kim' }),
      await world.addPerson({ name: 'Lea' }),
      await world.addPerson({ name: 'Lou' }),
    ]
    assert.deepEqual(
      tables.map((table) => [table.table, table.export.section]),
      [
        ['channel_link', 'channel_links'],
        ['channel_code', undefined],
      ],
    )
    await link(kim, 'kim')
    await ensureCode(contextAs(world, kim), CHANNEL)
    assert.equal((await mergeAccounts(contextAs(world, OLGA), { remainingId: lou.id, otherId: kim.id }, { tables })).ok, true)
    assert.deepEqual(await links(), [[lou.id, 'kim']])
    assert.deepEqual(await write.selectFrom('channel_code').select('user_id').execute(), [])
    await link(lea, 'lea')
    assert.equal((await mergeAccounts(contextAs(world, OLGA), { remainingId: lou.id, otherId: lea.id }, { tables })).ok, true)
    assert.deepEqual(await links(), [[lou.id, 'kim']])
    await transact(write, (tx) => eraseAccount(tx, contextAs(world, OLGA), lou.id))
    assert.deepEqual(await links(), [])
  })
})
