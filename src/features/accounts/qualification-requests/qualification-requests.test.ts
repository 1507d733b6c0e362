import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { createDue } from '#features/messaging/notifications/commands/create.ts'
import { duplicateEvent } from '#features/planning/series/commands/copies.ts'
import { deleteUnusedFiles } from '#platform/files/stored-files.ts'
import { contextAs } from '#test/support/command-context.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, PLANNERS, VERA } from '#test/support/people.ts'
import { SMALL_PNG } from '#test/support/pictures.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { applyEventQualification, saveEventQualification } from './commands/event-qualifications.ts'
import { deleteOldProofs, deleteProofsOf } from './commands/requests.ts'
import { applyEndedEvents } from './jobs.ts'
import { eventQualificationSection } from './schema.ts'

const OWN = '/settings/qualifications/'
const ASK = `${OWN}request/`
const REQUESTS = '/manage/requests/'
const DAY_MS = 24 * 3600_000

describe('a request for a qualification', async () => {
  const world = await openWorld()
  const { write, read } = world.db
  const medic = await world.addQualification('Medic')
  const driver = await world.addQualification('Driver')
  const [ann, ben, olga, paul] = await Promise.all([ANN, BEN, OLGA, PAUL].map((person) => browserOf(world, person)))
  const outbox = new NotificationOutbox(world)
  const requests = () => read.selectFrom('decision_request').selectAll().where('user_id', '=', ANN.id).orderBy('id').execute()
  const grantsOf = (userId: number) =>
    read.selectFrom('qualification_grant').select(['qualification_id', 'expires_at']).where('user_id', '=', userId).execute()

  type Asked = { qualification?: number; acquired?: string; expires?: string; note?: string; proof?: Buffer; name?: string }
  async function ask(browser: typeof ann, asked: Asked = {}) {
    const { proof = SMALL_PNG, name = 'certificate.png', ...fields } = asked
    const form = new FormData()
    form.set('csrf_token', browser!.token!)
    const values = { qualification: String(medic.id), acquired: '2031-04-01', expires: '', note: '', ...fields }
    for (const [key, value] of Object.entries(values)) form.set(key, String(value))
    form.set('proof', new Blob([new Uint8Array(proof)]), name)
    const encoded = new Response(form)
    const body = Buffer.from(await encoded.arrayBuffer())
    return browser!.postBytes(ASK, body, encoded.headers.get('content-type')!)
  }

  const REFUSED: [what: string, asked: Asked, field: string, says: RegExp][] = [
    ['a file of 50 MB', { proof: Buffer.alloc(50 * 1024 * 1024, SMALL_PNG) }, 'proof', /too large.*up to 15 MB/],
    ['a program named .pdf', { proof: Buffer.from('MZ\x90\x00'), name: 'x.pdf' }, 'proof', /choose a PDF or a photo/],
    [
      'a drawing with a script',
      { proof: Buffer.from('<svg><script/></svg>'), name: 'x.svg' },
      'proof',
      /choose a PDF or a photo/,
    ],
    ['no file', { proof: Buffer.alloc(0), name: '' }, 'proof', /choose a file/],
    ['a day in the future', { acquired: '2031-12-01' }, 'acquired', /in the future/],
    ['no day', { acquired: '' }, 'acquired', /enter the day/],
    ['an end in the past', { expires: '2031-01-01' }, 'expires', /in the past/],
    ['an unknown qualification', { qualification: 999_999 }, 'qualification', /does not exist any more/],
  ]
  for (const [what, asked, field, says] of REFUSED) {
    test(`is refused at the field with ${what}, keeps the other values and stores nothing`, async () => {
      const answer = await ask(ann, { note: 'my note', ...asked })
      assert.equal(answer.statusCode, 422)
      const error = new RegExp(`id="field-${field}-error"[\\s\\S]*?</p>`).exec(answer.body)?.[0] ?? ''
      assert.match(error, says)
      assert.match(answer.body, /my note/)
      assert.deepEqual([world.files.content.size, (await requests()).length], [0, 0])
    })
  }

  test('shows a form that works without scripts', async () => {
    const page = await ann!.get(ASK)
    assert.deepEqual(checkMarkup(page.body), [])
    assert.match(page.body, /enctype="multipart\/form-data"/)
    assert.match(page.body, /accept="application\/pdf,.pdf,image\/jpeg/)
  })

  test('is stored with its proof, and people who may edit others are notified', async () => {
    const answer = await ask(ann, { expires: '2033-05-01', note: '<b>Course</b>' })
    assert.deepEqual([answer.statusCode, answer.headers.location], [303, OWN])
    const [request] = await requests()
    assert.deepEqual(request!.data, {
      qualification_id: medic.id,
      event_id: null,
      expires: '2033-05-01T21:59:59.999Z',
      acquired: '2031-04-01',
      note: '<b>Course</b>',
    })
    const page = await ann!.get(OWN)
    assert.deepEqual(checkMarkup(page.body), [])
    assert.match(
      page.body,
      /Medic, valid until .*2033[\s\S]*&lt;b&gt;Course[\s\S]*Waiting for a decision[\s\S]*Proof: certificate\.png/,
    )
    const mails = await outbox.deliver()
    assert.ok(mails.some(({ to, subject }) => to === OLGA.email && /qualification for Ann/.test(subject)))
    assert.ok(!mails.some(({ to }) => to === BEN.email || to === PAUL.email))
    assert.match((await ask(ann)).body, /already requested this qualification/)
  })

  test('lets only the person and deciders open the proof, with headers that keep it from running', async () => {
    const [request] = await requests()
    const path = `/requests/${request!.id}/proof/`
    for (const browser of [ann, olga]) {
      const answer = await browser!.get(path)
      assert.equal(answer.statusCode, 200)
      assert.equal(answer.headers['content-type'], 'image/png')
      assert.match(String(answer.headers['content-disposition']), /^inline; filename="certificate\.png"/)
      assert.equal(answer.headers['x-content-type-options'], 'nosniff')
      assert.match(String(answer.headers['content-security-policy']), /sandbox/)
    }
    for (const browser of [ben, paul]) assert.equal((await browser!.get(path)).statusCode, 404)
  })

  test('is decided in the list of all requests, which grants the qualification and tells the person', async () => {
    assert.equal((await ben!.get(REQUESTS)).statusCode, 403)
    const list = await olga!.get(REQUESTS)
    assert.deepEqual(checkMarkup(list.body), [])
    assert.match(list.body, /Ann[\s\S]*Medic, valid until[\s\S]*Proof: certificate\.png/)
    const [request] = await requests()
    assert.equal((await ben!.post(`${REQUESTS}${request!.id}/`, { form: { decision: 'grant' } })).statusCode, 404)
    await olga!.post(`${REQUESTS}${request!.id}/`, { form: { decision: 'grant', comment: 'Well done' } })
    assert.deepEqual(await grantsOf(ANN.id), [{ qualification_id: medic.id, expires_at: new Date('2033-05-01T21:59:59.999Z') }])
    const mails = await outbox.deliver()
    assert.deepEqual(
      mails.map(({ to, subject }) => [to, subject]),
      [[ANN.email, 'Your request is approved']],
    )
    assert.match(mails[0]!.text, /approved your request for a qualification[\s\S]*\/settings\/qualifications\//)
    assert.match((await ann!.get(OWN)).body, /Approved[\s\S]*Comment: Well done/)
    const log = (await olga!.get('/manage/log/')).body.replaceAll(/<[^>]+>/g, '')
    assert.match(log, /approved a request of Ann/)
  })

  test('is refused for what the person holds at least as long, and can extend it', async () => {
    assert.match((await ask(ann, { expires: '2033-05-01' })).body, /already have this qualification until that day/)
    assert.equal((await ask(ann, { expires: '2034-05-01' })).statusCode, 303)
    const request = (await requests()).at(-1)!
    await olga!.post(`${REQUESTS}${request.id}/`, { form: { decision: 'grant' } })
    assert.deepEqual((await grantsOf(ANN.id))[0]!.expires_at, new Date('2034-05-01T21:59:59.999Z'))
  })

  test('can be withdrawn until it is decided', async () => {
    await ask(ann, { qualification: driver.id })
    const request = (await requests()).at(-1)!
    await ann!.get(OWN)
    assert.equal((await ben!.post(`${OWN}requests/${request.id}/withdraw/`)).statusCode, 404)
    await ann!.post(`${OWN}requests/${request.id}/withdraw/`)
    assert.equal((await requests()).at(-1)!.state, 'withdrawn')
  })

  test('cannot be applied after the qualification was deleted', async () => {
    const gone = await world.addQualification('Gone')
    await ask(ann, { qualification: gone.id })
    await write.deleteFrom('qualification').where('id', '=', gone.id).execute()
    const request = (await requests()).at(-1)!
    assert.match((await olga!.get(REQUESTS)).body, /does not exist any more/)
    await olga!.post(`${REQUESTS}${request.id}/`, { form: { decision: 'grant' } })
    assert.equal((await requests()).at(-1)!.state, 'failed')
  })

  test('loses its proof 90 days after the decision, and with the person', async () => {
    const proofs = async () => (await read.selectFrom('qualification_proof').select('request_id').execute()).length
    assert.equal(await proofs(), 4)
    await deleteOldProofs(world.db, new Date(world.now.getTime() + 89 * DAY_MS))
    assert.equal(await proofs(), 4)
    await deleteOldProofs(world.db, new Date(world.now.getTime() + 91 * DAY_MS))
    // The one that could not be applied waits for a decision.
    assert.equal(await proofs(), 1)
    await write.transaction().execute((tx) => deleteProofsOf(tx, ANN.id))
    assert.deepEqual([await proofs(), await read.selectFrom('stored_file').select('id').execute()], [0, []])
    await deleteUnusedFiles(write, world.files, new Date(world.now.getTime() + DAY_MS))
    assert.equal(world.files.content.size, 0)
  })
})

describe('a qualification that an event grants', async () => {
  const world = await openWorld()
  const { write, read } = world.db
  const medic = await world.addQualification('Medic')
  const outbox = new NotificationOutbox(world)
  const shift = { start: '2031-03-10T08:00:00+01:00', end: '2031-03-10T12:00:00+01:00' }
  const form = (more: object) => eventQualificationSection.parse({ auto_qualification: String(medic.id), ...more })
  const save = (eventId: number, more: object, who = OLGA) =>
    write.transaction().execute((tx) => saveEventQualification(tx, contextAs(world, who), eventId, form(more)))
  const apply = (at = world.now) => applyEndedEvents({ db: world.db, clock: { now: () => at }, site: world.app.site })
  const grants = () => read.selectFrom('qualification_grant').select(['user_id', 'expires_at']).orderBy('user_id').execute()
  const addCourse = async (more: object = {}) => {
    const event = await world.addEvent({ title: 'Course', shifts: [shift], seenBy: [HELPERS], responsible: [PAUL], ...more })
    for (const [who, state] of [
      [ANN, 1],
      [BEN, 0],
      [VERA, 1],
    ] as const)
      await world.addParticipation({ shift: event.shifts[0]!, who, state })
    return event
  }

  test('is changed only by people who may edit others, and is copied with the event', async () => {
    const event = await addCourse()
    await save(event.id, {}, PAUL)
    assert.equal(await read.selectFrom('event_qualification').select('mode').executeTakeFirst(), undefined)
    await save(event.id, { auto_mode: 'every', auto_expiry: 'months', auto_valid_months: '24' })
    const [copy] = await duplicateEvent(contextAs(world, OLGA), {
      eventId: event.id,
      dates: ['2031-09-01'],
    })
    const stored = await read
      .selectFrom('event_qualification')
      .select(['event_id', 'mode', 'valid_months'])
      .orderBy('event_id')
      .execute()
    assert.deepEqual(stored, [
      { event_id: event.id, mode: 'every', valid_months: 24 },
      { event_id: copy!, mode: 'every', valid_months: 24 },
    ])
    await save(event.id, { auto_qualification: '' })
    await write.deleteFrom('event_qualification').execute()
  })

  test('is shown to planners, and its form reports errors at the fields', async () => {
    const event = await addCourse({ title: 'Shown' })
    await save(event.id, { auto_needs_decision: 'on' })
    const path = `/events/${event.id}-shown/`
    assert.match((await (await browserOf(world, PAUL)).get(path)).body, /Participants receive[\s\S]*Medic/)
    assert.doesNotMatch((await (await browserOf(world, ANN)).get(path)).body, /Participants receive/)
    const olga = await browserOf(world, OLGA)
    const edit = await olga.get(`/events/${event.id}/edit/`)
    assert.deepEqual(checkMarkup(edit.body), [])
    assert.match(edit.body, /Qualification for participants/)
    assert.doesNotMatch(
      (await (await browserOf(world, PAUL)).get(`/events/${event.id}/edit/`)).body,
      /Qualification for participants/,
    )
    for (const [expiry, field] of [
      ['date', 'auto_expires_on'],
      ['months', 'auto_valid_months'],
    ] as const) {
      const fields = { auto_qualification: String(medic.id), auto_expiry: expiry }
      const { error } = eventQualificationSection.safeParse(fields)
      assert.deepEqual(
        error?.issues.map(({ path: [name] }) => name),
        [field],
      )
      const refused = await olga.post(`/events/${event.id}/edit/`, { form: { ...fields, do: 'save', title: 'Shown' } })
      assert.match(refused.body, new RegExp(`id="field-${field}-error"`))
    }
    await write.deleteFrom('event_qualification').execute()
  })

  test('is given at the end to confirmed members, with an entry and a notification, once', async () => {
    const event = await addCourse()
    await save(event.id, { auto_expiry: 'months', auto_valid_months: '12' })
    await outbox.deliver()
    await apply(new Date('2031-03-10T10:00:00+01:00'))
    assert.deepEqual(await grants(), [])
    await apply()
    const expires_at = new Date('2032-03-10T22:59:59.999Z')
    assert.deepEqual(
      await grants(),
      [ANN.id, VERA.id].sort((a, b) => a - b).map((user_id) => ({ user_id, expires_at })),
    )
    const mails = await outbox.deliver()
    assert.deepEqual(
      mails.map(({ to, subject }) => [to, subject]).sort(),
      [
        [ANN.email, 'You received “Medic”'],
        [VERA.email, 'You received “Medic”'],
      ].sort(),
    )
    await write.deleteFrom('qualification_grant').execute()
    await apply()
    assert.deepEqual(await grants(), [])
    await write.deleteFrom('event_qualification').execute()
  })

  test('is not given to people who were marked as no-shows', async () => {
    const event = await addCourse()
    await save(event.id, {})
    await sql`insert into attendance (participation_id, no_show)
      select id, true from participation where event_id = ${event.id} and user_id = ${VERA.id}`.execute(write)
    await apply()
    assert.deepEqual(
      (await grants()).map(({ user_id }) => user_id),
      [ANN.id],
    )
    await write.deleteFrom('qualification_grant').execute()
    await write.deleteFrom('event_qualification').execute()
  })

  test('becomes a request that the responsible people of the event may decide', async () => {
    const event = await addCourse({ title: 'Exam' })
    await save(event.id, { auto_needs_decision: 'on', auto_expiry: 'date', auto_expires_on: '2035-01-01' })
    await outbox.deliver()
    await apply()
    assert.deepEqual(await grants(), [])
    const requests = await read.selectFrom('decision_request').select(['id', 'user_id', 'data']).orderBy('id').execute()
    assert.deepEqual(requests.map(({ user_id }) => user_id).sort(), [ANN.id, VERA.id].sort())
    assert.ok((await outbox.deliver()).some(({ to }) => to === PAUL.email))
    const paul = await browserOf(world, PAUL)
    assert.match((await paul.get(REQUESTS)).body, /For taking part in “Exam”/)
    await paul.post(`${REQUESTS}${requests[0]!.id}/`, { form: { decision: 'grant' } })
    assert.deepEqual(await grants(), [{ user_id: requests[0]!.user_id, expires_at: new Date('2035-01-01T22:59:59.999Z') }])
    await write.deleteFrom('qualification_grant').execute()
    await write.deleteFrom('event_qualification').execute()
    await write.deleteFrom('decision_request').execute()
  })

  const applyTwice = async (lock?: never) => {
    const event = await addCourse()
    await save(event.id, { auto_needs_decision: 'on' })
    const options = { now: world.now, site: world.app.site, ...(lock ? { lock } : {}) }
    await Promise.all([1, 2, 3].map(() => applyEventQualification(write, event.id, options)))
    const { length } = await read.selectFrom('decision_request').select('id').execute()
    await write.deleteFrom('event_qualification').execute()
    await write.deleteFrom('decision_request').execute()
    return length
  }
  test('is given once by workers that run at the same time', async () => assert.equal(await applyTwice(), 2))
  test('would be given several times without the lock', async () => {
    const pending = {
      qualification_id: medic.id,
      mode: 'any',
      recipients: 'all',
      expires_at: null,
      valid_months: null,
      needs_decision: true,
      end_time: world.now,
    }
    assert.equal(await applyTwice((async () => pending) as never), 6)
  })

  test('that expires is announced 60 and 14 days before, once each, to the person and to people who may edit others', async () => {
    await write.deleteFrom('qualification_grant').execute()
    const expiresAt = new Date(world.now.getTime() + 100 * DAY_MS)
    await world.holds(ANN, medic, expiresAt)
    const noticesAfter = async (days: number) => {
      const now = new Date(world.now.getTime() + days * DAY_MS)
      for (const _ of [1, 2]) await createDue(write, { now, site: { ...world.app.site, timeZone: 'Europe/Berlin' } })
      const rows = await read.selectFrom('notification').select('user_id').where('kind', '=', 'qualification_expiring').execute()
      return [rows.filter(({ user_id }) => user_id === ANN.id).length, rows.filter(({ user_id }) => user_id === OLGA.id).length]
    }
    assert.deepEqual(await noticesAfter(39), [0, 0])
    assert.deepEqual(await noticesAfter(41), [1, 1])
    assert.deepEqual(await noticesAfter(80), [1, 1])
    assert.deepEqual(await noticesAfter(87), [2, 2])
    assert.deepEqual(await noticesAfter(101), [2, 2])
  })

  test('that expires is listed for people who may edit others, with filters and as CSV', async () => {
    const olga = await browserOf(world, OLGA)
    const path = '/manage/expiring/'
    assert.doesNotMatch((await olga.get(path)).body, /Ann/)
    const list = await olga.get(`${path}?days=180&qualification=${medic.id}&group=${HELPERS.id}`)
    assert.deepEqual(checkMarkup(list.body), [])
    assert.match(list.body, /Ann[\s\S]*Medic/)
    assert.match((await olga.get(`${path}?days=180&group=${PLANNERS.id}`)).body, /No qualification ends in this period/)
    assert.match((await olga.get(`${path}export/?days=180`)).body, /Ann.*,Medic,2031/)
    assert.equal((await (await browserOf(world, PAUL)).get(path)).statusCode, 403)
  })
})
