import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { signUp } from '#features/staffing/participations/commands/sign-up.ts'
import { contextAs } from '#test/support/command-context.ts'
import { namedExtensions } from '#test/support/extensions.ts'
import { fieldsIn } from '#test/support/form-fields.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

const root = mkdtempSync(join(tmpdir(), 'turnout-extensions-'))
after(() => rmSync(root, { recursive: true }))

/** No export of this file. */
const EXPORT = 'export'
const folder = join(root, 'kit')
mkdirSync(folder)
writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'kit', type: 'module', exports: './index.js' }))
writeFileSync(
  join(folder, 'index.js'),
  `import { defineExtension } from 'turnout/extension'
const en = { title: 'Kit', text: 'Keys of vehicles.', who: 'Planners.', key: 'Key', keys: 'How many keys', spare: 'Spare key', place: 'Kept in',
  safe: 'Safe', desk: 'Desk', refused: '{count} keys are missing.', warned: 'Bring your key.', list: 'Key list', list_help: 'All keys', people: 'People' }
const de = { ...en, refused: '{count} Schlüssel fehlen.' }
const how = () => globalThis.howKitWorks
const fail = async () => {
  if (how() === 'throws') throw new Error('thrown on purpose')
  if (how() === 'slow') await new Promise((done) => setTimeout(done, 60_000).unref())
}
const extension = defineExtension({
  name: 'kit', version: '1.0.0', turnout: '^1.3', words: { en, de },
  migrations: [{ name: 'one', sql: 'create table kit (event_id bigint primary key, keys int not null, place text, spare boolean not null);'
    + 'create table holder (person_id bigint not null references public.user_profile (id), verdict text not null)' }],
  personalData: [{ table: 'holder', column: 'person_id', label: 'people', whenErased: 'delete', whenMerged: 'move' }],
  rules: [{ name: 'keys', judge: async ({ db }, { personIds, shiftIds }) => {
    await fail()
    if (how() === 'broken sql') await db.query('select from x_kit.missing')
    if (how() === 'nonsense') return [{ personId: 'all' }]
    if (how() === 'unknown text') return [{ personId: personIds[0], shiftId: shiftIds[0], text: 'nowhere' }]
    globalThis.askedOfKit?.push([[...personIds], [...shiftIds]])
    const found = await db.query('select person_id::int as id, verdict from x_kit.holder where person_id = any ($1::bigint[])', [personIds])
    return found.flatMap(({ id, verdict }) => shiftIds.map((shiftId) =>
      ({ personId: id, shiftId, text: verdict, values: { count: 3 }, isWarning: verdict === 'warned' })))
  } }],
  adds: {
    eventForm: {
      title: 'title',
      fields: [
        { name: 'keys', label: 'keys', kind: 'number', isRequired: true },
        { name: 'place', label: 'place', kind: 'choice', options: [{ value: 'safe', label: 'safe' }, { value: 'desk', label: 'desk' }] },
        { name: 'spare', label: 'spare', kind: 'switch' },
      ],
      read: async ({ db }, { id }) => {
        await fail()
        const [row] = await db.query('select * from x_kit.kit where event_id = $1', [id])
        return row ? { keys: String(row.keys), ...(row.place ? { place: row.place } : {}), ...(row.spare ? { spare: 'on' } : {}) } : {}
      },
      save: async (tx, { id }, { keys, place, spare }) => {
        await tx.query('insert into x_kit.kit values ($1, $2, $3, $4) on conflict (event_id) do update set keys = $2, place = $3, spare = $4', [id, keys, place ?? null, spare === 'on'])
        if (how() === 'broken sql') await tx.query('select from x_kit.missing')
        await fail()
      },
    },
    eventAction: { task: 'plan', label: 'list', path: '/x/kit/events/{event}/' },
    personAction: { label: 'list', help: 'list_help', path: '/x/kit/people/{user}/' },
  },
})
${EXPORT} { extension as default }`,
)

const FILLED = { x_kit__keys: '2', x_kit__place: 'safe', x_kit__spare: 'on' }

const setKit = (howKitWorks: string | undefined, askedOfKit?: unknown[]) => {
  Object.assign(globalThis, { howKitWorks, askedOfKit })
}

