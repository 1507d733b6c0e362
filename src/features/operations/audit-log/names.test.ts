import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { makeActor, type UserActor } from '#platform/auth/actor.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { actorOf, contextOf } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, NORD, OLGA, PAUL, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { findLogPage, getLoggedEvent } from './queries.ts'

describe('entries of the log', async () => {
  const world = await openWorld()
  const { write } = world.db
  const words = wordsFor('en', 'Europe/Berlin')
  const add = async (values: Record<string, unknown>): Promise<number> => {
    const entry = {
      at: new Date('2031-03-01T12:00:00Z'),
      kind: 'user.changed',
      actor_kind: 'system',
      actor_id: null,
      subject_kind: 'instance',
      subject_id: null,
      request_id: null,
      changes: '{}',
    }
    const inserted = write.insertInto('journal').values({ ...entry, ...values } as never)
    return (await inserted.returning('id').executeTakeFirstOrThrow()).id
  }
  const pageOf = (query = '', eventId?: number, actor: UserActor = actorOf(OLGA)) =>
    findLogPage({ ...contextOf(world, actor), db: write, words }, new URLSearchParams(query), eventId)
  beforeEach(async () => {
    await write.deleteFrom('journal').execute()
  })

  describe('name records as they are called now', async () => {
    const event = await world.addEvent({ title: 'Gala', seenBy: [HELPERS], shifts: [{ start: '2031-11-14T18:00:00Z' }] })
    const participation = await world.addParticipation({ who: ANN, shift: event.shifts[0]!, state: 1 })
    const INSERTS: Record<string, ReturnType<typeof sql>> = {
      participation_comment: sql`insert into participation_comment (author_kind, participation_id, text, visible_for, created_at)
        values ('responsible', ${participation}, 'A comment', 0, now())`,
      event_template: sql`insert into event_template (name, content, created_at, changed_at) values ('A template', '{}', now(), now())`,
      building_block: sql`insert into building_block (name, block_type) values ('A block', 'atomic')`,
      question: sql`insert into question (name, text, kind) values ('A question', 'Why?', 'text')`,
      page: sql`insert into content_page (title, slug, content) values ('A page', 'a-page', 'x')`,
      identity_provider: sql`insert into identity_provider (label, internal_name, client_id, authorization_endpoint, token_endpoint)
        values ('A provider', 'p', 'c', 'https://p.example/a', 'https://p.example/t')`,
      attachment: sql`insert into attachment (title, source_path) values ('A file', 'a.pdf')`,
      oauth_application: sql`insert into oauth_application (name, client_id, client_secret_hash, allowed_scopes, redirect_uris)
        values ('An application', 'c', 'x', '{}', '{}')`,
      webhook: sql`insert into webhook (owner_id, name, description, url, kinds, scopes, active, secret_sealed, created_at)
        values (${ANN.id}, 'A webhook', '', 'https://w.example/', '{event}', '{PUBLIC_READ}', true, 'x', now())`,
      access_token: sql`insert into access_token (token_hash, kind, user_id, description, created_at)
        values ('\\x01', 'personal', ${ANN.id}, 'A token', now())`,
      federated_host: sql`insert into federated_host (name, url, access_token_sealed) values ('A host', 'https://h.example', 'x')`,
    }
    for (const [kind, insert] of Object.entries(INSERTS))
      test(kind, async () => {
        await insert.execute(write)
        const table = kind === 'page' ? 'content_page' : kind
        const { rows } = await sql<{ id: number }>`select max(id) as id from ${sql.table(table)}`.execute(write)
        const { id } = rows[0]!
        await add(
          kind === 'participation_comment'
            ? { changes: JSON.stringify({ comment_id: id }) }
            : { subject_kind: kind, subject_id: id },
        )
        await add({ subject_kind: kind, subject_id: id + 1_000 })
        const { names } = await pageOf()
        const known: Record<string, string> = {
          participation_comment: 'A comment',
          event_template: 'A template',
          building_block: 'A block',
          question: 'A question',
          page: 'A page',
          identity_provider: 'A provider',
          attachment: 'A file',
          oauth_application: 'An application',
          webhook: 'A webhook',
          access_token: 'A token',
          federated_host: 'A host',
        }
        assert.deepEqual(
          [...names].filter(([key]) => key.startsWith(`${kind} `)),
          [[`${kind} ${id}`, known[kind]]],
        )
      })

    test('people, groups, events, types, qualifications, resources, visitors and partners', async () => {
      const qualification = await world.addQualification('Radio')
      const type = await world.addType({ title: 'Exercise' })
      const category = await sql<{ id: number }>`insert into resource_category (name) values ('Vehicles') returning id`.execute(
        write,
      )
      const resource = await sql<{ id: number }>`insert into resource (title, category_id)
        values ('Van', ${category.rows[0]!.id}) returning id`.execute(write)
      const about: [kind: string, id: number, name: string][] = [
        ['user', ANN.id, 'Ann'],
        ['group', HELPERS.id, 'Helpers'],
        ['event', event.id, 'Gala'],
        ['event_type', type, 'Exercise'],
        ['qualification', qualification.id, 'Radio'],
        ['resource', resource.rows[0]!.id, 'Van'],
        ['resource_category', category.rows[0]!.id, 'Vehicles'],
        ['federated_guest', NORD.id, NORD.name],
        ['shift', event.shifts[0]!, 'Gala on 14 November 2031'],
        ['participation', participation, 'Ann, Gala on 14 November 2031'],
      ]
      for (const [subject_kind, subject_id] of about) await add({ subject_kind, subject_id })
      const { names } = await pageOf()
      assert.deepEqual(
        about.map(([kind, id]) => names.get(`${kind} ${id}`)),
        about.map(([, , name]) => name),
      )
    })

    test('say of people that are service accounts what they are', async () => {
      const bot = await world.addPerson({ name: 'Display' })
      await write
        .updateTable('user_profile')
        .set({ is_service_account: true, is_visible: false, email_invalid: true })
        .where('id', '=', bot.id)
        .execute()
      await add({ actor_kind: 'user', actor_id: bot.id, subject_kind: 'service_account', subject_id: bot.id })
      await add({ actor_kind: 'user', actor_id: ANN.id })
      const { names } = await pageOf()
      const service = words.t('log.service_account', { name: 'Display' })
      assert.deepEqual(
        [`user ${bot.id}`, `service_account ${bot.id}`, `user ${ANN.id}`].map((key) => names.get(key)),
        [service, 'Display', 'Ann'],
      )
    })
  })

  describe('are found', () => {
    const found = async (query: string, all: Record<string, number>, eventId?: number) => {
      const ids = (await pageOf(query, eventId)).entries.map(({ id }) => id)
      return Object.keys(all).filter((name) => ids.includes(all[name]!))
    }

    test('by who did it, whom it is about, and who is among many', async () => {
      const many = (kind: string) => add({ kind, changes: JSON.stringify({ users: [BEN.id, ANN.id] }) })
      const all = {
        actor: await add({ actor_kind: 'user', actor_id: ANN.id }),
        subject: await add({ subject_kind: 'user', subject_id: ANN.id }),
        person: await add({ person_id: ANN.id }),
        among: await many('user.many_qualified'),
        deactivated: await many('user.many_deactivated'),
        disqualified: await many('user.many_disqualified'),
        reactivated: await many('user.many_reactivated'),
        welcomed: await many('user.many_welcomed'),
        other: await many('group.changed'),
        guest: await add({ actor_kind: 'guest', actor_id: ANN.id }),
        event: await add({ subject_kind: 'event', subject_id: ANN.id }),
        nobody: await add({}),
      }
      const anns = ['actor', 'subject', 'person', 'among', 'deactivated', 'disqualified', 'reactivated', 'welcomed']
      assert.deepEqual(await found('who=ann', all), anns)
      assert.deepEqual(await found(`who=${encodeURIComponent(ANN.email.toUpperCase())}`, all), anns)
      assert.deepEqual(await found('who=ben', all), anns.slice(3))
      assert.deepEqual(await found('who=vera', all), [])
    })

    test('by text in what changed, in what is personal, and in the kind', async () => {
      const all = {
        changes: await add({ changes: JSON.stringify({ title: ['Zebra', 'Lion'] }) }),
        personal: await add({ personal: JSON.stringify({ name: 'zebra' }), person_id: ANN.id }),
        kind: await add({ kind: 'group.zebra_made' }),
        other: await add({ changes: JSON.stringify({ title: ['Tiger', 'Lion'] }) }),
      }
      assert.deepEqual(await found('q=zebra', all), ['changes', 'personal', 'kind'])
      assert.deepEqual(await found('q=%25', all), [])
      assert.deepEqual(await found('q=lion&what=instance', all), ['changes', 'other'])
    })

    test('by kind of record, by event, and before an entry', async () => {
      const event = await world.addEvent({ title: 'Fair', shifts: [{}] })
      const other = await world.addEvent({ title: 'Other', shifts: [{}] })
      const all = {
        shift: await add({ subject_kind: 'shift', subject_id: event.id, event_id: event.id }),
        event: await add({ subject_kind: 'event', subject_id: event.id, event_id: event.id }),
        other: await add({ subject_kind: 'event', subject_id: other.id, event_id: other.id }),
      }
      assert.deepEqual(await found('what=event', all), ['event', 'other'])
      assert.deepEqual(await found('what=event', all, event.id), ['event'])
      assert.deepEqual(await found('', all, event.id), ['shift', 'event'])
      assert.deepEqual(await found(`before=${all.other}`, all), ['shift', 'event'])
      assert.deepEqual(await found(`before=${all.event}`, all), ['shift'])
      assert.deepEqual(await found('what=none', all), ['shift', 'event', 'other'])
    })

    test('fifty at a time, the newest first, and older ones if there are any', async () => {
      const ids: number[] = []
      for (let n = 0; n < 51; n++) ids.push(await add({}))
      const { entries, older } = await pageOf()
      assert.deepEqual([entries.map(({ id }) => id), older], [ids.slice(1).reverse(), ids[1]])
      const rest = await pageOf(`before=${older}`)
      assert.deepEqual([rest.entries.map(({ id }) => id), rest.older], [[ids[0]], undefined])
      await write.deleteFrom('journal').where('id', '=', ids[0]!).execute()
      assert.equal((await pageOf()).older, undefined)
    })
  })

  test('the newest name of a record that was deleted counts', async () => {
    const about = { subject_kind: 'group', subject_id: 777_777 }
    await add({ ...about, kind: 'group.deleted', changes: '{"name": "Former"}' })
    await add({ ...about, kind: 'group.deleted', changes: '{"name": "Latest"}' })
    await add({ ...about, kind: 'group.changed', changes: '{"name": ["No", "Name"]}' })
    const event = await world.addEvent({ title: 'Fair', shifts: [{}] })
    await add({
      subject_kind: 'attachment',
      subject_id: 777_777,
      event_id: event.id,
      kind: 'attachment.deleted',
      changes: '{"title": "Plan"}',
    })
    const { names } = await pageOf()
    assert.deepEqual([names.get('group 777777'), names.get('attachment 777777')], ['Latest', 'Plan'])
  })

  test('of an event are for those who may change it or read the whole log', async () => {
    const event = await world.addEvent({ title: 'Fair', seenBy: [HELPERS], responsible: [PAUL], shifts: [{}] })
    const other = await world.addEvent({ title: 'Other', seenBy: [HELPERS], shifts: [{}] })
    const read = async (actor: UserActor) =>
      Promise.all(
        [event, other].map(async ({ id }) => (await getLoggedEvent({ ...contextOf(world, actor), db: write, words }, id))?.title),
      )
    assert.deepEqual(await read(actorOf(PAUL)), ['Fair', undefined])
    assert.deepEqual(await read(actorOf(ANN, { groupIds: [HELPERS.id] })), [undefined, undefined])
    assert.deepEqual(await read(actorOf(VERA, { permissions: new Set(['view_journal']) })), ['Fair', 'Other'])
    assert.deepEqual(await read(makeActor<UserActor>({ ...actorOf(OLGA) })), ['Fair', 'Other'])
  })
})
