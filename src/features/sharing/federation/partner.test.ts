import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Outbound, OutboundError } from '#platform/outbound/outbound.ts'
import {
  cutText,
  leaveHost,
  listExternalParticipations,
  listSharedEvents,
  PartnerError,
  readProfile,
  redeemCode,
  requestSetup,
} from './partner.ts'

const HOST = 'https://host.example'
const NOW = new Date('2031-05-04T10:00:00Z')
const TIME = '2031-05-05T08:00:00Z'

type Call = { url: string; method: string; headers: Record<string, string>; body: string | undefined }
type Answer = { status?: number; body?: unknown; text?: string; etag?: string; cookie?: string }

/** Answers the calls in this order, and records them. */
function makePartner(...answers: (Answer | Error)[]): { outbound: Outbound; calls: Call[] } {
  const calls: Call[] = []
  const send: Outbound['send'] = async (url, { method = 'GET', headers = {}, body } = {}) => {
    calls.push({ url, method, headers, body: body?.toString() })
    const answer = answers[Math.min(calls.length, answers.length) - 1]!
    if (answer instanceof Error) throw answer
    const answered = { etag: answer.etag, 'set-cookie': answer.cookie }
    return { status: answer.status ?? 200, headers: answered, text: answer.text ?? JSON.stringify(answer.body) }
  }
  return { outbound: { send }, calls }
}

const fails = (status: number | undefined, words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof PartnerError, String(error))
  assert.equal(error.status, status)
  assert.match(error.message, words)
  return true
}

const event = (id: number, more: object = {}) => ({
  id,
  title: `Event ${id}`,
  location: 'Pier 3',
  type: { title: 'Race' },
  signup_url: `${HOST}/events/${id}/`,
  ...more,
})
const participation = (shift: number, more: object = {}) => ({
  event: 1,
  shift,
  shift_label: '',
  user: 4,
  state: 1,
  start_time: TIME,
  end_time: TIME,
  ...more,
})
const linkTo = (clock = { now: () => NOW }) => ({ url: HOST, token: 'ourToken', clock })
/** A clock that advances with every look. */
const clockEvery = (seconds: number) => {
  let looks = 0
  return { now: () => new Date(NOW.getTime() + looks++ * seconds * 1000) }
}

const LISTS = {
  events: {
    path: '/api/federation/events/?end_time_after=2031-04-20T00%3A00%3A00.000000Z',
    read: (outbound: Outbound, link = linkTo() as Parameters<typeof listSharedEvents>[1]) =>
      listSharedEvents(outbound, link, NOW),
    item: event,
  },
  participations: {
    path: '/api/federation/participations/',
    read: (outbound: Outbound, link = linkTo() as Parameters<typeof listSharedEvents>[1]) =>
      listExternalParticipations(outbound, link),
    item: participation,
  },
} as const

