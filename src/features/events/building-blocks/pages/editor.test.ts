import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, HELPERS, OLGA } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { countShifts } from '../queries.ts'

const BLOCKS = '/manage/blocks/'

describe('the editor of building blocks, without scripts', async () => {
  const world = await openWorld()
  const { db } = world

  const olga = await browserOf(world, OLGA)
  const { id: medic } = await world.addQualification('Medic')
  const blockNamed = (name: string) =>
    db.read.selectFrom('building_block').selectAll().where('name', '=', name).executeTakeFirst()

  type Form = Record<string, string | string[]>
  /** All fields of the form, as a browser sends them. */
  function formIn(body: string): Form {
    const form: Form = {}
    const add = (name: string, value: string) => {
      const before = form[name]
      form[name] = before === undefined ? value : [before].flat().concat(value)
    }
    const main = /<form class="form"[\s\S]*?<\/form>/.exec(body)?.[0] ?? /<form method="post"[\s\S]*<\/form>/.exec(body)![0]
    for (const [tag] of main.matchAll(/<input [^>]*>/g)) {
      const of = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]
      const type = of('type')
      if ((type === 'checkbox' || type === 'radio') && !/\bchecked\b/.test(tag)) continue
      if (of('name') && of('name') !== 'csrf_token') add(of('name')!, of('value') ?? (type === 'checkbox' ? 'on' : ''))
    }
    return form
  }

  async function make(name: string, more: Form = {}): Promise<number> {
    const form = { block_type: 'atomic', name, 'position.0.id': '', 'position.0.label': 'Driver', step: 'save', ...more }
    const made = await olga.post(`${BLOCKS}new/?kind=atomic`, { form })
    assert.equal(made.statusCode, 303, made.body)
    return Number(/(\d+)\/$/.exec(String(made.headers.location))![1])
  }
  const group = (name: string, ...subs: number[]) =>
    make(name, {
      block_type: 'composite',
      'position.0.id': [],
      ...Object.fromEntries(
        subs.flatMap((id, row) => [
          [`part.${row}.id`, ''],
          [`part.${row}.block`, String(id)],
        ]),
      ),
    })

  test('explains what to do if there are no blocks', async () => {
    const { body } = await olga.get(BLOCKS)
    assert.match(body, /There are no building blocks yet/)
    assert.deepEqual(checkMarkup(body), [])
  })

  test('adds rows one by one, updates the count, and saves', async () => {
    const begin = await olga.get(`${BLOCKS}new/?kind=atomic`)
    assert.deepEqual(checkMarkup(begin.body), [])
    let form: Form = { ...formIn(begin.body), name: 'Ambulance', 'position.0.label': 'Driver' }
    const added = await olga.post(`${BLOCKS}new/?kind=atomic`, { form: { ...form, step: 'add_position' } })
    assert.equal(added.statusCode, 200)
    assert.match(added.body, /value="Driver"/)
    assert.match(added.body, /2 places have to be filled/)
    form = {
      ...formIn(added.body),
      'position.1.label': 'Medic',
      'position.1.optional': 'on',
      'position.1.qualifications': String(medic),
    }
    const checked = await olga.post(`${BLOCKS}new/?kind=atomic`, { form: { ...form, step: 'check' } })
    assert.match(checked.body, /1 place has to be filled.*At most 2 people/s)
    assert.match(checked.body, /Requires Me/)
    assert.deepEqual(checkMarkup(checked.body), [])
    const condition = await olga.post(`${BLOCKS}new/?kind=atomic`, { form: { ...formIn(checked.body), step: 'add_requirement' } })
    form = { ...formIn(condition.body), 'requirement.0.kind': 'at_least', 'requirement.0.at_least': '1', step: 'save' }
    const empty = await olga.post(`${BLOCKS}new/?kind=atomic`, { form })
    assert.equal(empty.statusCode, 422)
    assert.match(empty.body, /choose at least one qualification/)
    assert.match(empty.body, /value="Medic"/, 'nothing typed is lost')
    const saved = await olga.post(`${BLOCKS}new/?kind=atomic`, {
      form: { ...formIn(empty.body), 'requirement.0.qualifications': String(medic), step: 'save' },
    })
    assert.equal(saved.statusCode, 303)
    const { id } = (await blockNamed('Ambulance'))!
    const { body } = await world.as(ANN, 'PUBLIC_READ').get(`/api/buildingblocks/${id}/`)
    assert.deepEqual(
      body.positions.map(({ label, optional, qualifications }: Record<string, unknown>) => [label, optional, qualifications]),
      [
        ['Driver', false, []],
        ['Medic', true, [medic]],
      ],
    )
    assert.deepEqual(
      [body.qualification_requirements[0].at_least, body.qualification_requirements[0].qualifications],
      [1, [medic]],
    )
    const page = await olga.get(`${BLOCKS}${id}/`)
    const without = await olga.post(`${BLOCKS}${id}/`, { form: { ...formIn(page.body), step: 'remove.position.0' } })
    assert.ok(!/value="Driver"/.test(without.body) && /value="Medic"/.test(without.body))
  })

  test('adds sub blocks by name', async () => {
    const [north, south] = [await make('Boat north'), await make('Boat south')]
    const start = await olga.get(`${BLOCKS}new/?kind=composite&sub=${north}`)
    assert.match(start.body, /Block 1: Boat north/)
    const url = `${BLOCKS}new/?kind=composite`
    const add = (body: string, name: string) =>
      olga.post(url, { form: { ...formIn(body), name: 'Fleet', add_part: name, step: 'add_part' } })
    assert.match((await add(start.body, 'submarine')).body, /No building block is called “submarine”/)
    assert.match((await add(start.body, 'boat')).body, /Several building blocks match/)
    const second = await add(start.body, 'boat SOUTH')
    assert.match(second.body, /Block 2: Boat south/)
    assert.match(second.body, /2 places have to be filled/)
    assert.equal((await olga.post(url, { form: { ...formIn(second.body), step: 'save' } })).statusCode, 303)
    const fleet = (await blockNamed('Fleet'))!
    const list = await olga.get(BLOCKS)
    assert.match(list.body, /Boat south.*in Fleet/s)
    assert.deepEqual(checkMarkup(list.body), [])
    const page = await olga.get(`${BLOCKS}${fleet.id}/`)
    const round = await olga.post(`${BLOCKS}${fleet.id}/`, {
      form: { ...formIn(page.body), 'part.0.block': String(fleet.id), step: 'save' },
    })
    assert.equal(round.statusCode, 422)
    assert.match(round.body, /cannot contain itself: Fleet → Fleet/)
    assert.ok(south)
  })

  test('the list counts shifts that are made of a block and not over, each once', async () => {
    const [boat, car] = [await make('Boat'), await make('Car')]
    const starting = (...ids: number[]) => ({ starting_blocks: ids.map((id) => ({ building_block: id })) })
    const using = (...ids: number[]) => ({ structure: 'complex', configuration: starting(...ids) })
    const shifts = [
      using(boat, boat),
      using(boat, car),
      { ...using(boat), end: new Date(world.now.getTime() + 1).toISOString() },
      { ...using(boat), end: world.now.toISOString() },
      { structure: 'uniform', configuration: starting(boat) },
    ].map((shift) => ({ start: '2031-03-01T08:00:00Z', end: '2031-12-01T08:00:00Z', ...shift }))
    await world.addEvent({ title: 'Floods', shifts })
    const counts = await countShifts(db.read, world.now)
    assert.deepEqual([counts.get(boat), counts.get(car)], [3, 1])
  })

  test('lists affected shifts before saving, and again if one was added meanwhile', async () => {
    const inner = await make('Inner')
    const outer = await group('Outer', inner)
    const configuration = { starting_blocks: [{ uuid: 'a', building_block: outer }] }
    const shift = { structure: 'complex', configuration }
    await world.addEvent({
      title: 'Regatta',
      shifts: [
        { ...shift, label: 'Early' },
        { ...shift, start: '2031-03-01T08:00:00Z', label: 'Over' },
      ],
    })
    const page = await olga.get(`${BLOCKS}${inner}/`)
    const asked = await olga.post(`${BLOCKS}${inner}/`, { form: { ...formIn(page.body), name: 'Changed', step: 'save' } })
    assert.equal(asked.statusCode, 200)
    assert.match(asked.body, /1 upcoming shift uses this block/)
    assert.match(asked.body, /Regatta<\/a> · Early/)
    assert.ok(!asked.body.includes('Over'), 'what is over does not change')
    assert.deepEqual(checkMarkup(asked.body), [])
    assert.equal(await blockNamed('Changed'), undefined)
    const back = await olga.post(`${BLOCKS}${inner}/`, { form: { ...formIn(asked.body), step: 'back' } })
    assert.match(back.body, /value="Changed"/)
    await world.addEvent({ title: 'Second regatta', shifts: [shift] })
    const again = await olga.post(`${BLOCKS}${inner}/`, { form: { ...formIn(asked.body), step: 'confirm' } })
    assert.match(again.body, /New shifts that use this block have been added/)
    assert.match(again.body, /Second regatta/)
    const saved = await olga.post(`${BLOCKS}${inner}/`, { form: { ...formIn(again.body), step: 'confirm' } })
    assert.equal(saved.statusCode, 303)
    assert.ok(await blockNamed('Changed'))
    const deleting = await olga.get(`${BLOCKS}${inner}/delete/`)
    assert.match(deleting.body, /removed from 2 upcoming shifts/)
    assert.match(deleting.body, /removed from these blocks: Outer/)
    assert.equal((await olga.post(`${BLOCKS}${inner}/delete/`, { form: {} })).statusCode, 409, 'only after having been told')
    assert.equal((await olga.post(`${BLOCKS}${inner}/delete/`, { form: formIn(deleting.body) })).headers.location, BLOCKS)
    assert.equal((await olga.get(`${BLOCKS}${inner}/`)).statusCode, 404)
  })

  test('keeps the input after a conflicting save and shows the stored state', async () => {
    const id = await make('Contested')
    const page = await olga.get(`${BLOCKS}${id}/`)
    const form = formIn(page.body)
    await olga.post(`${BLOCKS}${id}/`, { form: { ...form, 'position.0.label': 'Theirs', step: 'save' } })
    const late = await olga.post(`${BLOCKS}${id}/`, { form: { ...form, 'position.0.label': 'Mine', step: 'save' } })
    assert.equal(late.statusCode, 409)
    assert.match(late.body, /Someone else has changed this block/)
    assert.match(late.body, /value="Mine"/)
    assert.match(late.body, /Stored version.*Theirs/s)
    assert.equal((await olga.post(`${BLOCKS}${id}/`, { form: { ...formIn(late.body), step: 'save' } })).statusCode, 303)
    const { body } = await world.as(ANN, 'PUBLIC_READ').get(`/api/buildingblocks/${id}/`)
    assert.equal(body.positions[0].label, 'Mine')
  })

  test('copies a block with its own parts', async () => {
    const id = await make('Original', { 'position.0.qualifications': String(medic), allow_more: 'on' })
    const copied = await olga.post(`${BLOCKS}${id}/copy/`)
    const copy = (await blockNamed('Original (copy)'))!
    assert.equal(copied.headers.location, `${BLOCKS}${copy.id}/`)
    const api = world.as(ANN, 'PUBLIC_READ')
    const [from, to] = [await api.get(`/api/buildingblocks/${id}/`), await api.get(`/api/buildingblocks/${copy.id}/`)]
    assert.deepEqual(to.body.positions[0].qualifications, [medic])
    assert.equal(to.body.allow_more, true)
    assert.notEqual(to.body.uuid, from.body.uuid)
    assert.notEqual(to.body.positions[0].id, from.body.positions[0].id)
  })

  test('finds blocks by name', async () => {
    await make('Needle')
    const { body } = await olga.get(`${BLOCKS}?search=needl`)
    assert.ok(body.includes('Needle') && !body.includes('Ambulance'))
    assert.match((await olga.get(`${BLOCKS}?search=zzz`)).body, /No building block matches “zzz”/)
  })

  test('requires the permission, and hides events that the caller may not see', async () => {
    const editor = await world.addPerson({ name: 'Editor' })
    await world.grants(editor, 'change_building_block')
    const [nobody, edits] = [await browserOf(world, ANN), await browserOf(world, editor)]
    const id = await make('Secret team')
    const configuration = { starting_blocks: [{ uuid: 'a', building_block: id }] }
    await world.addEvent({ title: 'Secret event', seenBy: [HELPERS], shifts: [{ structure: 'complex', configuration }] })
    for (const path of ['', 'new/', `${id}/`, `${id}/delete/`]) {
      assert.equal((await nobody.get(`${BLOCKS}${path}`)).statusCode, 403)
      assert.equal((await edits.get(`${BLOCKS}${path}`)).statusCode, 200)
    }
    assert.equal((await nobody.post(`${BLOCKS}${id}/copy/`)).statusCode, 403)
    const page = await edits.get(`${BLOCKS}${id}/`)
    const asked = await edits.post(`${BLOCKS}${id}/`, { form: { ...formIn(page.body), step: 'save' } })
    for (const { body } of [page, asked, await edits.get(`${BLOCKS}${id}/delete/`)]) {
      assert.ok(!body.includes('Secret event'))
      assert.match(body, /1 shift of an event that you cannot see/)
    }
    assert.equal((await edits.post(`${BLOCKS}${id}/`, { form: { ...formIn(asked.body), step: 'confirm' } })).statusCode, 303)
  })
})
