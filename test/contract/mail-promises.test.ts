import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { messagesIn } from '#platform/i18n/catalogue.ts'
import { textsOf } from '#platform/i18n/message.ts'
import { NO_MAIL_SUFFIX } from '#platform/i18n/words.ts'
import { findPromises, textOf } from '#test/support/mail-promises.ts'
import { ANN, OLGA } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld, type World } from '#test/support/world.ts'

const IN_A_MAIL = 'text of a mail'
const ONLY_WITH_MAIL = 'shown only where mails are sent'
const NO_PROMISE = 'does not promise a mail'
const DONE = 'says what happened'

/** Texts that look like promises and have no variant for servers without mail, each with the reason. */
const EXEMPT: Record<string, string> = {
  'steps.mail_test': ONLY_WITH_MAIL,
  'notification.last_mail': 'says what was sent',
  'notification.last_both': 'says what was sent',
  'notification.only_mail': 'says what was sent',
  'notification.only_both': 'says what was sent',
  'people.send_welcome': ONLY_WITH_MAIL,
  'people.reset_sent': ONLY_WITH_MAIL,
  'reset.sent_title': ONLY_WITH_MAIL,
  'reset.sent_text': ONLY_WITH_MAIL,
  'people_actions.does_invite': 'without mail the command refuses',
  'people_actions.undo_impossible': NO_PROMISE,
  'people_actions.invited': ONLY_WITH_MAIL,
  'people_import.invite_help': ONLY_WITH_MAIL,
  'people_import.invited': ONLY_WITH_MAIL,
  'guests.link_on_its_way': ONLY_WITH_MAIL,
  'guests.own_link_help': ONLY_WITH_MAIL,
  'guests.mail_again': ONLY_WITH_MAIL,
  'guests.mail_again_done': ONLY_WITH_MAIL,
  'guests.link_sent': ONLY_WITH_MAIL,
  'guests.prove_effect': ONLY_WITH_MAIL,
  'mail.limit_target': DONE,
  'joining.not_invited_signed_in_before': ONLY_WITH_MAIL,
  'joining.sent_title': ONLY_WITH_MAIL,
  'joining.sent_text': ONLY_WITH_MAIL,
  'joining.asked_text': ONLY_WITH_MAIL,
  'profiles.email_how': ONLY_WITH_MAIL,
  'profiles.email_sent': ONLY_WITH_MAIL,
  'mails.test': 'the page says what becomes of a test mail',
  'mail.service_what': IN_A_MAIL,
  'mails.test_text': IN_A_MAIL,
  'notification.why': IN_A_MAIL,
  'notification.event_message.explanation': IN_A_MAIL,
  'notification.account_security.why': IN_A_MAIL,
  'notification.guardianship_ending.why': IN_A_MAIL,
  'notification.guardianship_ended.why': IN_A_MAIL,
  'journal.guest.address_proved': DONE,
  'journal.guest.registered_again': DONE,
  'journal.user.email_confirmed': DONE,
  'journal.user.email_failed': DONE,
  'journal.user.email_works': DONE,
  'journal.user.welcomed': DONE,
  'privacy.section_links_sent': DONE,
  'mails.gone': DONE,
  'mails.intro': NO_PROMISE,
  'status.mail_none': 'says that none are sent',
  'status.mail_works': ONLY_WITH_MAIL,
  'mails.test_failed': DONE,
  'mails.notice_address': DONE,
  'notification.address_invalid': DONE,
  'steps.name_text': NO_PROMISE,
  'guests.mail_failed_text': DONE,
  'guests.section_help': NO_PROMISE,
  'federation.invite_what_1': NO_PROMISE,
  'joining.confirm_title': NO_PROMISE,
}

const sentencesOf = (language: 'en' | 'de', key: string): string[] => {
  const message = messagesIn(language).get(key)!
  return textsOf(message).flatMap((text) => findPromises(text, language))
}

