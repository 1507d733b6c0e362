import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hashSecret } from '#platform/auth/secrets.ts'
import type { Language } from '#platform/i18n/languages.ts'
import { AddressError, type Mailer } from '#platform/mail/mail.ts'
import { openWorld } from '#test/support/world.ts'
import { guestTasks } from './jobs.ts'
import { makeMailToken } from './rules.ts'

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

  test('says what it is about, until the address is proved also how to prove it, and how long the data is kept', async () => {
    const id = await addGuest('en')
    const linesOf = async () => (await run(id))[0]!.text.split('\n').filter(Boolean)
    const { email } = await world.db.read.selectFrom('guest').select('email').where('id', '=', id).executeTakeFirstOrThrow()
    const [hello, about, proof, ...rest] = [
      `Hello guest${added},`,
      'You have registered as a guest at Turnout. With this link you choose shifts and change your details:',
      'Please confirm your address there. Until then, the organisers decide about each of your sign-ups.',
      '  Fair',
      '  Sun 4 May 08:00–09:00',
      '  Pier 3',
      'Open my page:',
      `https://a.example/guests/mail/${makeMailToken(world.app.site.keyring, { id, email })}/`,
      'Please keep the link to yourself: anyone who has it can act for you.',
      'Did somebody else enter your address? Then ignore this email. The data is deleted 90 days after the event.',
      '-- ',
      'Turnout',
      'https://a.example/',
    ]
    assert.deepEqual(await linesOf(), [hello, about, proof, ...rest])
    const { write } = world.db
    await write.updateTable('guest').set({ email_confirmed_at: world.now }).where('id', '=', id).execute()
    assert.deepEqual(await linesOf(), [hello, about, ...rest])
    await write.updateTable('event').set({ location: '' }).where('id', '=', event.id).execute()
    await write.deleteFrom('shift').where('event_id', '=', event.id).execute()
    await write.insertInto('setting').values({ name: 'guest_retention_days', value: '30' }).execute()
    const shorter = rest.map((line) => line.replace('90 days', '30 days'))
    assert.deepEqual(await linesOf(), [hello, about, shorter[0], ...shorter.slice(3)])
  })

  test('is not tried again for an address that is refused, and is for a server that fails', async () => {
    const id = await addGuest('en')
    assert.deepEqual(await run(id, 'en', new AddressError('no such mailbox')), [])
    await assert.rejects(run(id, 'en', new Error('mail server is down')), /mail server is down/)
    assert.deepEqual(await run(99_999), [], 'nobody')
  })
})
