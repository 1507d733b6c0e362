import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { readSpreadsheet } from '#platform/spreadsheet/read.ts'
import { actorOf, contextOf } from '#test/support/command-context.ts'
import type { Browser } from '#test/support/http-browser.ts'
import { journalOf } from '#test/support/journal.ts'
import { findJobs } from '#test/support/mail-outbox.ts'
import { checkMarkup } from '#test/support/markup.ts'
import type { Person } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { postFile } from '#test/support/upload.ts'
import { makeWorkbook, textRows } from '#test/support/workbook.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { applyImport, queueImport } from './commands/apply.ts'
import { startImport } from './commands/start.ts'
import { peopleImportTasks } from './jobs.ts'

const IMPORT = '/manage/people/import/'
const HOUR = 3600_000

/** Runs what a request has queued. */
async function work(world: World): Promise<void> {
  const { rows } = await sql<{ id: number; payload: Record<string, unknown> }>`
    select j.id, j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'people_import' order by j.id`.execute(world.db.write)
  const clock = { now: () => world.now }
  const [task] = peopleImportTasks({ db: world.db, clock, site: world.app.site })
  for (const { id, payload } of rows) {
    await task!.run(payload)
    await sql`delete from graphile_worker._private_jobs where id = ${id}`.execute(world.db.write)
  }
}

async function upload(browser: Browser, content: Buffer | string, name = 'members.csv'): Promise<string> {
  await browser.get(IMPORT)
  const answer = await postFile(browser, IMPORT, { name, content })
  assert.equal(answer.statusCode, 303, answer.body.slice(0, 3000))
  return String(answer.headers.location)
}

async function apply(world: World, browser: Browser, path: string, form: Record<string, string> = {}): Promise<string> {
  await browser.get(path)
  assert.equal((await browser.post(`${path}apply/`, { form: { mode: 'all', ...form } })).statusCode, 303)
  await work(world)
  return (await browser.get(path)).body
}

const personOf = async (world: World, email: string) =>
  (
    await sql<{
      id: number
      display_name: string
      date_of_birth: string | null
      phone: string | null
      preferred_language: string
      is_staff: boolean
      groups: string[]
      held: string[]
    }>`select u.id, u.display_name, u.date_of_birth, u.phone, u.preferred_language, u.is_staff,
        array(select g.name from user_group g join user_group_member m on m.group_id = g.id where m.user_id = u.id order by 1) as groups,
        array(select q.title || coalesce(' ' || to_char(h.expires_at at time zone 'UTC', 'YYYY-MM-DD'), '') from qualification_grant h
          join qualification q on q.id = h.qualification_id where h.user_id = u.id order by 1) as held
      from user_profile u where lower(u.email) = ${email}`.execute(world.db.read)
  ).rows[0]
const counts = (body: string) =>
  [...body.matchAll(/([\w ]+) <span class="tab-count">(\d+)/g)].map(([, name, count]) => `${name} ${count}`)