for (const [what, { path, read, item }] of Object.entries(LISTS)) {
  describe(`the list of ${what} of a partner`, () => {
    test('is read with our token, page by page on its own origin', async () => {
      const next = `${HOST}${path}${path.includes('?') ? '&' : '?'}offset=1`
      const { outbound, calls } = makePartner(
        { body: { next, results: [item(1)] } },
        { body: { next: null, results: [item(2)] } },
      )
      const listing = await read(outbound)
      assert.ok(listing.kind === 'listed')
      assert.equal(listing.items.length, 2)
      assert.deepEqual(
        calls.map(({ url, method, headers }) => [url, method, headers]),
        [`${HOST}${path}`, next].map((url) => [url, 'GET', { authorization: 'Bearer ourToken', accept: 'application/json' }]),
      )
    })

    for (const next of [
      'https://elsewhere.example/api/federation/events/',
      'http://host.example/api/federation/events/',
      'https://host.example:8443/api/federation/events/',
      'https://host.example@elsewhere.example/',
      'https://host.example.elsewhere.example/',
      'https://sub.host.example/',
      '//elsewhere.example/',
      '/api/federation/events/?offset=1',
      'https://',
      'javascript:alert(1)',
    ]) {
      test(`is not read on at ${next}, so our token stays with the partner`, async () => {
        const { outbound, calls } = makePartner({ body: { next, results: [item(1)] } }, { body: { results: [] } })
        await assert.rejects(read(outbound), fails(undefined, /its list goes on at another instance/))
        assert.equal(calls.length, 1)
      })
    }

    test('is unchanged if the partner says so about the first page, and only then', async () => {
      const known = { ...linkTo(), etag: '"one"' }
      const first = makePartner({ status: 304 })
      assert.deepEqual(await read(first.outbound, known), { kind: 'unchanged' })
      assert.equal(first.calls[0]!.headers['if-none-match'], '"one"')
      const second = makePartner({ body: { next: `${HOST}/2`, results: [] } }, { status: 304 })
      await assert.rejects(read(second.outbound, known), fails(304, /it answered 304/))
      assert.equal(second.calls[1]!.headers['if-none-match'], undefined)
      const none = makePartner({ body: { results: [] } })
      await read(none.outbound, { ...linkTo(), etag: null })
      assert.equal('if-none-match' in none.calls[0]!.headers, false)
    })

    test('has an ETag if it is one page and the tag is short enough', async () => {
      const etagOf = async (...answers: Answer[]) => {
        const listing = await read(makePartner(...answers).outbound)
        return listing.kind === 'listed' ? listing.etag : listing.kind
      }
      assert.equal(await etagOf({ body: { results: [] }, etag: '"a"' }), '"a"')
      assert.equal(await etagOf({ body: { results: [] } }), undefined)
      assert.equal(await etagOf({ body: { results: [] }, etag: 'x'.repeat(200) }), 'x'.repeat(200))
      assert.equal(await etagOf({ body: { results: [] }, etag: 'x'.repeat(201) }), undefined)
      const pages = [
        { body: { next: `${HOST}/2`, results: [] }, etag: '"a"' },
        { body: { results: [] }, etag: '"b"' },
      ]
      assert.equal(await etagOf(...pages), undefined)
    })

    test('is refused by 403, and other answers are errors with their status', async () => {
      assert.deepEqual(await read(makePartner({ status: 403, text: '' }).outbound), { kind: 'refused' })
      for (const status of [201, 301, 400, 401, 404, 500, 503])
        await assert.rejects(read(makePartner({ status, body: { results: [] } }).outbound), fails(status, /it answered \d+/))
    })

    test('has 50 pages at most', async () => {
      const { outbound, calls } = makePartner({ body: { next: `${HOST}/again`, results: [] } })
      await assert.rejects(read(outbound), fails(undefined, /more than 50 pages/))
      assert.equal(calls.length, 50)
    })

    test('takes 20 seconds at most', async () => {
      const pages = [
        ...Array.from({ length: 4 }, () => ({ body: { next: `${HOST}/2`, results: [] } })),
        { body: { results: [] } },
      ]
      assert.equal((await read(makePartner(...pages.slice(1)).outbound, linkTo(clockEvery(5)))).kind, 'listed')
      await assert.rejects(
        read(makePartner(...pages).outbound, linkTo(clockEvery(5))),
        fails(undefined, /longer than 20 seconds/),
      )
    })

    test('has 1,000 rows a page at most, and every row has the expected form', async () => {
      const rows = (count: number) => Array.from({ length: count }, (_, n) => item(n))
      const listing = await read(makePartner({ body: { results: rows(1_000) } }).outbound)
      assert.ok(listing.kind === 'listed' && listing.items.length === 1_000)
      await assert.rejects(
        read(makePartner({ body: { results: rows(1_001) } }).outbound),
        fails(undefined, /the list .* at results/),
      )
      await assert.rejects(
        read(makePartner({ body: { results: [item(1), {}] } }).outbound),
        fails(undefined, /the list is not as expected at results\.1\.\w+: /),
      )
      await assert.rejects(read(makePartner({ body: 7 }).outbound), fails(undefined, /at its root/))
      await assert.rejects(read(makePartner({ text: '<html>' }).outbound), fails(undefined, /the list is no JSON/))
    })

    test('that cannot be requested is an error of the partner; bugs are not', async () => {
      const broken = makePartner(new OutboundError('unreachable', 'no route'))
      await assert.rejects(read(broken.outbound), fails(undefined, /no route/))
      await assert.rejects(read(makePartner(new TypeError('a bug')).outbound), TypeError)
    })
  })
}

