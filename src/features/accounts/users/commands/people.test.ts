import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contextAs } from '#test/support/command-context.ts'
import { journalOf } from '#test/support/journal.ts'
import { findJobs } from '#test/support/mail-outbox.ts'
import { OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { getPerson } from '../queries/person.ts'
import { changePerson } from './people.ts'

const world = await openWorld({ hasMail: true })
let added = 0

const CASES: [what: string, before: { email?: string; email_invalid?: boolean }, change: object, isTold: boolean][] = [
  ['another address', {}, { email: 'new1@a.example' }, true],
  ['the same address in another case', {}, { email: 'CEM-2@A.example' }, false],
  ['another name', {}, { name: 'Cem B.' }, false],
  ['another group only', {}, { groups: [] }, false],
  ['another address instead of one that did not work', { email_invalid: true }, { email: 'new2@a.example' }, false],
  ['an address instead of none', { email: 'x@no-address.invalid', email_invalid: true }, { email: 'new3@a.example' }, false],
]

for (const [what, before, change, isTold] of CASES)
  test(`${what}: the former address ${isTold ? 'is told' : 'gets no mail'}`, async () => {
    const cem = await world.addPerson({ name: 'Cem', email: `cem-${++added}@a.example` })
    const group = await world.addGroup(`Crew ${added}`, [cem])
    const { length: mailsBefore } = await findJobs(world.db, 'account_mail')
    if (Object.keys(before).length)
      await world.db.write.updateTable('user_profile').set(before).where('id', '=', cem.id).execute()
    const person = (await getPerson(world.db.read, cem.id))!
    const form = {
      name: person.name,
      email: person.email,
      date_of_birth: null,
      phone: null,
      language: 'en' as const,
      groups: [group.id],
      is_staff: false,
      is_visible: true,
      ...change,
    }
    const outcome = await changePerson(contextAs(world, OLGA), cem.id, form)
    assert.deepEqual(outcome, { ok: true, userId: cem.id, isChanged: true })
    const mails = (await findJobs(world.db, 'account_mail')).slice(mailsBefore).map(({ payload }) => payload)
    assert.deepEqual(
      mails.map(({ kind, userId, sealedEmail }) => ({ kind, userId, to: world.app.site.keyring.unseal(String(sealedEmail)) })),
      isTold ? [{ kind: 'email_changed', userId: cem.id, to: cem.email }] : [],
    )
    assert.equal((await getPerson(world.db.read, cem.id))!.emailInvalid, false, 'the new address counts as working')
    assert.equal((await journalOf(world, 'user', cem.id)).length, 1)
    const saved = (await getPerson(world.db.read, cem.id))!
    const again = { ...form, email: saved.email, name: saved.name, groups: [...saved.groupIds] }
    assert.deepEqual(await changePerson(contextAs(world, OLGA), cem.id, again), { ok: true, userId: cem.id, isChanged: false })
    assert.equal((await journalOf(world, 'user', cem.id)).length, 1, 'saving it unchanged is no entry')
  })
