import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page, Response } from 'playwright-core'
import { buildApp } from '#app'
import { asOperator, createServiceAccount } from '#features/access/service-accounts/commands/accounts.ts'
import { createMailLink } from '#features/access/sign-in/commands/links.ts'
import { createJoinLink } from '#features/accounts/joining/commands/links.ts'
import { createConfirmationToken } from '#features/accounts/joining/commands/registrations.ts'
import { selectPeople } from '#features/accounts/people-actions/commands/select.ts'
import { checkImport } from '#features/accounts/people-import/commands/check.ts'
import { startImport } from '#features/accounts/people-import/commands/start.ts'
import { makeUnsubscribeToken } from '#features/messaging/notifications/queries/unsubscribe-tokens.ts'
import { FORMER_ADDRESSES } from '#features/operations/import-ephios/pages/former-addresses.ts'
import { makeMailToken } from '#features/sharing/guests/rules.ts'
import { createWebhook } from '#features/sharing/webhooks/commands/webhooks.ts'
import { makeAnswerToken } from '#features/staffing/inquiries/queries/answers.ts'
import { makeOfferToken } from '#features/staffing/waiting-list/queries/offered.ts'
import { ANONYMOUS, makeActor, type UserActor } from '#platform/auth/actor.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import type { Database } from '#platform/db/pool.ts'
import { pagesOf } from '#platform/features/compose.ts'
import { readTable } from '#platform/spreadsheet/read.ts'
import { makeRuntime } from '../../src/app-options.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import { demoOptions, NOW, signInAs } from './demo-instance.ts'

/** Pages that other journeys check. */
export const ELSEWHERE = [
  /^\/accounts\/first-administrator\//, // organisation
  /^\/accounts\/authorize\//, // the journey with an application
  /^\/calendar\//, // a file for calendar programs
  /^\/requests\/\{id\}\/proof\//, // an uploaded file
  /^\/shifts\/\{shift\}\/swap\/\{id\}\//, // the journey with a swap
  /\/files\/\{id\}\/$/, // downloads
  /^\/help\/images\//, // pictures
  /^\/people\/\{id\}\/picture\//, // a picture
  /^\/events\/external\/\{id\}\/open\//, // leads to a partner
  /^\/(events|shifts)\/shared\/|^\/api\/federation\//, // only for users of partner instances
  /^\/settings\/security\/passkeys\/\{id\}\//, // the journey with a passkey
  /^\/oidc\/|^\/accounts\/oidc\/|\/test\/start\/$/, // during a sign-in at an identity provider
]

/** They lead to pages that are checked here. */
const FORMER = new Set([...FORMER_ADDRESSES.map(([former]) => former), '/documents/{id}/'])

export type TestApp = Awaited<ReturnType<typeof openTestApp>>

/** An instance that tests of all its pages visit. */
export async function openTestApp(database: TestDatabase, { isUnlimited = false } = {}) {
  const db = openTestDatabase({ url: database.url })
  const options = demoOptions(database.url, db, { isUnlimited })
  const app = await buildApp(options)
  await app.app.listen({ host: '127.0.0.1', port: 0 })
  const pages = pagesOf(makeRuntime(options))
  return {
    app: app.app,
    db,
    site: app.site,
    pages,
    origin: `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`,
    templates: [...new Set(pages.flatMap(({ kind, path }) => (kind === 'action' ? [] : [path])))],
    close: async () => {
      await app.app.close()
      await db.close()
      await database.drop()
    },
  }
}

const actorOfOlga = (userId: number): UserActor =>
  makeActor<UserActor>({
    kind: 'user',
    userId,
    displayName: 'Olga',
    email: 'olga@demo.example',
    language: 'en',
    isStaff: true,
    isSuperuser: true,
    groupIds: [],
    permissions: new Set(),
    via: { kind: 'session', sessionHash: Buffer.alloc(32), provedAt: NOW },
  })

