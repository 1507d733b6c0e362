import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { switchGuestShare } from '#features/sharing/guests/commands/share.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, HELPERS, OLGA, PAUL, VERA } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { FORMER_ADDRESSES } from './former-addresses.ts'

describe('addresses of ephios', async () => {
  const world = await openWorld()
  const { write } = world.db
  const fair = await world.addEvent({ title: 'Fair', seenBy: [HELPERS], responsible: [PAUL], shifts: [{}] })
  const hidden = await world.addEvent({ title: 'Secret', seenBy: [VERA], shifts: [{}] })
  const [shift] = fair.shifts
  const insert = async (table: 'attachment' | 'question' | 'content_page' | 'identity_provider', values: object) =>
    (
      await write
        .insertInto(table)
        .values(values as never)
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const addFile = async (title: string, eventId: number) => {
    const fileId = crypto.randomUUID()
    world.files.content.set(fileId, { bytes: Buffer.from('%PDF-1.7'), storedAt: world.now })
    await write
      .insertInto('stored_file')
      .values({ id: fileId, name: `${title}.pdf`, content_type: 'application/pdf', bytes: 8, sha256: Buffer.alloc(32) })
      .execute()
    const id = await insert('attachment', { title, file_id: fileId })
    await write.insertInto('event_attachment').values({ event_id: eventId, attachment_id: id }).execute()
    return id
  }
  const [file, secret] = [await addFile('Plan', fair.id), await addFile('Secret', hidden.id)]
  const question = await insert('question', { name: 'Food', text: 'What do you eat?', kind: 'text' })
  await insert('content_page', { title: 'Rules', slug: 'häus-rules', content: 'Be kind' })
  const provider = await insert('identity_provider', {
    internal_name: 'keycloak',
    label: 'Keycloak',
    client_id: 'turnout',
    authorization_endpoint: 'https://id.example/auth',
    token_endpoint: 'https://id.example/token',
    enabled: true,
  })
  const one = async (table: 'event_type' | 'user_group') =>
    (await write.selectFrom(table).select('id').orderBy('id').limit(1).executeTakeFirstOrThrow()).id
  const [type, group] = [await one('event_type'), await one('user_group')]
  const { id: qualification } = await world.addQualification('Medic')
  await switchGuestShare(contextAs(world, PAUL), fair.id, true)

  const [olga, ann, paul] = await Promise.all([OLGA, ANN, PAUL].map((person) => browserOf(world, person)))
  type Getter = (path: string) => Promise<{ status: number; location: string | undefined }>
  const through =
    (browser: typeof olga): Getter =>
    async (path) => {
      const { statusCode, headers } = await browser!.get(path)
      return { status: statusCode, location: headers.location as string | undefined }
    }
  const anonymous: Getter = async (path) => {
    const { status, headers } = await world.nobody.get(path, { unchecked: true })
    return { status, location: headers.location }
  }

  /** Where redirects end. */
  async function follow(get: Getter, path: string): Promise<{ status: number; path: string }> {
    for (let at = path, hops = 0; ; hops++) {
      assert.ok(hops < 4, `${path} redirects too often`)
      const { status, location } = await get(at)
      if (status !== 303 && status !== 302 && status !== 301) return { status, path: at }
      if (location!.startsWith('https://')) return { status: 200, path: location! }
      at = location!
    }
  }

  /** Every address of the pages of ephios. `others`: what a member without permissions gets at the end. */
  const ALL: [address: string, end: string | RegExp, others: number][] = [
    ['/', '/', 200],
    ['/events/', '/events/', 200],
    [`/events/${fair.id}-fair/`, `/events/${fair.id}-fair/`, 200],
    [`/events/${fair.id}/edit/`, `/events/${fair.id}/edit/`, 403],
    [`/events/${fair.id}/delete/`, `/events/${fair.id}/delete/`, 403],
    [`/events/${fair.id}/pdf/`, `/events/${fair.id}/roster/`, 200],
    [`/events/${fair.id}/copy/`, `/events/${fair.id}/duplicate/`, 403],
    [`/events/${fair.id}/activate/`, `/events/${fair.id}-fair/`, 200],
    [`/events/${fair.id}/createshift/`, `/events/${fair.id}/shifts/new/`, 403],
    [`/events/create/${type}/`, `/events/new/?type=${type}`, 403],
    ['/events/external/', '/events/external/', 200],
    [`/shifts/${shift}/signup/`, /^\/(shifts|events)\//, 200],
    [`/shifts/${shift}/edit/`, `/shifts/${shift}/edit/`, 403],
    [`/shifts/${shift}/delete/`, `/shifts/${shift}/delete/`, 403],
    [`/shifts/${shift}/copy/`, `/shifts/${shift}/copy/`, 403],
    [`/shifts/${shift}/disposition/`, `/shifts/${shift}/disposition/`, 403],
    [`/shifts/${shift}/answers/`, `/shifts/${shift}/answers/`, 403],
    ['/settings/data/', '/settings/data/', 200],
    ['/settings/calendar/', '/settings/calendar/', 200],
    ['/settings/notifications/', '/settings/notifications/', 200],
    ['/settings/password_change/', '/settings/security/', 200],
    ['/settings/instance/', '/manage/instance/', 403],
    ['/settings/eventtypes/', '/manage/event-types/', 403],
    ['/settings/eventtypes/create/', '/manage/event-types/new/', 403],
    [`/settings/eventtypes/${type}/edit/`, `/manage/event-types/${type}/`, 403],
    ['/settings/idp/', '/manage/identity-providers/', 403],
    [`/settings/idp/${provider}/edit/`, `/manage/identity-providers/${provider}/`, 403],
    ['/settings/federation/', '/manage/federation/', 403],
    ['/settings/qualifications/', '/settings/qualifications/', 200],
    [`/settings/qualifications/${qualification}/edit/`, `/manage/qualifications/${qualification}/`, 403],
    ['/settings/qualifications/categories/', '/manage/qualifications/', 403],
    ['/settings/qualifications/import/', '/manage/qualifications/import/', 403],
    ['/settings/qualifications/export/', '/manage/qualifications/export/', 403],
    ['/settings/signup-blocks/', '/manage/blocks/', 403],
    ['/settings/pages/', '/manage/pages/', 403],
    ['/settings/saved-answers/', '/settings/answers/', 200],
    ['/groups/', '/manage/groups/', 403],
    [`/groups/${group}/edit/`, `/manage/groups/${group}/`, 403],
    ['/users/', '/manage/people/', 403],
    [`/users/${ANN.id}/edit/`, `/manage/people/${ANN.id}/`, 403],
    ['/users/create/', '/manage/people/new/', 403],
    ['/consequences/7/edit/', '/manage/requests/', 403],
    ['/log/', '/manage/log/', 403],
    ['/workinghours/', '/manage/hours/', 403],
    ['/workinghours/own/', '/my-shifts/', 200],
    ['/workinghours/own/request/', '/my-shifts/request/', 200],
    [`/workinghours/user/${PAUL.id}/`, `/manage/hours/${PAUL.id}/`, 403],
    ['/notifications/', '/notifications/', 200],
    ['/notifications/7/', '/notifications/', 200],
    ['/documents/', '/manage/files/', 403],
    [`/documents/${file}/`, `/events/${fair.id}/files/${file}/`, 200],
    ['/resources/', '/manage/resources/', 403],
    ['/resources/categories/', '/manage/resources/', 403],
    ['/questions/', '/manage/questions/', 403],
    [`/questions/${question}/edit/`, `/manage/questions/${question}/`, 403],
    [`/page/${encodeURIComponent('häus-rules')}/`, `/pages/${encodeURIComponent('häus-rules')}/`, 200],
    [`/oidc/initiate/${provider}/`, '/', 200],
    ['/api/settings/token/', '/settings/tokens/', 200],
    ['/api/settings/applications/', '/settings/applications/', 200],
    ['/manifest.json', '/manifest.webmanifest', 200],
    ['/serviceworker.js', '/serviceworker.js', 200],
    ['/offline/', '/offline/', 200],
    ['/healthcheck/', '/healthcheck/', 200],
  ]
  for (const [address, end, others] of ALL) {
    test(`${address} leads to a page that exists, which checks the access`, async () => {
      const { status, path } = await follow(through(olga), address)
      assert.equal(status, 200, path)
      if (typeof end === 'string') assert.equal(path, end)
      else assert.match(path, end)
      assert.equal((await follow(through(ann), address)).status, others)
    })
  }

  test('of shared events, guests and calendars are those of today', async () => {
    const share = await write.selectFrom('guest_share').selectAll().executeTakeFirstOrThrow()
    const { unseal } = world.app.site.keyring
    const token = unseal(String(share.token_sealed))
    assert.equal((await follow(anonymous, `/guests/register/${fair.id}/${token}/`)).status, 200)
    for (const path of [
      '/guests/no-such-guest/',
      '/calendar/no-such-calendar/',
      `/events/shared/${fair.id}/1/`,
      '/oidc/callback/',
    ]) {
      const { status } = await follow(anonymous, path)
      assert.notEqual(status, 500, path)
    }
  })

  test('of a file lead to an event that the reader sees, or nowhere', async () => {
    assert.deepEqual(await follow(through(paul), `/documents/${secret}/`), { status: 404, path: `/documents/${secret}/` })
    assert.deepEqual(await follow(through(paul), '/documents/99999/'), { status: 404, path: '/documents/99999/' })
    const manager = await browserOf(world, await world.addPerson({ name: 'Mara', permissions: ['change_file'] }))
    assert.deepEqual(await follow(through(manager), `/documents/${secret}/`), { status: 200, path: `/manage/files/${secret}/` })
    assert.deepEqual(await follow(through(manager), '/documents/99999/'), { status: 404, path: '/manage/files/99999/' })
    const unread = await follow(through(await browserOf(world, VERA)), `/documents/${secret}/`)
    assert.deepEqual(unread, { status: 200, path: `/events/${hidden.id}/files/${secret}/` })
  })

  test('tell strangers nothing: an address of a record that exists answers as one of a record that does not', async () => {
    const pairs = [
      [`/documents/${file}/`, '/documents/99999/'],
      [`/events/${fair.id}/pdf/`, '/events/99999/pdf/'],
      [`/users/${ANN.id}/edit/`, '/users/99999/edit/'],
      [`/questions/${question}/edit/`, '/questions/99999/edit/'],
      ['/notifications/1/', '/notifications/99999/'],
    ] as const
    for (const [real, unreal] of pairs)
      for (const path of [real, unreal]) {
        const { status, path: end } = await follow(anonymous, path)
        assert.equal(status, 200)
        assert.match(end, /^\/accounts\/login\//)
      }
  })

  test('tell members nothing about events that they do not see', async () => {
    for (const what of ['pdf', 'copy', 'activate', 'createshift']) {
      const [real, unreal] = [`/events/${hidden.id}/${what}/`, `/events/99999/${what}/`]
      const statuses = [(await follow(through(ann), real)).status, (await follow(through(ann), unreal)).status]
      assert.equal(statuses[0], statuses[1], what)
      assert.notEqual(statuses[0], 200)
    }
  })

  test('have no placeholder left, wherever they lead', async () => {
    for (const [former] of FORMER_ADDRESSES) {
      const path = former
        .replace(/\{(id|event)\}/, String(fair.id))
        .replace('{uid}', 'MQ')
        .replace('{token}', 'abc-123')
        .replace('{slug}', 'rules')
      const { status, location } = await through(olga)(path)
      assert.equal(status, 303, path)
      assert.doesNotMatch(location!, /[{}]|undefined/)
    }
  })
})