describe('texts that promise a mail', async () => {
  const off = await openWorld()

  test('have a variant for servers without mail, or a reason why not', () => {
    const found = (['en', 'de'] as const).flatMap((language) =>
      [...messagesIn(language).keys()].filter((key) => sentencesOf(language, key).length > 0),
    )
    const open = [...new Set(found)].filter((key) => !(key in EXEMPT) && !messagesIn('en').has(`${key}${NO_MAIL_SUFFIX}`))
    assert.deepEqual(open, [])
    assert.deepEqual(
      Object.keys(EXEMPT).filter((key) => !found.includes(key)),
      [],
      'reasons for texts that promise nothing',
    )
  })

  test('are not among the variants', () => {
    const variants = [...messagesIn('en').keys()].filter((key) => key.endsWith(NO_MAIL_SUFFIX))
    assert.ok(variants.length > 20, `${variants.length} variants`)
    for (const language of ['en', 'de'] as const)
      assert.deepEqual(
        variants.filter((key) => sentencesOf(language, key).length > 0),
        [],
      )
  })

  const PATHS = {
    everyone: ['/accounts/login/', '/accounts/reset/', '/accounts/invitation/wrong/', '/accounts/reset/wrong/', '/register/'],
    ann: [
      '/',
      '/settings/profile/',
      '/settings/profile/address/',
      '/settings/security/',
      '/settings/notifications/',
      '/settings/data/',
      '/settings/tokens/new/',
    ],
    olga: [
      '/manage/people/new/',
      '/manage/people/import/',
      `/manage/people/${ANN.id}/`,
      `/manage/people/${ANN.id}/invitation/`,
      `/manage/people/${ANN.id}/revoke/`,
      '/manage/service-accounts/new/',
      '/manage/groups/',
      '/manage/privacy/',
      '/manage/instance/',
    ],
  }

  /** Promises on the pages, by path. */
  async function findOnPages(world: World, language: 'en' | 'de'): Promise<string[]> {
    const { id, shifts } = await world.addEvent({ responsible: [OLGA], seenBy: [ANN], shifts: [{}] })
    await world.db.write.updateTable('user_profile').set({ preferred_language: language }).execute()
    const olga = [...PATHS.olga, `/events/${id}/message/`, `/shifts/${shifts[0]}/ask/`]
    const readers: [string[], (path: string) => Promise<string>][] = [
      [
        PATHS.everyone,
        async (path) => (await world.nobody.get(path, { unchecked: true, headers: { 'accept-language': language } })).text,
      ],
    ]
    for (const [paths, person] of [
      [PATHS.ann, ANN],
      [olga, OLGA],
    ] as const) {
      const browser = await browserOf(world, person)
      readers.push([[...paths], async (path) => (await browser.get(path)).body])
    }
    const found: string[] = []
    for (const [paths, read] of readers)
      for (const path of paths) found.push(...findPromises(textOf(await read(path)), language).map((text) => `${path}: ${text}`))
    return found
  }

  for (const language of ['en', 'de'] as const)
    test(`are on no page of a server without mail (${language})`, async () => {
      assert.deepEqual(await findOnPages(off, language), [])
    })

  test('are found on pages of a server with mail, so the search works', async () => {
    const on = await openWorld({ hasMail: true })
    const found = await findOnPages(on, 'en')
    for (const path of [
      '/accounts/reset/',
      '/settings/security/',
      '/manage/people/new/',
      '/settings/notifications/',
      '/message/',
    ])
      assert.ok(
        found.some((line) => line.includes(path)),
        `${path} in\n${found.join('\n')}`,
      )
  })

  test('the page for a forgotten password says who can help, and queues nothing', async () => {
    const { text } = await off.nobody.get('/accounts/reset/', { unchecked: true })
    assert.match(text, /Ask an administrator: they can create a link/)
    assert.doesNotMatch(text, /<input[^>]*name="email"/)
  })

  test('administrators create a link to a new password for a person who has one', async () => {
    const olga = await browserOf(off, OLGA)
    const path = `/manage/people/${ANN.id}/invitation/`
    const { body } = await olga.post(path)
    assert.match(body, /\/accounts\/invitation\/\w{43}\//)
    const on = await openWorld({ hasMail: true })
    const other = await browserOf(on, OLGA)
    await on.db.write.updateTable('user_profile').set({ password_hash: 'x' }).where('id', '=', ANN.id).execute()
    assert.doesNotMatch((await other.post(path)).body, /\/accounts\/invitation\//)
  })
})
