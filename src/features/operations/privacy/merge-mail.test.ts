import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { accountMailTask } from '#features/access/sign-in/jobs.ts'
import { deletePerson } from '#features/accounts/users/commands/account-state.ts'
import { personalDataOf } from '#platform/features/personal-data.ts'
import { noAddress } from '#platform/no-address.ts'
import { contextAs } from '#test/support/command-context.ts'
import { findJobs, openMailOutbox } from '#test/support/mail-outbox.ts'
import { OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { FEATURES } from '../../../features.ts'
import { mergeAccounts } from './commands/merge.ts'

type Addresses = readonly [email: string | null, contactEmail?: string | null]

const tools = { tables: personalDataOf(FEATURES) }

describe('mails about merged accounts', async () => {
  const world = await openWorld()
  const { write } = world.db
  const outbox = openMailOutbox(
    (mailer) => accountMailTask({ db: world.db, clock: { now: () => world.now }, mailer, site: world.app.site }),
    () => world.db,
  )
  beforeEach(async () => {
    outbox.sent.length = 0
    await sql`delete from graphile_worker._private_jobs`.execute(write)
  })
  let count = 0
  /** `null`: an account without an address. */
  async function addAccount([email, contactEmail = null]: Addresses) {
    const person = await world.addPerson({ name: `Mia ${++count}`, email: email ?? noAddress(`merged-${count}`) } as never)
    const values = { contact_email: contactEmail, email_invalid: email === null, preferred_language: 'de' } as const
    await write.updateTable('user_profile').set(values).where('id', '=', person.id).execute()
    return person
  }
  type Account = Awaited<ReturnType<typeof addAccount>>
  const merge = async (remaining: Account, other: Account, site = {}) => {
    const context = contextAs(world, OLGA)
    const pair = { remainingId: remaining.id, otherId: other.id }
    return mergeAccounts({ ...context, site: { ...context.site, isMailOff: false, ...site } }, pair, tools)
  }

  test('go to both addresses, in the language of the person, and name the administrator and what to do', async () => {
    const [remaining, other] = [await addAccount(['mia@home.example']), await addAccount(['mia@work.example'])]
    assert.ok((await merge(remaining, other)).ok)
    await outbox.deliver()
    assert.deepEqual(
      outbox.sent.map(({ to, subject }) => [to, subject]),
      ['mia@home.example', 'mia@work.example'].map((to) => [to, 'Deine Konten bei Turnout wurden zusammengeführt']),
    )
    const [stays, givenUp] = outbox.sent.map(({ text }) => text.replaceAll(/\s+/g, ' ')) as [string, string]
    for (const text of [stays, givenUp]) {
      assert.ok(text.includes(`Hallo ${remaining.name}`), text)
      assert.ok(text.includes(`${OLGA.name} aus der Administration von Turnout hat zwei Konten von dir zu einem`), text)
      assert.match(text, /wende dich bald an die Administratoren/)
      assert.doesNotMatch(text, /mia@/)
    }
    assert.match(stays, /mit diesem Konto wie bisher/)
    assert.match(givenUp, /Das Konto mit dieser Adresse ist geschlossen/)
  })

  for (const [what, kept, givenUp, expected] of [
    ['one address that both share, written differently', ['mia@one.example'], [null, 'MIA@one.example'], ['mia@one.example']],
    ['no address at all', [null], [null], []],
    ['an address only of the remaining account', ['mia@two.example'], [null], ['mia@two.example']],
    ['an address only of the other account', [null], ['mia@three.example'], ['mia@three.example']],
    [
      'an address that others share',
      [null, 'home@four.example'],
      ['mia@four.example'],
      ['home@four.example', 'mia@four.example'],
    ],
  ] as const)
    test(`go once to each address: ${what}`, async () => {
      const [remaining, other] = [await addAccount(kept), await addAccount(givenUp)]
      assert.ok((await merge(remaining, other)).ok)
      await outbox.deliver()
      assert.deepEqual(
        outbox.sent.map(({ to }) => to),
        expected,
      )
    })

  test('are neither queued without a mail server nor for a merge that is refused', async () => {
    const [remaining, other] = [await addAccount(['mia@five.example']), await addAccount(['mia@six.example'])]
    assert.equal((await merge(remaining, remaining)).ok, false)
    assert.ok((await merge(remaining, other, { isMailOff: true })).ok)
    assert.deepEqual(await findJobs(world.db, 'account_mail'), [])
  })

  test('contain no address in the queue, and are gone once the person is erased', async () => {
    const [remaining, other] = [await addAccount(['mia@seven.example']), await addAccount(['mia@eight.example'])]
    assert.ok((await merge(remaining, other)).ok)
    const jobs = await findJobs(world.db, 'account_mail')
    assert.equal(jobs.length, 2)
    assert.doesNotMatch(JSON.stringify(jobs), /@/)
    assert.ok((await deletePerson(contextAs(world, OLGA), remaining.id, {})).ok)
    assert.deepEqual(await findJobs(world.db, 'account_mail'), [])
  })
})
