import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hashSecret } from '#platform/auth/secrets.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, OLGA, type Person } from '#test/support/people.ts'
import { NOW, openWorld } from '#test/support/world.ts'
import { findOpenInvites, getOpenInvite } from './invites.ts'
import { findPlacesAtPartners, findSilentHosts, findStatements } from './statements.ts'

const HOUR = 3_600_000
const at = (hours: number) => new Date(NOW.getTime() + hours * HOUR)

describe('what is known about people at partners', async () => {
  const world = await openWorld()
  const { read, write } = world.db
  const as = (person: Person) => ({ ...contextAs(world, person), words: wordsFor('en', 'Europe/Berlin') })
  let numbers = 0
  const addHost = async (name: string, speaks_turnout: boolean) => {
    const facts = { client_secret_hash: 'x', redirect_uris: [], allowed_scopes: ['ME_READ'], purpose: 'federation' }
    const { id: application_id } = await write
      .insertInto('oauth_application')
      .values({ name, client_id: name, ...facts })
      .returning('id')
      .executeTakeFirstOrThrow()
    const row = { name, url: `https://${name}.example`, access_token_sealed: 's', speaks_turnout, application_id }
    const { id } = await write.insertInto('federated_host').values(row).returning('id').executeTakeFirstOrThrow()
    return { id, application_id }
  }
  const addEvent = async (host_id: number, title: string, start: number | null, end: number | null) => {
    const facts = { title, location: '', type_title: '', signup_url: `https://host.example/${title}`, fetched_at: NOW }
    const times = { start_time: start === null ? null : at(start), end_time: end === null ? null : at(end) }
    const row = { host_id, remote_id: ++numbers, ...facts, ...times }
    return (await write.insertInto('partner_event').values(row).returning('id').executeTakeFirstOrThrow()).id
  }

  test('statements about the caller are those whose shift has not ended; denied ones are marked and count no place', async () => {
    const { id: nord } = await addHost('nord', true)
    const regatta = await addEvent(nord, 'Regatta', -5, 9)
    const tell = (person: Person, shift_label: string, state: number, hours: [number, number], denied = false) =>
      write
        .insertInto('participation_abroad')
        .values({
          partner_event_id: regatta,
          user_id: person.id,
          remote_shift_id: ++numbers,
          shift_label,
          state,
          denied,
          start_time: at(hours[0]),
          end_time: at(hours[1]),
          fetched_at: NOW,
        })
        .execute()
    await tell(ANN, 'later', 1, [2, 3])
    await tell(ANN, 'ends now', 0, [-2, 0])
    await tell(ANN, 'ended', 1, [-2, -0.001])
    await tell(ANN, 'denied', 1, [4, 5], true)
    await tell(ANN, 'declined', 2, [6, 7])
    await tell(BEN, 'of Ben', 1, [1, 2])
    const statements = async (person: Person) =>
      (await findStatements(as(person))).map(({ host, title, label, isDenied }) => [host, title, label, isDenied])
    assert.deepEqual(await statements(ANN), [
      ['nord', 'Regatta', 'ends now', false],
      ['nord', 'Regatta', 'later', false],
      ['nord', 'Regatta', 'denied', true],
      ['nord', 'Regatta', 'declined', false],
    ])
    assert.deepEqual(await statements(BEN), [['nord', 'Regatta', 'of Ben', false]])
    assert.deepEqual(await statements(OLGA), [])
    assert.deepEqual(
      (await findPlacesAtPartners(as(OLGA), ANN.id)).map(({ shift, isConfirmed }) => [shift, isConfirmed]),
      [
        ['ends now', false],
        ['later', true],
      ],
    )
  })

  test('hosts that say nothing are listed with the last visit of the caller and what they opened there', async () => {
    const [west, east] = [await addHost('west', false), await addHost('East', false)]
    const [fair, past, timeless] = [
      await addEvent(west.id, 'Fair', 1, 0.0),
      await addEvent(west.id, 'Past', -3, -0.001),
      await addEvent(west.id, 'Timeless', null, null),
    ]
    const open = (person: Person, partner_event_id: number) =>
      write.insertInto('partner_event_opening').values({ user_id: person.id, partner_event_id, opened_at: NOW }).execute()
    for (const id of [fair, past, timeless]) await open(ANN, id)
    await open(BEN, past)
    const visit = (person: Person, application_id: number, last_used_at: Date) =>
      write
        .insertInto('oauth_consent')
        .values({ user_id: person.id, application_id, scopes: ['ME_READ'], granted_at: at(-99), last_used_at })
        .execute()
    await visit(ANN, west.application_id, at(-1))
    await visit(BEN, east.application_id, at(-2))
    const silent = async (person: Person) =>
      (await findSilentHosts(as(person))).map(({ name, lastVisitAt, opened }) => [
        name,
        lastVisitAt,
        opened.map(({ title }) => title),
      ])
    assert.deepEqual(await silent(ANN), [
      ['East', null, []],
      ['west', at(-1), ['Fair']],
    ])
    assert.deepEqual(await silent(BEN), [
      ['East', at(-2), []],
      ['west', null, []],
    ])
  })

  test('invitations are open until they end or are used, also if the account that made them is gone', async () => {
    const add = async (name: string, values: object) => {
      const code = { code_hash: hashSecret(name), code_sealed: world.app.site.keyring.seal(name) }
      const row = { url: `https://${name}.example`, ...code, created_at: at(-9), expires_at: at(1), ...values }
      return (await write.insertInto('invite_code').values(row).returning('id').executeTakeFirstOrThrow()).id
    }
    const ids = [
      await add('byolga', { created_by_id: OLGA.id, expires_at: at(2) }),
      await add('bynobody', {}),
      await add('endsnow', { expires_at: NOW }),
      await add('ended', { expires_at: new Date(NOW.getTime() - 1) }),
      await add('used', { used_at: NOW }),
    ]
    assert.deepEqual(
      (await findOpenInvites(read, NOW)).map(({ url, by }) => [url, by]),
      [
        ['https://endsnow.example', null],
        ['https://bynobody.example', null],
        ['https://byolga.example', OLGA.name],
      ],
    )
    const found = await Promise.all(ids.map((id) => getOpenInvite(read, world.app.site, NOW, id)))
    assert.deepEqual(
      found.map((invite) => invite?.by),
      [OLGA.name, null, null, undefined, undefined],
    )
    assert.ok(found[0]!.shareString.length > 20)
  })
})
