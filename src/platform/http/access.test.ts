import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type Actor,
  ANONYMOUS,
  type GuestActor,
  makeActor,
  type PartnerActor,
  type UserActor,
  type VisitorActor,
} from '#platform/auth/actor.ts'
import {
  type ApiAccess,
  anyUser,
  assertAccess,
  type Credentials,
  checkApiAccess,
  checkPageAccess,
  checkPermission,
  checkRecentSignIn,
  checkWritePermission,
  guest,
  mayRead,
  open,
  type PageAccess,
  partner,
  permission,
  readingToWrite,
  scope,
  scopesOf,
  signedIn,
  staff,
  visitor,
} from './access.ts'
import { actionEndpoint, documentEndpoint, listEndpoint, recordEndpoint, streamEndpoint, writeEndpoint } from './endpoint.ts'
import { actionPage, formPage, viewPage } from './page.ts'
import { Problem } from './problem.ts'

const person = (facts: Partial<UserActor> = {}): UserActor =>
  makeActor<UserActor>({
    kind: 'user',
    userId: 7,
    displayName: 'Ann',
    email: 'ann@a.example',
    language: 'en',
    isStaff: false,
    isSuperuser: false,
    groupIds: [],
    permissions: new Set(),
    via: { kind: 'session', sessionHash: Buffer.from('') },
    ...facts,
  })
const withToken = (scopes: string[], permissions: string[] = []): UserActor =>
  person({ permissions: new Set(permissions), via: { kind: 'token', tokenId: 1, scopes: new Set(scopes) } })
const holding = (...permissions: string[]): UserActor => person({ permissions: new Set(permissions) })
const instance = makeActor<PartnerActor>({ kind: 'partner', federatedGuestId: 1, tokenId: 1 })
const traveller = makeActor<VisitorActor>({
  kind: 'visitor',
  visitorId: 1,
  federatedGuestId: 1,
  displayName: 'Vic',
  language: 'en',
})
const invited = makeActor<GuestActor>({ kind: 'guest', guestId: 1, eventId: 1, displayName: 'Gus', language: 'en' })
const strangers: Actor[] = [ANONYMOUS, traveller, invited]

/** The code of the problem, or `allowed`. */
function codeOf(check: () => unknown): string {
  try {
    check()
    return 'allowed'
  } catch (error) {
    assert.ok(error instanceof Problem)
    return error.code
  }
}