/** `sectionMs`: long, so that a busy machine changes nothing; short for work that never ends. */
async function openKit({ sectionMs }: { sectionMs: number }) {
  const world = await openWorld({ extensions: namedExtensions([folder], { sectionMs }) })
  const { write } = world.db
  const paul = await browserOf(world, PAUL)
  const ann = await browserOf(world, ANN)
  const olga = await browserOf(world, OLGA)
  const { id: eventId, shifts } = await world.addEvent({
    seenBy: [HELPERS],
    responsible: [PAUL],
    shifts: [{ start: '2031-05-04T08:00:00Z' }, { start: '2031-05-05T08:00:00Z' }],
  })
  const shiftId = shifts[0]!
  beforeEach(async () => {
    setKit(undefined)
    // Failures of other tests do not add up.
    world.now = new Date(world.now.getTime() + 11 * 60_000)
    await sql`delete from x_kit.holder`.execute(write)
    await sql`delete from x_kit.kit`.execute(write)
    await write.deleteFrom('participation').execute()
  })
  const holds = (who: Person, verdict: string) => sql`insert into x_kit.holder values (${who.id}, ${verdict})`.execute(write)
  const stored = async () =>
    (await sql<{ keys: number; place: string | null; spare: boolean }>`select keys, place, spare from x_kit.kit`.execute(write))
      .rows
  const judge = (who: Person) => world.as(who, 'PUBLIC_READ', 'ME_READ').get(`/api/shifts/${shiftId}/eligibility/`)
  const press = (who: Person) => signUp(contextAs(world, who), { shiftId })

  const titleOf = async () =>
    (await write.selectFrom('event').select('title').where('id', '=', eventId).executeTakeFirstOrThrow()).title
  async function openForm() {
    const { statusCode, body } = await paul.get(`/events/${eventId}/edit/`)
    assert.equal(statusCode, 200)
    assert.deepEqual(checkMarkup(body), [])
    return { body, form: fieldsIn(body), path: `/events/${eventId}/edit/` }
  }
  const save = async (changes: Record<string, string>) =>
    paul.post(`/events/${eventId}/edit/`, { form: { ...(await openForm()).form, do: 'save', ...changes } })

  return { world, write, paul, ann, olga, eventId, shiftId, holds, stored, judge, press, titleOf, openForm, save }
}

