import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { defineFeature } from '#platform/features/feature.ts'
import { html } from '#platform/html/html.ts'
import { Problem } from '#platform/http/problem.ts'
import { type Form, fieldsIn } from '#test/support/form-fields.ts'
import { Browser } from '#test/support/http-browser.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, HELPERS, OLGA, PAUL, type Person, PLANNERS } from '#test/support/people.ts'
import { openWorld, SITE_URL } from '#test/support/world.ts'
import { eventForm, type FormSection, shiftForm } from '../points.ts'

const saved: [number, string][] = []
/** What another feature would add. */
const section: FormSection<{ parking?: string | undefined }> = {
  schema: z.object({ parking: z.string().max(5, 'form.invalid').optional() }),
  show: async (_visit, eventId, typed) =>
    html`<p><label for="field-parking">Parking of ${eventId ?? 'new'}</label><input id="field-parking" name="parking" value="${[typed?.parking ?? ''].flat()[0]}"></p>`,
  save: async (_tx, _context, eventId, { parking = '' }) => void saved.push([eventId, parking]),
}

const savedOfShifts: [number, string][] = []
const shiftSection: FormSection<{ radio?: string | undefined }> = {
  schema: z.object({ radio: z.string().max(5, 'form.invalid').optional() }),
  show: async (_visit, shiftId, typed) =>
    html`<p><label for="field-radio">Radio of ${shiftId ?? 'new'}</label><input id="field-radio" name="radio" value="${[typed?.radio ?? 'none'].flat()[0]}"></p>`,
  save: async (_tx, _context, shiftId, { radio = '' }) => {
    if (radio === 'taken') throw new Problem('conflict')
    savedOfShifts.push([shiftId, radio])
  },
}

