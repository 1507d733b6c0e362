import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { News } from '#extension'
import { namedExtensions } from '#test/support/extensions.ts'
import { fieldsIn } from '#test/support/form-fields.ts'
import { formsIn } from '#test/support/forms.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, BEN, HELPERS, PAUL } from '#test/support/people.ts'
import { runHere } from '#test/support/process/in-process.ts'
import { SECRET_KEY } from '#test/support/process/processes.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

const root = mkdtempSync(join(tmpdir(), 'turnout-extensions-'))
after(() => rmSync(root, { recursive: true }))

/** No export of this file. */
const EXPORT = 'export'
const folder = join(root, 'radio2')
mkdirSync(folder)
writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'radio2', type: 'module', exports: './index.js' }))
writeFileSync(
  join(folder, 'index.js'),
  `import { defineExtension } from 'turnout/extension'
const en = { title: 'Radio', text: 'Channels of radios.', who: 'Planners.', channel: 'Radio channel', spare: 'With a spare radio',
  changed: 'Radio channel changed', changed_help: 'The channel of your shift is another one.', changed_subject: 'Channel {channel}: {event}',
  changed_text: { one: 'Take {count} radio to {event}, channel {channel}.', other: 'Take {count} radios to {event}, channel {channel}.' },
  open: 'All channels', course: 'Courses', course_help: 'Courses about radios.', course_subject: 'A course', course_text: 'There is a course.' }
const de = { ...en, changed: 'Funkkanal geändert', changed_text: { one: 'Nimm {count} Funkgerät mit: {event}.', other: 'Nimm {count} Funkgeräte mit: {event}.' } }
const pl = { changed: 'Zmiana kanału', changed_text: { one: '{count} radio: {event}', few: '{count} radia: {event}', many: '{count} radiotelefonów: {event}', other: '{count} radia: {event}' } }
const tell = (work, news) => work.change(async (tx) => {
  await tx.query('insert into x_radio2.told values (now())')
  await tx.notify(news)
  if (globalThis.radioFails) throw new Error('failed on purpose')
})
const extension = defineExtension({
  name: 'radio2', version: '1.0.0', turnout: '^1.4', words: { en, de }, translations: { pl },
  migrations: [{ name: 'one', sql: 'create table radio (shift_id bigint primary key, channel text not null, spare boolean not null); create table told (at timestamptz)' }],
  adds: { shiftForm: {
    title: 'title',
    fields: [{ name: 'channel', label: 'channel', kind: 'text', isRequired: true }, { name: 'spare', label: 'spare', kind: 'switch' }],
    read: async ({ db }, { id }) => {
      const [row] = await db.query('select * from x_radio2.radio where shift_id = $1', [id])
      return row ? { channel: row.channel, ...(row.spare ? { spare: 'on' } : {}) } : {}
    },
    save: async (tx, { id }, { channel, spare }) => {
      await tx.query('insert into x_radio2.radio values ($1, $2, $3) on conflict (shift_id) do update set channel = $2, spare = $3', [id, channel, spare === 'on'])
      if (globalThis.radioFails) throw new Error('failed on purpose')
    },
  } },
  notificationKinds: [
    { name: 'changed', label: 'changed', help: 'changed_help', subject: 'changed_subject', text: 'changed_text', isAboutEvent: true,
      link: { path: '/x/radio2/events/{event}/', label: 'open' } },
    { name: 'course', label: 'course', help: 'course_help', subject: 'course_subject', text: 'course_text', topic: 'news', isOptIn: true },
  ],
  pages: [{ path: '/x/radio2/tell/', access: 'signed-in', submit: async (work) => { await tell(work, globalThis.newsOfRadio); return { redirect: '/' } } }],
  commands: [
    { name: 'list', summary: 'List the channels of shifts', options: { since: { type: 'string', hint: 'DATE', help: 'Shifts from this day on', required: true } },
      operands: [{ name: 'channel', help: 'Only this one', optional: true }],
      run: async ({ db, options, operands, print, person, t }) => {
        const rows = await db.query('select channel from x_radio2.radio where $1::text is null or channel = $1 order by 1', [operands[0] ?? null])
        print([t('title'), options.since, person, ...rows.map((row) => row.channel)].join(' '))
        if (!rows.length) return 3
      } },
    { name: 'tell', summary: 'Tell people', run: (work) => tell(work, globalThis.newsOfRadio) },
  ],
})
${EXPORT} { extension as default }`,
)