test('the list of events begins 14 days ago, at the start of the day', async () => {
  for (const [now, from] of [
    ['2031-05-04T00:00:00.000Z', '2031-04-20'],
    ['2031-05-04T23:59:59.999Z', '2031-04-20'],
    ['2031-03-10T12:00:00.000Z', '2031-02-24'],
  ] as const) {
    const { outbound, calls } = makePartner({ body: { results: [] } })
    await listSharedEvents(outbound, linkTo(), new Date(now))
    assert.equal(new URL(calls[0]!.url).searchParams.get('end_time_after'), `${from}T00:00:00.000000Z`)
  }
})

describe('values of a partner', () => {
  const firstOf = async (more: object) => {
    const listing = await listSharedEvents(makePartner({ body: { results: [event(1, more)] } }).outbound, linkTo(), NOW)
    assert.ok(listing.kind === 'listed')
    return listing.items[0]!
  }

  test('are stored without NUL characters and halves of characters, and cut between characters', async () => {
    const { title, location, description, type } = await firstOf({
      title: `a\0b\ud800${'😀'.repeat(1_000)}`,
      location: 'x'.repeat(1_001),
      description: 'y'.repeat(100_001),
      type: { title: 'z'.repeat(1_001) },
    })
    assert.equal(title, `ab\ufffd${'😀'.repeat(997)}`)
    assert.deepEqual([location.length, description!.length, type.title.length], [1_000, 100_000, 1_000])
    const listing = await listExternalParticipations(
      makePartner({ body: { results: [participation(1, { shift_label: 'x'.repeat(256) })] } }).outbound,
      linkTo(),
    )
    assert.ok(listing.kind === 'listed')
    assert.equal(listing.items[0]!.shift_label.length, 255)
  })

  test('have times from year 1 to 9999', async () => {
    assert.deepEqual((await firstOf({ start_time: '0001-01-01T00:00:00Z' })).start_time, new Date('0001-01-01T00:00:00Z'))
    assert.deepEqual((await firstOf({ end_time: '9999-12-31T23:59:59Z' })).end_time, new Date('9999-12-31T23:59:59Z'))
    assert.deepEqual((await firstOf({ end_time: null })).end_time, null)
    const withOffset = await firstOf({ start_time: '2031-05-04T10:00:00+02:00' })
    assert.deepEqual(withOffset.start_time, new Date('2031-05-04T08:00:00Z'))
    await assert.rejects(firstOf({ start_time: '0000-12-31T23:59:59Z' }), fails(undefined, /no year from 1 to 9999/))
    for (const time of ['0000-12-31T23:59:59Z', '9999-12-31T23:59:59-01:00', '2031-05-04T08:00:00', '2031-05-04', 7])
      await assert.rejects(firstOf({ start_time: time }), PartnerError, String(time))
  })

  test('have states from 0 to 4 and whole ids', async () => {
    const read = (more: object) =>
      listExternalParticipations(makePartner({ body: { results: [participation(1, more)] } }).outbound, linkTo())
    for (const state of [0, 4]) assert.equal((await read({ state })).kind, 'listed')
    for (const more of [{ state: -1 }, { state: 5 }, { state: 1.5 }, { user: '4' }, { shift: 1.5 }, { event: null }])
      await assert.rejects(read(more), PartnerError, JSON.stringify(more))
  })

  test('cutText keeps what fits', () => {
    assert.equal(cutText('abc', 3), 'abc')
    assert.equal(cutText('abcd', 3), 'abc')
    assert.equal(cutText('ab😀d', 3), 'ab😀')
    assert.equal(cutText('😀😀', 3), '😀😀')
    assert.equal(cutText(`a${'😀'.repeat(3)}`, 2), 'a😀')
  })
})

