import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { saveCheckInSettings } from '../commands/settings.ts'

describe('attendance by the API', async () => {
  const world = await openWorld()
  const { id, shifts } = await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts: [{}] })
  const [shift] = shifts as [number]
  const ann = await world.addParticipation({ who: ANN, shift, state: 1 })
  const guest = await world.addParticipation({ who: { guest: { name: 'Gina' } }, shift, state: 1 })
  await world.addParticipation({ who: BEN, shift, state: 0 })
  const marked = { participation_id: ann, arrived_at: new Date('2031-05-04T05:52:00Z'), no_show: false }
  await world.db.write.insertInto('attendance').values(marked).execute()
  await world.db.write.insertInto('attendance').values({ participation_id: guest, no_show: true }).execute()

  test('lists confirmed people with what was marked, for those who plan the event', async () => {
    const { body } = await world.as(PAUL, 'CONFIDENTIAL_READ').get(`/api/events/${id}/attendance/`)
    assert.deepEqual(
      body.entries.map((each: Record<string, unknown>) => [
        each.participation,
        each.user,
        each.display_name,
        each.arrived_at && Date.parse(String(each.arrived_at)),
        each.left_at,
        each.no_show,
        each.is_absent,
      ]),
      [
        [ann, ANN.id, 'Ann', marked.arrived_at.getTime(), null, false, false],
        [guest, null, 'Gina', null, null, true, false],
      ],
    )
    assert.equal(await world.as(ANN, 'CONFIDENTIAL_READ').status(`/api/events/${id}/attendance/`), 403)
  })
  test('is marked by those who plan the event, all marks or none', async () => {
    const paul = world.as(PAUL, 'CONFIDENTIAL_READ', 'CONFIDENTIAL_WRITE')
    const path = `/api/events/${id}/attendance/`
    const at = new Date(world.now.getTime() - 3_600_000).toISOString()
    const mark = (...marks: object[]) => paul.post(path, { marks })
    const of = (body: { entries: { participation: number }[] }, participation: number) =>
      body.entries.find((each) => each.participation === participation) as unknown as Record<string, unknown>
    const before = (await paul.get(path)).text
    const refused = await mark({ participation: guest, mark: 'none' }, { participation: 999_999_999, mark: 'arrived' })
    assert.deepEqual(
      [refused.status, refused.body.errors.map(({ pointer, code }: Record<string, unknown>) => [pointer, code])],
      [409, [['/marks/1', 'unknown']]],
    )
    assert.equal((await paul.get(path)).text, before)
    const { status, body } = await mark(
      { participation: guest, mark: 'none' },
      { participation: ann, mark: 'arrived', at },
      { participation: ann, mark: 'left', at: '2999-01-01T00:00:00Z' },
    )
    assert.deepEqual([status, of(body, guest).no_show], [200, false])
    assert.deepEqual(
      [of(body, ann).arrived_at, of(body, ann).left_at].map((time) => Date.parse(String(time))),
      [Date.parse(at), world.now.getTime()],
      'nobody leaves in the future',
    )
    assert.equal(
      (await world.as(ANN, 'CONFIDENTIAL_WRITE').post(path, { marks: [{ participation: ann, mark: 'left' }] })).status,
      403,
    )
  })
})

describe('the own attendance by the API', async () => {
  const world = await openWorld()
  const start = new Date(world.now.getTime() + 600_000).toISOString()
  const end = new Date(world.now.getTime() + 7_200_000).toISOString()
  const add = async (isChanging: boolean | undefined) => {
    const { id, shifts } = await world.addEvent({
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [{ start, end, meeting: start }],
    })
    const place = await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 1 })
    if (isChanging !== undefined)
      await saveCheckInSettings(contextAs(world, PAUL), id, { is_active: true, is_changing: isChanging, minutes_before: 30 })
    return `/api/users/me/participations/${place}/attendance/`
  }
  const ann = world.as(ANN, 'ME_READ', 'ME_WRITE')
  const codes = ({ body }: { body: { errors: { code: string }[] } }) => body.errors.map(({ code }) => code)

  test('is said by the person where check-in works by a button', async () => {
    const path = await add(false)
    assert.equal((await ann.get(path)).body.arrived_at, null)
    const { status, body } = await ann.post(path, { mark: 'arrived' })
    assert.deepEqual([status, Date.parse(body.arrived_at), body.left_at], [200, world.now.getTime(), null])
    assert.deepEqual((await ann.get(path)).body, body)
    assert.equal((await world.as(BEN, 'ME_WRITE').post(path, { mark: 'arrived' })).status, 404)
  })
  test('needs the code at the place otherwise', async () => {
    for (const isChanging of [undefined, true])
      assert.deepEqual(codes(await ann.post(await add(isChanging), { mark: 'arrived' })), ['off'])
  })
  test('is possible from some time before the start', async () => {
    const path = await add(false)
    const now = world.now
    world.now = new Date(now.getTime() - 3_600_000)
    assert.deepEqual(codes(await ann.post(path, { mark: 'arrived' })), ['too_early'])
    world.now = new Date(now.getTime() + 86_400_000)
    assert.deepEqual(codes(await ann.post(path, { mark: 'arrived' })), ['too_late'])
    world.now = now
  })
})
