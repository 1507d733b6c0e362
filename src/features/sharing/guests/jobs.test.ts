import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hashSecret } from '#platform/auth/secrets.ts'
import type { Language } from '#platform/i18n/languages.ts'
import { AddressError, type Mailer } from '#platform/mail/mail.ts'
import { openWorld } from '#test/support/world.ts'
import { guestTasks } from './jobs.ts'

describe('the mail with the link of a guest', async () => {
  const world = await openWorld()
  const event = await world.addEvent({ title: 'Fair', shifts: [{}] })
  let added = 0
  const addGuest = async (language: Language | null) => {
    const name = `guest${++added}`
    const token = { access_token_hash: hashSecret(name), access_token_sealed: world.app.site.keyring.seal(name) }
    const row = {
      event_id: event.id,
      email: `${name}@mail.example`,
      display_name: name,
      date_of_birth: '1990-02-03',
      created_at: world.now,
      language,
      ...token,
    }
    return (await world.db.write.insertInto('guest').values(row).returning('id').executeTakeFirstOrThrow()).id
  }
  type Sent = Parameters<Mailer['send']>[0]
  const run = async (guestId: number, defaultLanguage?: Language, fails?: Error): Promise<Sent[]> => {
    const sent: Sent[] = []
    const send = async (mail: Sent) => {
      if (fails) throw fails
      sent.push(mail)
    }
    const { defaultLanguage: _former, ...rest } = world.app.site
    const site = { ...rest, ...(defaultLanguage ? { defaultLanguage } : {}) }
    const [task] = guestTasks({ db: world.db, clock: { now: () => world.now }, mailer: { describe: 'a test', send }, site })
    await task!.run({ guestId })
    return sent
  }

  for (const [own, ofInstance, expected] of [
    ['de', 'en', 'de'],
    ['en', 'de', 'en'],
    [null, 'de', 'de'],
    [null, undefined, 'en'],
  ] as const)
    test(`is in ${expected}: the guest chose ${own ?? 'nothing'}, the instance ${ofInstance ?? 'nothing'}`, async () => {
      const [mail] = await run(await addGuest(own), ofInstance)
      assert.match(mail!.text, expected === 'de' ? /^Hallo guest/m : /^Hello guest/m)
      assert.match(mail!.subject, /Fair/)
    })

  test('is not tried again for an address that is refused, and is for a server that fails', async () => {
    const id = await addGuest('en')
    assert.deepEqual(await run(id, 'en', new AddressError('no such mailbox')), [])
    await assert.rejects(run(id, 'en', new Error('mail server is down')), /mail server is down/)
    assert.deepEqual(await run(99_999), [], 'nobody')
  })
})