describe('access to endpoints', () => {
  const reading = scope('PUBLIC_READ')
  const managing = scope('CONFIDENTIAL_WRITE', 'change_user')
  const both = readingToWrite('CONFIDENTIAL_READ', 'CONFIDENTIAL_WRITE', 'change_user')
  const cases: [what: string, access: ApiAccess, actor: Actor, credentials: Credentials, code: string][] = [
    ['anybody may call an open one', open('a test'), ANONYMOUS, 'none', 'allowed'],
    ['also with a dead token', open('a test'), ANONYMOUS, 'invalid', 'allowed'],
    ['partners may call theirs', partner, instance, 'valid', 'allowed'],
    ['people may not', partner, person(), 'valid', 'permission_denied'],
    ['a dead token of a partner is refused, not asked for again', partner, ANONYMOUS, 'invalid', 'permission_denied'],
    ['a dead token', anyUser, ANONYMOUS, 'invalid', 'invalid_token'],
    ['a token from a wrong network', anyUser, person(), 'network_not_allowed', 'network_not_allowed'],
    ['a token on a wrong page', anyUser, person(), 'origin_not_allowed', 'origin_not_allowed'],
    ['a partner instead of a person', anyUser, instance, 'valid', 'permission_denied'],
    ['a partner with a scope', reading, instance, 'valid', 'permission_denied'],
    ['any person', anyUser, withToken([]), 'valid', 'allowed'],
    ['a session has all scopes', reading, person(), 'valid', 'allowed'],
    ['the scope', reading, withToken(['PUBLIC_READ']), 'valid', 'allowed'],
    ['another scope', reading, withToken(['ME_READ']), 'valid', 'insufficient_scope'],
    ['scope and permission', managing, withToken(['CONFIDENTIAL_WRITE'], ['change_user']), 'valid', 'allowed'],
    ['the scope alone', managing, withToken(['CONFIDENTIAL_WRITE']), 'valid', 'permission_denied'],
    ['the permission alone', managing, withToken([], ['change_user']), 'valid', 'insufficient_scope'],
    ['the first of two scopes', both, withToken(['CONFIDENTIAL_READ'], ['change_user']), 'valid', 'insufficient_scope'],
    ['the second of two scopes', both, withToken(['CONFIDENTIAL_WRITE'], ['change_user']), 'valid', 'insufficient_scope'],
    ['both', both, withToken(['CONFIDENTIAL_READ', 'CONFIDENTIAL_WRITE'], ['change_user']), 'valid', 'allowed'],
  ]
  for (const [what, access, actor, credentials, code] of cases)
    test(`${what}: ${code}`, () =>
      assert.equal(
        codeOf(() => checkApiAccess(access, actor, credentials)),
        code,
      ))

  for (const actor of strangers)
    test(`${actor.kind}: has to sign in, and reads nothing`, () => {
      assert.equal(
        codeOf(() => checkApiAccess(anyUser, actor, 'none')),
        'not_authenticated',
      )
      for (const access of [anyUser, reading, open('a test')]) assert.equal(mayRead(access, actor), false)
    })

  test('a refusal says what to send', () => {
    const headerOf = (access: ApiAccess, actor: Actor, credentials: Credentials) => {
      try {
        checkApiAccess(access, actor, credentials)
      } catch (error) {
        return (error as Problem).headers['www-authenticate']
      }
      return undefined
    }
    assert.deepEqual(
      [
        headerOf(anyUser, ANONYMOUS, 'none'),
        headerOf(anyUser, ANONYMOUS, 'invalid'),
        headerOf(both, withToken(['CONFIDENTIAL_WRITE']), 'valid'),
      ],
      [
        'Bearer realm="turnout"',
        'Bearer realm="turnout", error="invalid_token"',
        'Bearer realm="turnout", error="insufficient_scope", scope="CONFIDENTIAL_READ"',
      ],
    )
  })

  test('the scopes of an endpoint', () => {
    assert.deepEqual(scopesOf(both), ['CONFIDENTIAL_WRITE', 'CONFIDENTIAL_READ'])
    assert.deepEqual(scopesOf(reading), ['PUBLIC_READ'])
    assert.deepEqual(scopesOf(anyUser), [])
  })

  for (const [what, access, actor, isReadable] of [
    ['any person', anyUser, withToken([]), true],
    ['a person, of an endpoint for partners', partner, withToken([]), false],
    ['the scope', reading, withToken(['PUBLIC_READ']), true],
    ['another scope', reading, withToken(['PUBLIC_WRITE']), false],
    ['a session', reading, person(), true],
    ['both scopes and the permission', both, withToken(['CONFIDENTIAL_READ', 'CONFIDENTIAL_WRITE'], ['change_user']), true],
    ['both scopes', both, withToken(['CONFIDENTIAL_READ', 'CONFIDENTIAL_WRITE']), false],
    ['one of two scopes', both, withToken(['CONFIDENTIAL_WRITE'], ['change_user']), false],
    ['the other one', both, withToken(['CONFIDENTIAL_READ'], ['change_user']), false],
  ] as const)
    test(`${what}: ${isReadable ? 'may' : 'may not'} read an answer`, () => assert.equal(mayRead(access, actor), isReadable))
})

describe('permission to write', () => {
  const table: [method: string, needed: string][] = [
    ['POST', 'add_event'],
    ['PUT', 'change_event'],
    ['PATCH', 'change_event'],
    ['DELETE', 'delete_event'],
  ]
  const records = { writePermissions: 'event' } as const
  for (const [method, needed] of table)
    test(`${method} needs ${needed}`, () => {
      assert.equal(
        codeOf(() => checkWritePermission(records, holding(needed), method)),
        'allowed',
      )
      const others = table.map(([, each]) => each).filter((each) => each !== needed)
      const other = holding(...others, needed.replace('event', 'user'))
      assert.equal(
        codeOf(() => checkWritePermission(records, other, method)),
        'permission_denied',
      )
      assert.equal(
        codeOf(() => checkWritePermission({}, person(), method)),
        'allowed',
      )
      assert.equal(
        codeOf(() => checkWritePermission({ writePermissions: 'user' }, holding(needed), method)),
        'permission_denied',
      )
    })
  test('reading needs none', () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      assert.equal(
        codeOf(() => checkWritePermission(records, person(), method)),
        'allowed',
      )
  })
  test('a second permission', () => {
    assert.equal(
      codeOf(() => checkPermission(holding('change_group'), 'change_group')),
      'allowed',
    )
    assert.equal(
      codeOf(() => checkPermission(holding('add_group'), 'change_group')),
      'permission_denied',
    )
  })
})

