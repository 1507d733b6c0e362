import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { recomputeStatistics } from '#features/staffing/staffing/jobs.ts'
import { Browser } from '#test/support/http-browser.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, OLGA } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { NOW, openWorld, SITE_URL } from '#test/support/world.ts'

const QUALIFICATIONS = '/manage/qualifications/'
const DAY = 24 * 3600_000

describe('qualifications', async () => {
  const world = await openWorld()
  const { db } = world

  const olga = await browserOf(world, OLGA)
  const idOf = async (title: string) =>
    (await db.read.selectFrom('qualification').select('id').where('title', '=', title).executeTakeFirst())?.id
  const includesOf = async (id: number) =>
    (await db.read.selectFrom('qualification_inclusion').select('included_id').where('qualification_id', '=', id).execute()).map(
      ({ included_id }) => included_id,
    )
  const categoryOf = async (id: number) =>
    String(
      (await db.read.selectFrom('qualification').select('category_id').where('id', '=', id).executeTakeFirstOrThrow())
        .category_id,
    )
  const save = async (id: number, title: string, includes: number[]) =>
    olga.post(`${QUALIFICATIONS}${id}/`, {
      form: { title, abbreviation: '', category: await categoryOf(id), includes: includes.map(String) },
    })

  test('require a category', async () => {
    const empty = await olga.get(QUALIFICATIONS)
    assert.match(empty.body, /no qualifications yet/)
    assert.match((await olga.get(`${QUALIFICATIONS}new/`)).body, /create one first/)
    const form = { title: 'Medical', show_with_user: 'on', rank: '2' }
    assert.equal((await olga.post(`${QUALIFICATIONS}categories/new/`, { form })).statusCode, 303)
    await olga.post(`${QUALIFICATIONS}categories/new/`, { form: { title: 'Licences', rank: '1' } })
    const { body } = await olga.get(QUALIFICATIONS)
    assert.ok(body.indexOf('Licences') < body.indexOf('Medical'), 'in their order')
    assert.match(body, /not shown next to names/)
    assert.deepEqual(checkMarkup(body), [])
    assert.equal((await olga.post(`${QUALIFICATIONS}categories/new/`, { form: { title: 'x', rank: 'a' } })).statusCode, 422)
  })

  test('are created and changed with their inclusions', async () => {
    const { id: category } = await db.read
      .selectFrom('qualification_category')
      .select('id')
      .where('title', '=', 'Medical')
      .executeTakeFirstOrThrow()
    const create = (title: string, includes: number[]) =>
      olga.post(`${QUALIFICATIONS}new/`, {
        form: { title, abbreviation: title.slice(0, 2), category: String(category), includes: includes.map(String) },
      })
    await create('First aid', [])
    const firstAid = (await idOf('First aid'))!
    const period = async () =>
      (await db.read.selectFrom('qualification').select('valid_months').where('id', '=', firstAid).executeTakeFirstOrThrow())
        .valid_months
    const PERIODS: [entered: string, status: number, stored: number | null][] = [
      ['24', 303, 24],
      ['0', 422, 24],
      ['601', 422, 24],
      ['two', 422, 24],
      ['600', 303, 600],
      ['', 303, null],
      ['1', 303, 1],
    ]
    for (const [valid_months, status, stored] of PERIODS) {
      const form = { title: 'First aid', abbreviation: 'Fi', category: String(category), valid_months }
      const { statusCode } = await olga.post(`${QUALIFICATIONS}${firstAid}/`, { form })
      assert.deepEqual([statusCode, await period()], [status, stored], valid_months)
    }
    const [field] = /<input[^>]* name="valid_months"[^>]*>/.exec((await olga.get(`${QUALIFICATIONS}${firstAid}/`)).body)!
    assert.match(field, / value="1"/)
    assert.equal((await create('Paramedic', [firstAid])).statusCode, 303)
    await world.holds(ANN, { id: firstAid, uuid: '', category: '' })
    const { body } = await olga.get(QUALIFICATIONS)
    assert.match(body, /Paramedic<\/a>.*Pa.*First aid/s)
    assert.match(body, /First aid<\/a>.*?data-label="Holders"[^>]*>1</s)
    const form = await olga.get(`${QUALIFICATIONS}${firstAid}/`)
    assert.match(form.body, /already includes this one/)
    assert.deepEqual(checkMarkup(form.body), [])
    for (const bad of [{ title: ' ' }, { category: '999' }, { includes: '999' }, { category: '' }]) {
      const answer = await olga.post(`${QUALIFICATIONS}new/`, { form: { title: 'Typed', category: String(category), ...bad } })
      assert.equal(answer.statusCode, 422, JSON.stringify(bad))
    }
    assert.equal(await idOf('Typed'), undefined)
  })

  test('changed by another request in the meantime are not overwritten without a warning', async () => {
    const { id } = await world.addQualification('Boat driver')
    const seenIn = (body: string) => /name="seen" value="([^"]*)"/.exec(body)![1]!.replaceAll('&quot;', '"')
    const seen = seenIn((await olga.get(`${QUALIFICATIONS}${id}/`)).body)
    const form = { title: 'Skipper', abbreviation: '', category: await categoryOf(id), seen }
    await save(id, 'Boatswain', [])
    const late = await olga.post(`${QUALIFICATIONS}${id}/`, { form })
    assert.equal(late.statusCode, 409)
    assert.match(late.body, /Someone else has changed this qualification in the meantime/)
    assert.match(late.body, /value="Skipper"/)
    assert.deepEqual([await idOf('Skipper'), await idOf('Boatswain')], [undefined, id])
    const again = await olga.post(`${QUALIFICATIONS}${id}/`, { form: { ...form, seen: seenIn(late.body) } })
    assert.deepEqual([again.statusCode, await idOf('Skipper')], [303, id])
  })

  test('cannot include themselves through others; the error names the cycle', async () => {
    const a = await world.addQualification('A')
    const b = await world.addQualification('B', [a])
    const c = await world.addQualification('C', [b])
    const answer = await save(a.id, 'A', [c.id])
    assert.equal(answer.statusCode, 422)
    assert.match(answer.body, /A → C → B → A/)
    assert.deepEqual(await includesOf(a.id), [])
    assert.equal((await save(a.id, 'A', [a.id])).statusCode, 422)
  })

  test('update the statistics of current shifts when their inclusions change', async () => {
    const driver = await world.addQualification('Driver')
    const expert = await world.addQualification('Expert')
    await world.holds(BEN, expert)
    const configuration = { qualification_requirements: [{ qualification: driver.id, min_count: 1, max_count: 1 }] }
    const shift = { structure: 'qualification_mix', configuration, stats: { missing: 1, free: 1, min: 1, max: 1 } }
    const past = { ...shift, start: '2031-04-01T08:00:00Z' }
    const plain = { ...shift, structure: 'uniform', configuration: {} }
    const { id, shifts } = await world.addEvent({ seenBy: [HELPERS], shifts: [shift, past, plain] })
    for (const each of shifts) await world.addParticipation({ who: BEN, shift: each })
    const stale = async () =>
      (await db.read.selectFrom('shift').select(['id', 'stats_stale']).where('event_id', '=', id).orderBy('id').execute())
        .filter(({ stats_stale }) => stats_stale)
        .map((row) => row.id)
    await save(expert.id, 'Expert, renamed', [])
    assert.deepEqual(await stale(), [], 'a new title touches nothing')
    await save(expert.id, 'Expert', [driver.id])
    assert.deepEqual(await stale(), [shifts[0]])
    await recomputeStatistics(db.write)
    const api = await world.as(ANN, 'PUBLIC_READ').get(`/api/shifts/${shifts[0]}/`)
    assert.equal(api.body.signup_stats.missing, 0)
    const ended = await db.read.selectFrom('shift').select('missing').where('id', '=', shifts[1]!).executeTakeFirstOrThrow()
    assert.equal(ended.missing, 1)
  })

  test('can be deleted while keeping inclusions through them and moving their holders', async () => {
    const low = await world.addQualification('Low')
    const middle = await world.addQualification('Middle', [low])
    const high = await world.addQualification('High', [middle])
    const other = await world.addQualification('Other')
    const until = new Date(NOW.getTime() + 100 * DAY)
    const shorter = new Date(NOW.getTime() + 10 * DAY)
    await world.holds(ANN, middle, until)
    await world.holds(ANN, other, shorter)
    await world.holds(BEN, middle, new Date(NOW.getTime() - DAY))
    await world.holds(OLGA, middle)
    const asking = await olga.get(`${QUALIFICATIONS}${middle.id}/delete/`)
    assert.match(asking.body, /2 people lose it/)
    assert.match(asking.body, /High will include Low directly/)
    assert.deepEqual(checkMarkup(asking.body), [])
    const form = { keep_transitivity: 'on', move_to: String(other.id) }
    assert.equal((await olga.post(`${QUALIFICATIONS}${middle.id}/delete/`, { form })).headers.location, QUALIFICATIONS)
    assert.deepEqual(await includesOf(high.id), [low.id])
    const held = await db.read
      .selectFrom('qualification_grant')
      .selectAll()
      .where('qualification_id', '=', other.id)
      .orderBy('user_id')
      .execute()
    assert.deepEqual(
      held.map(({ user_id, expires_at }) => [user_id, expires_at?.getTime()]),
      [
        [ANN.id, until.getTime()],
        [OLGA.id, undefined],
      ],
    )
    const entry = await db.read
      .selectFrom('journal')
      .selectAll()
      .where('kind', '=', 'qualification.deleted')
      .executeTakeFirstOrThrow()
    assert.equal(entry.subject_id, middle.id)
  })

  test('can be deleted without keeping inclusions and holders', async () => {
    const low = await world.addQualification('Low 2')
    const middle = await world.addQualification('Middle 2', [low])
    const high = await world.addQualification('High 2', [middle])
    await olga.post(`${QUALIFICATIONS}${middle.id}/delete/`, { form: {} })
    assert.deepEqual(await includesOf(high.id), [])
    assert.equal((await olga.get(`${QUALIFICATIONS}${middle.id}/`)).statusCode, 404)
    const bad = await olga.post(`${QUALIFICATIONS}${high.id}/delete/`, { form: { move_to: String(high.id) } })
    assert.equal(bad.statusCode, 422)
  })

  const NEEDED: [string, (id: number) => object][] = [
    ['uniform', (id) => ({ required_qualification_ids: [id] })],
    ['named_teams', (id) => ({ teams: [{ uuid: 'a', title: '', qualification: id, min_count: 0 }] })],
    ['qualification_mix', (id) => ({ qualification_requirements: [{ qualification: id, min_count: 0 }] })],
  ]
  for (const [structure, configuration] of NEEDED) {
    test(`cannot be deleted while an upcoming ${structure} shift requires them`, async () => {
      const { id } = await world.addQualification(`Needed by ${structure}`)
      const shift = { structure, configuration: configuration(id) }
      const { shifts } = await world.addEvent({ shifts: [shift] })
      assert.match((await olga.get(`${QUALIFICATIONS}${id}/delete/`)).body, /1 current or upcoming shift requires it/)
      assert.equal((await olga.post(`${QUALIFICATIONS}${id}/delete/`)).statusCode, 409)
      assert.ok(await idOf(`Needed by ${structure}`))
      const times = { meeting_time: new Date('2031-01-01'), start_time: new Date('2031-01-01'), end_time: new Date('2031-01-02') }
      await db.write.updateTable('shift').set(times).where('id', '=', shifts[0]!).execute()
      assert.equal((await olga.post(`${QUALIFICATIONS}${id}/delete/`)).statusCode, 303)
    })
  }

  test('prevent the deletion of their category', async () => {
    const { id } = await world.addQualification('In it')
    const category = await categoryOf(id)
    const refused = await olga.post(`${QUALIFICATIONS}categories/${category}/delete/`)
    assert.deepEqual([refused.statusCode, /Move them to another category first/.test(refused.body)], [409, true])
    await olga.post(`${QUALIFICATIONS}${id}/delete/`)
    assert.equal((await olga.post(`${QUALIFICATIONS}categories/${category}/delete/`)).statusCode, 303)
    assert.equal((await olga.get(`${QUALIFICATIONS}categories/${category}/`)).statusCode, 404)
  })

  test('require permissions', async () => {
    const { id } = await world.addQualification('Guarded')
    const category = await categoryOf(id)
    const viewer = await world.addPerson({ name: 'Viewer' })
    await world.grants(viewer, 'view_qualification')
    const [nobody, looks] = [await browserOf(world, ANN), await browserOf(world, viewer)]
    const paths = [
      '',
      'export/',
      'new/',
      'import/',
      'starters/',
      `${id}/`,
      `${id}/delete/`,
      'categories/new/',
      `categories/${category}/`,
      `categories/${category}/delete/`,
    ]
    const statuses = (browser: Browser) =>
      Promise.all(paths.map(async (path) => (await browser.get(`${QUALIFICATIONS}${path}`)).statusCode))
    assert.deepEqual(
      await statuses(nobody),
      paths.map(() => 403),
    )
    assert.deepEqual(await statuses(looks), [200, 200, 403, 403, 403, 403, 403, 403, 403, 403])
    assert.equal((await looks.post(`${QUALIFICATIONS}${id}/delete/`)).statusCode, 403)
  })
})

