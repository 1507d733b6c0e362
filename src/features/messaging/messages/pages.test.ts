import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { contextAs } from '#test/support/command-context.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, HELPERS, OLGA, PAUL, type Person, VERA } from '#test/support/people.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { notifyNext } from './commands.ts'

const unchecked = true
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const plain = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

async function read(world: World, who: Person, path: string): Promise<string> {
  const { status, text } = await world.withSession(who).get(path, { unchecked })
  assert.equal(status, 200, path)
  assert.deepEqual(checkMarkup(text), [])
  return text
}
async function send(world: World, who: Person, path: string, fields: [string, string][]) {
  const session = await world.sessionCookie(who)
  const { headers, text } = await world.with({ cookie: session }).get('/', { unchecked })
  const device = headers['set-cookie']!.split(';')[0]!
  const token = /name="csrf_token" value="([^"]+)"/.exec(text)![1]!
  const body = new URLSearchParams([['csrf_token', token], ...fields]).toString()
  return world.with({ cookie: `${session}; ${device}`, ...form }).request('POST', path, { body, unchecked })
}

describe('messages to the people of an event', async () => {
  const world = await openWorld()
  const outbox = new NotificationOutbox(world)
  const inactive = await world.addPerson({ name: 'Ivo', isActive: false })
  const { id, shifts } = await world.addEvent({
    title: 'Harbour run',
    seenBy: [HELPERS, VERA],
    responsible: [PAUL],
    shifts: [{ label: 'North' }, { label: 'South', start: '2031-05-05T08:00:00+02:00' }],
  })
  const [north, south] = shifts as [number, number]
  await world.addParticipation({ who: ANN, shift: north, state: 1 })
  await world.addParticipation({ who: ANN, shift: south, state: 0 })
  await world.addParticipation({ who: inactive, shift: north, state: 1 })
  await world.addParticipation({ who: { placeholder: 'A neighbour' }, shift: north, state: 1 })
  await world.addParticipation({ who: { guest: { name: 'Gus' } }, shift: south, state: 1 })
  const path = `/events/${id}/message/`
  const text: [string, string][] = [
    ['subject', 'Bring a raincoat'],
    ['text', 'It will **rain**.\n\n<script>alert(1)</script>'],
  ]
  const to = (...names: string[]): [string, string][] => names.map((name) => ['to', name])
  beforeEach(() => outbox.clear())

  test('can be sent by responsibles only', async () => {
    for (const [who, status] of [
      [PAUL, 200],
      [OLGA, 200],
      [ANN, 403],
      [VERA, 403],
    ] as const)
      assert.equal((await world.withSession(who).get(path, { unchecked })).status, status, who.name)
    assert.equal((await send(world, ANN, path, [...text, ...to('confirmed'), ['doing', 'send']])).status, 403)
    assert.deepEqual(await outbox.rows(), [])
  })

  test('go to as many people as an organisation has; the preview names the first of them', async () => {
    const many = 2_001
    const added = await world.db.write
      .insertInto('user_profile')
      .values(
        Array.from({ length: many }, (_, n) => ({
          email: `many${n}@a.example`,
          display_name: `Many ${n}`,
          created_at: world.now,
        })),
      )
      .returning('id')
      .execute()
    const group = await world.addGroup('Many', [])
    await world.db.write
      .insertInto('user_group_member')
      .values(added.map((person) => ({ user_id: person.id, group_id: group.id })))
      .execute()
    const event = await world.addEvent({ title: 'Fair', seenBy: [group], responsible: [PAUL], shifts: [{}] })
    const address = `/events/${event.id}/message/`
    const preview = await send(world, PAUL, address, [...text, ...to('unanswered')])
    assert.deepEqual(checkMarkup(preview.text), [])
    assert.equal(preview.text.match(/<li>Many \d+<\/li>/g)?.length, 200)
    assert.match(plain(preview.text), /To 2,001 people .* and 1,801 more people/)
    assert.equal((await send(world, PAUL, address, [...text, ...to('unanswered'), ['doing', 'send']])).status, 303)
    const { id } = await world.db.read
      .selectFrom('event_message')
      .select('id')
      .where('event_id', '=', event.id)
      .executeTakeFirstOrThrow()
    assert.equal(await notifyNext(world.db.write, id, contextAs(world, PAUL)), 0)
    const told = await world.db.read.selectFrom('notification').select('user_id').where('event_id', '=', event.id).execute()
    assert.deepEqual(
      told.map(({ user_id }) => user_id!).sort((a, b) => a - b),
      added.map((person) => person.id).sort((a, b) => a - b),
    )
    await world.db.write.deleteFrom('notification').where('event_id', '=', event.id).execute()
  })

  test('show how many people are in each group', async () => {
    const page = plain(await read(world, PAUL, path))
    assert.match(page, /4 confirmed/)
    assert.match(page, /1 requested/)
    assert.match(page, /3 have not answered yet/)
  })

  const RECIPIENTS: [what: string, fields: [string, string][], recipients: string[], unreachable: string[]][] = [
    ['confirmed', to('confirmed'), ['Ann', 'Gus'], ['A neighbour', 'Ivo']],
    ['confirmed in one shift', [...to('confirmed'), ['shift', String(south)]], ['Gus'], []],
    ['requested', to('requested'), ['Ann'], []],
    ['not answered', to('unanswered'), ['Ben', 'Vera'], ['Paul']],
    ['single people', [['people', `u${ANN.id}`]], ['Ann'], []],
    [
      'all groups, each person once',
      to('confirmed', 'requested', 'unanswered'),
      ['Ann', 'Ben', 'Gus', 'Vera'],
      ['A neighbour', 'Ivo', 'Paul'],
    ],
  ]
  for (const [what, fields, recipients, unreachable] of RECIPIENTS) {
    test(`go to: ${what}; the preview lists recipients and unreachable people`, async () => {
      const answer = await send(world, PAUL, path, [...text, ...fields, ['doing', 'preview']])
      assert.equal(answer.status, 200)
      assert.deepEqual(checkMarkup(answer.text), [])
      const names = (list: string) => [...list.matchAll(/<li>([^<]+?) ?</g)].map(([, name]) => name!)
      const [first, second] = [...answer.text.matchAll(/<ul class="name-list"[^>]*>(.*?)<\/ul>/gs)].map(([, list]) => list!)
      assert.deepEqual([names(first!), names(second ?? '')], [recipients, unreachable])
      assert.deepEqual(await outbox.rows(), [])
      const sent = await send(world, PAUL, path, [...text, ...fields, ['doing', 'send']])
      assert.equal(sent.status, 303)
      const mails = await outbox.deliver()
      assert.equal(mails.length, recipients.length)
      assert.ok(mails.every(({ subject, replyTo }) => subject === 'Bring a raincoat' && replyTo === PAUL.email))
      assert.ok(mails.every(({ headers }) => !headers?.['List-Unsubscribe']))
    })
  }

  for (const fields of [[], [['shift', String(north)]]] as [string, string][][])
    test(`are previewed with all that is sent${fields.length ? ', for one shift' : ''}`, async () => {
      const chosen: [string, string][] = [...text, ...to('confirmed'), ...fields]
      const { text: page } = await send(world, PAUL, path, [...chosen, ['doing', 'preview']])
      const shown = plain(/<div class="message-preview">.*?email because.*?<\/p>/s.exec(page)![0])
      await send(world, PAUL, path, [...chosen, ['doing', 'send']])
      const mail = (await outbox.deliver()).find(({ to }) => to === ANN.email)!
      const lines = mail.text
        .split('\n-- \n')[0]!
        .split('\n')
        .map((line) => line.trim().replace(/:$/, ''))
        .filter((line) => line && !/rain|script|^https/.test(line))
      assert.ok(lines.length >= 5, mail.text)
      for (const line of lines) assert.ok(shown.includes(line), `${line} is not in: ${shown}`)
      assert.ok(mail.text.includes('You get this email because') && shown.includes('You get this email because'))
    })

  test('are sanitised Markdown with a link that the recipient can open', async () => {
    await send(world, PAUL, path, [...text, ...to('confirmed'), ['doing', 'send']])
    const mails = await outbox.deliver()
    const [ann, gus] = [ANN.email, 'Gus@guest.example'].map((email) => mails.find((mail) => mail.to === email)!)
    assert.match(ann!.html!, /<strong>rain<\/strong>/)
    assert.doesNotMatch(ann!.html!, /<script>/)
    assert.match(ann!.text, /https:\/\/a\.example\/events\/\d+-harbour-run\//)
    assert.doesNotMatch(gus!.text, /\/events\//)
    assert.doesNotMatch(JSON.stringify(gus), /Ann/)
  })

  test('leave a journal entry with the number of recipients and without the text', async () => {
    await send(world, PAUL, path, [...text, ...to('confirmed'), ['doing', 'send']])
    const entry = await world.db.read
      .selectFrom('journal')
      .selectAll()
      .where('kind', '=', 'event.message_sent')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    assert.deepEqual([entry.actor_id, entry.event_id, (entry.changes as { recipients: number }).recipients], [PAUL.id, id, 2])
    assert.doesNotMatch(JSON.stringify(entry), /rain/)
    await outbox.deliver()
    assert.match(plain(await read(world, PAUL, path)), /2 of 2 sent/)
  })

  const REFUSED: [what: string, fields: [string, string][], error: RegExp][] = [
    ['no text', [...to('confirmed'), ['subject', 'x'], ['text', '  ']], /Please enter a message/],
    ['no subject', [...to('confirmed'), ['subject', ''], ['text', 'typed text']], /Please enter a subject/],
    ['no recipients', [...text], /This selection has no recipients/],
    ['only unreachable people', [...text, ['people', `u${inactive.id}`]], /This selection has no recipients/],
    ['a person of another event', [...text, ['people', `u${OLGA.id}`]], /This selection has no recipients/],
  ]
  for (const [what, fields, error] of REFUSED)
    test(`with ${what} are refused, and the form keeps its values`, async () => {
      for (const doing of ['preview', 'send']) {
        const answer = await send(world, PAUL, path, [...fields, ['doing', doing]])
        assert.equal(answer.status, 422)
        assert.match(answer.text, error)
        if (what === 'no subject') assert.match(answer.text, /typed text/)
      }
      assert.deepEqual(await outbox.rows(), [])
    })

  test('can be edited after the preview', async () => {
    const answer = await send(world, PAUL, path, [...text, ...to('requested'), ['doing', 'edit']])
    assert.match(answer.text, /It will \*\*rain\*\*/)
    assert.match(answer.text, /<input [^>]*checked[^>]*value="requested"|<input [^>]*value="requested"[^>]*checked/)
  })
})
