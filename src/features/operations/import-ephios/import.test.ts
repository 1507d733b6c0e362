import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { findDrift } from '#features/operations/backup/commands/denormalised.ts'
import { findStoredTables } from '#features/operations/backup/queries/tables.ts'
import { openSourceDatabase, type SourceDatabase } from '#platform/db/source-database.ts'
import { findModulesOn } from '#platform/features/modules.ts'
import { call } from '#test/support/api-client.ts'
import { freshDatabase } from '#test/support/database.ts'
import { makeEphiosPostgres, makeEphiosSqlite } from '#test/support/ephios/database.ts'
import {
  CALENDAR_TOKEN,
  CLIENT_SECRET,
  EPHIOS_ROWS,
  HOST_TOKEN,
  OAUTH_TOKEN,
  PARTNER_TOKEN,
  PASSWORD,
  PERSONAL_TOKEN,
  REFRESH_TOKEN,
} from '#test/support/ephios/rows.ts'
import { findRestoredTables } from '#test/support/restored-tables.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { importEphios, makeImportSecrets } from './commands/import.ts'
import { findUnbalancedTables, type ImportReport } from './rules/report.ts'

const folder = mkdtempSync(join(tmpdir(), 'import-'))
after(() => rmSync(folder, { recursive: true }))

const SOURCES: Record<string, () => Promise<SourceDatabase>> = {
  PostgreSQL: async () => {
    const { url, drop } = await freshDatabase()
    after(drop)
    await makeEphiosPostgres(url, EPHIOS_ROWS)
    return openSourceDatabase(url)
  },
  SQLite: async () => {
    const path = join(folder, 'db.sqlite3')
    makeEphiosSqlite(path, EPHIOS_ROWS)
    return openSourceDatabase(path)
  },
}

const importInto = (world: World, source: SourceDatabase, isDryRun = false): Promise<ImportReport> =>
  importEphios(world.db.write, {
    source,
    secrets: makeImportSecrets(world.app.site.keyring),
    now: world.now,
    language: 'de',
    modules: findModulesOn(world.app.site),
    isDryRun,
  })

/** Guests were switched on, working hours are always there, and the others have content. */
const MODULES = ['federation', 'guests', 'hours', 'identity_providers', 'questionnaires']

const contents = new Map<string, unknown>()