describe('access to pages', () => {
  const cases: [access: PageAccess, allowed: Actor[], refused: Actor[]][] = [
    [open('a test'), [...strangers, person()], []],
    [visitor, [...strangers, person()], []],
    [guest, [...strangers, person()], []],
    [signedIn, [person()], []],
    [staff, [person({ isStaff: true }), person({ isSuperuser: true })], [person(), holding('change_event')]],
    [
      permission('change_event'),
      [holding('change_event'), person({ isSuperuser: true })],
      [person(), holding('add_event'), holding('change_group')],
    ],
  ]
  for (const [access, allowed, refused] of cases)
    test(`for ${access.kind}`, () => {
      const isOpen = ['open', 'visitor', 'guest'].includes(access.kind)
      for (const actor of allowed) assert.equal(checkPageAccess(access, actor), 'allowed')
      for (const actor of refused)
        assert.equal(
          codeOf(() => checkPageAccess(access, actor)),
          'permission_denied',
        )
      const others = [...strangers, instance].filter((each) => !allowed.includes(each))
      for (const actor of others) assert.equal(checkPageAccess(access, actor), isOpen ? 'allowed' : 'sign-in-first')
    })

  test('a page or an endpoint without access is a mistake', () => {
    assert.throws(() => assertAccess({ path: '/a/' }), /\/a\/ declares no access/)
    assert.throws(() => assertAccess({ path: '/a/', access: {} }), /declares no access/)
    assert.throws(() => assertAccess({ path: '/a/', access: { kind: 'everybody' } }), /declares no access/)
    for (const access of [
      partner,
      anyUser,
      scope('ME_READ'),
      open('a test'),
      signedIn,
      staff,
      permission('add_event'),
      visitor,
      guest,
    ])
      assert.doesNotThrow(() => assertAccess({ path: '/a/', access }))
  })

  const MAKERS: Record<string, (value: never) => unknown> = {
    listEndpoint,
    recordEndpoint,
    streamEndpoint,
    actionEndpoint,
    writeEndpoint,
    documentEndpoint,
    viewPage,
    formPage,
    actionPage,
  }
  for (const [name, make] of Object.entries(MAKERS))
    test(`a page or an endpoint cannot be made without access: ${name}`, () => {
      const makeWith = (more: object) => make({ path: '/a/', method: 'POST', ...more } as never)
      assert.throws(() => makeWith({}), /\/a\/ declares no access/)
      assert.throws(() => makeWith({ access: { kind: 'everybody' } }), /declares no access/)
      assert.doesNotThrow(() => makeWith({ access: anyUser }))
    })
})

test('commands of sensitive pages need a proof of the last 15 minutes from sessions, and none from tokens', () => {
  const now = new Date('2031-05-01T10:00:00Z')
  const proved = (ms?: number) =>
    person({
      via: {
        kind: 'session',
        sessionHash: Buffer.from(''),
        ...(ms === undefined ? {} : { provedAt: new Date(now.getTime() - ms) }),
      },
    })
  const LIMIT_MS = 15 * 60_000
  for (const [actor, code] of [
    [proved(0), 'allowed'],
    [proved(LIMIT_MS - 1), 'allowed'],
    [proved(LIMIT_MS), 'recent_sign_in_required'],
    [proved(), 'recent_sign_in_required'],
    [withToken([]), 'allowed'],
    [ANONYMOUS, 'allowed'],
  ] as const)
    assert.equal(
      codeOf(() => checkRecentSignIn({ actor, now })),
      code,
    )
})
