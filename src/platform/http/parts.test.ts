import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANN, BEN, HELPERS } from '#test/support/people.ts'
import { openWorld, SITE_URL } from '#test/support/world.ts'

const unchecked = true
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

describe('parts of pages', async () => {
  const world = await openWorld()
  const shift = {
    flow: 'instant_confirmation',
    stats: { missing: 1, free: 2, min: 1, max: 2 },
    flowConfiguration: { user_can_decline_confirmed: true },
    configuration: { minimum_number_of_participants: 1, maximum_number_of_participants: 2 },
  }
  const { id, shifts } = await world.addEvent({ title: 'Fair', seenBy: [HELPERS], shifts: [shift] })
  const page = `/events/${id}-fair/`
  const signup = `/shifts/${shifts[0]}/signup/`
  const ann = world.withSession(ANN)
  const script = (target: string, current = page) => ({
    'hx-request': 'true',
    'hx-target': target,
    'hx-current-url': `${SITE_URL}${current}`,
  })
  const tokenIn = (text: string) => /name="csrf_token" value="([^"]+)"/.exec(text)![1]!
  const versionIn = (text: string) => /<div id="page" data-live="([^"]+)"/.exec(text)?.[1]?.replaceAll('&quot;', '"')
  async function load(path = page) {
    const { text, headers } = await ann.get(path, { unchecked })
    return { text, version: versionIn(text), cookie: String(headers['set-cookie'] ?? '').split(';')[0]! }
  }
  const look = (version: string | undefined, caller = ann) =>
    caller.get(page, { unchecked, headers: { ...script('div#page'), ...(version ? { 'if-none-match': version } : {}) } })

  test('a live page gets 304 when nothing changed, and the new content otherwise', async () => {
    const { version } = await load()
    const same = await look(version)
    assert.deepEqual([same.status, same.text, same.headers['content-security-policy']?.includes('nonce')], [304, '', false])
    await world.addParticipation({ who: BEN, shift: shifts[0]!, state: 1 })
    const changed = await look(version)
    assert.equal(changed.status, 200)
    assert.match(changed.text, /Ben/)
    assert.doesNotMatch(changed.text, /<html|id="main"|id="flashes"/)
    assert.equal((await look(changed.headers.etag)).status, 304)
    assert.notEqual(changed.headers.etag, version)
  })

  test('the version depends on content, language and person, not on the browser', async () => {
    const [first, second] = [await load(), await load()]
    assert.notEqual(tokenIn(first.text), tokenIn(second.text))
    assert.equal(first.version, second.version)
    const ben = await world.withSession(BEN).get(page, { unchecked })
    assert.notEqual(versionIn(ben.text), first.version)
  })

  test('a full page load is complete even with a matching ETag', async () => {
    const { version } = await load()
    const { status, headers } = await ann.get(page, { unchecked, headers: { 'if-none-match': version! } })
    assert.deepEqual([status, headers.etag], [200, undefined])
    assert.match(headers.vary!, /HX-Request, HX-Target/)
  })

  test('pages that are not live are not requested again', async () => {
    assert.equal(versionIn((await load('/events/')).text), undefined)
    const { status } = await ann.get('/events/', { unchecked, headers: script('div#page', '/events/') })
    assert.equal(status, 400)
  })

  test('a signed-out reader is redirected to sign-in and back, on update and on submit', async () => {
    for (const [method, path, target] of [
      ['GET', page, 'div#page'],
      ['POST', signup, 'main#main'],
    ] as const) {
      const { status, headers, text } = await world.nobody.request(method, path, { unchecked, headers: script(target) })
      assert.deepEqual([status, text], [200, ''])
      assert.equal(headers['hx-redirect'], `/accounts/login/?next=${encodeURIComponent(page)}`)
      assert.equal(headers['cache-control'], 'no-store')
    }
  })

  async function press(path: string, fields: Record<string, string>, current = page) {
    const { text, cookie } = await load(current)
    const session = await world.sessionCookie(ANN)
    const headers = { ...FORM, ...script('main#main', current), cookie: `${session}; ${cookie}` }
    const body = new URLSearchParams({ csrf_token: tokenIn(text), ...fields }).toString()
    const answer = await world.nobody.request('POST', path, { unchecked, headers, body })
    const set = String(answer.headers['set-cookie'] ?? '').split(';')[0]!
    return { answer, follow: { ...script('main#main', current), cookie: `${session}; ${cookie}; ${set}` } }
  }

  test('a button returns the main part of the page and a message', async () => {
    const { answer, follow } = await press(signup, { quick: '1', from: 'event' })
    assert.deepEqual([answer.status, answer.headers.location], [303, page])
    const part = await world.nobody.get(page, { unchecked, headers: follow })
    assert.equal(part.status, 200)
    assert.match(
      part.text,
      /^<title>Fair · Turnout<\/title>.*id="flashes".*You are confirmed for Fair.*<div id="page" data-live=/s,
    )
    assert.doesNotMatch(part.text, /<html|<header class="top-bar"|<script/)
    assert.deepEqual([part.headers['hx-push-url'], part.headers['cache-control']], [undefined, 'no-store'])
    assert.equal((await look(versionIn(part.text))).status, 304)
  })

  test('a button that redirects to another page shows the message there', async () => {
    const { answer, follow } = await press(`/shifts/${shifts[0]}/decline/`, { from: 'event', sure: '1' }, '/')
    assert.deepEqual([answer.status, answer.headers['hx-redirect'], answer.text], [200, page, ''])
    const there = await world.nobody.get(page, { unchecked, headers: { cookie: follow.cookie } })
    assert.match(there.text, /class="flash.*You declined: Fair/s)
  })

  test('a rejected submit shows the form at its own URL', async () => {
    const cem = await world.addPerson({ name: 'Cem' })
    await world.addParticipation({ who: cem, shift: shifts[0]!, state: 1 })
    const { answer } = await press(signup, { quick: '1', from: 'event' })
    assert.deepEqual([answer.status, answer.headers['hx-push-url']], [409, signup])
    assert.match(answer.text, /id="page".*All places that you qualify for are taken/s)
  })

  test('an error is shown on the open page', async () => {
    const { answer } = await press('/shifts/999999999/signup/', { quick: '1' })
    assert.deepEqual([answer.status, answer.headers['hx-retarget']], [404, '#flashes'])
    assert.match(answer.text, /^<div class="flash tone-bad" role="alert"/)
    assert.doesNotMatch(answer.text, /<html/)
  })
})