const setRadio = (newsOfRadio?: News, radioFails = false) => Object.assign(globalThis, { newsOfRadio, radioFails })

describe('an extension with fields of the shift form, kinds of notifications and commands', async () => {
  const world = await openWorld({ extensions: namedExtensions([folder], { sectionMs: 60_000 }) })
  const { write } = world.db
  const outbox = new NotificationOutbox(world)
  const [paul, ann] = [await browserOf(world, PAUL), await browserOf(world, ANN)]
  const { id: eventId, shifts } = await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts: [{}] })
  const shiftId = shifts[0]!
  const path = `/shifts/${shiftId}/edit/`
  beforeEach(async () => {
    setRadio()
    // Failures of other tests do not add up.
    world.now = new Date(world.now.getTime() + 11 * 60_000)
    await sql`delete from x_radio2.radio`.execute(write)
    await sql`delete from x_radio2.told`.execute(write)
    await outbox.clear()
    await write
      .updateTable('user_profile')
      .set({ disabled_notifications: '[]', enabled_notifications: '[]', preferred_language: 'en' })
      .execute()
  })
  after(() => setRadio())
  const stored = async () =>
    (
      await sql<{ shift_id: number; channel: string; spare: boolean }>`select * from x_radio2.radio order by shift_id`.execute(
        write,
      )
    ).rows
  const labelOf = async () =>
    (await write.selectFrom('shift').select('label').where('id', '=', shiftId).executeTakeFirstOrThrow()).label
  const save = async (changes: Record<string, string>) => {
    const { body } = await paul.get(path)
    assert.deepEqual(checkMarkup(body), [])
    return paul.post(path, { form: { ...fieldsIn(body), do: 'save', ...changes } })
  }

  test('the shift form shows and saves the fields', async () => {
    assert.match((await paul.get(path)).body, /<legend[^>]*>Radio<[\s\S]*Radio channel[\s\S]*With a spare radio/)
    assert.equal((await save({ x_radio2__channel: '4', x_radio2__spare: 'on' })).statusCode, 303)
    assert.deepEqual(await stored(), [{ shift_id: shiftId, channel: '4', spare: true }])
    const form = fieldsIn((await paul.get(path)).body)
    assert.deepEqual([form.x_radio2__channel, form.x_radio2__spare], ['4', 'on'])
  })

  test('a new shift has the fields, too', async () => {
    const added = `/events/${eventId}/shifts/new/`
    const form = fieldsIn((await paul.get(added)).body)
    assert.equal(form.x_radio2__channel, '')
    const { statusCode } = await paul.post(added, { form: { ...form, do: 'save', x_radio2__channel: '7' } })
    assert.equal(statusCode, 303)
    const [row] = await stored()
    assert.deepEqual([row?.channel, row?.spare], ['7', false])
    assert.notEqual(row?.shift_id, shiftId)
    await write.deleteFrom('shift').where('id', '=', row!.shift_id).execute()
  })

  test('a missing value is refused beside the field, and nothing is saved', async () => {
    const { statusCode, body } = await save({ x_radio2__channel: '', 's0-label': 'Renamed' })
    assert.equal(statusCode, 422)
    assert.match(body, /Please fill this in/)
    assert.deepEqual([await stored(), await labelOf()], [[], ''])
  })

  test('fields that cannot be saved are taken back, and the shift is saved', async () => {
    setRadio(undefined, true)
    assert.equal((await save({ x_radio2__channel: '4', 's0-label': 'Renamed' })).statusCode, 303)
    assert.deepEqual([await stored(), await labelOf()], [[], 'Renamed'])
  })

  const NEWS: News = { kind: 'changed', personIds: [ANN.id], about: 'shift 1', eventId, values: { channel: '4', count: 2 } }
  const post = (news: { [Name in keyof News]?: News[Name] | undefined }, fails = false) => {
    setRadio({ ...NEWS, ...news } as News, fails)
    return paul.post('/x/radio2/tell/')
  }
  const mails = async () => {
    await outbox.sendQueued()
    return outbox.sent.map(({ to, subject, text }) => ({ to, subject, text }))
  }

  test('a person is told by mail and in the list, with the page of the extension', async () => {
    assert.equal((await post({})).statusCode, 303)
    const [mail] = await mails()
    assert.deepEqual([outbox.sent.length, mail?.to, mail?.subject], [1, ANN.email, 'Channel 4: Harbour run'])
    assert.match(mail!.text, /Take 2 radios to Harbour run, channel 4\./)
    assert.match(mail!.text, new RegExp(`All channels[\\s\\S]*/x/radio2/events/${eventId}/`))
    assert.match(mail!.text, /Radio channel changed/)
    const body = (await ann.get('/notifications/')).body
    assert.match(body, /Take 2 radios to Harbour run, channel 4\./)
    assert.match(body, new RegExp(`href="/x/radio2/events/${eventId}/"`))
  })

  test('whoever was told of the same is not told again, others and other news are', async () => {
    await post({})
    await post({ personIds: [ANN.id, BEN.id] })
    await post({ about: 'shift 2' })
    assert.deepEqual(
      (await outbox.rows()).map(({ user_id, source }) => [user_id, source]),
      [
        [ANN.id, 'x_radio2_changed shift 1'],
        [BEN.id, 'x_radio2_changed shift 1'],
        [ANN.id, 'x_radio2_changed shift 2'],
      ],
    )
  })

  test('nobody is told of what was taken back, and nothing of it is stored', async () => {
    assert.equal((await post({}, true)).statusCode, 503)
    assert.deepEqual(await outbox.rows(), [])
    assert.deepEqual((await sql`select from x_radio2.told`.execute(write)).rows, [])
  })

  test('inactive people and those who cannot see the event are not told by mail', async () => {
    const cid = await world.addPerson({ name: 'Cid' })
    const outsider = await world.addPerson({ name: 'Out' })
    await write.updateTable('user_profile').set({ is_active: false }).where('id', '=', cid.id).execute()
    await post({ personIds: [cid.id, outsider.id, 999_999] })
    assert.deepEqual(
      (await outbox.rows()).map(({ user_id }) => user_id),
      [outsider.id],
    )
    assert.deepEqual(await mails(), [])
    assert.equal((await outbox.rows())[0]?.mail_reason, 'not_shown')
  })

  for (const [what, news] of [
    ['of an unknown kind', { kind: 'other' }],
    ['without the event', { eventId: undefined }],
    ['with an event of a kind that has none', { kind: 'course' }],
    ['with a text that is too long', { values: { channel: 'x'.repeat(301), count: 1 } }],
    ['about too much', { about: 'x'.repeat(61) }],
  ] as const)
    test(`news ${what} are refused`, async () => {
      assert.equal((await post(news)).statusCode, 503)
      assert.deepEqual(await outbox.rows(), [])
    })

  test('the longest texts that are allowed can be stored', async () => {
    assert.equal((await post({ about: 'x'.repeat(60), values: { channel: 'x'.repeat(300), count: 1 } })).statusCode, 303)
  })

  test('outdated news are marked and not sent', async () => {
    const until = new Date(world.now.getTime() + 60_000)
    await post({ validUntil: until })
    world.now = new Date(until.getTime() - 1)
    assert.doesNotMatch((await ann.get('/notifications/')).body, />outdated</)
    assert.equal((await mails()).length, 1)
    await post({ validUntil: until, about: 'shift 2', personIds: [BEN.id] })
    world.now = until
    outbox.sent.length = 0
    assert.deepEqual(await mails(), [])
    assert.equal((await outbox.rows()).at(-1)?.mail_reason, 'obsolete')
    assert.match((await ann.get('/notifications/')).body, />outdated</)
  })

  test('people choose by which way they get a kind, in their settings and by the link in its mail', async () => {
    const SETTINGS = '/settings/notifications/'
    const page = (await ann.get(SETTINGS)).body
    assert.match(page, /Radio channel changed<small>The channel of your shift is another one\.<\/small>/)
    const form = formsIn(page, SETTINGS).find(({ action }) => action === SETTINGS)!
    assert.ok(form.filled.some(([name, value]) => name === 'kinds' && value === 'x_radio2_changed'))
    assert.ok(!form.filled.some(([, value]) => value === 'x_radio2_course'))
    await post({})
    const link = /\/notifications\/off\/[\w.~-]+\//.exec((await mails())[0]!.text)![0]
    assert.equal((await ann.post(link)).statusCode < 400, true)
    outbox.sent.length = 0
    await post({ about: 'shift 2' })
    assert.deepEqual(await mails(), [])
    assert.equal((await outbox.rows()).at(-1)?.mail_reason, 'switched_off')
  })

  test('a kind that people choose first reaches only those who did', async () => {
    const caller = world.as(ANN, 'ME_READ', 'ME_WRITE')
    const choices = '/api/users/me/notification-choices/'
    const etag = String((await caller.get(choices)).headers.etag)
    const { body, status, headers } = await caller.patch(choices, { kinds: [{ kind: 'x_radio2_course', mail: true }] }, etag)
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(
      body.kinds.find(({ kind }: { kind: string }) => kind === 'x_radio2_course'),
      { kind: 'x_radio2_course', label: 'Courses', mail: true, push: false, required: false },
    )
    const other = await caller.patch(choices, { kinds: [{ kind: 'x_radio2_other', mail: true }] }, String(headers.etag))
    assert.deepEqual([other.status, other.body.errors[0].pointer], [400, '/kinds/0/kind'])
    await post({ kind: 'course', eventId: undefined, personIds: [ANN.id, BEN.id] })
    const sent = await mails()
    assert.deepEqual(
      sent.map(({ to, subject }) => [to, subject]),
      [[ANN.email, 'A course']],
    )
  })

  for (const [language, count, line] of [
    ['de', 2, 'Nimm 2 Funkgeräte mit: Harbour run.'],
    ['pl', 1, '1 radio: Harbour run'],
    ['pl', 3, '3 radia: Harbour run'],
    ['pl', 5, '5 radiotelefonów: Harbour run'],
    ['fr', 2, 'Take 2 radios to Harbour run, channel 4.'],
  ] as const)
    test(`a reader of ${language} reads about ${count} in the language of the extension, or in English`, async () => {
      await write.updateTable('user_profile').set({ preferred_language: language }).where('id', '=', ANN.id).execute()
      await post({ values: { channel: '4', count } })
      assert.ok((await mails())[0]!.text.includes(line), outbox.sent[0]?.text)
    })

  const settings = { EXTENSIONS: folder, DATABASE_URL: world.databaseUrl, SECRET_KEY, SITE_URL: 'https://a.example' }

  test('its commands are listed, with the help of each, unless extensions are left out', async () => {
    const { stdout } = await runHere(['help'], settings)
    assert.match(stdout, /\n {2}radio2:list +List the channels of shifts\n {2}radio2:tell +Tell people\n/)
    assert.doesNotMatch((await runHere(['help', '--without-extensions'], settings)).stdout, /radio2/)
    const help = await runHere(['radio2:list', '--help'], settings)
    assert.match(
      help.stdout,
      /^Usage: npx turnout radio2:list \[channel\] \[options\][\s\S]*--since DATE +Shifts from this day on \(required\)/,
    )
    const unknown = await runHere(['radio2:list', '--without-extensions'], settings)
    assert.deepEqual([unknown.code, /unknown command radio2:list/.test(unknown.stderr)], [2, true])
  })

  test('a command reads its tables, options and operands, and gives the exit code', async () => {
    const nothing = await runHere(['radio2:list', '--since', '2031-01-01'], settings)
    assert.deepEqual(nothing, { code: 3, stdout: 'Radio 2031-01-01 \n', stderr: '' })
    await sql`insert into x_radio2.radio values (1, '4', true), (2, '7', false)`.execute(write)
    assert.deepEqual(await runHere(['radio2:list', '--since', '2031-01-01'], settings), {
      code: 0,
      stdout: 'Radio 2031-01-01  4 7\n',
      stderr: '',
    })
    const [one, missing] = [
      await runHere(['radio2:list', '--since', 'x', '7'], settings),
      await runHere(['radio2:list'], settings),
    ]
    assert.equal(one.stdout, 'Radio x  7\n')
    assert.deepEqual(missing, { code: 2, stdout: '', stderr: 'turnout: --since must be given\n' })
  })

  test('a command tells people, and one that fails changes nothing', async () => {
    setRadio(NEWS, true)
    const failed = await runHere(['radio2:tell'], settings)
    assert.deepEqual([failed.code, /failed on purpose/.test(failed.stderr)], [1, true])
    assert.deepEqual(await outbox.rows(), [])
    setRadio(NEWS)
    assert.equal((await runHere(['radio2:tell'], settings)).code, 0)
    assert.deepEqual(
      (await outbox.rows()).map(({ user_id, kind }) => [user_id, kind]),
      [[ANN.id, 'x_radio2_changed']],
    )
  })
})