describe('planning pages', async () => {
  const adds = [eventForm.section.add(section), shiftForm.section.add(shiftSection)]
  const world = await openWorld({
    extra: { features: [defineFeature({ name: 'parking', uses: [], adds })] },
  })
  const { write } = world.db
  await write
    .insertInto('group_grant')
    .values({ group_id: PLANNERS.id, target_group_id: HELPERS.id, permission: 'publish_event_for_group' })
    .execute()
  const medic = await world.addQualification('Medic')

  async function browserOf(person: Person): Promise<Browser> {
    const browser = new Browser({ port: world.line.port }, { host: new URL(SITE_URL).host })
    const [name, value] = (await world.sessionCookie(person)).split('=')
    browser.cookies.set(name!, value!)
    return browser
  }
  const paul = await browserOf(PAUL)
  async function open(browser: Browser, path: string): Promise<{ body: string; form: Form }> {
    const { statusCode, body } = await browser.get(path)
    assert.equal(statusCode, 200, `${path} ${body.slice(0, 300)}`)
    assert.deepEqual(checkMarkup(body), [])
    return { body, form: fieldsIn(body) }
  }
  const shiftsOf = (eventId: number) =>
    write.selectFrom('shift').selectAll().where('event_id', '=', eventId).orderBy('start_time').execute()
  const idIn = (location: unknown) => Number(/\/events\/(\d+)/.exec(String(location))![1])
  const filled = (form: Form): Form => ({
    ...form,
    title: 'Dyke run',
    location: 'Pier 3',
    do: 'publish',
    's0-date': '2031-06-01',
    's0-meeting': '07:30',
    's0-start': '08:00',
    's0-end': '14:00',
  })

  test('require permission', async () => {
    const ann = await browserOf(ANN)
    assert.equal((await ann.get('/events/new/')).statusCode, 403)
    assert.equal((await ann.get('/events/bin/')).statusCode, 403)
    const { id, shifts } = await world.addEvent({ seenBy: [HELPERS], shifts: [{}] })
    for (const path of [
      `/events/${id}/edit/`,
      `/events/${id}/cancel/`,
      `/events/${id}/shifts/new/`,
      `/shifts/${shifts[0]}/edit/`,
    ])
      assert.equal((await ann.get(path)).statusCode, 403, path)
    const text = (await ann.get(`/events/${id}-harbour-run/`)).body
    assert.ok(!text.includes(`/events/${id}/edit/`) && !text.includes('/duplicate/'))
  })

  test('ask for the type first, which sets description, groups and responsible people', async () => {
    const type = await world.addType({ title: 'Watch' })
    await write.updateTable('event_type').set({ default_description: 'Bring **boots**.' }).where('id', '=', type).execute()
    await write.insertInto('event_type_default_user').values({ event_type_id: type, user_id: OLGA.id }).execute()
    const { body: choice } = await paul.get('/events/new/')
    assert.deepEqual(checkMarkup(choice), [])
    assert.ok(choice.includes(`href="/events/new/?type=${type}"`))
    const { body, form } = await open(paul, `/events/new/?type=${type}`)
    assert.equal(form.description, 'Bring **boots**.')
    assert.deepEqual(form.responsible_users, [String(OLGA.id), String(PAUL.id)])
    assert.equal(form.groups, String(HELPERS.id))
    assert.match(body, /Bring <strong>boots<\/strong>/)
    // Ann, Ben, Olga and Paul.
    assert.match(body, /4 people will see this\. Visible for Helpers\./)
  })

  test('create an event with several shifts without JavaScript, keeping all values between steps', async () => {
    const { form } = await open(paul, '/events/new/?type=1')
    assert.equal(form['s0-until_kind'], 'start')
    const typed = {
      ...filled(form),
      's0-structure': 'named_teams',
      's0-t0-title': '2026-01-01',
      's0-t0-max': '3',
      's0-min': '7',
      do: 'add:s0-t',
    }
    const withTeam = await paul.post('/events/new/', { form: typed })
    assert.equal(withTeam.statusCode, 200)
    assert.deepEqual(checkMarkup(withTeam.body), [])
    const second: Form = {
      ...fieldsIn(withTeam.body),
      's0-t1-title': 'Medics',
      's0-t1-qual': String(medic.id),
      's0-t1-min': '1',
      do: 'add-shift',
    }
    assert.equal(second['s0-min'], '7')
    const withShift = fieldsIn((await paul.post('/events/new/', { form: second })).body)
    // Like the one before, and after it.
    assert.deepEqual(
      [withShift['s1-date'], withShift['s1-start'], withShift['s1-end'], withShift['s1-t1-title'], withShift['s1-min']],
      ['2031-06-01', '14:00', '20:00', 'Medics', '7'],
    )
    const third = fieldsIn((await paul.post('/events/new/', { form: { ...withShift, do: 'add-shift' } })).body)
    const switched = {
      ...third,
      's1-structure': 'uniform',
      's1-label': 'Evening',
      's2-flow': 'coupled',
      's2-leader': 'row-1',
      add_user: 'olga',
      do: 'refresh',
    }
    const all = fieldsIn((await paul.post('/events/new/', { form: switched })).body)
    assert.deepEqual(all.responsible_users, [String(OLGA.id), String(PAUL.id)])
    assert.equal(all['s1-t1-title'], 'Medics')
    const done = await paul.post('/events/new/', { form: { ...all, do: 'publish', parking: 'P 2' } })
    assert.equal(done.statusCode, 303, done.body)
    const eventId = idIn(done.headers.location)
    const [day, evening, night] = await shiftsOf(eventId)
    const { teams } = day!.structure_configuration as { teams: { uuid: string; title: string }[] }
    assert.deepEqual(
      teams.map(({ title }) => title),
      ['2026-01-01', 'Medics'],
    )
    assert.ok(teams.every(({ uuid }) => /^[0-9a-f-]{36}$/.test(uuid)))
    assert.deepEqual(day!.signup_flow_configuration, {
      signup_until: '2031-06-01T08:00:00+02:00',
      user_can_decline_confirmed: false,
      user_can_customize_signup_times: true,
    })
    assert.deepEqual([evening!.label, evening!.structure_slug, evening!.min_count], ['Evening', 'uniform', 7])
    assert.deepEqual(night!.signup_flow_configuration, { leader_shift_id: evening!.id })
    assert.equal(night!.end_time.toISOString(), '2031-06-02T00:00:00.000Z')
    assert.deepEqual(saved.at(-1), [eventId, 'P 2'])
    const page = await paul.get(String(done.headers.location))
    assert.match(page.body, /Dyke run is published\./)
  })

  test('fold the groups that are chosen and say which; open them if there is none', async () => {
    const foldIn = (body: string) =>
      /<details class="plan-more" (open)?><summary>Groups and responsible people<span[^>]*>([^<]*)/.exec(body)?.slice(1)
    const type = await world.addType()
    assert.deepEqual(foldIn((await open(paul, `/events/new/?type=${type}`)).body), [undefined, HELPERS.name])
    const { id } = await world.addEvent({ responsible: [PAUL], shifts: [{}] })
    assert.deepEqual(foldIn((await open(paul, `/events/${id}/edit/`)).body), ['open', ''])
  })

  test('offer what guests see only while there are guests, and keep it otherwise', async () => {
    const { id } = await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts: [{}] })
    const path = `/events/${id}/edit/`
    const seesNames = async () =>
      (await write.selectFrom('event').select('guests_see_names').where('id', '=', id).executeTakeFirstOrThrow()).guests_see_names
    await write.updateTable('event').set({ guests_see_names: true }).where('id', '=', id).execute()
    assert.match((await open(paul, path)).body, /type="checkbox"[^>]* name="guests_see_names"/)
    await write.insertInto('setting').values({ name: 'modules', value: '[]' }).execute()
    const { body, form } = await open(paul, path)
    assert.doesNotMatch(body, /type="checkbox"[^>]* name="guests_see_names"/)
    assert.equal((await paul.post(path, { form: { ...form, title: 'Other title', do: 'save' } })).statusCode, 303)
    assert.equal(await seesNames(), true)
    await write.deleteFrom('setting').where('name', '=', 'modules').execute()
  })

  test('show errors at the fields and keep the submitted values', async () => {
    const { form } = await open(paul, '/events/new/?type=1')
    const wrong = {
      ...filled(form),
      title: '',
      's0-min': '5',
      's0-max': '2',
      's0-end': '',
      add_user: 'Nobody',
      parking: 'far away',
    }
    const { statusCode, body } = await paul.post('/events/new/', { form: wrong })
    assert.equal(statusCode, 422)
    assert.deepEqual(checkMarkup(body), [])
    for (const id of ['field-title', 'field-s0-max', 'field-s0-end', 'field-add_user'])
      assert.ok(body.includes(`id="${id}-error"`), id)
    assert.match(body, /The maximum must not be less than the minimum\./)
    const again = fieldsIn(body)
    assert.deepEqual(
      [again.location, again['s0-min'], again['s0-max'], again.add_user, again.parking],
      ['Pier 3', '5', '2', 'Nobody', 'far away'],
    )
    const empty = await paul.post('/events/new/', { form: { ...fieldsIn(body), ...filled(form), do: 'drop:s0' } })
    const nothing = await paul.post('/events/new/', { form: { ...fieldsIn(empty.body), do: 'publish' } })
    assert.match(nothing.body, /Add at least one shift before you publish the event\./)
  })

  test('show and save sections of other features for one shift', async () => {
    const { id, shifts } = await world.addEvent({ responsible: [PAUL], shifts: [{}] })
    const [newPath, path] = [`/events/${id}/shifts/new/`, `/shifts/${shifts[0]}/edit/`]
    const count = async () => (await shiftsOf(id)).length
    const before = savedOfShifts.length
    assert.doesNotMatch((await open(paul, '/events/new/?type=1')).body, /Radio of/)
    const added = await open(paul, newPath)
    assert.match(added.body, /Radio of new/)
    assert.equal(added.form.radio, 'none')
    const refused = await paul.post(newPath, { form: { ...added.form, radio: 'too long', do: 'save' } })
    assert.equal(refused.statusCode, 422)
    assert.equal(fieldsIn(refused.body).radio, 'too long')
    assert.equal((await paul.post(newPath, { form: { ...added.form, radio: 'taken', do: 'save' } })).statusCode, 409)
    assert.equal(await count(), 1)
    assert.equal(savedOfShifts.length, before)
    assert.equal((await paul.post(newPath, { form: { ...added.form, radio: 'A', do: 'save' } })).statusCode, 303)
    const other = (await shiftsOf(id)).find((shift) => shift.id !== shifts[0])!
    assert.deepEqual(savedOfShifts.at(-1), [other.id, 'A'])

    const edited = await open(paul, path)
    assert.match(edited.body, new RegExp(`Radio of ${shifts[0]}`))
    const refreshed = await paul.post(path, { form: { ...edited.form, radio: 'B', do: 'refresh' } })
    assert.equal(fieldsIn(refreshed.body).radio, 'B')
    assert.equal((await paul.post(path, { form: { ...edited.form, radio: 'too long', do: 'save' } })).statusCode, 422)
    assert.equal((await paul.post(path, { form: { ...edited.form, radio: 'C', do: 'save' } })).statusCode, 303)
    // Nothing else has changed since.
    const again = await open(paul, path)
    assert.equal((await paul.post(path, { form: { ...again.form, radio: 'E', do: 'save' } })).statusCode, 303)
    assert.deepEqual(savedOfShifts.slice(before + 1), [
      [shifts[0], 'C'],
      [shifts[0], 'E'],
    ])
    await write.updateTable('shift').set({ label: 'Other' }).where('id', '=', shifts[0]!).execute()
    const stale = await paul.post(path, { form: { ...again.form, 's0-label': 'Mine', radio: 'D', do: 'save' } })
    assert.equal(stale.statusCode, 409)
    assert.equal(fieldsIn(stale.body).radio, 'D')
    assert.equal(savedOfShifts.length, before + 3)
  })

  test('save a draft and publish it', async () => {
    const { form } = await open(paul, '/events/new/?type=1')
    const draft = await paul.post('/events/new/', { form: { ...form, title: 'Later', location: 'Here', do: 'draft' } })
    assert.equal(draft.statusCode, 303, draft.body)
    const path = String(draft.headers.location)
    const id = idIn(path)
    assert.match((await paul.get('/events/new/')).body, /Later<\/a>.*yours/s)
    const page = await paul.get(path)
    assert.deepEqual(checkMarkup(page.body), [])
    assert.match(page.body, /This event is a draft\..*Add a shift to publish it/s)
    assert.equal((await (await browserOf(ANN)).get(path)).statusCode, 404)
    const shift = await open(paul, `/events/${id}/shifts/new/`)
    assert.match(shift.body, /Publish event<.*Save as draft</s)
    const times = { 's0-date': '2031-06-01', 's0-start': '20:00', 's0-end': '02:00' }
    assert.equal(
      (await paul.post(`/events/${id}/shifts/new/`, { form: { ...shift.form, ...times, do: 'save' } })).statusCode,
      303,
    )
    assert.equal((await (await browserOf(ANN)).get(path)).statusCode, 404)
    await paul.get(path)
    assert.equal((await paul.post(`/events/${id}/publish/`)).statusCode, 303)
    assert.equal((await (await browserOf(ANN)).get(path)).statusCode, 200)
  })

  test('keep stored settings that the form does not know', async () => {
    const team = { uuid: 'u-1', title: '0042', qualification: null, min_count: 1, max_count: null, mood: 'good' }
    const { shifts } = await world.addEvent({
      responsible: [PAUL],
      shifts: [
        {
          flow: 'request_confirm',
          flowConfiguration: {
            signup_until: '2031-05-03T12:00:30+02:00',
            extra: '2031-01-01',
            user_can_decline_confirmed: true,
          },
          structure: 'named_teams',
          configuration: { teams: [team], colour: 'red' },
        },
        { flow: 'raffle', flowConfiguration: { prize: 'cake' }, structure: 'circus', configuration: { tents: 2 } },
      ],
    })
    for (const id of shifts) {
      const before = await write.selectFrom('shift').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      const { form } = await open(paul, `/shifts/${id}/edit/`)
      const answer = await paul.post(`/shifts/${id}/edit/`, { form: { ...form, 's0-label': 'Renamed', do: 'save' } })
      assert.equal(answer.statusCode, 303, answer.body)
      const after = await write.selectFrom('shift').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      const expected = { ...(before.structure_configuration as object) }
      if (before.structure_slug === 'named_teams') Object.assign(expected, { minimum_age: null, choose_preferred_team: false })
      assert.deepEqual(after.structure_configuration, expected)
      const flow = before.signup_flow_configuration as Record<string, unknown>
      const kept = flow.extra ? { ...flow, user_can_customize_signup_times: true } : flow
      assert.deepEqual(after.signup_flow_configuration, kept)
      assert.deepEqual(
        [after.label, after.start_time, after.signup_flow_slug],
        ['Renamed', before.start_time, before.signup_flow_slug],
      )
    }
  })

  test('change an event, keep locked groups and show them', async () => {
    const locked = await world.addGroup('Old guard', [])
    const { id } = await world.addEvent({ title: 'Fair', seenBy: [HELPERS, locked], responsible: [PAUL], shifts: [{}] })
    const { body, form } = await open(paul, `/events/${id}/edit/`)
    assert.match(body, /Old guard also see this event\. You may not publish for them/)
    const { groups: _none, ...rest } = form
    assert.equal((await paul.post(`/events/${id}/edit/`, { form: { ...rest, location: 'Market', do: 'save' } })).statusCode, 303)
    const groups = await write
      .selectFrom('event_group_grant')
      .select('group_id')
      .where('event_id', '=', id)
      .where('permission', '=', 'view')
      .execute()
    assert.deepEqual(
      groups.map(({ group_id }) => group_id),
      [locked.id],
    )
  })

  test('count the people of a shift in its preview, and say who is notified of a change', async () => {
    const { id, shifts } = await world.addEvent({
      title: 'Gala',
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [{ start: '2031-06-01T08:00:00+02:00', end: '2031-06-01T12:00:00+02:00' }],
    })
    for (const [who, state] of [
      [ANN, 1],
      [OLGA, 0],
      [PAUL, 1],
    ] as const)
      await world.addParticipation({ who, shift: shifts[0]!, state })
    const path = `/shifts/${shifts[0]}/edit/`
    const { form } = await open(paul, path)
    const preview = await paul.post(path, { form: { ...form, 's0-max': '11', do: 'refresh' } })
    assert.match(preview.body.replaceAll(/<[^>]+>/g, ''), /2 of 11 · 1 requested/)
    const said = async (changes: Form) => {
      const { statusCode } = await paul.post(path, { form: { ...(await open(paul, path)).form, ...changes, do: 'save' } })
      assert.equal(statusCode, 303)
      return /data-flash[\s\S]*?<p>([^<]*)</.exec((await paul.get(`/events/${id}-gala/`)).body)![1]
    }
    assert.equal(await said({ 's0-label': 'Doors' }), 'Saved. Nobody is notified of this change.')
    assert.equal(await said({ 's0-end': '13:00' }), 'Saved. 2 people who are confirmed or requested a place are notified.')
    assert.equal(await said({}), 'Nothing changed.')
  })

  test('show concurrent changes and keep both', async () => {
    const { id, shifts } = await world.addEvent({ title: 'Fair', responsible: [PAUL], shifts: [{ label: 'A' }] })
    const olga = await browserOf(OLGA)
    const early = await open(paul, `/events/${id}/edit/`)
    const { form } = await open(olga, `/events/${id}/edit/`)
    assert.equal((await olga.post(`/events/${id}/edit/`, { form: { ...form, title: 'Big fair', do: 'save' } })).statusCode, 303)
    const late = await paul.post(`/events/${id}/edit/`, { form: { ...early.form, location: 'Market', do: 'save' } })
    assert.equal(late.statusCode, 409)
    assert.deepEqual(checkMarkup(late.body), [])
    assert.match(late.body, /Olga saved this meanwhile\..*Title: <b>Big fair<\/b>/s)
    const merged = fieldsIn(late.body)
    assert.deepEqual([merged.title, merged.location], ['Big fair', 'Market'])
    assert.equal((await paul.post(`/events/${id}/edit/`, { form: { ...merged, do: 'save' } })).statusCode, 303)
    const path = `/shifts/${shifts[0]}/edit/`
    const first = await open(paul, path)
    const other = await open(olga, path)
    assert.equal((await olga.post(path, { form: { ...other.form, 's0-max': '9', do: 'save' } })).statusCode, 303)
    const again = await paul.post(path, { form: { ...first.form, 's0-label': 'B', do: 'save' } })
    assert.equal(again.statusCode, 409)
    const both = fieldsIn(again.body)
    assert.deepEqual([both['s0-label'], both['s0-max']], ['B', '9'])
    assert.equal((await paul.post(path, { form: { ...both, do: 'save' } })).statusCode, 303)
    const row = await write.selectFrom('shift').selectAll().where('id', '=', shifts[0]!).executeTakeFirstOrThrow()
    assert.deepEqual([row.label, row.max_count], ['B', 9])
  })

  test('preview the dates of copies', async () => {
    const { id, shifts } = await world.addEvent({ title: 'Drill', responsible: [PAUL], shifts: [{}] })
    const { form } = await open(paul, `/events/${id}/duplicate/`)
    assert.equal(form.first, '2031-05-11')
    const { linked: _, ...fields } = form as Record<string, string>
    const rule = { ...fields, every: 'week', times: '3', singles: '2031-12-24' }
    const look = await paul.post(`/events/${id}/duplicate/`, { form: { ...rule, do: 'look' } })
    assert.match(look.body, /4 dates.*Sun 11 May 2031.*Wed 24 Dec 2031/s)
    const many = await paul.post(`/events/${id}/duplicate/`, { form: { ...rule, times: '1001', do: 'copy' } })
    assert.equal(many.statusCode, 422)
    assert.match(many.body, /at most 1,000 dates/)
    const done = await paul.post(`/events/${id}/duplicate/`, { form: { ...rule, do: 'copy' } })
    const copies = () =>
      write.selectFrom('event').select(['id', 'active']).where('title', '=', 'Drill').where('id', '<>', id).execute()
    assert.match(String(done.headers.location), /^\/events\/copies\/\?ids=\d+-\d+$/)
    assert.deepEqual(
      (await copies()).map(({ active }) => active),
      [false, false, false, false],
    )
    const list = await paul.get(String(done.headers.location))
    assert.deepEqual(checkMarkup(list.body), [])
    for (const { id: copy } of await copies()) assert.ok(list.body.includes(`href="/events/${copy}-drill/"`))
    assert.match(list.body, /4 copies created as drafts.*Publish all 4 events/s)
    const ids = /name="ids" value="([^"]+)"/.exec(list.body)![1]!
    const all = await paul.post('/events/copies/publish/', { form: { ids: `${ids},${id}` } })
    const after = (await paul.get(String(all.headers.location))).body
    assert.match(after, /4 events are published/)
    assert.doesNotMatch(after, /Publish all/)
    assert.ok((await copies()).every(({ active }) => active))
    const foreign = await world.addEvent({ title: 'Not theirs', draft: true, shifts: [{}] })
    await paul.post('/events/copies/publish/', { form: { ids: String(foreign.id) } })
    assert.equal(
      (await write.selectFrom('event').select('active').where('id', '=', foreign.id).executeTakeFirstOrThrow()).active,
      false,
    )
    const copy = await open(paul, `/shifts/${shifts[0]}/copy/`)
    assert.equal((await paul.post(`/shifts/${shifts[0]}/copy/`, { form: { ...copy.form, do: 'copy' } })).statusCode, 303)
    assert.equal((await shiftsOf(id)).length, 2)
  })

  test('cancel with a reason, reopen, delete, restore', async () => {
    const { id, shifts } = await world.addEvent({
      title: 'Feast',
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [{ label: 'One' }, {}],
    })
    await world.addParticipation({ who: ANN, shift: shifts[0]! })
    const page = `/events/${id}-feast/`
    await paul.get(`/events/${id}/cancel/`)
    const bare = await paul.post(`/events/${id}/cancel/`, { form: { reason: ' ' } })
    assert.equal(bare.statusCode, 422)
    assert.deepEqual(checkMarkup(bare.body), [])
    assert.equal((await paul.post(`/events/${id}/cancel/`, { form: { reason: 'Flood' } })).statusCode, 303)
    const cancelled = (await paul.get(page)).body
    assert.match(cancelled, /Feast is cancelled\..*\/reopen\/.*Flood/s)
    assert.equal((await paul.post(`/events/${id}/reopen/`)).statusCode, 303)
    const ask = (await paul.get(`/events/${id}/delete/`)).body
    assert.deepEqual(checkMarkup(ask), [])
    assert.match(ask, /2 shifts are deleted, too\..*1 confirmed person loses their place\..*30 days/s)
    assert.equal((await paul.post(`/events/${id}/delete/`)).headers.location, '/events/')
    assert.equal((await paul.get(page)).statusCode, 404)
    const bin = (await paul.get('/events/bin/')).body
    assert.deepEqual(checkMarkup(bin), [])
    assert.match(bin, /Feast.*31 May 2031/s)
    assert.equal((await paul.post(`/events/${id}/restore/`)).statusCode, 303)
    assert.equal((await paul.get(page)).statusCode, 200)
    const shift = (await paul.get(`/shifts/${shifts[0]}/delete/`)).body
    assert.match(shift, /Delete this shift\?.*1 confirmed person loses their place/s)
    assert.equal((await paul.post(`/shifts/${shifts[0]}/delete/`)).statusCode, 303)
    await paul.post(`/shifts/${shifts[1]}/delete/`)
    assert.match((await paul.get(page)).body, /last shift of the event/)
  })

  test('are available in German', async () => {
    await write.updateTable('user_profile').set({ preferred_language: 'de' }).where('id', '=', PAUL.id).execute()
    const { body } = await open(paul, '/events/new/?type=1')
    assert.match(body, /Neue Veranstaltung.*Veröffentlichen/s)
    await write.updateTable('user_profile').set({ preferred_language: 'en' }).where('id', '=', PAUL.id).execute()
  })
})
