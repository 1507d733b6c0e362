import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SCOPES } from '#platform/auth/scopes.ts'
import type { Answer } from '#test/support/api-response.ts'
import { ANN, HELPERS, NORD, OLGA, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const BAD_TYPE = 'Select a valid choice. That choice is not one of the available choices.'
const notAmong = (value: string | number) => `Select a valid choice. ${value} is not one of the available choices.`
const notValid = (value: string) => `“${value}” is not a valid value.`
const HUGE = '99999999999999999999'

const errorsOf = ({ status, body }: Answer): [number, [string, string, string][]] => [
  status,
  (body.errors ?? []).map(({ parameter, code, detail }: Record<string, string>) => [parameter, code, detail]),
]

describe('filters', async () => {
  const world = await openWorld()
  const race = await world.addType({ title: 'Race' })
  const unused = await world.addType({ title: 'Unused' })
  const seenBy = [HELPERS]
  const run = await world.addEvent({ title: 'Run', type: race, seenBy, sharedWith: [NORD], shifts: [{}, {}] })
  const fair = await world.addEvent({ title: 'Fair', seenBy, sharedWith: [NORD], shifts: [{}] })
  const hidden = await world.addEvent({ title: 'Hidden', seenBy: [OLGA], shifts: [{}] })
  const draft = await world.addEvent({ title: 'Draft', seenBy, draft: true, shifts: [{}] })
  const cancelled = await world.addEvent({ title: 'Cancelled', seenBy, cancelled: true, shifts: [{}] })
  const [early, late, only] = [run.shifts[0]!, run.shifts[1]!, fair.shifts[0]!]
  const requested = await world.addParticipation({ who: ANN, shift: early, state: 0 })
  const confirmed = await world.addParticipation({ who: ANN, shift: late, state: 1 })
  const declined = await world.addParticipation({ who: ANN, shift: only, state: 2 })
  const rejected = await world.addParticipation({ who: { placeholder: 'Somebody' }, shift: only, state: 3 })
  const ann = world.as(ANN, ...SCOPES)
  const olga = world.as(OLGA, ...SCOPES)
  await world.grantsEvent(VERA, run.id, 'view')
  await world.grantsEvent(VERA, fair.id, 'view')
  const vera = world.as(VERA, ...SCOPES)

  describe('type', () => {
    const GOOD: [value: string, events: number[]][] = [
      [String(race), [run.id]],
      [` ${race} `, [run.id]],
      [`0${race}`, [run.id]],
      [String(unused), []],
      ['', [run.id, fair.id]],
      ['  ', [run.id, fair.id]],
    ]
    for (const [value, events] of GOOD)
      test(`${JSON.stringify(value)} finds ${events.length}`, async () => {
        assert.deepEqual(await ann.ids('/api/events/', { type: value }), events)
        assert.deepEqual(await world.partner(NORD).ids('/api/federation/events/', { type: value }), events)
      })
    for (const value of ['999', '0', '-1', 'race', '1.0', '1,2', 'null', '0x1', HUGE, '1 2', '\u0000', '१'])
      test(`${JSON.stringify(value)} is refused`, async () => {
        const expected = [400, [['type', 'invalid_choice', BAD_TYPE]]]
        assert.deepEqual(errorsOf(await ann.get('/api/events/', { query: { type: value } })), expected)
        assert.deepEqual(errorsOf(await ann.get(`/api/events/${run.id}/`, { query: { type: value } })), expected)
        const federation = await world.partner(NORD).get('/api/federation/events/', { query: { type: value } })
        assert.deepEqual(errorsOf(federation), expected)
      })
    test('the last value of a repeated parameter applies', async () => {
      assert.deepEqual(await ann.ids('/api/events/', { type: ['x', race] }), [run.id])
      assert.equal(await ann.status('/api/events/', { query: { type: [race, 'x'] } }), 400)
    })
    test('is ignored by other lists', async () => {
      for (const path of ['/api/shifts/', '/api/participations/', '/api/users/me/participations/', '/api/buildingblocks/'])
        assert.equal(await ann.status(path, { query: 'type=x' }), 200)
    })
  })

  const USERINFO = '/api/participations-userinfo/'
  const PEOPLE: [query: string, ids: number[]][] = [
    [`event=${run.id}`, [requested, confirmed]],
    [`event=${run.id}&event=${fair.id}`, [requested, confirmed, declined, rejected]],
    [`event=${run.id},${fair.id}`, [requested, confirmed, declined, rejected]],
    [`event=%20${run.id}%20,+${fair.id}`, [requested, confirmed, declined, rejected]],
    [`event=${run.id},${run.id}&event=${run.id}`, [requested, confirmed]],
    [`event=0${run.id}`, [requested, confirmed]],
    [`shift=${early}`, [requested]],
    [`shift=${early}&shift=${only}`, [requested, declined, rejected]],
    [`shift=${early},${only}`, [requested, declined, rejected]],
    [`event_type=${race}`, [requested, confirmed]],
    [`event_type=${race}&event_type=1`, [requested, confirmed, declined, rejected]],
    [`event_type=1,${race}`, [requested, confirmed, declined, rejected]],
    [`event_type=${unused}`, []],
    // All filters must match.
    [`event=${run.id}&shift=${only}`, []],
    [`event=${run.id}&shift=${late}`, [confirmed]],
    [`event=${fair.id}&event_type=${race}`, []],
    [`event=${run.id}&event_type=${race}&state=0`, [requested]],
    // Unknown parameters are ignored.
    [`event[]=x&shift__in=x&event_id=x&Event=x`, [requested, confirmed, declined, rejected]],
    ['state=0', [requested]],
    ['state=1', [confirmed]],
    ['state=2', [declined]],
    ['state=3', [rejected]],
    ['state=4', []],
    ['state=', [requested, confirmed, declined, rejected]],
    ['state=+1+', [confirmed]],
    ['state=0&state=1', [confirmed]],
    ['state=x&state=2', [declined]],
    ['state=2&state=', [requested, confirmed, declined, rejected]],
  ]
  for (const [query, ids] of PEOPLE)
    test(`${query} finds ${ids.length}`, async () => {
      assert.deepEqual(await vera.ids(USERINFO, query), ids)
      const own = ids.filter((id) => id !== rejected)
      assert.deepEqual(await vera.ids(`/api/users/${ANN.id}/participations/`, query), own)
      assert.deepEqual(await ann.ids('/api/users/me/participations/', query), own)
      // The public list never contains declined or rejected participations.
      assert.deepEqual(
        await vera.ids('/api/participations/', query),
        ids.filter((id) => id === requested || id === confirmed),
      )
    })

  const REFUSED: [query: string, parameter: string, code: string, detail: string][] = [
    ['event=abc', 'event', 'invalid_value', notValid('abc')],
    ['event=', 'event', 'invalid_value', notValid('')],
    ['event', 'event', 'invalid_value', notValid('')],
    [`event=${run.id}&event=`, 'event', 'invalid_value', notValid('')],
    [`event=${run.id},`, 'event', 'invalid_value', notValid('')],
    ['event=1.0', 'event', 'invalid_value', notValid('1.0')],
    ['event=null', 'event', 'invalid_value', notValid('null')],
    ['event=%00', 'event', 'invalid_value', notValid('\u0000')],
    ['event=999', 'event', 'invalid_choice', notAmong(999)],
    ['event=0', 'event', 'invalid_choice', notAmong(0)],
    ['event=-1', 'event', 'invalid_choice', notAmong(-1)],
    [`event=${run.id}&event=999`, 'event', 'invalid_choice', notAmong(999)],
    [`event=${run.id},999`, 'event', 'invalid_choice', notAmong(999)],
    [`event=${HUGE}`, 'event', 'invalid_choice', notAmong(HUGE)],
    ['event=9223372036854775808', 'event', 'invalid_choice', notAmong('9223372036854775808')],
    ['event=9223372036854775807', 'event', 'invalid_choice', notAmong('9223372036854775807')],
    [`event=-${HUGE}`, 'event', 'invalid_choice', notAmong(`-${HUGE}`)],
    ['shift=x', 'shift', 'invalid_value', notValid('x')],
    ['shift=', 'shift', 'invalid_value', notValid('')],
    ['shift=999', 'shift', 'invalid_choice', notAmong(999)],
    ['event_type=x', 'event_type', 'invalid_value', notValid('x')],
    ['event_type=', 'event_type', 'invalid_value', notValid('')],
    ['event_type=999', 'event_type', 'invalid_choice', notAmong(999)],
    [`event_type=1,999`, 'event_type', 'invalid_choice', notAmong(999)],
    ['state=5', 'state', 'invalid_choice', notAmong(5)],
    ['state=-1', 'state', 'invalid_choice', notAmong(-1)],
    ['state=x', 'state', 'invalid_choice', notAmong('x')],
    ['state=0,1', 'state', 'invalid_choice', notAmong('0,1')],
    ['state=1.0', 'state', 'invalid_choice', notAmong('1.0')],
    ['state=01', 'state', 'invalid_choice', notAmong('01')],
    ['state=confirmed', 'state', 'invalid_choice', notAmong('confirmed')],
    ['state=0&state=9', 'state', 'invalid_choice', notAmong(9)],
  ]
  const LISTS = ['/api/participations/', USERINFO, `/api/users/${ANN.id}/participations/`, '/api/users/me/participations/']
  for (const [query, parameter, code, detail] of REFUSED)
    test(`${query} is refused`, async () => {
      for (const path of LISTS) assert.deepEqual(errorsOf(await vera.get(path, { query })), [400, [[parameter, code, detail]]])
    })

  describe('ids that the caller cannot see', () => {
    const CLOSED: [what: string, id: number, shift: number][] = [
      ['an event of others', hidden.id, hidden.shifts[0]!],
      ['a draft', draft.id, draft.shifts[0]!],
      ['a cancelled event', cancelled.id, cancelled.shifts[0]!],
    ]
    for (const [what, event, shift] of CLOSED)
      test(`${what} is answered like an id that does not exist`, async () => {
        for (const path of ['/api/participations/', '/api/users/me/participations/']) {
          for (const [name, id] of [
            ['event', event],
            ['shift', shift],
          ] as const) {
            const closed = await ann.get(path, { query: { [name]: id } })
            const absent = await ann.get(path, { query: { [name]: 998 } })
            assert.equal(closed.status, 400)
            const bytes = (answer: Answer, value: number) =>
              answer.text.replace(answer.body.request_id, 'R').replaceAll(new RegExp(`\\b${value}\\b`, 'g'), 'N')
            assert.equal(bytes(closed, id), bytes(absent, 998))
          }
        }
      })
    test('an id that the caller can see is accepted', async () => {
      assert.equal(await olga.status('/api/participations/', { query: { event: hidden.id, shift: hidden.shifts[0]! } }), 200)
      assert.equal(await olga.status('/api/participations/', { query: { event: draft.id } }), 400)
    })
  })

  describe('several invalid filters', () => {
    const names = (answer: Answer) => answer.body.errors.map(({ parameter }: { parameter: string }) => parameter)
    test('are all reported for participations', async () => {
      const query =
        'shift=x&event=999&event_type=&end_lte=x&end_gte=x&start_lte=x&start_gte=2031-03-30T02:30&end_time_before=x&start_time_after=x&state=9'
      const answer = await ann.get('/api/participations/', { query })
      assert.equal(answer.status, 400)
      assert.equal(answer.body.code, 'invalid_input')
      assert.deepEqual(names(answer), [
        'state',
        'start_time_after',
        'end_time_before',
        'start_gte',
        'start_lte',
        'end_gte',
        'end_lte',
        'event_type',
        'event',
        'shift',
      ])
    })
    test('are reported for events in the order of the filters', async () => {
      const answer = await ann.get('/api/events/', { query: 'search=%00&end_time_after=x&start_time_before=x&type=x&ordering=x' })
      assert.deepEqual(names(answer), ['type', 'start_time_before', 'end_time_after', 'search'])
    })
    test('are reported in German with the same codes', async () => {
      const query = 'state=9&start_gte=x&event_type=x&event=999&end_gte=2031-03-30T02:30'
      const german = await ann.get('/api/participations/', { query, headers: { 'accept-language': 'de' } })
      assert.deepEqual(errorsOf(german)[1], [
        ['state', 'invalid_choice', 'Bitte eine gültige Auswahl treffen. 9 ist keine gültige Auswahl.'],
        ['start_gte', 'invalid_time', 'Bitte ein gültiges Datum und Uhrzeit eingeben.'],
        ['end_gte', 'ambiguous_time', german.body.errors[2].detail],
        ['event_type', 'invalid_value', '„x“ ist kein gültiger Wert.'],
        ['event', 'invalid_choice', 'Bitte eine gültige Auswahl treffen. 999 ist keine gültige Auswahl.'],
      ])
      const type = await ann.get('/api/events/', { query: 'type=x&search=%00', headers: { 'accept-language': 'de' } })
      assert.deepEqual(errorsOf(type)[1], [
        ['type', 'invalid_choice', 'Bitte eine gültige Auswahl treffen. Dies ist keine gültige Auswahl.'],
        ['search', 'null_character', 'Nullzeichen sind nicht erlaubt.'],
      ])
    })
  })

  describe('on the URL of one record', () => {
    const CASES: [path: string, status: number][] = [
      [`/api/events/${run.id}/?type=${race}`, 200],
      [`/api/events/${run.id}/?type=1`, 404],
      [`/api/events/${run.id}/?type=999`, 400],
      [`/api/events/${run.id}/?search=RUN`, 200],
      [`/api/events/${run.id}/?search=fair`, 404],
      [`/api/events/${run.id}/?search=%00`, 400],
      [`/api/events/${run.id}/?start_time_after=2032-01-01`, 404],
      [`/api/events/${run.id}/?start_gte=2031-01-01`, 200],
      [`/api/events/${run.id}/?end_lte=x`, 400],
      [`/api/events/${run.id}/?ordering=-nonsense&limit=x&offset=99&page=7`, 200],
      [`/api/shifts/${early}/?search=run`, 200],
      [`/api/shifts/${early}/?search=fair`, 404],
      [`/api/shifts/${early}/?start_time_before=2031-01-01`, 404],
      [`/api/shifts/${early}/?ordering=x&limit=0`, 200],
      [`/api/participations/${requested}/?state=0`, 200],
      [`/api/participations/${requested}/?state=1`, 404],
      [`/api/participations/${requested}/?state=7`, 400],
      [`/api/participations/${requested}/?event=${run.id}`, 200],
      [`/api/participations/${requested}/?event=${fair.id}`, 404],
      [`/api/participations/${requested}/?event=999`, 400],
      [`/api/participations-userinfo/${declined}/?state=2`, 200],
      [`/api/participations-userinfo/${declined}/?event_type=${race}`, 404],
      [`/api/users/${ANN.id}/participations/${declined}/?state=2&shift=${only}`, 200],
      [`/api/users/${ANN.id}/participations/${declined}/?shift=${early}`, 404],
      [`/api/users/${ANN.id}/?search=ANN`, 200],
      [`/api/users/${ANN.id}/?search=ben`, 404],
      [`/api/users/${ANN.id}/?search=%00`, 400],
      // An invalid filter is reported even if the record does not exist.
      ['/api/events/999/?type=x', 400],
      ['/api/events/999/?type=1', 404],
    ]
    for (const [path, status] of CASES)
      test(`${path} is answered with ${status}`, async () => assert.equal(await vera.status(path), status))
    test('the same for participations of the own account', async () => {
      assert.equal(await ann.status(`/api/users/me/participations/${declined}/?state=2`), 200)
      assert.equal(await ann.status(`/api/users/me/participations/${declined}/?state=1`), 404)
    })
  })
})