/** Returns a function that fills a path template with existing ids; fails for an unknown placeholder. */
async function fillTemplates({ db, site }: TestApp): Promise<(template: string) => string> {
  const first = async (query: { executeTakeFirstOrThrow: () => Promise<{ id: number }> }) =>
    String((await query.executeTakeFirstOrThrow()).id)
  const olga = Number(await first(db.read.selectFrom('user_profile').select('id').where('email', '=', 'olga@demo.example')))
  const person = await first(db.read.selectFrom('user_profile').select('id').where('email', '=', 'ann@demo.example'))
  const guest = await db.read
    .selectFrom('guest')
    .innerJoin('event', 'event.id', 'guest.event_id')
    .innerJoin('guest_share', 'guest_share.event_id', 'event.id')
    .select(['guest.id', 'guest.email', 'guest.event_id', 'guest.access_token_sealed', 'guest_share.token_sealed'])
    .where('event.end_time', '>', NOW)
    .where('guest.email_confirmed_at', 'is', null)
    .orderBy('guest.id')
    .executeTakeFirstOrThrow()
  const guestShift = await first(db.read.selectFrom('shift').select('id').where('event_id', '=', guest.event_id).orderBy('id'))
  // A future event with requests shows planners the most.
  const busy = await db.read
    .selectFrom('shift')
    .innerJoin('event', 'event.id', 'shift.event_id')
    .select(['shift.id as shift', 'event.id as event'])
    .where('event.active', '=', true)
    .where('event.cancelled_at', 'is', null)
    .where('shift.start_time', '>', NOW)
    .orderBy(
      (eb) =>
        eb
          .selectFrom('participation')
          .select(eb.fn.countAll().as('n'))
          .whereRef('shift_id', '=', 'shift.id')
          .where('state', '=', 0),
      'desc',
    )
    .orderBy('shift.id')
    .executeTakeFirstOrThrow()
  const token = await db.write
    .insertInto('access_token')
    .values({
      token_hash: Buffer.from('walk'),
      kind: 'personal',
      user_id: olga,
      scopes: ['ME_READ'],
      description: 'Roster on the wall',
      created_at: NOW,
      expires_at: new Date('2026-08-01'),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const application = await db.write
    .insertInto('oauth_application')
    .values({
      name: 'Wiki',
      client_id: 'wiki',
      client_secret_hash: 'none',
      allowed_scopes: ['ME_READ'],
      redirect_uris: ['https://wiki.example/back'],
      created_at: NOW,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.write
    .insertInto('setting')
    .values([
      { name: 'imprint', value: JSON.stringify('Feuerwehr Ahrensmünde, Am Deich 3') },
      { name: 'self_registration', value: JSON.stringify('open') },
      { name: 'privacy', value: JSON.stringify('# Data\n\nWe keep as little as we can.') },
    ])
    .execute()
  const invite = await db.write
    .insertInto('invite_code')
    .values({
      code_hash: Buffer.from('walk'),
      code_sealed: site.keyring.seal('walk'),
      url: 'https://ost.example',
      created_at: NOW,
      created_by_id: olga,
      expires_at: new Date('2026-05-22T09:30:00Z'),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const provider = await db.write
    .insertInto('identity_provider')
    .values({
      internal_name: 'walk',
      label: 'Login der Stadt',
      enabled: true,
      client_id: 'turnout',
      issuer: 'https://id.example',
      authorization_endpoint: 'https://id.example/authorize',
      token_endpoint: 'https://id.example/token',
      jwks_uri: 'https://id.example/keys',
      group_claim: 'groups',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const manager = await db.read.selectFrom('group_permission').select('group_id').orderBy('group_id').executeTakeFirstOrThrow()
  const mapping = await db.write
    .insertInto('identity_provider_group_value')
    .values({
      identity_provider_id: provider.id,
      value: 'leitung',
      group_id: manager.group_id,
      rights: JSON.stringify({ permissions: [], publishFor: [], decideHoursFor: [] }),
      confirmed_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const text = await db.write
    .insertInto('content_page')
    .values({ slug: 'first-aid', title: 'First aid', content: '# Where\n\nThe bag is in the car.' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const attached = await db.read.selectFrom('event_attachment').selectAll().orderBy('event_id').executeTakeFirstOrThrow()
  const request = await first(
    db.read.selectFrom('decision_request').select('id').where('kind', '=', 'qualification').orderBy('id'),
  )
  const proof = { id: randomUUID(), name: 'certificate.pdf', content_type: 'application/pdf', bytes: 1, sha256: Buffer.alloc(32) }
  await db.write.insertInto('stored_file').values(proof).execute()
  await db.write
    .insertInto('qualification_proof')
    .values({ request_id: Number(request), file_id: proof.id })
    .execute()
  const service = await createServiceAccount(
    { db: db.write, actor: ANONYMOUS, now: NOW, site, requestId: null },
    {
      name: 'Wall display',
      scopes: ['PUBLIC_READ', 'ME_READ'],
      groupIds: [],
      lastDay: '',
      networks: ['10.0.0.0/8'],
      origins: ['https://display.example'],
    },
    asOperator,
  )
  assert.ok(service.ok)
  const webhook = await createWebhook(
    { db: db.write, actor: actorOfOlga(olga), now: NOW, site, requestId: null },
    {
      name: 'Duty roster',
      description: 'Copies shifts into the roster of the control centre',
      url: 'https://roster.example.org/receivers/of/turnout/with-a-rather-long-address-that-has-to-be-broken',
      kinds: ['event', 'shift'],
      scopes: ['PUBLIC_READ'],
      include_record: false,
      active: true,
    },
  )
  assert.ok(webhook.ok)
  const delivery = { webhook_id: webhook.id, record_id: 7, what: 'updated', body: '{}', created_at: NOW, attempted_at: NOW }
  await db.write
    .insertInto('webhook_delivery')
    .values([
      { ...delivery, message_id: '1', kind: 'event', state: 'delivered', attempts: 1, status: 204, duration_ms: 48 },
      { ...delivery, message_id: '2', kind: 'test', state: 'failed', attempts: 1, status: 302, duration_ms: 5 },
      { ...delivery, message_id: '3', kind: 'shift', state: 'waiting', attempts: 3, error: 'too_slow', duration_ms: 10_000 },
    ])
    .execute()
  const app = { user_id: Number(person), secret_sealed: site.keyring.seal('walk'), last_step: 0, created_at: NOW }
  await db.write.insertInto('totp_factor').values(app).execute()
  const group = await first(db.read.selectFrom('user_group').select('id').orderBy('id'))
  const joinLink = await createJoinLink(
    { db: db.write, actor: actorOfOlga(olga), now: NOW, site, requestId: null },
    Number(group),
    {
      days: 30,
      max_uses: 20,
      approval: 'yes',
      note: 'Open day',
    },
  )
  assert.ok(joinLink?.ok)
  const changeToken = (column: string) => `walk${column.replace('_', '')}`.padEnd(30, 'x')
  await db.write
    .insertInto('email_change')
    .values({
      user_id: olga,
      former_email: 'olga@demo.example',
      new_email: 'olga@new.example',
      confirm_hash: hashSecret(changeToken('confirm_hash')),
      stop_hash: hashSecret(changeToken('stop_hash')),
      requested_at: NOW,
    })
    .execute()
  const registration = await db.write
    .insertInto('registration')
    .values({
      email: 'nora@demo.example',
      display_name: 'Nora',
      date_of_birth: '1999-02-03',
      language: 'en',
      password_hash: 'none',
      created_at: NOW,
      expires_at: new Date(NOW.getTime() + 1e8),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const importing = { db: db.write, actor: actorOfOlga(olga), now: NOW, site, requestId: null }
  const table = 'Name;E-Mail;Geburtstag;Gruppe\nAnn;ann@demo.example;03/04/2001;\nNew;new@demo.example;;Band\nNo address;;;\n'
  const list = await startImport(importing, { fileName: 'members.csv', spreadsheet: readTable(table) })
  await checkImport(importing, list)
  const action = await selectPeople(importing, { kind: 'grant', filter: { terms: [], state: 'active' } })
  assert.ok(action.ok)
  const inquiry = await db.write
    .insertInto('inquiry')
    .values({
      shift_id: busy.shift,
      created_by_id: Number(person),
      created_at: NOW,
      message: 'Please!',
      wanted: 1,
      was_short: true,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const asked = {
    inquiry_id: inquiry.id,
    user_id: Number(olga),
    position: 0,
    wave: 1,
    asked_at: NOW,
    expires_at: new Date(NOW.getTime() + 1e9),
  }
  const question = await db.write.insertInto('inquiry_person').values(asked).returning('id').executeTakeFirstOrThrow()
  const answerToken = makeAnswerToken(site.keyring, {
    id: question.id,
    userId: asked.user_id,
    shiftId: busy.shift,
    expiresAt: asked.expires_at,
  })
  const checkIn = await db.read.selectFrom('event_check_in').selectAll().executeTakeFirstOrThrow()
  const entry = await db.write
    .insertInto('waiting_entry')
    .values({
      shift_id: busy.shift,
      user_id: Number(olga),
      since: NOW,
      state: 'offered',
      offered_at: NOW,
      offered_until: new Date(NOW.getTime() + 1e7),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const offerToken = makeOfferToken(site.keyring, {
    kind: 'waiting_list',
    id: entry.id,
    userId: Number(olga),
    shiftId: busy.shift,
  })
  const link = async (purpose: 'welcome' | 'reset_password' | 'invitation') =>
    createMailLink(db.write, { purpose, userId: Number(person), now: NOW })
  const child = await first(db.read.selectFrom('user_profile').select('id').where('display_name', '=', 'Mia Petersen'))
  await db.write
    .insertInto('guardianship')
    .values({ guardian_id: olga, child_id: Number(child), since: NOW })
    .execute()
  const ofChild = await db.read
    .selectFrom('shift as s')
    .innerJoin('event as e', 'e.id', 's.event_id')
    .innerJoin('event_group_grant as g', 'g.event_id', 'e.id')
    .innerJoin('user_group_member as m', 'm.group_id', 'g.group_id')
    .select(['s.id', 's.event_id'])
    .where('m.user_id', '=', Number(child))
    .where('e.active', '=', true)
    .where('e.cancelled_at', 'is', null)
    .where('s.start_time', '>', NOW)
    .orderBy('s.id')
    .executeTakeFirstOrThrow()
  const calendarOf = async (userId: number) => {
    const times = {
      covers_until: new Date(NOW.getTime() + 1e9),
      last_success_at: NOW,
      next_attempt_at: new Date(NOW.getTime() + 1e7),
    }
    const address = { address_sealed: site.keyring.seal('https://calendar.example/secret.ics'), failure: 'denied' }
    const { id } = await db.write
      .insertInto('private_calendar')
      .values({ user_id: userId, name: 'Family', counts_all_day: true, unread_count: 2, ...address, ...times })
      .returning('id')
      .executeTakeFirstOrThrow()
    return String(id)
  }
  const dayOf = async (shiftId: number) => {
    const shift = db.read.selectFrom('shift').select('start_time').where('id', '=', shiftId)
    return (await shift.executeTakeFirstOrThrow()).start_time.toISOString().slice(0, 10)
  }
  const known: [RegExp, string][] = [
    [/(?<=^\/family\/.*\/calendars\/)\{id\}/, await calendarOf(Number(child))],
    [/(?<=\/calendars\/)\{id\}/, await calendarOf(olga)],
    [/(?<=^\/family\/.*\/events\/)\{event\}/, String(ofChild.event_id)],
    [/(?<=^\/family\/.*\/shifts\/)\{shift\}/, String(ofChild.id)],
    [/(?<=^\/help\/)\{language\}/, 'en'],
    [/(?<=^\/help\/.*)\{chapter\}/, 'first-event'],
    [/\{child\}/, child],
    [/(?<=guests\/register\/)\{event\}\/\{token\}/, `${guest.event_id}/${site.keyring.unseal(guest.token_sealed)}`],
    [/(?<=^\/guests\/mail\/)\{token\}/, makeMailToken(site.keyring, guest)],
    [/(?<=^\/guests\/)\{token\}\/mail\/\{code\}/, `${site.keyring.unseal(guest.access_token_sealed!)}/mail/unknown`],
    [/(?<=^\/guests\/)\{token\}/, site.keyring.unseal(guest.access_token_sealed!)],
    [/(?<=^\/guests\/.*\/shifts\/)\{shift\}/, guestShift],
    [/(?<=^\/asked\/)\{token\}/, answerToken],
    [/(?<=^\/check-in\/)\{token\}/, site.keyring.unseal(checkIn.token_sealed)],
    [/(?<=^\/events\/)\{event\}(?=\/check-in\/)/, String(checkIn.event_id)],
    [/(?<=^\/offered\/)\{token\}/, offerToken],
    [/(?<=^\/shifts\/\{shift\}\/line\/)\{id\}/, String(entry.id)],
    [/(?<=^\/shifts\/\{shift\}\/ask\/)\{id\}/, String(inquiry.id)],
    [/(?<=^\/events\/)\{event\}\/guests\/\{id\}/, `${guest.event_id}/guests/${guest.id}`],
    [/(?<=^\/events\/)\{event\}(?=\/guests\/)/, String(guest.event_id)],
    [/(?<=^\/events\/)\{event\}\/files\/\{id\}/, `${attached.event_id}/files/${attached.attachment_id}`],
    [/(?<=^\/events\/)\{event\}(?=\/files\/)/, String(attached.event_id)],
    [/(?<=manage\/files\/)\{id\}/, String(attached.attachment_id)],
    [
      /(?<=^\/events\/)\{event\}(?=\/series\/)/,
      await first(db.read.selectFrom('event_series_member').select('event_id as id').orderBy('date')),
    ],
    [
      /(?<=^\/events\/)\{event\}(?=\/programme\/)/,
      await first(db.read.selectFrom('programme').select('event_id as id').orderBy('event_id')),
    ],
    [/(?<=planning\/templates\/)\{id\}/, await first(db.read.selectFrom('event_template').select('id').orderBy('id'))],
    [/(?<=^\/series\/)\{id\}/, await first(db.read.selectFrom('event_series').select('id').orderBy('id'))],
    [/\{event(:slug)?\}/, String(busy.event)],
    [/\{shift\}/, String(busy.shift)],
    [/(?<=people\/import\/)\{id\}/, String(list)],
    [/(?<=people\/)\{id\}/, person],
    [/(?<=^\/planning\/people\/assign\/)$/, `?at=${person}.${await dayOf(busy.shift)}`],
    [/(?<=pages\/)\{slug\}/, 'first-aid'],
    [/(?<=pages\/)\{id\}/, String(text.id)],
    [/(?<=hours\/)\{user\}/, person],
    [/(?<=entries\/)\{id\}/, await first(db.read.selectFrom('working_hours').select('id').orderBy('id'))],
    [/(?<=groups\/)\{id\}/, group],
    [/(?<=email\/confirm\/)\{token\}/, changeToken('confirm_hash')],
    [/(?<=email-stop\/)\{token\}/, changeToken('stop_hash')],
    [/(?<=join-links\/)\{link\}/, String(joinLink.id)],
    [/(?<=^\/join\/confirm\/)\{token\}/, (await createConfirmationToken(db.write, registration.id))!],
    [/(?<=^\/join\/)\{token\}/, joinLink.token],
    [/(?<=invitation\/)\{token\}/, await link('invitation')],
    [/(?<=event-types\/)\{id\}/, await first(db.read.selectFrom('event_type').select('id').orderBy('id'))],
    [/(?<=resources\/categories\/)\{id\}/, await first(db.read.selectFrom('resource_category').select('id').orderBy('id'))],
    [/(?<=resources\/)\{id\}/, await first(db.read.selectFrom('resource').select('id').orderBy('id'))],
    [/(?<=hours\/entries\/)\{id\}/, await first(db.read.selectFrom('working_hours').select('id').orderBy('id'))],
    [/(?<=hours\/)\{user\}/, person],
    [/(?<=questions\/)\{id\}/, await first(db.read.selectFrom('question').select('id').orderBy('id'))],
    [/(?<=manage\/pages\/)\{id\}/, await first(db.read.selectFrom('content_page').select('id').orderBy('id'))],
    [/(?<=pages\/)\{slug\}/, 'mitmachen'],
    [/(?<=categories\/)\{id\}/, await first(db.read.selectFrom('qualification_category').select('id').orderBy('id'))],
    [/(?<=qualifications\/)\{id\}/, await first(db.read.selectFrom('qualification').select('id').orderBy('id'))],
    [/(?<=blocks\/)\{id\}/, await first(db.read.selectFrom('building_block').select('id').orderBy('id', 'desc'))],
    [/(?<=manage\/applications\/)\{id\}/, String(application.id)],
    [/(?<=service-accounts\/)\{id\}/, String(service.accountId)],
    [/(?<=service-accounts\/.*\/keys\/)\{key\}/, String(service.id)],
    [/(?<=people\/actions\/)\{id\}/, String(action.id)],
    [/(?<=identity-providers\/)\{id\}/, String(provider.id)],
    [/\{mapping\}/, String(mapping.id)],
    [/(?<=identity-providers\/\d+\/groups\/confirm\/)$/, `?value=leitung&group=${manager.group_id}`],
    [/(?<=invites\/)\{id\}/, String(invite.id)],
    [/(?<=events\/external\/places\/)\{id\}/, await addPlaceAtPartner(db, olga)],
    [/(?<=hosts\/)\{id\}/, await first(db.read.selectFrom('federated_host').select('id').orderBy('id'))],
    [/(?<=guests\/)\{id\}/, await first(db.read.selectFrom('federated_guest').select('id').orderBy('id'))],
    [/(?<=webhooks\/)\{id\}/, String(webhook.id)],
    [/(?<=tokens\/)\{id\}/, String(token.id)],
    [/(?<=welcome\/)\{token\}/, await link('welcome')],
    [/(?<=reset\/)\{token\}/, await link('reset_password')],
    [/(?<=off\/)\{token\}/, makeUnsubscribeToken(site.keyring, { userId: olga, kinds: ['reminder'] })],
    [/(?<=logo\/)\{version\}/, 'unknown'],
  ]
  return (template) => {
    const address = known.reduce((path, [hole, value]) => path.replace(hole, value), template)
    assert.doesNotMatch(address, /\{/, `${template} has a placeholder without a value`)
    return address
  }
}

async function addPlaceAtPartner(db: Database, userId: number): Promise<string> {
  const {
    id: partner_event_id,
    start_time,
    end_time,
    fetched_at,
  } = await db.read.selectFrom('partner_event').selectAll().orderBy('id').limit(1).executeTakeFirstOrThrow()
  const times = { start_time: start_time!, end_time: end_time!, fetched_at }
  const { id } = await db.write
    .insertInto('participation_abroad')
    .values({ partner_event_id, user_id: userId, remote_shift_id: 1_202, shift_label: 'Boat 3', state: 1, ...times })
    .returning('id')
    .executeTakeFirstOrThrow()
  return String(id)
}

/** Pages in other states. */
async function findStates(db: Database): Promise<string[]> {
  const some = db.read.selectFrom('event').select('id').orderBy('id')
  const [cancelled, draft, past] = await Promise.all([
    some.where('cancelled_at', 'is not', null).executeTakeFirst(),
    some.where('active', '=', false).executeTakeFirst(),
    some.where('end_time', '<', NOW).executeTakeFirst(),
  ])
  return [
    ...[cancelled, draft, past].flatMap((event) => (event ? [`/events/${event.id}/`] : [])),
    '/events/?q=nothing+of+the+sort',
    '/events/?view=past',
    '/manage/people/?q=nobody',
    '/planning/people/?view=day',
    '/planning/people/?view=month',
    '/planning/people/?q=nobody',
    '/manage/log/?q=nothing+of+the+sort',
    '/events/999999/',
  ]
}

/** The addresses of all pages that another journey does not check, with existing ids, and pages in other states. */
export async function findEveryPage(testApp: TestApp): Promise<string[]> {
  const fill = await fillTemplates(testApp)
  const addresses = testApp.templates.filter((path) => !FORMER.has(path) && !ELSEWHERE.some((one) => one.test(path))).map(fill)
  return [...addresses, ...(await findStates(testApp.db))]
}

export async function openAsOlga(browser: Browser, origin: string): Promise<BrowserContext> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const page = await context.newPage()
  await signInAs(page, origin, 'olga')
  await page.close()
  return context
}

/** Returns null for a download. */
export async function openPlace(page: Page, address: string): Promise<Response | null> {
  try {
    return await page.goto(address)
  } catch (error) {
    if (!/Download is starting/.test((error as Error).message)) throw error
    return null
  }
}