describe('redeeming an invitation at a partner', () => {
  const request = { name: 'We', url: 'https://we.example', clientId: 'id', clientSecret: 'secret', code: 'c o&de' }
  const setup = (answer: Answer) => {
    const partner = makePartner(answer)
    return { ...partner, done: requestSetup(partner.outbound, HOST, request) }
  }
  const good = { access_token: 'token', host_name: 'Host' }

  test('sends a form and reads the token', async () => {
    const { calls, done } = setup({ status: 201, body: good })
    assert.deepEqual(await done, { accessToken: 'token', hostName: 'Host', speaksTurnout: false })
    const [{ url, method, headers, body }] = calls as [Call]
    assert.deepEqual([url, method], [`${HOST}/api/federation/setup/`, 'POST'])
    assert.deepEqual(headers, { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' })
    assert.equal(body, 'name=We&url=https%3A%2F%2Fwe.example&client_id=id&client_secret=secret&code=c+o%26de&turnout=1')
  })

  test('notices a partner that runs Turnout, and cuts long names', async () => {
    const body = { ...good, host_name: 'x'.repeat(300), turnout: '1' }
    const { hostName, speaksTurnout } = await setup({ status: 200, body }).done
    assert.deepEqual([hostName.length, speaksTurnout], [255, true])
  })

  test('accepts only a token that fits into a header', async () => {
    assert.equal((await setup({ body: { ...good, access_token: 'x'.repeat(2_000) } }).done).accessToken.length, 2_000)
    for (const access_token of ['', 'a b', 'a\nb', 'ä', 'x'.repeat(2_001), null, 7])
      await assert.rejects(setup({ body: { ...good, access_token } }).done, fails(undefined, /the answer .* at access_token/))
  })

  const REFUSALS: [body: unknown, words: RegExp][] = [
    [{ errors: [{ detail: 'first' }, { detail: 'second' }], detail: 'other' }, /^first$/],
    [{ errors: [{ detail: 'only' }] }, /^only$/],
    [{ non_field_errors: ['not valid', 'x'] }, /^not valid$/],
    [{ non_field_errors: ['only'] }, /^only$/],
    [{ detail: 'no\0pe' }, /^nope$/],
    [{ detail: 'x'.repeat(300) }, /^x{200}$/],
    [{ errors: [] }, /^the invitation was refused$/],
    [{ detail: 7 }, /^the invitation was refused$/],
    ['text', /^the invitation was refused$/],
  ]
  for (const [body, words] of REFUSALS) {
    test(`shows the reason of a refusal: ${JSON.stringify(body).slice(0, 60)}`, async () => {
      await assert.rejects(setup({ status: 400, body }).done, fails(400, words))
    })
  }

  test('takes every status but 2xx as a refusal', async () => {
    for (const status of [199, 300, 404, 500]) await assert.rejects(setup({ status, body: good }).done, fails(status, /refused/))
    for (const status of [200, 299]) assert.equal((await setup({ status, body: good }).done).accessToken, 'token')
    await assert.rejects(setup({ status: 502, text: '<html>' }).done, fails(502, /the invitation was refused/))
  })
})

test('leaving a host succeeds if it ended the link or does not know it any more', async () => {
  const leave = async (status: number) => {
    const { outbound, calls } = makePartner({ status, text: '' })
    const left = await leaveHost(outbound, { url: HOST, token: 'ourToken' })
    const [{ url, method, headers }] = calls as [Call]
    assert.deepEqual([url, method, headers.authorization], [`${HOST}/api/federation/guest/delete/`, 'DELETE', 'Bearer ourToken'])
    return left
  }
  assert.deepEqual([await leave(204), await leave(403)], [true, true])
  assert.deepEqual([await leave(200), await leave(404), await leave(500)], [false, false, false])
})

describe('a visit from a partner', () => {
  const guest = { url: HOST, clientId: 'a:b', clientSecret: 's/c' }
  const redeem = (answer: Answer) => {
    const partner = makePartner(answer)
    return { ...partner, done: redeemCode(partner.outbound, guest, { code: 'theCode', verifier: 'theVerifier' }) }
  }

  test('redeems the code with the credentials in the header', async () => {
    const { calls, done } = redeem({ body: { access_token: 'token', expires_in: 60 } })
    assert.deepEqual(await done, { token: 'token', expiresInSeconds: 60, language: undefined })
    const [{ url, method, headers, body }] = calls as [Call]
    assert.deepEqual([url, method], [`${HOST}/api/oauth/token/`, 'POST'])
    assert.deepEqual(headers, {
      authorization: `Basic ${Buffer.from('a%3Ab:s%2Fc').toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    })
    assert.equal(body, 'grant_type=authorization_code&code_verifier=theVerifier&code=theCode')
  })

  test('fails without a token', async () => {
    await assert.rejects(redeem({ status: 400, body: {} }).done, fails(400, /it gave no token for the code/))
    for (const body of [{}, { access_token: 'x', expires_in: 0 }, { access_token: '', expires_in: 1 }])
      await assert.rejects(redeem({ body }).done, fails(undefined, /the token is not as expected/))
  })

  const uuid = 'a0000000-0000-4000-8000-00000000000F'
  const ann = { id: 7, email: 'ann@host.example', display_name: 'Ann', qualifications: [{ uuid, includes: [uuid] }] }
  const read = (answer: Answer) => {
    const partner = makePartner(answer)
    return { ...partner, done: readProfile(partner.outbound, { url: HOST }, 'visitToken') }
  }

  test('reads the profile with the token of the visit', async () => {
    const { calls, done } = read({ body: { ...ann, date_of_birth: '1990-01-02' } })
    assert.deepEqual(await done, { ...ann, date_of_birth: '1990-01-02', language: undefined })
    const [{ url, headers }] = calls as [Call]
    assert.deepEqual([url, headers.authorization], [`${HOST}/api/users/me/`, 'Bearer visitToken'])
  })

  for (const [cookie, language] of [
    ['django_language=de; Path=/', 'de'],
    ['csrftoken=x; Path=/, django_language=en; Path=/', 'en'],
    ['django_language=fr; Path=/', undefined],
    ['old_django_language_de=1', undefined],
    [undefined, undefined],
  ] as const)
    test(`takes the language ${language} from the cookie ${cookie}`, async () =>
      assert.equal((await read({ body: ann, ...(cookie ? { cookie } : {}) }).done).language, language))

  test('accepts a profile without id and birthday', async () => {
    const { id: _, ...body } = ann
    assert.deepEqual(await read({ body: { ...body, date_of_birth: null } }).done, {
      ...body,
      date_of_birth: null,
      language: undefined,
    })
  })

  test('refuses profiles that cannot be stored', async () => {
    for (const wrong of [
      { id: 0 },
      { id: 1.5 },
      { email: '' },
      { email: 'x'.repeat(255) },
      { display_name: '' },
      { display_name: 'x'.repeat(255) },
      { date_of_birth: '0000-01-01' },
      { date_of_birth: '1990-02-30' },
      { qualifications: [{ uuid: `${uuid}0`, includes: [] }] },
      { qualifications: [{ uuid: `0${uuid}`, includes: [] }] },
      { qualifications: [{ uuid, includes: ['x'] }] },
      { qualifications: Array.from({ length: 1_001 }, () => ({ uuid, includes: [] })) },
      { qualifications: null },
    ])
      await assert.rejects(
        read({ body: { ...ann, ...wrong } }).done,
        fails(undefined, /the profile is not/),
        JSON.stringify(wrong),
      )
    const most = {
      email: 'x'.repeat(254),
      display_name: 'x'.repeat(254),
      qualifications: Array.from({ length: 1_000 }, () => ({ uuid, includes: [] })),
    }
    assert.equal((await read({ body: { ...ann, ...most } }).done).qualifications.length, 1_000)
    assert.equal((await read({ body: { ...ann, email: 'x', display_name: 'y' } }).done).display_name, 'y')
    await assert.rejects(read({ status: 401, body: ann }).done, fails(401, /it did not tell who this is \(401\)/))
  })
})