describe('an extension with a rule of sign-ups and fields of the event form', async () => {
  const { write, paul, ann, olga, eventId, shiftId, holds, stored, judge, press, titleOf, openForm, save } = await openKit({
    sectionMs: 60_000,
  })

  test('a rule refuses a sign-up with its text, for this person only', async () => {
    await holds(ANN, 'refused')
    const refused = await press(ANN)
    assert.deepEqual(!refused.ok && refused.reasons, [
      { code: 'added_rule', message: 'extension.kit.refused', values: { count: 3 } },
    ])
    assert.equal((await press(BEN)).ok, true)
    const { body } = await judge(ANN)
    assert.deepEqual(body.sign_up, { allowed: false, reasons: [{ code: 'added_rule', detail: '3 keys are missing.' }] })
    assert.match((await ann.get(`/events/${eventId}-harbour-run/`)).body, /3 keys are missing\./)
  })

  test('a rule warns, and the person can sign up', async () => {
    await holds(ANN, 'warned')
    const { body } = await judge(ANN)
    assert.deepEqual([body.sign_up.allowed, body.warnings], [true, [{ code: 'added_rule', detail: 'Bring your key.' }]])
    assert.equal((await press(ANN)).ok, true)
  })

  test('whoever is in already is not asked again, and may leave', async () => {
    await press(ANN)
    await holds(ANN, 'refused')
    const { body } = await judge(ANN)
    assert.deepEqual([body.decline.allowed, body.change.allowed], [true, true])
  })

  test('those who plan read the text as a hint, and a page asks the rule once for all people', async () => {
    await press(ANN)
    await press(BEN)
    await holds(ANN, 'refused')
    const asked: [number[], number[]][] = []
    setKit(undefined, asked)
    const { body } = await paul.get(`/shifts/${shiftId}/disposition/`)
    assert.match(body, /3 keys are missing\./)
    assert.deepEqual(
      asked.filter(([people]) => people.includes(ANN.id)).map(([people]) => people.includes(BEN.id)),
      [true],
    )
  })

  for (const how of ['throws', 'broken sql', 'nonsense', 'unknown text'])
    test(`a rule that is broken (${how}) says nothing, and sign-ups go on`, async () => {
      await holds(ANN, 'refused')
      setKit(how)
      assert.equal((await judge(ANN)).body.sign_up.allowed, true)
      assert.equal((await press(ANN)).ok, true)
    })

  test('the event form shows and saves the fields', async () => {
    assert.match((await openForm()).body, /<legend[^>]*>Kit<[\s\S]*How many keys[\s\S]*Kept in/)
    assert.equal((await save(FILLED)).statusCode, 303)
    assert.deepEqual(await stored(), [{ keys: 2, place: 'safe', spare: true }])
    const { form } = await openForm()
    assert.deepEqual([form.x_kit__keys, form.x_kit__place, form.x_kit__spare], ['2', 'safe', 'on'])
  })

  for (const [what, changes, text] of [
    ['a missing number', { ...FILLED, x_kit__keys: '' }, /Please fill this in/],
    ['a word instead of a number', { ...FILLED, x_kit__keys: 'two' }, /How many keys/],
    ['a choice that is not offered', { ...FILLED, x_kit__place: 'attic' }, /Kept in/],
    ['another value of a switch', { ...FILLED, x_kit__spare: 'yes' }, /Spare key/],
  ] as const)
    test(`${what} is refused beside the field, and nothing is saved`, async () => {
      const { statusCode, body } = await save({ ...changes, title: 'Renamed' })
      assert.equal(statusCode, 422, what)
      assert.match(body, text)
      assert.deepEqual(await stored(), [])
      assert.equal(await titleOf(), 'Harbour run')
    })

  for (const how of ['throws', 'broken sql'])
    test(`fields that cannot be saved (${how}) are taken back, and the event is saved`, async () => {
      const { form } = await openForm()
      setKit(how)
      const title = `Run, ${how}`
      const { statusCode } = await paul.post(`/events/${eventId}/edit/`, { form: { ...form, ...FILLED, do: 'save', title } })
      assert.equal(statusCode, 303)
      assert.deepEqual(await stored(), [])
      assert.equal(await titleOf(), title)
      await write.updateTable('event').set({ title: 'Harbour run' }).where('id', '=', eventId).execute()
    })

  test('fields that cannot be read are left out, and saving keeps what is stored', async () => {
    await save(FILLED)
    setKit('throws')
    const { body, form } = await openForm()
    assert.doesNotMatch(body, /How many keys/)
    setKit(undefined)
    assert.equal((await paul.post(`/events/${eventId}/edit/`, { form: { ...form, do: 'save' } })).statusCode, 303)
    assert.deepEqual(await stored(), [{ keys: 2, place: 'safe', spare: true }])
  })

  test('links stand in the menu of the event and on the page of a person, for those who may', async () => {
    const event = `/events/${eventId}-harbour-run/`
    const linked = new RegExp(`<a [^>]*href="/x/kit/events/${eventId}/"[\\s\\S]*?Key list`)
    assert.match((await paul.get(event)).body, linked)
    assert.doesNotMatch((await ann.get(event)).body, /Key list/)
    const person = (await olga.get(`/manage/people/${ANN.id}/`)).body
    assert.match(person, new RegExp(`href="/x/kit/people/${ANN.id}/"[\\s\\S]*?Key list`))
    assert.match(person, /All keys/)
  })
})

describe('an extension whose code takes too long', async () => {
  const { paul, holds, stored, judge, press, titleOf, openForm } = await openKit({ sectionMs: 50 })
  test('its rule says nothing, and sign-ups go on', async () => {
    await holds(ANN, 'refused')
    setKit('slow')
    assert.equal((await judge(ANN)).body.sign_up.allowed, true)
    assert.equal((await press(ANN)).ok, true)
  })

  test('what its fields saved is taken back, and the event is saved', async () => {
    const { form, path } = await openForm()
    setKit('slow')
    const { statusCode } = await paul.post(path, { form: { ...form, ...FILLED, x_kit_shown: '1', do: 'save', title: 'Run' } })
    assert.equal(statusCode, 303)
    assert.equal(await titleOf(), 'Run')
    assert.deepEqual(await stored(), [])
  })
})
