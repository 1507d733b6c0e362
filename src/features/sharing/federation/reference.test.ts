import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { makeOutbound } from '#platform/outbound/outbound.ts'
import { callOver, type FakePartner, openFakePartner, type Profile } from '#test/support/ephios/partner.ts'
import { addShared, contactOf, contextAt, share } from '#test/support/federation.ts'
import { openInstance, type Reply, TestBrowser } from '#test/support/instance.ts'
import { ANN, BEN } from '#test/support/people.ts'
import { endHost, joinHost } from './commands/hosts.ts'
import { inviteInstance } from './commands/invites.ts'
import { syncHost } from './commands/sync-host.ts'

const NAMES = ['a.localhost', '127.0.0.1']
/** A busy machine must not reach the limit. */
const outbound = makeOutbound({ allow: NAMES, deadlineMs: 60_000 })
const INSTANT = { flow: 'instant_confirmation', flowConfiguration: { user_can_decline_confirmed: true } }

const profileOf = (id: number, name: string, more: Partial<Profile> = {}): Profile => ({
  id,
  display_name: name,
  date_of_birth: '1995-02-03',
  email: `${name.toLowerCase()}@nord.example`,
  qualifications: [],
  ...more,
})

describe('an ephios instance as our guest', async () => {
  const us = await openInstance({ host: 'a.localhost', allow: NAMES.join(',') })
  const nord = await openFakePartner('Nord')
  const linked = async () => {
    const invited = await inviteInstance(contextAt(us), nord.base)
    assert.ok(invited.ok)
    const host = await nord.redeem(invited.shareString)
    assert.ok(host)
    const rows = us.db.read
      .selectFrom('federated_guest')
      .select(['id', 'name'])
      .where('url', '=', nord.base)
      .orderBy('id', 'desc')
    return { host, guest: await rows.limit(1).executeTakeFirstOrThrow(), shareString: invited.shareString }
  }
  const { host, guest, shareString } = await linked()

  /** Opens the page, answers the consent form at the home instance, and follows the redirect back. */
  async function visitAs(
    person: Profile,
    signupUrl: string,
    button = 'allow',
  ): Promise<{ browser: TestBrowser; returned: Reply }> {
    nord.person = person
    const browser = new TestBrowser(us)
    const sent = await browser.go(new URL(signupUrl).pathname)
    assert.equal(sent.status, 303, sent.text)
    const authorize = new URL(sent.headers.location!)
    assert.equal((await callOver(authorize.href)).status, 200, 'it asks for consent')
    authorize.searchParams.set(button, 'on')
    const consented = await callOver(authorize.origin + authorize.pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: authorize.searchParams.toString(),
    })
    assert.equal(consented.status, 302, consented.text)
    const back = new URL(consented.headers.location!)
    assert.equal(back.origin, us.base)
    return { browser, returned: await browser.go(back.pathname + back.search) }
  }
  const urlOf = (eventId: number) => `${us.base}/events/shared/${eventId}/${guest.id}/`

  test('redeems our invitation with a form request, once', async () => {
    assert.deepEqual([guest.name, host.name], ['Nord', new URL(us.base).host])
    assert.match(host.token, /^[0-9a-f]{64}$/)
    assert.equal(await nord.redeem(shareString), undefined)
  })

  test('lists the upcoming events that we share', async () => {
    await addShared(us, { title: 'Harbour run' }, [guest.id])
    await addShared(us, { title: 'For us alone' }, [])
    const over = await addShared(us, { title: 'Long over', shifts: [{ start: '2020-01-01T10:00Z', end: '2020-01-01T11:00Z' }] }, [
      guest.id,
    ])
    const found = await nord.listExternal(us.now)
    assert.deepEqual(
      found.map(({ title, type }) => [title, type]),
      [['Harbour run', 'Race']],
    )
    assert.match(found[0]!.signupUrl, new RegExp(`^${us.base}/events/shared/\\d+/${guest.id}/$`))
    await share(us, over.id, [])
  })

  test('its people visit, sign up and decline', async () => {
    const { id, shifts } = await addShared(us, { title: 'Fair', shifts: [INSTANT] }, [guest.id])
    const { browser, returned } = await visitAs(profileOf(7, 'Nina'), urlOf(id))
    assert.equal(returned.status, 303, returned.text)
    const cookie = returned.cookies.find((each) => /visitor/.test(each))!
    assert.match(cookie, /Max-Age=36000/, 'the lifetime of the token')
    const page = await browser.go(returned.headers.location!)
    assert.match(page.text, /You are here as Nina of Nord/)
    const path = `/shifts/shared/${shifts[0]}/${guest.id}`
    assert.equal((await browser.post(`${path}/signup/`, { quick: '1' })).status, 303)
    assert.match((await browser.go(new URL(urlOf(id)).pathname)).text, /You are confirmed/)
    assert.equal((await browser.post(`${path}/decline/`, { sure: '1' })).status, 303)
    const rows = await us.db.read.selectFrom('participation').select(['kind', 'state']).where('event_id', '=', id).execute()
    assert.deepEqual(rows, [{ kind: 'visitor', state: 2 }])
  })

  test('receives a token request with Basic credentials and without redirect_uri and client_id in the body', async () => {
    const asked = nord.received.findLast(({ path }) => path === '/api/oauth/token/')!
    assert.deepEqual([...new URLSearchParams(asked.body).keys()].sort(), ['code', 'code_verifier', 'grant_type'])
    assert.match(new URLSearchParams(asked.body).get('code_verifier')!, /^[A-Za-z0-9\-._~]{64}$/)
    const { clientId, secret } = host.application
    assert.equal(asked.headers.authorization, `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`)
    assert.equal(asked.headers.accept, 'application/json')
    assert.equal(asked.headers['content-type'], 'application/x-www-form-urlencoded')
  })

  test('qualifications are matched by uuid and by the ones they include', async () => {
    const [medic, doctor] = [randomUUID(), randomUUID()]
    const category = await us.db.write
      .insertInto('qualification_category')
      .values({ title: 'Medical' })
      .returning(['id', 'uuid'])
      .executeTakeFirstOrThrow()
    const values = { uuid: medic, title: 'Medic', abbreviation: 'M', category_id: category.id }
    await us.db.write.insertInto('qualification').values(values).execute()
    const { id } = await addShared(us, {}, [guest.id])
    const held = (uuid: string, includes: string[]) => ({
      uuid,
      title: 'There',
      abbreviation: 'T',
      category: category.uuid,
      includes,
    })
    for (const [qualifications, count] of [
      [[held(medic, [])], 1],
      [[], 0],
      [[held(doctor, [medic, randomUUID()])], 1],
      [[held(doctor, [])], 0],
    ] as const) {
      await visitAs(profileOf(8, 'Nora', { qualifications: [...qualifications] }), urlOf(id))
      const rows = await us.db.read
        .selectFrom('visitor_qualification as q')
        .innerJoin('visitor as v', 'v.id', 'q.visitor_id')
        .select('q.qualification_id')
        .where('v.remote_id', '=', 8)
        .execute()
      assert.equal(rows.length, count)
    }
  })

  test('cancelled consent redirects to its page of external events', async () => {
    const { id } = await addShared(us, {}, [guest.id])
    const { returned } = await visitAs(profileOf(7, 'Nina'), urlOf(id), 'cancel')
    assert.equal(returned.headers.location, `${nord.base}/events/external/?error=oauth_error`)
  })

  test('an overloaded database is answered with 503, not 403, so that the guest keeps the link', async () => {
    for (const table of ['event_share', 'access_token']) {
      const busy = await openInstance({ host: 'a.localhost', allow: NAMES.join(',') })
      const sued = await openFakePartner('Süd')
      const invited = await inviteInstance(contextAt(busy), sued.base)
      assert.ok(invited.ok && (await sued.redeem(invited.shareString)))
      await addShared(busy, {}, [])
      await sql
        .raw(`alter table ${table} rename to kept;
        create function tired() returns setof kept language plpgsql as $$ begin raise 'tired' using errcode = '57014'; end $$;
        create view ${table} as select * from tired()`)
        .execute(busy.db.write)
      const headers = { authorization: `Bearer ${sued.hosts[0]!.token}` }
      for (const path of ['/api/federation/events/', '/api/federation/participations/']) {
        const answer = await callOver(busy.base + path, { headers })
        assert.deepEqual([answer.status, answer.headers['retry-after']], [503, '2'], `${table} ${path}`)
      }
      assert.deepEqual(await sued.listExternal(busy.now), [])
      assert.equal(sued.hosts.length, 1)
    }
  })

  test('too many requests are answered with 429, and the guest keeps the link', async () => {
    const strict = await openInstance({ host: 'a.localhost', allow: NAMES.join(','), rateLimit: '0.1' })
    const sued = await openFakePartner('Süd')
    const invited = await inviteInstance(contextAt(strict), sued.base)
    assert.ok(invited.ok && (await sued.redeem(invited.shareString)))
    const headers = { authorization: `Bearer ${sued.hosts[0]!.token}` }
    let status = 0
    for (let calls = 0; status !== 429 && calls < 2_000; calls++)
      status = (await callOver(`${strict.base}/api/federation/events/`, { headers })).status
    assert.equal(status, 429)
    await sued.listExternal(strict.now)
    assert.equal(sued.hosts.length, 1)
  })

  test('ends the link: 204 without a body, 403 afterwards', async () => {
    const answer = await callOver(`${us.base}/api/federation/guest/delete/`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${(await linked()).host.token}` },
    })
    assert.deepEqual([answer.status, answer.text, answer.headers['content-type']], [204, '', undefined])
    assert.equal(await nord.leave(host), true)
    assert.equal(await nord.leave(host), false)
    nord.hosts = [host]
    assert.deepEqual(await nord.listExternal(us.now), [])
    assert.deepEqual(nord.hosts, [], 'a 403 ends the link there')
  })
})

describe('an ephios instance as our host', async () => {
  const us = await openInstance({ host: 'a.localhost', allow: NAMES.join(',') })
  const nord: FakePartner = await openFakePartner('Nord')
  const joined = await joinHost(contextAt(us), outbound, nord.invite(us.base))
  assert.ok(joined.ok, JSON.stringify(joined))
  const { hostId } = joined
  const contact = { ...contactOf(us), outbound }
  const day = 86_400_000
  const timeOf = (days: number) => new Date(us.now.getTime() + days * day).toISOString().replace('Z', '+00:00')

  test('accepts our setup request, and receives no requests for endpoints that it lacks', async () => {
    const { headers, body } = nord.received.find(({ path }) => path === '/api/federation/setup/')!
    assert.equal(headers['content-type'], 'application/x-www-form-urlencoded')
    const sent = new URLSearchParams(body)
    assert.deepEqual([sent.get('url'), sent.get('name')], [us.base, new URL(us.base).host])
    const row = await us.db.read.selectFrom('federated_host').select(['name', 'speaks_turnout']).executeTakeFirstOrThrow()
    assert.deepEqual(row, { name: 'Nord', speaks_turnout: false })
    await syncHost(contextAt(us), contact, hostId)
    assert.ok(!nord.received.some(({ path }) => path.includes('/participations/')))
  })

  test('a used code is refused with the message of the host; a code for another instance is not sent', async () => {
    const used = nord.invite(us.base)
    nord.guests = []
    await us.db.write.updateTable('federated_host').set({ ended_by_partner_at: us.now }).execute()
    assert.ok((await joinHost(contextAt(us), outbound, used)).ok)
    await us.db.write.updateTable('federated_host').set({ ended_by_partner_at: us.now }).execute()
    assert.deepEqual(await joinHost(contextAt(us), outbound, used), {
      ok: false,
      reason: 'host_refused',
      why: 'Invite code is not valid',
    })
    await us.db.write.updateTable('federated_host').set({ ended_by_partner_at: null }).execute()
    assert.deepEqual(await joinHost(contextAt(us), outbound, nord.invite('https://other.example')), {
      ok: false,
      reason: 'for_another',
    })
  })

  test('its upcoming events are copied', async () => {
    nord.shared = [
      { id: 5, title: 'City fair', location: 'Market', start_time: timeOf(1), end_time: timeOf(1.2) },
      { id: 6, title: 'Over', location: 'Market', start_time: timeOf(-40), end_time: timeOf(-39) },
    ]
    assert.deepEqual(await syncHost(contextAt(us), contact, hostId), { outcome: 'copied', events: 1 })
    const [copy] = await us.db.read.selectFrom('partner_event').select(['title', 'type_title', 'signup_url']).execute()
    const url = `${nord.base}/events/shared/5/${nord.guests[0]!.id}/`
    assert.deepEqual(copy, { title: 'City fair', type_title: 'Service', signup_url: url })
  })

  test('our people consent here and are signed in there', async () => {
    const { signup_url } = await us.db.read.selectFrom('partner_event').select('signup_url').executeTakeFirstOrThrow()
    const sent = await callOver(signup_url)
    assert.equal(sent.status, 302)
    const cookie = sent.cookies[0]!.split(';')[0]!
    const authorize = new URL(sent.headers.location!)
    assert.equal(authorize.origin, us.base)
    const home = await us.browserOf(ANN)
    const back = await home.authorize(Object.fromEntries(authorize.searchParams))
    assert.ok(back.headers.location!.startsWith(`${nord.base}/api/federation/oauth-callback/?`), back.headers.location)
    const finished = await callOver(back.headers.location!, { headers: { cookie } })
    assert.equal(finished.headers.location, new URL(signup_url).pathname)
    assert.match((await callOver(signup_url, { headers: { cookie } })).text, /Ann/)
    const { event, profile } = nord.visits[0]!
    assert.deepEqual([event, profile.email, profile.date_of_birth, profile.qualifications], [5, ANN.email, ANN.dateOfBirth, []])
    // We refuse a code that was already redeemed.
    const replay = await callOver(back.headers.location!, { headers: { cookie } })
    assert.equal(replay.headers.location, `${us.base}/events/external/?error=oauth_error`)
  })

  test('denied consent is reported to the host', async () => {
    const sent = await callOver(`${nord.base}/events/shared/5/${nord.guests[0]!.id}/`)
    const home = await us.browserOf(BEN)
    const back = await home.authorize(Object.fromEntries(new URL(sent.headers.location!).searchParams), 'deny')
    assert.match(back.headers.location!, /error=access_denied/)
    const finished = await callOver(back.headers.location!, { headers: { cookie: sent.cookies[0]!.split(';')[0]! } })
    assert.equal(finished.headers.location, `${us.base}/events/external/?error=oauth_error`)
  })

  test('ends the link with a DELETE request, and accepts 204', async () => {
    assert.deepEqual(await endHost(contextAt(us), outbound, hostId), { ok: true })
    const { headers, body } = nord.received.findLast(({ method }) => method === 'DELETE')!
    assert.match(headers.authorization!, /^Bearer [0-9a-f]{64}$/)
    assert.equal(body, '')
    assert.deepEqual(nord.guests, [])
    assert.deepEqual(await us.db.read.selectFrom('federated_host').select('id').execute(), [])
  })
})