describe('a catalogue of qualifications', async () => {
  const [world, elsewhere] = [await openWorld(), await openWorld()]
  const browserAt = async (at: typeof world) => {
    const browser = new Browser({ port: at.line.port }, { host: new URL(SITE_URL).host })
    const [name, value] = (await at.sessionCookie(OLGA)).split('=')
    browser.cookies.set(name!, value!)
    await browser.get('/')
    return browser
  }
  const [here, there] = [await browserAt(world), await browserAt(elsewhere)]
  const low = await elsewhere.addQualification('Low')
  const middle = await elsewhere.addQualification('Middle', [low])
  const high = await elsewhere.addQualification('High', [middle])
  const exported = async () => (await there.get(`${QUALIFICATIONS}export/`)).body
  const IMPORT = `${QUALIFICATIONS}import/`

  test('is exported and imported; skipped entries keep inclusions through them', async () => {
    const catalogue = await exported()
    const entries = JSON.parse(catalogue)
    assert.deepEqual(Object.keys(entries[0]), ['uuid', 'title', 'abbreviation', 'category', 'includes', 'included_by'])
    const preview = await here.post(IMPORT, { form: { step: 'preview', catalogue } })
    assert.equal(preview.statusCode, 200)
    assert.match(preview.body, /Middle \(Mi\).*new/s)
    assert.deepEqual(checkMarkup(preview.body), [])
    const chosen = [low.uuid, high.uuid]
    assert.equal((await here.post(IMPORT, { form: { step: 'import', catalogue, chosen } })).statusCode, 303)
    const rows = JSON.parse((await here.get(`${QUALIFICATIONS}export/`)).body)
    assert.deepEqual(
      rows.map(({ uuid, includes }: { uuid: string; includes: string[] }) => [uuid, includes]).sort(),
      [
        [low.uuid, []],
        [high.uuid, [low.uuid]],
      ].sort(),
    )
    const categories = await world.db.read.selectFrom('qualification_category').select('title').execute()
    assert.deepEqual(categories.map(({ title }) => title).sort(), ['for High', 'for Low'], 'none for what was left out')
  })

  test('for the kind of organisation is chosen from a list, without what is left out', async () => {
    const list = await here.get(`${QUALIFICATIONS}starters/`)
    assert.deepEqual(checkMarkup(list.body), [])
    assert.deepEqual(
      [...list.body.matchAll(/import\/\?starter=(\w+)/g)].map(([, starter]) => starter),
      ['fire_brigade', 'medical_service', 'youth_group', 'festival'],
    )
    const preview = await here.get(`${IMPORT}?starter=medical_service`)
    assert.deepEqual(checkMarkup(preview.body), [])
    assert.match(preview.body, /First aid \(FA\).*Medical · valid for 24 months · new/s)
    assert.match(preview.body, /Which ones do you need\?/)
    assert.doesNotMatch(preview.body, /another file/)
    const catalogueIn = (page: string) => /name="catalogue" value="([^"]*)"/.exec(page)![1]!.replaceAll('&quot;', '"')
    const catalogue = catalogueIn(preview.body)
    const entries = JSON.parse(catalogue) as { uuid: string; title: string }[]
    const chosen = entries.filter(({ title }) => ['First aid', 'Paramedic'].includes(title)).map(({ uuid }) => uuid)
    assert.equal((await here.post(IMPORT, { form: { step: 'import', catalogue, chosen } })).statusCode, 303)
    const stored = await world.db.read
      .selectFrom('qualification as q')
      .leftJoin('qualification_inclusion as i', 'i.qualification_id', 'q.id')
      .leftJoin('qualification as below', 'below.id', 'i.included_id')
      .select(['q.title', 'q.abbreviation', 'q.valid_months', 'below.title as includes'])
      .where(
        'q.uuid',
        'in',
        entries.map(({ uuid }) => uuid),
      )
      .orderBy('q.title')
      .execute()
    assert.deepEqual(stored, [
      { title: 'First aid', abbreviation: 'FA', valid_months: 24, includes: null },
      { title: 'Paramedic', abbreviation: 'PM', valid_months: null, includes: 'First aid' },
    ])
    const exportedHere = JSON.parse((await here.get(`${QUALIFICATIONS}export/`)).body) as { title: string }[]
    const months = (title: string) => exportedHere.find((each) => each.title === title)
    assert.deepEqual(
      [months('First aid'), months('Paramedic')].map((each) => Object.hasOwn(each!, 'valid_months')),
      [true, false],
    )
    // What exists is neither offered nor changed, also if its title was changed.
    const changed = { title: 'First aid course', valid_months: 36 }
    await world.db.write.updateTable('qualification').set(changed).where('title', '=', 'First aid').execute()
    const again = await here.get(`${IMPORT}?starter=medical_service`)
    assert.doesNotMatch(again.body, /First aid|will be updated/)
    const all = { step: 'import', catalogue: catalogueIn(again.body), chosen: entries.map(({ uuid }) => uuid) }
    assert.equal((await here.post(IMPORT, { form: all })).statusCode, 303)
    const kept = await world.db.read
      .selectFrom('qualification')
      .select(['title', 'valid_months'])
      .where('uuid', '=', chosen[0]!)
      .execute()
    assert.deepEqual(kept, [changed])
    assert.match((await here.get(`${IMPORT}?starter=medical_service`)).body, /You have all qualifications of this list already/)
    await world.db.write
      .deleteFrom('qualification')
      .where(
        'uuid',
        'in',
        entries.map(({ uuid }) => uuid),
      )
      .execute()
    await world.db.write.deleteFrom('qualification_category').where('title', 'in', ['Medical', 'Driving licences']).execute()
    assert.match((await here.get(`${IMPORT}?starter=choir`)).body, /Content of the file/)
  })

  test('shows changes of existing qualifications and applies them', async () => {
    await elsewhere.db.write.updateTable('qualification').set({ title: 'Lowest' }).where('id', '=', low.id).execute()
    const catalogue = await exported()
    const preview = await here.post(IMPORT, { form: { step: 'preview', catalogue } })
    assert.match(preview.body, /exists, will be updated · Low → Lowest/)
    await here.post(IMPORT, { form: { step: 'import', catalogue } })
    const rows = await world.db.read.selectFrom('qualification').select(['title', 'is_imported']).orderBy('id').execute()
    assert.deepEqual(rows.map(({ title }) => title).sort(), ['High', 'Lowest'])
  })

  const entry = (change: object = {}) => ({
    uuid: '11111111-1111-4111-8111-111111111111',
    title: 'X',
    abbreviation: 'X',
    includes: [],
    included_by: [],
    category: { uuid: '22222222-2222-4222-8222-222222222222', title: 'C' },
    ...change,
  })
  const BAD: [string, unknown, RegExp][] = [
    ['no JSON', '<html>', /not JSON/],
    ['no list', { a: 1 }, /not a list/],
    ['an empty list', [], /not a list/],
    ['an entry without a title', [entry(), entry({ title: '' })], /Entry 2 cannot be read: title/],
    ['a uuid that is none', [entry({ uuid: 'x' })], /Entry 1 cannot be read: uuid/],
    ['the same twice', [entry(), entry()], /contains X twice/],
  ]
  for (const [what, content, says] of BAD) {
    test(`is refused with ${what}, and the form keeps the input`, async () => {
      const catalogue = typeof content === 'string' ? content : JSON.stringify(content)
      const answer = await here.post(IMPORT, { form: { step: 'preview', catalogue } })
      assert.equal(answer.statusCode, 422)
      assert.match(answer.body, says)
    })
  }

  test('is refused if it creates a cycle with existing qualifications', async () => {
    const rows = JSON.parse(await exported())
    const [top, bottom] = [
      rows.find((row: { uuid: string }) => row.uuid === high.uuid),
      rows.find((row: { uuid: string }) => row.uuid === low.uuid),
    ]
    const catalogue = JSON.stringify([
      { ...bottom, includes: [high.uuid], included_by: [] },
      { ...top, includes: [], included_by: [] },
    ])
    const answer = await here.post(IMPORT, { form: { step: 'import', catalogue } })
    assert.equal(answer.statusCode, 422)
    assert.match(answer.body, /(High → Lowest → High)|(Lowest → High → Lowest)/)
  })
})
