import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { waitingListSettings } from '#features/staffing/eligibility/schema.ts'
import { exchangeSettings } from '#features/staffing/exchanges/schema.ts'
import { reminderSettings } from '#features/staffing/participations/schema.ts'
import { BUNDLES } from '#platform/auth/permissions.ts'
import { readConfig } from '#platform/config.ts'
import { MAX_PICTURE_BYTES } from '#platform/files/file-types.ts'
import { call } from '#test/support/api-client.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, HELPERS } from '#test/support/people.ts'
import { makePicture } from '#test/support/pictures.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { withStoredRegion } from '../../../cli/database.ts'
import { settingValue } from './queries.ts'

const INSTANCE = '/manage/instance/'
const FORM = {
  organization_name: 'Harbour rescue',
  imprint: '',
  privacy: '',
  individual_times_tolerance_minutes: '0',
}
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('the settings of an instance', async () => {
  const world = await openWorld()
  const stella = await world.addPerson({ name: 'Stella', isStaff: true })
  const mara = await world.addPerson({ name: 'Mara', permissions: [...BUNDLES.management] })
  const staff = await browserOf(world, stella)
  const journal = () =>
    world.db.read.selectFrom('journal').selectAll().where('kind', '=', 'instance.changed').orderBy('id').execute()
  const setting = async (name: string) =>
    (await world.db.read.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirst())?.value

  test('are for administrators only', async () => {
    for (const person of [ANN, mara]) {
      const browser = await browserOf(world, person)
      assert.equal((await browser.get(INSTANCE)).statusCode, 403)
      assert.equal((await browser.post(INSTANCE, { form: FORM })).statusCode, 403)
      for (const what of ['logo/', 'logo/remove/']) assert.equal((await browser.post(INSTANCE + what)).statusCode, 403)
    }
    assert.equal(await setting('organization_name'), undefined)
    const page = await staff.get(INSTANCE)
    assert.equal(page.statusCode, 200)
    assert.deepEqual(checkMarkup(page.body), [])
    assert.match(page.body, /Europe\/Berlin.*TIME_ZONE/s)
  })

  test('have the same values in SQL: the default, unless another value of its type is stored', async () => {
    const { write } = world.db
    const read = async () => {
      const { rows } =
        await sql`select ${settingValue(reminderSettings, 'reminder_hours')} as number, ${settingValue(waitingListSettings, 'waiting_list')} as flag,
        ${settingValue(exchangeSettings, 'stand_ins')} as text`.execute(write)
      return rows[0]
    }
    const store = (hours: unknown, flag: unknown, text: unknown) =>
      sql`insert into setting (name, value) values ('reminder_hours', ${JSON.stringify(hours)}::jsonb),
        ('waiting_list', ${JSON.stringify(flag)}::jsonb), ('stand_ins', ${JSON.stringify(text)}::jsonb)
        on conflict (name) do update set value = excluded.value`.execute(write)
    assert.deepEqual(await read(), { number: 24, flag: true, text: 'at_once' })
    await store(5, false, 'off')
    assert.deepEqual(await read(), { number: 5, flag: false, text: 'off' })
    await store('5', 'false', 5)
    assert.deepEqual(await read(), { number: 24, flag: true, text: 'at_once' })
    await sql`delete from setting where name in ('reminder_hours', 'waiting_list', 'stand_ins')`.execute(write)
  })

  test('are saved, shown on every page, and recorded in the journal once', async () => {
    const form = { ...FORM, unknown_age_blocks: 'on', individual_times_tolerance_minutes: '30' }
    assert.equal((await staff.post(INSTANCE, { form })).statusCode, 303)
    assert.deepEqual([await setting('unknown_age_blocks'), await setting('individual_times_tolerance_minutes')], [true, 30])
    assert.match((await staff.get('/')).body, /<span>Harbour rescue<\/span>/)
    await staff.post(INSTANCE, { form })
    const entries = await journal()
    assert.equal(entries.length, 1)
    assert.deepEqual((entries[0]!.changes as Record<string, unknown>).individual_times_tolerance_minutes, [0, 30])
  })

  test('apply to sign-ups', async () => {
    await staff.post(INSTANCE, { form: { ...FORM, unknown_age_blocks: 'on' } })
    const unknown = await world.addPerson({ name: 'Ageless' })
    await world.db.write.insertInto('user_group_member').values({ group_id: HELPERS.id, user_id: unknown.id }).execute()
    const { shifts, id } = await world.addEvent({
      seenBy: [HELPERS],
      shifts: [{ flow: 'instant_confirmation', structure: 'uniform', configuration: { minimum_age: 18 } }],
    })
    assert.ok(shifts.length)
    const browser = await browserOf(world, unknown)
    const before = (await browser.get(`/events/${id}-harbour-run/`)).body
    await staff.post(INSTANCE, { form: FORM })
    assert.notEqual((await browser.get(`/events/${id}-harbour-run/`)).body, before)
  })

  test('invalid numbers and long texts are refused, and the form keeps the input', async () => {
    for (const [name, value, says] of [
      ['reminder_hours', '0', /1 to 336/],
      ['reminder_hours', '337', /1 to 336/],
      ['individual_times_tolerance_minutes', 'x', /0 to 1,440/],
      ['organization_name', 'x'.repeat(101), /100 characters/],
      ['imprint', 'x'.repeat(30_001), /30,000 characters/],
    ] as const) {
      const answer = await staff.post(INSTANCE, { form: { ...FORM, [name]: value } })
      assert.equal(answer.statusCode, 422, name)
      assert.match(answer.body, says)
      assert.ok(answer.body.includes(value.slice(0, 50)))
      assert.deepEqual(checkMarkup(answer.body), [])
    }
  })

  test('imprint and privacy are public once they are written, and run no script', async () => {
    assert.equal((await world.nobody.get('/imprint/', { unchecked: true })).status, 404)
    assert.doesNotMatch((await world.nobody.get('/accounts/login/', { unchecked: true })).text, /imprint/)
    await staff.post(INSTANCE, {
      form: { ...FORM, imprint: '**We** <script>alert(1)</script> [x](javascript:alert(1))', privacy: 'Nothing' },
    })
    const { status, text } = await world.nobody.get('/imprint/', { unchecked: true })
    assert.equal(status, 200)
    assert.match(text, /<strong>We<\/strong>/)
    assert.doesNotMatch(text, /<script>alert|href="javascript/)
    assert.deepEqual(checkMarkup(text), [])
    assert.match(
      (await world.nobody.get('/accounts/login/', { unchecked: true })).text,
      /href="\/imprint\/".*href="\/privacy\/"/s,
    )
    assert.match((await staff.get('/')).body, /href="\/privacy\/"/)
  })

  describe('the logo', () => {
    const LINE = '----WebKitFormBoundary7MA4YWxkTrZu0gW'
    const parts = (bytes: Buffer, token: string) => {
      const head = `--${LINE}\r\ncontent-disposition: form-data; name="csrf_token"\r\n\r\n${token}\r\n--${LINE}\r\ncontent-disposition: form-data; name="logo"; filename="logo.png"\r\ncontent-type: image/svg+xml\r\n\r\n`
      return Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${LINE}--\r\n`)])
    }
    const put = async (bytes: Buffer, token = staff.token!) => {
      const cookie = [...staff.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const headers = { cookie, 'content-type': `multipart/form-data; boundary=${LINE}` }
      return call(world.line, 'POST', `${INSTANCE}logo/`, headers, parts(bytes, token) as unknown as string)
    }

    test('is checked by its bytes, served with strict headers under a path with its hash, and can be removed', async () => {
      await staff.get(INSTANCE)
      assert.equal((await put(PNG)).status, 303)
      const src = /class="logo" src="([^"]+)"/.exec((await staff.get('/')).body)![1]!
      assert.match(src, /^\/logo\/[0-9a-f]{16}\/$/)
      const picture = await world.nobody.get(src, { unchecked: true })
      assert.equal(picture.headers['content-type'], 'image/png')
      assert.equal(picture.headers['x-content-type-options'], 'nosniff')
      assert.match(picture.headers['content-security-policy']!, /default-src 'none'; sandbox/)
      assert.match((await world.nobody.get('/accounts/login/', { unchecked: true })).text, /class="logo"/)
      for (const bad of ['/logo/0000000000000000/', '/logo/x/', `/logo/${"'".repeat(16)}/`])
        assert.equal((await world.nobody.get(bad, { unchecked: true })).status, 404)
      await staff.post(`${INSTANCE}logo/remove/`)
      assert.equal((await world.nobody.get(src, { unchecked: true })).status, 404)
      assert.doesNotMatch((await staff.get('/')).body, /class="logo"/)
    })

    const REFUSED: [what: string, bytes: Buffer, says: RegExp][] = [
      [
        'a drawing, which can hold scripts',
        Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'),
        /choose a PNG, JPEG or WebP image\. Drawings \(SVG\) can contain programs/,
      ],
      ['a page that calls itself a picture', Buffer.from('<!doctype html><p>GIF89a'), /choose a PNG, JPEG or WebP/],
      ['what is too large', Buffer.alloc(MAX_PICTURE_BYTES + 1, PNG), /too large/],
      ['what is damaged', PNG.subarray(0, 40), /damaged or incomplete/],
      ['nothing', Buffer.alloc(0), /choose an image/],
    ]
    for (const [what, bytes, says] of REFUSED) {
      test(`refuses ${what}`, async () => {
        await staff.get(INSTANCE)
        const answer = await put(bytes)
        assert.equal(answer.status, 422)
        assert.match(/id="field-logo-error"[\s\S]*?<\/p>/.exec(answer.text)![0], says)
        assert.equal(await setting('logo'), undefined)
      })
    }

    test('of any size is stored in a small one', async () => {
      await staff.get(INSTANCE)
      const photo = await makePicture({ format: 'png', width: 1500, height: 1500, isNoisy: true })
      assert.equal((await put(photo)).status, 303)
      const src = /class="logo" src="([^"]+)"/.exec((await staff.get('/')).body)![1]!
      const picture = await world.nobody.get(src, { unchecked: true })
      assert.deepEqual(
        [picture.headers['content-type'], Number(picture.headers['content-length']) < 300_000],
        ['image/webp', true],
      )
      await staff.post(`${INSTANCE}logo/remove/`)
    })

    test('needs a CSRF token', async () => {
      assert.equal((await put(PNG, 'forged')).status, 403)
      assert.equal(await setting('logo'), undefined)
    })
  })

  test('time zone and language are chosen on a page, and take effect at once on every node, unless variables set them', async () => {
    const REGION = `${INSTANCE}region/`
    assert.equal((await (await browserOf(world, ANN)).get(REGION)).statusCode, 403)
    const unknown = await staff.post(REGION, { form: { time_zone: 'Mars/Olympus', default_language: 'de' } })
    assert.equal(unknown.statusCode, 422)
    assert.match(unknown.body, /choose a time zone from the list/)

    const { shifts } = await world.addEvent({ seenBy: [HELPERS], shifts: [{}] })
    const database = { url: world.databaseUrl, drop: async () => {} }
    const [other, fixed] = await Promise.all([
      openWorld({ database, empty: true }),
      openWorld({ database, empty: true, timeZone: 'Europe/Paris', language: 'en' }),
    ])
    const startOf = async (node: typeof world) => {
      const answer = await node.as(ANN, 'PUBLIC_READ').get(`/api/shifts/${shifts[0]}/`, { unchecked: true })
      return JSON.parse(answer.text).start_time as string
    }
    const languageOf = async (node: typeof world) =>
      /<html lang="(\w+)"/.exec((await node.nobody.get('/accounts/login/', { unchecked: true })).text)![1]
    const before = await startOf(world)
    assert.equal(await startOf(other), before)

    const form = { time_zone: 'Asia/Kathmandu', default_language: 'de' }
    assert.equal((await staff.post(REGION, { form })).statusCode, 303)
    const page = await staff.get(REGION)
    assert.deepEqual(checkMarkup(page.body), [])
    assert.match(page.body, /<option value="Asia\/Kathmandu" selected>/)
    const after = await startOf(world)
    assert.match(after, /\+05:45$/)
    assert.equal(Date.parse(after), Date.parse(before))
    assert.deepEqual([await languageOf(world), await languageOf(other), await languageOf(fixed)], ['de', 'de', 'en'])
    assert.equal(await startOf(other), after)
    assert.match(await startOf(fixed), /\+0[12]:00$/)

    const programs = await openWorld({ database, empty: true })
    programs.app.site.timeZone = 'Europe/Berlin'
    programs.now = new Date(programs.now.getTime() + 6000)
    assert.equal(await startOf(programs), after)

    const regionWith = async (env: Record<string, string>) => {
      const { timeZone, defaultLanguage } = await withStoredRegion(readConfig(env, 'try-out'), world.databaseUrl)
      return [timeZone, defaultLanguage]
    }
    assert.deepEqual(await regionWith({}), ['Asia/Kathmandu', 'de'])
    assert.deepEqual(await regionWith({ TIME_ZONE: 'Europe/Paris', DEFAULT_LANGUAGE: 'en' }), ['Europe/Paris', 'en'])
  })
})