describe('a list of people', async () => {
  const world = await openWorld({ hasMail: true })
  const stella = await world.addPerson({ name: 'Stella', isStaff: true })
  const admin = await browserOf(world, stella)
  await world.addGroup('Jugend', [])
  await world.addQualification('Erste Hilfe')

  const LIST =
    'Mitgliederliste 2031;;\r\n\r\nName;Vorname;E-Mail;Geburtsdatum;Telefon;Gruppe;Erste Hilfe\r\n' +
    '=1+1;;formula@club.example;;;;\r\nGroß;Jürgen;juergen@club.example;03.05.1980;040 123456;Jugend;31.12.2033\r\n' +
    'Öztürk;Ayşe;ayse@club.example;1990-02-01;;Jugend, Band;x\r\n'

  test('is previewed, corrected and imported; the same file again changes nothing', async () => {
    const before = await sql<{ count: number }>`select count(*)::int as count from user_profile`.execute(world.db.read)
    const path = await upload(admin, Buffer.from(LIST.replace('ş', 's'), 'latin1'))
    const preview = (await admin.get(path)).body
    assert.match(preview, /Windows-1252, separated by semicolons/)
    assert.deepEqual(counts(preview), ['All 3', 'New 2', 'Error 1'])
    assert.match(preview, /There is no group “Band”\. Choose above what to do\./)
    assert.match(preview, /Group “Band” does not exist/)
    assert.deepEqual(checkMarkup(preview), [])
    const refused = await apply(world, admin, path)
    assert.match(refused, /Nothing was imported, because some rows have conflicts or errors/)
    const unchanged = await sql<{ count: number }>`select count(*)::int as count from user_profile`.execute(world.db.read)
    assert.deepEqual(unchanged.rows, before.rows, 'all or nothing')
    assert.equal((await admin.post(path, { form: { group_band: 'create' } })).statusCode, 303)
    assert.deepEqual(counts((await admin.get(path)).body), ['All 3', 'New 3'])
    const done = await apply(world, admin, path)
    assert.match(done, /3 people were added\..*No emails were sent/s)
    assert.deepEqual(checkMarkup(done), [])
    const { id, ...juergen } = (await personOf(world, 'juergen@club.example'))!
    assert.deepEqual(juergen, {
      display_name: 'Jürgen Groß',
      date_of_birth: '1980-05-03',
      phone: '+4940123456',
      preferred_language: 'en',
      is_staff: false,
      groups: ['Jugend'],
      held: ['Erste Hilfe 2033-12-31'],
    })
    assert.deepEqual((await personOf(world, 'ayse@club.example'))!.groups, ['Band', 'Jugend'])
    assert.deepEqual(
      (await journalOf(world, 'user', id)).map(({ kind }) => kind),
      ['user.created'],
    )
    const log = (await admin.get('/manage/log/')).body
    assert.match(log, /imported people from a list/)
    assert.doesNotMatch(log, /Jürgen Groß/)
    const each = /href="(\/manage\/log\/\?request=list-\d+)">See each person/.exec(log)![1]!
    const entries = (await admin.get(each)).body
    assert.match(entries, /Jürgen Groß[\s\S]*imported people from a list|imported people from a list[\s\S]*Jürgen Groß/)
    assert.doesNotMatch(entries, /See each person/)
    assert.equal((await findJobs(world.db, 'account_mail')).length, 0, 'no invitations unless chosen')
    const again = (await admin.get(await upload(admin, Buffer.from(LIST.replace('ş', 's'), 'latin1')))).body
    assert.deepEqual(counts(again), ['All 3', 'Same 3'])
    assert.match(again, /There is nothing to import: everything is the same already/)
  })

  test('exported is the same again, as CSV and as Excel file, and formulas are text', async () => {
    for (const format of ['csv', 'xlsx']) {
      const answer = (await admin.get(`/manage/people/export/?format=${format}`)).bytes
      const read = await readSpreadsheet(answer)
      assert.equal(read.kind, format === 'csv' ? 'text' : 'xlsx')
      if (format === 'csv') assert.match(answer.toString(), /^'=1\+1,formula/m, 'guarded')
      const body = (await admin.get(await upload(admin, answer, `people.${format}`))).body
      const [all, same] = counts(body)
      assert.equal(all!.replace('All', 'Same'), same)
    }
  })

  test('changes people and says from what to what', async () => {
    const path = await upload(
      admin,
      'Name\tEmail\tDate of birth\tLanguage\nJürgen Gross-Müller\tJuergen@club.example\t04.05.1980\tDeutsch\nAyse Öztürk\tayse@club.example\t\t\n',
    )
    const preview = (await admin.get(path)).body
    assert.deepEqual(counts(preview), ['All 2', 'Updated 1', 'Same 1'])
    assert.match(
      preview,
      /Name: Jürgen Groß → Jürgen Gross-Müller.*Date of birth: 1980-05-03 → 1980-05-04.*Language: English → Deutsch/s,
    )
    await apply(world, admin, path)
    const person = (await personOf(world, 'juergen@club.example'))!
    assert.deepEqual(
      [person.display_name, person.date_of_birth, person.preferred_language],
      ['Jürgen Gross-Müller', '1980-05-04', 'de'],
    )
    assert.equal(person.phone, '+4940123456', 'what the list does not contain stays')
    const [, entry] = await journalOf(world, 'user', person.id)
    assert.equal(entry!.kind, 'user.changed')
    await admin.get(`${path}undo/`)
    await admin.post(`${path}undo/`)
    await work(world)
    const restored = (await personOf(world, 'juergen@club.example'))!
    assert.deepEqual(
      [restored.display_name, restored.date_of_birth, restored.preferred_language],
      ['Jürgen Groß', '1980-05-03', 'en'],
    )
  })

  test('with conflicts imports its good rows only, if asked', async () => {
    const path = await upload(
      admin,
      'Name,Email,Groups\nPaul,double@club.example,Jugend\nPaul,double@club.example,\nPeter Groß,juergen@club.example,\nNew One,new.one@club.example,Jugend\nno mail,,\nStella,stella@\n',
    )
    const body = (await admin.get(path)).body
    assert.deepEqual(counts(body), ['All 6', 'New 2', 'Conflict 2', 'Error 2'])
    assert.match(body, /The same person is also in row 3, with other data.*Shared address of a family/s)
    const done = await apply(world, admin, path, { mode: 'good', invite: 'on' })
    assert.match(done, /2 people were added\..*4 rows were left out\..*get/s)
    const id = (await personOf(world, 'new.one@club.example'))!.id
    assert.deepEqual(
      (await findJobs(world.db, 'account_mail')).map(({ payload }) => payload),
      [{ kind: 'welcome', userId: id }],
    )
    assert.equal(await personOf(world, 'double@club.example'), undefined)
  })

  test('says openly what it leaves out, what it read, and what the button does', async () => {
    const path = await upload(
      admin,
      'Name;Email;Tel. mobil;Atemschutz gültig bis;Kontakt;Spind\nKim Neu;kim.neu@club.example;0171 2345678;31.12.2035;3.5.1980;7\nOhne;;;;;\n',
    )
    assert.deepEqual(counts((await admin.get(path)).body), ['All 2', 'Error 2'])
    await admin.post(path, { form: { qualification_atemschutz: 'create' } })
    const { body } = await admin.get(path)
    assert.deepEqual(checkMarkup(body), [])
    assert.match(body, /These columns are left out: Kontakt, Spind\./)
    assert.match(body, /Looks like: Date of birth\. For example: 3\.5\.1980/)
    assert.match(body, /Phone: \+491712345678.*Qualification: Atemschutz \(2035-12-31\)/s)
    assert.match(body, /Import 1 person, leave out 1/)
    assert.match(body, /<input type="hidden" name="mode" value="good">/)
  })

  test('gives new people a language and a group, which stay while the list is corrected', async () => {
    const jugend = await world.db.read
      .selectFrom('user_group')
      .select('id')
      .where('name', '=', 'Jugend')
      .executeTakeFirstOrThrow()
    const path = await upload(admin, 'Name;Email\nMia Neu;mia.neu@club.example\n')
    await admin.post(path, { form: { new_language: 'de', new_group: String(jugend.id) } })
    assert.match((await admin.get(path)).body, /Group: Jugend/)
    await admin.post(path, { form: { heading_row: '0' } })
    await admin.post(path, { form: { heading_row: '1' } })
    await apply(world, admin, path)
    const { preferred_language, groups } = (await personOf(world, 'mia.neu@club.example'))!
    assert.deepEqual([preferred_language, groups], ['de', ['Jugend']])
    const other = await upload(admin, 'Name;Email\nMax Neu;max.neu@club.example\n')
    await admin.post(other, { form: { new_group: String(jugend.id) } })
    await admin.post(other, { form: { new_group: '' } })
    assert.doesNotMatch((await admin.get(other)).body, /Group: Jugend/)
  })

  test('asks for the order of dates that can be read in two ways', async () => {
    const path = await upload(admin, 'Name;Email;Birthday\nKim;kim@club.example;03/04/2001\n')
    const asked = (await admin.get(path)).body
    assert.match(asked, /what is first in dates such as 03\/04\/2001\?/)
    assert.deepEqual(counts(asked), ['All 1', 'Error 1'])
    await admin.post(path, { form: { order_2: 'mdy' } })
    await apply(world, admin, path)
    assert.equal((await personOf(world, 'kim@club.example'))!.date_of_birth, '2001-03-04')
  })

  test('can have other columns, headings and sheets', async () => {
    const sheets = {
      Notes: textRows([['nothing here']]),
      People: textRows([
        ['wer', 'wohin'],
        ['Lou', 'lou@club.example'],
      ]),
    }
    const path = await upload(admin, makeWorkbook({ sheets }), 'club.xlsx')
    assert.match((await admin.get(path)).body, /Choose the column with the email addresses or user names/)
    await admin.post(path, { form: { sheet: '1', heading_row: '1' } })
    await admin.post(path, { form: { sheet: '1', heading_row: '1', column_0: 'name', column_1: 'email' } })
    assert.deepEqual(counts((await admin.get(path)).body), ['All 1', 'New 1'])
    const twice = await admin.post(path, { form: { column_0: 'email', column_1: 'email' } })
    assert.equal(twice.statusCode, 303)
    assert.match((await admin.get(path)).body, /Column B has the same meaning as another one/)
    assert.equal((await admin.post(path, { form: { heading_row: 'x' } })).statusCode, 422)
    assert.equal((await admin.post(`${path}discard/`)).headers.location, IMPORT)
    assert.equal((await admin.get(path)).statusCode, 404)
  })

  test('can be pasted, and what cannot be read is refused at its field', async () => {
    await admin.get(IMPORT)
    const post = (text: string) => admin.post(IMPORT, { form: { text } })
    assert.equal((await post('Name\tE-Mail\nMo\tmo@club.example')).statusCode, 303)
    for (const [text, message] of [
      ['', /Please choose a file or paste a table/],
      ['a;"b', /A quotation mark is not closed/],
    ] as const) {
      const answer = await post(text)
      assert.equal(answer.statusCode, 422)
      assert.match(answer.body, message)
    }
    const bomb = makeWorkbook({ sheets: { A: '' }, entries: { 'xl/sharedStrings.xml': new Uint8Array(5_000_000) } })
    const dtd = makeWorkbook({
      sheets: { A: '' },
      entries: { 'xl/workbook.xml': '<!DOCTYPE x SYSTEM "http://a.example/x"><x/>' },
    })
    for (const [content, message] of [
      [bomb, /becomes too large when it is unpacked/],
      [dtd, /contains a document type declaration/],
    ] as const) {
      const answer = await postFile(admin, IMPORT, { name: 'x.xlsx', content })
      assert.equal(answer.statusCode, 422)
      assert.match(answer.body, message)
    }
    for await (const { id } of world.files.list()) assert.fail(`${id} stays in the store`)
  })

  test('is deleted a day later', async () => {
    const stored = async () => (await world.db.read.selectFrom('people_import_row').select('number').execute()).length
    assert.ok((await stored()) > 0)
    const clock = { now: () => new Date(world.now.getTime() + 25 * HOUR) }
    await peopleImportTasks({ db: world.db, clock, site: world.app.site })
      .find(({ name }) => name === 'clean_up_people_imports')!
      .run({})
    assert.equal(await stored(), 0)
  })
})

describe('undo of an import', async () => {
  const world = await openWorld()
  const stella = await world.addPerson({ name: 'Stella', isStaff: true })
  const admin = await browserOf(world, stella)
  const names = ['used', 'busy', 'renamed', 'plain']

  test('deletes unused people and keeps the others, each with the reason', async () => {
    await world.addGroup('Band', [])
    const path = await upload(admin, `Name;Email;Groups\n${names.map((name) => `${name};${name}@club.example;Band\n`).join('')}`)
    await apply(world, admin, path)
    const [used, busy, renamed, plain] = await Promise.all(names.map((name) => personOf(world, `${name}@club.example`)))
    await world.db.write.updateTable('user_profile').set({ last_sign_in_at: world.now }).where('id', '=', used!.id).execute()
    const { shifts } = await world.addEvent({ shifts: [{ start: '2031-06-01T08:00:00Z' }] })
    const person: Person = { kind: 'person', id: busy!.id, name: 'busy', email: '', dateOfBirth: null, phone: null }
    await world.addParticipation({ who: person, shift: shifts[0]! })
    await world.db.write.updateTable('user_profile').set({ phone: '1' }).where('id', '=', renamed!.id).execute()
    assert.match((await admin.get(`${path}undo/`)).body, /unless they have signed in, take part in a shift or were changed since/)
    await admin.post(`${path}undo/`)
    assert.match((await admin.get(path)).body, /http-equiv="refresh"/)
    await work(world)
    const body = (await admin.get(`${path}?show=kept`)).body
    assert.match(body, /Undone .*3 people were left as they are/s)
    assert.match(body, /Has signed in since.*Takes part in a shift.*Was changed since/s)
    assert.equal(await personOf(world, 'plain@club.example'), undefined)
    assert.ok(await personOf(world, 'busy@club.example'))
    const kinds = (await journalOf(world, 'user', plain!.id)).map(({ kind, personal }) => [kind, personal])
    assert.deepEqual(kinds, [
      ['user.created', null],
      ['user.deleted', null],
    ])
  })

  test('is possible for a day', async () => {
    const path = await upload(admin, 'Name;Email\nLate;late@club.example\n')
    await apply(world, admin, path)
    const start = world.now
    world.now = new Date(start.getTime() + 24 * HOUR)
    await admin.post(`${path}undo/`)
    await work(world)
    world.now = start
    assert.ok(await personOf(world, 'late@club.example'))
  })
})

describe('an import cannot give more than its importer may', async () => {
  const world = await openWorld()
  const hanna = await world.addPerson({ name: 'Hanna', permissions: ['view_user', 'add_user', 'change_user'] })
  const only = await world.addPerson({ name: 'Only', permissions: ['add_user'] })
  await world.addGroup('Bosses', [], ['change_group', 'add_user', 'view_user', 'change_user', 'delete_user'])
  const open = await world.addGroup('Hannas', [hanna])
  const hr = await browserOf(world, hanna)
  const EVIL = 'Name;Email;Groups;Administrator;is_staff;is_superuser\nEve;eve@club.example;Bosses;yes;true;1\n'

  test('an import that makes an administrator is refused', async () => {
    const path = await upload(hr, EVIL)
    const body = (await hr.get(path)).body
    assert.match(body, /You may not add people to the group Bosses/)
    await apply(world, hr, path, { mode: 'good' })
    assert.equal(await personOf(world, 'eve@club.example'), undefined)
    // A name that is mapped to the group by hand.
    const mapped = await upload(hr, EVIL.replace('Bosses', 'Friends'))
    const { id } = await world.db.read
      .selectFrom('user_group')
      .select('id')
      .where('name', '=', 'Bosses')
      .executeTakeFirstOrThrow()
    for (const choice of [String(id), 'create']) {
      await hr.post(mapped, { form: { group_friends: choice } })
      await apply(world, hr, mapped, { mode: 'good' })
      assert.equal(await personOf(world, 'eve@club.example'), undefined)
    }
  })

  test('without the rights of the importer, the group would be given; the columns of administrators never are', async () => {
    const context = contextOf(world, actorOf(hanna))
    const id = await startImport(context, { fileName: 'x', spreadsheet: await readSpreadsheet(Buffer.from(EVIL)) })
    await queueImport(context, id, { goodRowsOnly: false, sendsInvitations: false })
    const rights = {
      mayChange: true,
      mayAssign: () => true,
      mayCreateGroups: true,
      mayCreateQualifications: true,
      mayChangeAddress: () => true,
    }
    await applyImport(context, id, { rights })
    const eve = (await personOf(world, 'eve@club.example'))!
    assert.deepEqual([eve.groups, eve.is_staff], [['Bosses'], false])
  })

  test('groups of the importer can be given; people without the right to change people only add', async () => {
    const path = await upload(hr, `Name;Email;Groups\nFay;fay@club.example;${open.name}\n`)
    await apply(world, hr, path)
    assert.deepEqual((await personOf(world, 'fay@club.example'))!.groups, ['Hannas'])
    const adder = await browserOf(world, only)
    const body = (await adder.get(await upload(adder, 'Name;Email\nFay;fay@club.example\nGil;gil@club.example\n'))).body
    assert.deepEqual(counts(body), ['All 2', 'New 1', 'Conflict 1'])
    assert.match(body, /belongs to an account that you may not change/)
  })

  test('rights that were lost meanwhile do not count', async () => {
    const path = await upload(hr, 'Name;Email\nHal;hal@club.example\n')
    await hr.post(`${path}apply/`, { form: { mode: 'all' } })
    await world.db.write
      .deleteFrom('user_permission')
      .where('user_id', '=', hanna.id)
      .where('permission', '=', 'add_user')
      .execute()
    await work(world)
    assert.equal(await personOf(world, 'hal@club.example'), undefined)
    await world.db.write.insertInto('user_permission').values({ user_id: hanna.id, permission: 'add_user' }).execute()
    assert.match((await hr.get(path)).body, /you are not allowed to add people any more/)
  })

  test('lists of others are not shown', async () => {
    const path = await upload(hr, 'Name;Email\nIda;ida@club.example\n')
    const adder = await browserOf(world, only)
    for (const what of ['', 'undo/']) assert.equal((await adder.get(`${path}${what}`)).statusCode, 404)
    assert.equal((await adder.post(`${path}apply/`, { form: { mode: 'all' } })).statusCode, 404)
    assert.doesNotMatch((await adder.get(IMPORT)).body, new RegExp(path))
  })
})
