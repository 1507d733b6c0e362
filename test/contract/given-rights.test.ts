import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANN, BEN, HELPERS, PLANNERS } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { postFile } from '#test/support/upload.ts'
import { openWorld } from '#test/support/world.ts'

// Whoever puts somebody into a group with rights gives rights, so it needs a recent sign-in, wherever it is done.
describe('a place in a group', async () => {
  const world = await openWorld({ hasMail: true })
  const stella = await world.addPerson({ name: 'Stella', isStaff: true })
  const staff = await browserOf(world, stella)
  const prove = (minutesAgo: number) =>
    world.db.write
      .updateTable('session')
      .set({ proved_at: new Date(world.now.getTime() - minutesAgo * 60_000) })
      .where('user_id', '=', stella.id)
      .execute()
  const membersOf = async (groupId: number) =>
    (await world.db.read.selectFrom('user_group_member').select('user_id').where('group_id', '=', groupId).execute()).map(
      ({ user_id }) => user_id,
    )
  const submit = async (path: string, form: Record<string, string | string[]>, shown = path) => {
    await staff.get(shown)
    return staff.post(path, { form })
  }
  let added = 0

  type Way = [name: string, give: (group: { id: number; name: string }) => Promise<{ statusCode: number; body: string }>]
  const WAYS: Way[] = [
    [
      'by the page of members',
      ({ id }) => submit(`/manage/groups/${id}/members/add/`, { people: String(ANN.id) }, `/manage/groups/${id}/members/`),
    ],
    [
      'of a new person',
      ({ id }) => {
        const form = { name: 'Nora', email: `nora${added++}@a.example`, language: 'en', is_visible: 'on', groups: String(id) }
        return submit('/manage/people/new/', form)
      },
    ],
    [
      'of a person who is changed',
      ({ id }) => {
        const form = {
          name: BEN.name,
          email: BEN.email,
          language: 'en',
          is_visible: 'on',
          groups: [String(HELPERS.id), String(id)],
        }
        return submit(`/manage/people/${BEN.id}/`, form)
      },
    ],
    [
      'of many people',
      async ({ id }) => {
        const { headers } = await submit('/manage/people/select/', { kind: 'add_to_group', people: String(ANN.id) })
        return submit(String(headers.location), { group: String(id) })
      },
    ],
    [
      'of an imported list',
      async ({ name }) => {
        const content = `Name;E-Mail;Gruppe\nImported;i${added++}@a.example;${name}\n`
        await staff.get('/manage/people/import/')
        const path = String((await postFile(staff, '/manage/people/import/', { name: 'list.csv', content })).headers.location)
        return submit(`${path}apply/`, { mode: 'all' }, path)
      },
    ],
  ]

  for (const [name, give] of WAYS) {
    test(`with rights, ${name}, asks who one is after 15 minutes`, async () => {
      await prove(15)
      const before = await membersOf(PLANNERS.id)
      const answer = await give(PLANNERS)
      assert.equal(answer.statusCode, 403)
      assert.match(answer.body, /<h1>Please confirm that it is you/)
      assert.deepEqual(await membersOf(PLANNERS.id), before)
    })
    test(`with rights, ${name}, does not ask before`, async () => {
      await prove(14)
      assert.equal((await give(PLANNERS)).statusCode, 303)
    })
    if (!name.includes('imported'))
      test(`without rights, ${name}, does not ask`, async () => {
        await prove(120)
        assert.equal((await give(HELPERS)).statusCode, 303)
      })
  }
})
