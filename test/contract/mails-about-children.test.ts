import '#app'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { messagesIn } from '#platform/i18n/catalogue.ts'
import type { Message } from '#platform/i18n/message.ts'
import { makeMailsAboutChild } from '#test/support/every-mail.ts'
import { addMailFixtures } from '#test/support/mail-fixtures.ts'
import { KINDS } from '#test/support/notification-kinds.ts'
import { OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

/** Words by which a text speaks to its reader. */
const ADDRESSED = {
  en: /(?<!Thank )\b(you|your|yours|yourself|I|my)\b/i,
  de: /(?<!\p{L})(du|dich|dir|dein|deine[mnrs]?|ich|mein|meine[mnrs]?|ihr)(?!\p{L})/iu,
}
/** Children have no webhooks of their own. */
const WITHOUT_CHILDREN = ['webhook_off']
/** Texts that only the own notification has: links to own pages, settings, why a mail comes. */
const ONLY_OWN = /^(open(_\w+)?|label|help|why|explanation)$/
/** The end of each mail says why the guardian gets it. */
const END = '\n-- \n'

const textOf = (message: Message): string => (typeof message === 'string' ? message : Object.values(message).join(' '))

describe('texts about a child', () => {
  for (const language of ['en', 'de'] as const) {
    const messages = messagesIn(language)
    test(`never speak to the reader as if they were the child, in ${language}`, () => {
      const about = [...messages].filter(([key]) => key.endsWith('_of_child'))
      assert.ok(about.length > 70, `${about.length}`)
      assert.deepEqual(
        about.filter(([, message]) => ADDRESSED[language].test(textOf(message))).map(([key, message]) => [key, message]),
        [],
      )
    })

    test(`exist for each text of a notification that speaks to the reader, in ${language}`, () => {
      const own = KINDS.filter(({ name, role }) => role === 'participant' && !WITHOUT_CHILDREN.includes(name)).map(
        ({ name }) => name,
      )
      const missing = [...messages].filter(([key, message]) => {
        const [area, kind, name] = key.split('.')
        if (area !== 'notification' || !own.includes(kind as never) || ONLY_OWN.test(name!) || name!.endsWith('_of_child'))
          return false
        return ADDRESSED[language].test(textOf(message)) && !messages.has(`${key}_of_child` as never)
      })
      assert.deepEqual(missing, [])
    })
  }
})

describe('mails about a child to a guardian', async () => {
  const world = await openWorld()
  const made = await addMailFixtures(world)
  for (const language of ['en', 'de'] as const)
    test(`name the child, in ${language}`, async () => {
      await world.db.write
        .updateTable('user_profile')
        .set({ preferred_language: language })
        .where('id', 'in', [OLGA.id, made.child.id])
        .execute()
      await world.db.write.deleteFrom('notification').execute()
      const mails = await makeMailsAboutChild(made)
      assert.ok(mails.length > 20, `${mails.length}`)
      for (const { what, mail } of mails.filter(({ what }) => !WITHOUT_CHILDREN.includes(what))) {
        const text = `${mail.subject}\n${mail.text.split(END)[0]}`
        assert.match(text, /Kim/, what)
        assert.doesNotMatch(text, ADDRESSED[language], what)
      }
    })
})