for (const [name, open] of Object.entries(SOURCES)) {
  describe(`an import from ephios on ${name}`, async () => {
    const world = await openWorld({ empty: true })
    const source = await open()
    after(() => source.close())
    let report: ImportReport
    let versionBefore: number
    const catalogueVersion = async () =>
      Number((await world.db.read.selectFrom('catalogue_version').select('version').executeTakeFirstOrThrow()).version)
    const asBearer = (token: string) => world.with({ authorization: `Bearer ${token}` })
    const notes = (table: string) =>
      report.notes.filter((note) => note.table === table).map(({ id, outcome, reason }) => `${id} ${outcome}: ${reason}`)
    const all = async <T>(text: string): Promise<T[]> => (await sql.raw(text).execute(world.db.read)).rows as T[]

    before(async () => {
      const dryRun = await importInto(world, source, true)
      assert.deepEqual(
        await all('select id from user_profile union all select id from moved_in_row'),
        [],
        'a dry run changes nothing',
      )
      versionBefore = await catalogueVersion()
      report = await importInto(world, source)
      assert.deepEqual(report, dryRun)
    })

    test('makes servers read their cached qualifications again', async () => {
      assert.ok((await catalogueVersion()) > versionBefore)
    })

    test('accounts for every row: imported, kept, skipped with a note, or not needed', () => {
      assert.deepEqual(findUnbalancedTables(report), [])
      for (const [table, rows] of Object.entries(EPHIOS_ROWS)) {
        assert.equal(report.tables.find((row) => row.table === table)?.found, rows.length || undefined, table)
        const { found, skipped } = report.tables.find((row) => row.table === table)!
        // A participation has a second row in the table of its kind; one note is enough for both.
        const isNoted = ({ table: noted, id }: (typeof report.notes)[number]) =>
          noted === table ||
          (noted === 'abstractparticipation' && rows.some((row) => String(row.abstractparticipation_ptr_id) === id))
        assert.equal(
          report.notes.filter((note) => note.outcome === 'skipped' && isNoted(note)).length,
          skipped,
          `${table} of ${found}`,
        )
      }
    })

    test('counts both rows of a skipped participation as skipped', () => {
      const { imported, skipped } = report.tables.find(({ table }) => table === 'localparticipation')!
      assert.deepEqual([imported, skipped], [4, 4])
    })

    test('reports what needs attention: shared addresses, providers, guests, applications, passwords', () => {
      assert.deepEqual(report.facts, {
        sharedAddresses: [
          {
            email: 'maria@example.org',
            first: { id: 21, name: 'Maria Muster' },
            second: { id: 23, name: 'maria', username: 'maria' },
          },
        ],
        activeUsers: 2,
        usersWithoutPassword: 1,
        disabledApplications: ['SPA'],
        hidesLocalSignIn: false,
      })
      assert.deepEqual(report.identityProviders, ['Keycloak'])
    })

    test('repairs or skips invalid rows with a note', () => {
      assert.deepEqual(notes('shift'), [
        '202 repaired: meeting time after the start replaced by the start',
        '202 repaired: end before the start moved to the next day',
        '205 skipped: refers to event 102, which does not exist',
        '206 repaired: end long before the start replaced by one hour after the start',
      ])
      assert.deepEqual(notes('abstractparticipation'), [
        '302 skipped: the same person has a higher-ranked participation in shift 201',
        '305 repaired: duplicate name “Feuerwehr” in the shift replaced by “Feuerwehr (2)”',
        '309 skipped: refers to shift 205, which does not exist',
        '310 repaired: individual end before the start; replaced by the times of the shift',
        '311 skipped: has no participant',
        '312 skipped: has the unknown state 7',
      ])
      assert.deepEqual(notes('localparticipation'), ['399 skipped: its participation does not exist'])
      assert.deepEqual(notes('event'), ['102 skipped: refers to eventtype 888, which does not exist'])
      assert.deepEqual(notes('qualification_includes'), ['2 skipped: qualification 12 would include itself through 11'])
      assert.deepEqual(notes('complexsignup_blockcomposition'), ['82 skipped: block 61 would contain itself through 61'])
      assert.deepEqual(notes('complexsignup_position'), ['72 skipped: belongs to block 61, which is not atomic'])
      assert.deepEqual(notes('userprofile'), [
        '23 repaired: shares maria@example.org, which stays the contact address; signs in as maria',
        '23 repaired: invalid name replaced by “maria”',
        '23 repaired: unsupported language ja replaced by de',
      ])
      assert.deepEqual(notes('api_refreshtoken'), [])
      assert.deepEqual(notes('api_accesstoken'), ['705 skipped: has no owner'])
    })

    test('keeps skipped rows, with their secrets sealed', async () => {
      const kept = await all<{ table_name: string; row_id: string; reason: string | null; row: Record<string, unknown> }>(
        'select table_name, row_id, reason, row from moved_in_row order by id',
      )
      // Both rows of a skipped participation are one row here.
      const skipped = report.notes.filter(({ outcome }) => outcome === 'skipped').length
      const expected = report.tables.reduce((sum, row) => sum + row.kept, skipped)
      assert.equal(kept.length, expected)
      const dump = JSON.stringify(kept)
      for (const secret of ['orphanToken', 'goneRefresh', 'idpSecret']) assert.ok(!dump.includes(secret), secret)
    })

    test('keeps identity providers, with their secrets sealed', async () => {
      const [provider] = await all<{ label: string; enabled: boolean; issuer: string | null; client_secret_sealed: string }>(
        'select label, enabled, issuer, client_secret_sealed from identity_provider',
      )
      assert.deepEqual([provider!.label, provider!.enabled, provider!.issuer], ['Keycloak', true, null])
      assert.equal(world.app.site.keyring.unseal(provider!.client_secret_sealed), 'idpSecret')
    })

    test('leaves derived data consistent, and new rows get new ids', async () => {
      assert.deepEqual(await findDrift(world.db.read), [])
      const { id } = await world.db.write
        .insertInto('user_group')
        .values({ name: 'later' })
        .returning('id')
        .executeTakeFirstOrThrow()
      assert.equal(id, 7)
      await world.db.write.deleteFrom('user_group').where('id', '=', id).execute()
    })

    test('serves events by the API as ephios did', async () => {
      const { status, body } = await asBearer(PERSONAL_TOKEN).get('/api/events/100/')
      assert.equal(status, 200)
      const { shifts, ...event } = body
      assert.deepEqual(event, {
        id: 100,
        title: 'Stadtlauf',
        description: 'Mit **Herz**',
        location: 'Markt',
        type: { id: 51, title: 'Sanitätsdienst' },
        frontend_url: 'https://a.example/events/100-stadtlauf/',
        start_time: '2031-05-04T08:00:00+02:00',
        end_time: '2031-05-05T04:00:00+02:00',
        // Two confirmed of two to three; two of two to three; nobody confirmed of one who is needed, more may come; unknown.
        signup_stats: { requested_count: 1, confirmed_count: 5, missing: 1, free: null, min_count: 5, max_count: null },
      })
      assert.deepEqual(
        shifts.map(({ id, structure_configuration }: Record<string, unknown>) => [id, structure_configuration]).at(-1),
        [202, EPHIOS_ROWS.shift![1]!.structure_configuration],
      )
      const odd = shifts.find(({ id }: { id: number }) => id === 204)
      assert.deepEqual(odd.structure_configuration, { '2026-01-01': 'a title', n: 1.5 })
    })

    test('keeps ids, names, birth dates and qualifications of people', async () => {
      const { body } = await asBearer(PERSONAL_TOKEN).get('/api/users/me/')
      assert.deepEqual(
        [body.id, body.email, body.display_name, body.date_of_birth],
        [21, 'Maria@example.org', 'Maria Muster', '1990-02-28'],
      )
      assert.deepEqual(
        body.qualifications.map(({ uuid, includes }: { uuid: string; includes: string[] }) => [uuid, includes]),
        [['a0000000-0000-4000-8000-000000000011', ['a0000000-0000-4000-8000-000000000012']]],
      )
      const mine = await asBearer(PERSONAL_TOKEN).get('/api/users/me/participations/')
      assert.deepEqual(
        mine.body.results.map(({ id, state, start_time }: Record<string, unknown>) => [
          id,
          (state as { value: number }).value,
          start_time,
        ]),
        [
          [301, 1, '2031-05-04T08:00:00+02:00'],
          [303, 1, '2031-05-05T00:00:00+02:00'],
        ],
      )
    })

    test('keeps drafts and permissions', async () => {
      assert.equal((await asBearer(PERSONAL_TOKEN).get('/api/events/101/')).status, 404)
      assert.deepEqual(await all('select group_id, permission from group_permission order by permission'), [
        { group_id: 6, permission: 'add_event' },
        { group_id: 6, permission: 'add_file' },
        { group_id: 6, permission: 'change_building_block' },
        { group_id: 6, permission: 'view_user' },
      ])
      assert.deepEqual(await all('select * from event_group_grant order by group_id'), [
        { event_id: 100, group_id: 5, permission: 'view' },
        { event_id: 100, group_id: 6, permission: 'change' },
      ])
      assert.deepEqual(await all('select * from event_type_default_group order by role'), [
        { event_type_id: 51, group_id: 5, role: 'audience' },
        { event_type_id: 51, group_id: 6, role: 'responsible' },
      ])
      assert.equal((await all('select * from group_grant')).length, 2)
      assert.deepEqual(await all('select * from profile_group_grant'), [{ user_id: 21, group_id: 6 }])
    })

    test('keeps tokens of users, applications and partners valid, but not revoked ones', async () => {
      assert.equal((await asBearer(OAUTH_TOKEN).get('/api/users/me/')).status, 200)
      assert.equal((await asBearer('revokedToken').get('/api/users/me/')).status, 401)
      const shared = await asBearer(PARTNER_TOKEN).get('/api/federation/events/')
      assert.deepEqual(
        shared.body.results.map(({ id, signup_url }: Record<string, unknown>) => [id, signup_url]),
        [[100, 'https://a.example/events/shared/100/601/']],
      )
    })

    test('lets applications renew tokens with their client secret and refresh token', async () => {
      const renew = (secret: string) => {
        const authorization = `Basic ${Buffer.from(`theApp:${secret}`).toString('base64')}`
        const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' }
        return call(world.line, 'POST', '/api/oauth/token/', headers, `grant_type=refresh_token&refresh_token=${REFRESH_TOKEN}`)
      }
      assert.equal((await renew('wrong')).status, 401)
      const answer = await renew(CLIENT_SECRET)
      assert.equal(answer.status, 200, answer.text)
      assert.equal((await asBearer(answer.body.access_token).get('/api/users/me/')).body.id, 21)
    })

    test('lets people sign in with their password, which is hashed again', async () => {
      const page = await call(world.line, 'GET', '/accounts/login/')
      const cookie = [page.headers['set-cookie']]
        .flat()
        .join(', ')
        .split(/, (?=[^ ;]+=)/)
        .map((each) => each!.split(';')[0])
        .join('; ')
      const token = /name="csrf_token" value="([^"]+)"/.exec(page.text)![1]!
      const form = new URLSearchParams({ csrf_token: token, email: 'maria@example.org', password: PASSWORD }).toString()
      const headers = { cookie, origin: 'https://a.example', 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await call(world.line, 'POST', '/accounts/login/', headers, form)
      assert.equal(answer.status, 303, answer.text.slice(0, 2000))
      const [{ password_hash }] = (await all('select password_hash from user_profile where id = 21')) as [
        { password_hash: string },
      ]
      assert.match(password_hash, /^\$argon2id\$/)
    })

    test('seals secrets for other instances, and keeps calendar feeds valid', async () => {
      const [host] = await all<{ access_token_sealed: string; application_id: number }>('select * from federated_host')
      assert.deepEqual([world.app.site.keyring.unseal(host!.access_token_sealed), host!.application_id], [HOST_TOKEN, 652])
      assert.equal((await call(world.line, 'GET', `/calendar/${CALENDAR_TOKEN}/`)).status, 200)
      const dump: string[] = []
      for (const { name: table } of await findStoredTables(world.db.read))
        dump.push(
          ...(await all<{ text: string }>(`select row_to_json(t)::text as text from "${table}" t`)).map(({ text }) => text),
        )
      const text = dump.join('\n')
      for (const secret of [
        PERSONAL_TOKEN,
        OAUTH_TOKEN,
        REFRESH_TOKEN,
        PARTNER_TOKEN,
        CALENDAR_TOKEN,
        HOST_TOKEN,
        'nordSecret',
        'plainSecret',
        'inviteCode',
      ])
        assert.ok(!text.includes(secret), secret)
    })

    test('keeps the visibility of comments and the entries of the log', async () => {
      assert.deepEqual(await all('select id, visible_for, author_kind, author_id from participation_comment order by id'), [
        { id: 1, visible_for: 1, author_kind: 'participant', author_id: 21 },
        { id: 2, visible_for: 0, author_kind: 'responsible', author_id: 22 },
        { id: 4, visible_for: 0, author_kind: 'participant', author_id: 21 },
      ])
      assert.deepEqual(
        await all(
          'select kind, actor_id, event_id, changes, person_id, personal from journal where id < 1000 order by id limit 2',
        ),
        [
          {
            kind: 'imported.created',
            actor_id: 22,
            event_id: 100,
            changes: { title: ['', 'Stadtlauf'] },
            person_id: null,
            personal: null,
          },
          {
            kind: 'imported.changed',
            actor_id: null,
            event_id: null,
            changes: {},
            person_id: 21,
            personal: { email: ['old@example.org', 'Maria@example.org'] },
          },
        ],
      )
    })

    test('switches on what was switched on or has content, and nothing else', async () => {
      const [row] = await all<{ value: string[] }>("select value from setting where name = 'modules'")
      assert.deepEqual(row!.value.toSorted(), MODULES)
      assert.deepEqual(await all("select value from setting where name = 'modules_chosen'"), [{ value: true }])
    })

    test('is refused a second time', async () => {
      await assert.rejects(importInto(world, source), /not empty/)
    })

    test('gives the same instance from both databases', async () => {
      const tables = (await findRestoredTables(world.db.read)).map(({ name: table }) => table)
      const content: Record<string, unknown> = {}
      // Written by the tests above, or sealed with a new nonce each time; `modified_at` is the time of the import.
      const skipped =
        /^(session|known_device|sign_in_attempt|oauth_object|access_token|journal|user_profile|oauth_grant|oauth_signing_key|moved_in_row|invite_code|guest|guest_share|federated_(guest|host)|identity_provider|one_time_link)$/
      for (const table of tables.filter((each) => !skipped.test(each)))
        content[table] = (
          await all<{ text: string }>(`select (to_jsonb(t) - 'modified_at')::text as text from "${table}" t order by 1`)
        ).map(({ text }) => text)
      for (const [other, theirs] of contents) assert.deepEqual(content, theirs, `${name} and ${other}`)
      contents.set(name, content)
    })
  })
}

test('a database of another program is refused', async () => {
  const { url, drop } = await freshDatabase()
  after(drop)
  const source = await openSourceDatabase(url)
  after(() => source.close())
  const world = await openWorld({ empty: true })
  await assert.rejects(importInto(world, source), /Not an ephios database: this PostgreSQL database has no table userprofile/)
})

test('a file that is not a database is refused', async () => {
  await assert.rejects(openSourceDatabase(new URL(import.meta.url).pathname), /cannot be read as a SQLite database/)
  await assert.rejects(openSourceDatabase('/nowhere/at/all.sqlite3'), /cannot be read as a SQLite database/)
  await assert.rejects(openSourceDatabase('postgresql://localhost:1/nothing'), /cannot be reached/)
})
