import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cookieNames } from '#platform/http/cookies.ts'
import { ALLOW, addShared, contextAt, goHome, link, outbound, share, visit } from '#test/support/federation.ts'
import { openInstance, type Reply, TestBrowser } from '#test/support/instance.ts'
import { ANN, BEN, VERA } from '#test/support/people.ts'
import { finishVisit } from './commands/visits.ts'

const INSTANT = { flow: 'instant_confirmation' }

describe('callback after signing in at the home instance', async () => {
  const a = await openInstance({ host: 'a.localhost', allow: ALLOW })
  const b = await openInstance({ host: 'b.localhost', allow: ALLOW })
  const c = await openInstance({ host: 'c.localhost', allow: ALLOW })
  const ab = await link(a, b)
  const ac = await link(a, c)
  const { id, shifts } = await addShared(a, { title: 'Harbour run', shifts: [INSTANT] }, [ab.guestId])
  const pageOf = (eventId: number, guestId: number) => `/events/shared/${eventId}/${guestId}/`
  const page = pageOf(id, ab.guestId)
  const sessions = async () => (await a.db.read.selectFrom('visitor_session').select('id_hash').execute()).length
  const assertRefused = ({ status, headers, text, cookies }: Reply) => {
    assert.deepEqual([status, headers['content-type']], [403, 'text/html; charset=utf-8'])
    assert.match(text, /This sign-in is no longer valid/)
    assert.ok(!cookies.some((cookie) => cookie.startsWith(cookieNames(a.base).of('visitor'))))
  }
  const setState = (callback: string, state: string) => {
    const url = new URL(callback, a.base)
    url.searchParams.set('state', state)
    return url.pathname + url.search
  }

  test('the redirect to the home instance carries the OAuth parameters and an unguessable state', async () => {
    const [first, second] = [await new TestBrowser(a).go(page), await new TestBrowser(a).go(page)]
    const asked = Object.fromEntries(new URL(first.headers.location!).searchParams)
    const { client_id } = await a.db.read
      .selectFrom('federated_guest')
      .select('client_id')
      .where('id', '=', ab.guestId)
      .executeTakeFirstOrThrow()
    const { state, code_challenge, ...rest } = asked
    assert.deepEqual(rest, {
      response_type: 'code',
      client_id,
      scope: 'ME_READ',
      code_challenge_method: 'S256',
      redirect_uri: `${a.base}/api/federation/oauth-callback/`,
    })
    assert.match(state!, /^\w{30}$/)
    assert.match(code_challenge!, /^[\w-]{43}$/)
    assert.notEqual(new URL(second.headers.location!).searchParams.get('state'), state)
    const cookie = first.cookies.find((each) => each.startsWith(cookieNames(a.base).of('visit_state')))!
    assert.match(cookie, /HttpOnly/)
    assert.match(cookie, /SameSite=Lax/)
    assert.ok(!cookie.includes(state!))
  })

  test('a callback without a started sign-in is refused', async () => {
    const before = await sessions()
    for (const query of ['', '?code=x&state=y', '?error=access_denied', '?error=access_denied&state=y'])
      assertRefused(await new TestBrowser(a).go(`/api/federation/oauth-callback/${query}`))
    assert.equal(await sessions(), before)
  })

  test('a forged state is refused, and the original one still works', async () => {
    const browser = new TestBrowser(a)
    const callback = await goHome(browser, await b.browserOf(ANN), page)
    assertRefused(await browser.go(setState(callback, 'x'.repeat(30))))
    assertRefused(await browser.go(callback.replace(/&state=[^&]*|state=[^&]*&/, '')))
    assert.equal((await browser.go(callback)).headers.location, page)
  })

  test('counter-check: without comparing the state, a forged one is accepted', async () => {
    const seen: string[] = []
    for (const isSame of [undefined, () => true]) {
      const browser = new TestBrowser(a)
      const callback = await goHome(browser, await b.browserOf(ANN), page)
      const cookie = browser.jar.get(`${cookieNames(a.base).of('visit_state')}|/`)?.value
      const code = new URL(callback, a.base).searchParams.get('code') ?? undefined
      const forged = { cookie: decodeURIComponent(cookie!), code, state: 'x'.repeat(30), error: undefined }
      const returned = await finishVisit(contextAt(a), outbound, forged, isSame)
      seen.push(returned.ok ? 'accepted' : returned.reason)
    }
    assert.deepEqual(seen, ['not_started', 'accepted'])
  })

  test('a callback only works in the browser that started the sign-in', async () => {
    const [ann, other] = [new TestBrowser(a), new TestBrowser(a)]
    const callback = await goHome(ann, await b.browserOf(ANN), page)
    assertRefused(await other.go(callback))
    // Also when the other browser has started a sign-in of its own.
    await other.go(page)
    assertRefused(await other.go(callback))
    assert.equal((await ann.go(callback)).status, 303)
  })

  test('a code issued for another sign-in is refused', async () => {
    const [ann, ben] = [new TestBrowser(a), new TestBrowser(a)]
    const ofBen = await goHome(ben, await b.browserOf(BEN), page)
    const ofAnn = await goHome(ann, await b.browserOf(ANN), page)
    const mixed = setState(ofBen, new URL(ofAnn, a.base).searchParams.get('state')!)
    const answer = await ann.go(mixed)
    assert.equal(answer.headers.location, `${b.base}/events/external/?error=oauth_error`)
    assert.equal((await ann.go(page)).status, 303)
  })

  test('a callback works only once', async () => {
    const browser = new TestBrowser(a)
    const callback = await goHome(browser, await b.browserOf(ANN), page)
    const kept = new Map(browser.jar)
    assert.equal((await browser.go(callback)).headers.location, page)
    assertRefused(await browser.go(callback))
    // With the earlier cookie restored, the home instance refuses the used code.
    for (const [key, value] of kept) browser.jar.set(key, value)
    assert.equal((await browser.go(callback)).headers.location, `${b.base}/events/external/?error=oauth_error`)
  })

  test('a sign-in expires after 30 minutes and can be started again', async () => {
    const late = await openInstance({ host: 'c.localhost', allow: ALLOW })
    const { guestId } = await link(late, b)
    const shared = await addShared(late, {}, [guestId])
    const browser = new TestBrowser(late)
    const callback = await goHome(browser, await b.browserOf(ANN), pageOf(shared.id, guestId))
    late.pass(30 * 60 + 1)
    const answer = await browser.go(callback)
    assert.equal(answer.status, 403)
    assert.equal((await browser.go(pageOf(shared.id, guestId))).status, 303)
  })

  test('a session expires with the token of the home instance', async () => {
    const browser = new TestBrowser(a)
    const callback = await goHome(browser, await b.browserOf(ANN), page)
    const returned = await browser.go(callback)
    const cookie = returned.cookies.find((each) => each.startsWith(cookieNames(a.base).of('visitor')))!
    assert.match(cookie, /Max-Age=3600/)
    assert.equal((await browser.go(page)).status, 200)
    const { expires_at } = await a.db.read
      .selectFrom('visitor_session')
      .select('expires_at')
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    await a.db.write.updateTable('visitor_session').set({ expires_at: a.now }).where('expires_at', '=', expires_at).execute()
    assert.equal((await browser.go(page)).status, 303)
    const late = await browser.post(`/shifts/shared/${shifts[0]}/${ab.guestId}/signup/`, { quick: '1' })
    assert.ok(late.headers.location?.startsWith(`${b.base}/api/oauth/authorize/`), late.text)
    assert.deepEqual(await a.db.read.selectFrom('participation').select('id').where('event_id', '=', id).execute(), [])
  })

  test('denied consent redirects to the home instance with an error', async () => {
    const browser = new TestBrowser(a)
    const callback = await goHome(browser, await b.browserOf(VERA), page, 'deny')
    assert.match(callback, /error=access_denied/)
    assert.equal((await browser.go(callback)).headers.location, `${b.base}/events/external/?error=oauth_error`)
  })

  test('events that are not shared redirect home with an error, only after authentication', async () => {
    const hidden = await addShared(a, { title: 'For us alone' }, [])
    const draft = await addShared(a, { title: 'Not yet', draft: true }, [ab.guestId])
    for (const eventId of [hidden.id, draft.id, 987_654]) {
      const browser = new TestBrowser(a)
      const callback = await goHome(browser, await b.browserOf(ANN), pageOf(eventId, ab.guestId))
      assert.equal((await browser.go(callback)).headers.location, `${b.base}/events/external/?error=event_error`)
    }
  })

  test('an unknown guest id is answered with a 403 page', async () => {
    for (const guest of ['4711', '0', 'x', '999999999999999999']) {
      const { status, headers } = await new TestBrowser(a).go(`/events/shared/${id}/${guest}/`)
      assert.deepEqual([status, headers['content-type']], [403, 'text/html; charset=utf-8'])
    }
  })

  test('a session for one guest instance is not valid for another, and stays valid for its own', async () => {
    const both = await addShared(a, { shifts: [INSTANT] }, [ab.guestId, ac.guestId])
    const browser = new TestBrowser(a)
    assert.equal((await visit(browser, await b.browserOf(ANN), pageOf(both.id, ab.guestId))).status, 200)
    const elsewhere = await browser.go(pageOf(both.id, ac.guestId))
    assert.equal(elsewhere.status, 303)
    assert.ok(elsewhere.headers.location!.startsWith(`${c.base}/api/oauth/authorize/`))
    for (const what of ['signup', 'decline']) {
      const answer = await browser.post(`/shifts/shared/${both.shifts[0]}/${ac.guestId}/${what}/`, { quick: '1' })
      assert.ok(answer.headers.location?.startsWith(`${c.base}/api/oauth/authorize/`), answer.text)
    }
    assert.equal((await browser.go(pageOf(both.id, ab.guestId))).status, 200)
    assert.deepEqual(await a.db.read.selectFrom('participation').select('id').where('event_id', '=', both.id).execute(), [])
  })

  test('a session only gives access to shared events, not to other events, internal pages or the API', async () => {
    const forC = await addShared(a, { shifts: [INSTANT] }, [ac.guestId])
    const browser = new TestBrowser(a)
    await visit(browser, await b.browserOf(ANN), page)
    assert.equal((await browser.go(pageOf(forC.id, ab.guestId))).status, 403)
    const answer = await browser.post(`/shifts/shared/${forC.shifts[0]}/${ab.guestId}/signup/`, { quick: '1' })
    assert.equal(answer.status, 403)
    for (const path of ['/', '/events/', `/events/${id}-harbour-run/`])
      assert.match((await browser.go(path)).headers.location!, /^\/accounts\/login\//)
    assert.equal((await browser.go('/api/users/me/')).status, 401)
    assert.equal((await browser.go('/api/events/')).status, 401)
  })

  test('a local session does not count as a visitor session', async () => {
    const browser = await a.browserOf(ANN)
    assert.ok((await browser.go(page)).headers.location!.startsWith(`${b.base}/api/oauth/authorize/`))
  })

  test('forms of visitors are protected against CSRF', async () => {
    const browser = new TestBrowser(a)
    await visit(browser, await b.browserOf(ANN), page)
    const other = await addShared(a, { shifts: [INSTANT] }, [ab.guestId])
    const path = `/shifts/shared/${other.shifts[0]}/${ab.guestId}/signup/`
    assert.equal((await browser.post(path, { quick: '1', csrf_token: 'forged' })).status, 403)
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    assert.equal((await browser.post(path, { quick: '1' }, foreign)).status, 403)
    assert.equal((await browser.post(path, { quick: '1' })).status, 303)
  })

  test('a home instance that does not respond is named, with a link to retry', async () => {
    const isolated = await openInstance({ host: 'c.localhost', allow: 'b.localhost' })
    const { guestId } = await link(isolated, b)
    const shared = await addShared(isolated, {}, [guestId])
    const browser = new TestBrowser(isolated)
    const callback = await goHome(browser, await b.browserOf(ANN), pageOf(shared.id, guestId))
    await isolated.db.write
      .updateTable('federated_guest')
      .set({ url: 'http://nowhere.localhost:9', name: 'Nord' })
      .where('id', '=', guestId)
      .execute()
    const answer = await browser.go(callback)
    assert.equal(answer.status, 503)
    assert.match(answer.text, /We could not reach Nord to confirm who you are\. Please try again in a moment\./)
    assert.ok(answer.text.includes(`href="${pageOf(shared.id, guestId)}"`))
    await isolated.db.write.updateTable('federated_guest').set({ url: b.base }).where('id', '=', guestId).execute()
    assert.equal((await visit(browser, await b.browserOf(ANN), pageOf(shared.id, guestId))).status, 200)
  })

  test('a share that ends during the sign-in redirects home with an error', async () => {
    const shared = await addShared(a, { shifts: [INSTANT] }, [ab.guestId])
    const browser = new TestBrowser(a)
    const callback = await goHome(browser, await b.browserOf(ANN), pageOf(shared.id, ab.guestId))
    await share(a, shared.id, [])
    assert.equal((await browser.go(callback)).headers.location, `${b.base}/events/external/?error=event_error`)
  })
})
