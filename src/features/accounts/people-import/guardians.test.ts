import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { readSpreadsheet } from '#platform/spreadsheet/read.ts'
import { actorOf, contextOf } from '#test/support/command-context.ts'
import { journalOf } from '#test/support/journal.ts'
import type { Person } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { applyImport, queueImport } from './commands/apply.ts'
import { checkImport } from './commands/check.ts'
import { startImport } from './commands/start.ts'
import { queueUndo, undoImport } from './commands/undo.ts'
import { findShownRows, getImport } from './queries/imports.ts'
import type { ImportRights } from './rules/judgement.ts'

const ANYTHING: ImportRights = {
  mayChange: true,
  mayAssign: () => true,
  mayCreateGroups: true,
  mayCreateQualifications: true,
  mayChangeAddress: () => true,
}

function importsOf(world: World, person: Person) {
  const context = contextOf(world, actorOf(person))
  const preview = async (content: string | Buffer): Promise<{ id: number; verdicts: string[] }> => {
    const id = await startImport(context, { fileName: 'list.csv', spreadsheet: await readSpreadsheet(Buffer.from(content)) })
    await checkImport(context, id)
    const list = (await getImport(world.db.write, id))!
    const { rows } = await findShownRows(world.db.write, list, 'all', { limit: 1000, offset: 0 })
    return { id, verdicts: rows.map(({ verdict, problems }) => problems[0]?.code ?? verdict) }
  }
  const apply = async (content: string, rights?: ImportRights): Promise<number> => {
    const { id } = await preview(content)
    await queueImport(context, id, { goodRowsOnly: false, sendsInvitations: false, addsJob: false })
    await applyImport(context, id, { ...(rights ? { rights } : {}) })
    return id
  }
  const undo = async (id: number) => {
    await queueUndo(context, id)
    await undoImport(context, id, {})
    const list = (await getImport(world.db.write, id))!
    const { rows } = await findShownRows(world.db.write, list, 'all', { limit: 1000, offset: 0 })
    return rows.map(({ outcome, keptBecause }) => keptBecause ?? outcome)
  }
  return { preview, apply, undo }
}

