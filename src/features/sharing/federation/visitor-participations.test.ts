import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  addEvent,
  addPartner,
  addType,
  addVisitor,
  ask,
  NOW,
  openTestApp,
  type Partner,
  share,
  type TestApp,
} from '#test/support/federation-setup.ts'
import { visitorParticipationRecord } from './schema.ts'

const PATH = '/api/federation/participations/'
const TIMES: [string, string] = ['2031-05-04T04:00Z', '2031-05-04T08:00Z']

describe('a partner learns where its people stand', () => {
  let testApp: TestApp
  let nord: Partner
  let sued: Partner
  let type: number
  before(async () => {
    testApp = await openTestApp()
    nord = await addPartner(testApp, 'Nord')
    sued = await addPartner(testApp, 'Süd')
    type = await addType(testApp, 'Race')
  })
  after(() => testApp.close())

  const visitorOf = async (partner: Partner, name: string, remote_id: number | null) => {
    const id = await addVisitor(testApp, partner, name)
    await testApp.db.write.updateTable('visitor').set({ remote_id }).where('id', '=', id).execute()
    return id
  }
  const place = async (shift_id: number, visitor_id: number, more: object = {}) => {
    const row = { shift_id, visitor_id, kind: 'visitor', state: 1, structure_data: '{}', ...more }
    await testApp.db.write
      .insertInto('participation')
      .values(row as never)
      .execute()
  }
  const told = async (token: string, query = '') => {
    const answer = await ask(testApp, PATH + query, { token })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }

  test('with the state and the times of each place, in all kinds of pages', async () => {
    const { id: event, shifts } = await addEvent(testApp, { title: 'Regatta', type_id: type }, TIMES, TIMES)
    await share(testApp, nord, event)
    const nils = await visitorOf(nord, 'Nils', 7)
    await place(shifts[0]!, nils)
    await place(shifts[1]!, nils, {
      state: 0,
      individual_start_time: '2031-05-04T05:00:00Z',
      individual_end_time: '2031-05-04T06:00:00Z',
    })
    const expected = [
      { event, shift: shifts[0], shift_label: '', user: 7, state: 1, start_time: '04:00', end_time: '08:00' },
      { event, shift: shifts[1], shift_label: '', user: 7, state: 0, start_time: '05:00', end_time: '06:00' },
    ]
    const hours = (time: string) => new Date(time).toISOString().slice(11, 16)
    for (const query of ['', '?cursor=', '?limit=10']) {
      const { results } = await told(nord.token, query)
      for (const each of results) visitorParticipationRecord.parse(each)
      const shown = results.map((each: { start_time: string; end_time: string }) => ({
        ...each,
        start_time: hours(each.start_time),
        end_time: hours(each.end_time),
      }))
      assert.deepEqual(shown, expected, query)
    }
    assert.deepEqual((await told(sued.token)).results, [])
    const walked: unknown[] = []
    for (let query: string | undefined = '?cursor=&limit=1'; query && walked.length <= expected.length; ) {
      const { results, next } = await told(nord.token, query)
      walked.push(results.map(({ shift }: { shift: number }) => shift))
      query = next ? new URL(next).search : undefined
    }
    assert.deepEqual(walked, [[shifts[0]], [shifts[1]]])
  })

  const CASES: [
    what: string,
    facts: object,
    sharedWith: 'Nord' | 'Süd' | 'nobody',
    ofPartner: 'Nord' | 'Süd',
    id: number | null,
  ][] = [
    ['an event that is not shared any more', {}, 'nobody', 'Nord', 11],
    ['an event that is shared with another partner only', {}, 'Süd', 'Nord', 12],
    ['people of another partner', {}, 'Nord', 'Süd', 13],
    ['people whose number at home is not known yet', {}, 'Nord', 'Nord', null],
    ['a draft', { active: false }, 'Nord', 'Nord', 14],
    ['a cancelled event', { cancelled_at: NOW, cancellation_reason: 'Storm' }, 'Nord', 'Nord', 15],
    ['an event in the bin', { deleted_at: NOW }, 'Nord', 'Nord', 16],
  ]
  for (const [what, facts, sharedWith, ofPartner, remoteId] of CASES)
    test(`and nothing about ${what}`, async () => {
      const { count } = await told(nord.token)
      const { id, shifts } = await addEvent(testApp, { title: what, type_id: type }, TIMES)
      const partners = { Nord: nord, Süd: sued }
      if (sharedWith !== 'nobody') await share(testApp, partners[sharedWith], id)
      await place(shifts[0]!, await visitorOf(partners[ofPartner], `Visitor${id}`, remoteId))
      if (Object.keys(facts).length) await testApp.db.write.updateTable('event').set(facts).where('id', '=', id).execute()
      const { results, count: now } = await told(nord.token)
      assert.deepEqual([results.filter(({ event }: { event: number }) => event === id), now], [[], count])
    })
})