/** `name: email, user name, contact address; guardians`, for people of the lists. */
async function familyIn(world: World): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' | ', u.display_name, case when u.email like '%@no-address.invalid' then '-' else u.email end, coalesce(u.username, '-'),
      coalesce(u.contact_email, '-'), (select string_agg(g.display_name, ' ' order by g.display_name) from guardianship s
        join user_profile g on g.id = s.guardian_id where s.child_id = u.id)) as line
    from user_profile u where u.display_name like '%Lee' order by u.display_name`.execute(world.db.write)
  return rows.map(({ line }) => line)
}

describe('a list with families', async () => {
  const world = await openWorld()
  const stella = await world.addPerson({ name: 'Stella', isStaff: true })
  const { preview, apply, undo } = importsOf(world, stella)
  const LIST = [
    'Name;E-Mail;Benutzername;Geburtsdatum;Sorgeberechtigte',
    'Mia Lee;ann@lee.example;;04.03.2020;ann@lee.example; ',
    'Tom Lee;ann@lee.example;tom.lee;05.04.2018;ann@lee.example, BEN.LEE',
    'Ida Lee;;;06.05.2021;ben.lee',
    'Ann Lee;ann@lee.example;;03.05.1990;',
    'Ben Lee;;ben.lee;;',
  ].join('\n')
  const FAMILY = [
    'Ann Lee | ann@lee.example | - | -',
    'Ben Lee | - | ben.lee | -',
    'Ida Lee | - | - | - | Ben Lee',
    'Mia Lee | - | - | ann@lee.example | Ann Lee',
    'Tom Lee | - | tom.lee | ann@lee.example | Ann Lee Ben Lee',
  ]

  test('is imported in any order of its rows; the same list again changes nothing; undo removes everybody', async () => {
    const [heading, ...rows] = LIST.split('\n')
    for (const order of [rows, rows.toReversed()]) {
      const list = [heading, ...order].join('\n')
      const id = await apply(list)
      assert.deepEqual(await familyIn(world), FAMILY)
      assert.deepEqual((await preview(list)).verdicts, ['same', 'same', 'same', 'same', 'same'])
      assert.deepEqual(await undo(id), ['removed', 'removed', 'removed', 'removed', 'removed'])
      assert.deepEqual(await familyIn(world), [])
      const { count } = await world.db.write
        .selectFrom('guardianship')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      assert.equal(Number(count), 0)
    }
  })

  test('is the same again after an export in both languages', async () => {
    await apply(LIST)
    await sql`insert into user_profile (display_name, email, email_invalid, created_at, date_of_birth)
      values ('Uma Lee', 'uma@no-address.invalid', true, now(), '2020-01-01')`.execute(world.db.write)
    const browser = await browserOf(world, stella)
    for (const [language, headings] of [
      ['en', 'Name,Email,User name,Date of birth,Phone,Language,Groups,Qualifications,Guardians'],
      ['de', 'Name;E-Mail;Benutzername;Geburtsdatum;Telefon;Sprache;Gruppen;Qualifikationen;Sorgeberechtigte'],
    ] as const) {
      await world.db.write.updateTable('user_profile').set({ preferred_language: language }).where('id', '=', stella.id).execute()
      const { bytes } = await browser.get('/manage/people/export/?format=csv')
      assert.equal(bytes.toString().slice(1).split('\r\n')[0], headings)
      const { verdicts } = await preview(bytes)
      assert.ok(verdicts.length > 6)
      assert.deepEqual(new Set(verdicts), new Set(['same']))
    }
  })

  test('adds a guardian, a user name and a contact address to people, and undo takes them back', async () => {
    const before = await familyIn(world)
    const id = await apply(
      'Name,Email,User name,Guardian\nIda Lee,,ida.lee,ben.lee;ann@lee.example\nTom Lee,new@lee.example,tom.lee,\nAnn Lee,ann@lee.example,ann,\n',
    )
    assert.deepEqual(await familyIn(world), [
      'Ann Lee | ann@lee.example | ann | -',
      'Ben Lee | - | ben.lee | -',
      'Ida Lee | - | ida.lee | - | Ann Lee Ben Lee',
      'Mia Lee | - | - | ann@lee.example | Ann Lee',
      'Tom Lee | - | tom.lee | new@lee.example | Ann Lee Ben Lee',
      'Uma Lee | - | - | -',
    ])
    assert.deepEqual(await undo(id), ['restored', 'restored', 'restored'])
    assert.deepEqual(await familyIn(world), before)
    const ida = await world.db.read
      .selectFrom('user_profile')
      .select('id')
      .where('display_name', '=', 'Ida Lee')
      .executeTakeFirstOrThrow()
    const kinds = (await journalOf(world, 'user', ida.id)).map(({ kind }) => kind)
    assert.deepEqual(kinds, [
      'user.created',
      'guardianship.created',
      'user.changed',
      'guardianship.created',
      'guardianship.ended',
      'user.changed',
    ])
  })

  test('finds the guardian in a row that is written in a later batch', async () => {
    const others = Array.from({ length: 1100 }, (_, n) => `Number ${n},number${n}@many.example,`)
    const id = await apply(['Name,Email,Guardian', 'Zoe Lee,,eve@lee.example', ...others, 'Eve Lee,eve@lee.example,'].join('\n'))
    assert.ok((await familyIn(world)).includes('Zoe Lee | - | - | - | Eve Lee'))
    await undo(id)
    assert.ok(!(await familyIn(world)).some((line) => line.startsWith('Eve')))
  })

  test('undo keeps the guardian of a child that is used', async () => {
    const id = await apply('Name,Email,User name,Guardian\nKid Lee,,kid.lee,dad@lee.example\nDad Lee,dad@lee.example,,\n')
    await world.db.write
      .updateTable('user_profile')
      .set({ last_sign_in_at: world.now })
      .where('username', '=', 'kid.lee')
      .execute()
    assert.deepEqual(await undo(id), ['signed_in', 'is_guardian'])
    assert.ok((await familyIn(world)).includes('Kid Lee | - | kid.lee | - | Dad Lee'))
  })
})

describe('a list of an importer who may not do everything', async () => {
  const world = await openWorld()
  const hanna = await world.addPerson({ name: 'Hanna', permissions: ['view_user', 'add_user', 'change_user'] })
  const adder = await world.addPerson({ name: 'Adder', permissions: ['add_user'] })
  const boss = await world.addPerson({ name: 'Boss Lee', isStaff: true })
  const member = await world.addPerson({ name: 'Member Lee' })
  await world.addGroup('Others', [member])
  await world.addPerson({ name: 'Ann Lee' })
  const { preview, apply } = importsOf(world, hanna)
  const guardiansOf = async ({ id }: Person) =>
    (await world.db.write.selectFrom('guardianship').select('guardian_id').where('child_id', '=', id).execute()).length
  const { email: ann } = await world.db.read
    .selectFrom('user_profile')
    .select('email')
    .where('display_name', '=', 'Ann Lee')
    .executeTakeFirstOrThrow()
  const listOf = ({ name, email }: Person) => `Name,Email,Guardian\n${name},${email},${ann}\n`

  test('names no guardian of a person whose address they may not change; without the check it would', async () => {
    assert.deepEqual((await preview(listOf(member))).verdicts, ['guardian_locked'])
    await apply(listOf(member))
    assert.equal(await guardiansOf(member), 0)
    await apply(listOf(member), ANYTHING)
    assert.equal(await guardiansOf(member), 1)
  })

  test('names no guardian of an administrator, whatever the rights; without being one, it would', async () => {
    assert.deepEqual((await preview(listOf(boss))).verdicts, ['child_has_powers'])
    await apply(listOf(boss), ANYTHING)
    assert.equal(await guardiansOf(boss), 0)
    await world.db.write.updateTable('user_profile').set({ is_staff: false }).where('id', '=', boss.id).execute()
    await apply(listOf(boss), ANYTHING)
    assert.equal(await guardiansOf(boss), 1)
  })

  test('names no guardians at all without the permission to change people', async () => {
    const list = `Name,User name,Guardian\nNew Lee,new.lee,${ann}\n`
    const { verdicts } = await importsOf(world, adder).preview(list)
    assert.deepEqual(verdicts, ['guardian_locked'])
    assert.deepEqual((await preview(list)).verdicts, ['new'])
  })
})
