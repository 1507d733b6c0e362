import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addEvent } from '#test/support/fixtures.ts'
import { type Instance, openInstance, type Reply, type TestBrowser } from '#test/support/instance.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, OLGA } from '#test/support/people.ts'

const ALLOW = 'a.localhost,b.localhost'
const PLACE = '/manage/federation/'

async function shown(browser: TestBrowser, path: string, status = 200): Promise<string> {
  const answer = await browser.go(path)
  assert.equal(answer.status, status, `${path} ${answer.text.slice(0, 400)}`)
  assert.deepEqual(checkMarkup(answer.text), [], path)
  return answer.text
}

/** Posts the form, follows the redirect and returns the page. */
async function done(browser: TestBrowser, path: string, form: Record<string, string> = {}): Promise<string> {
  const answer = await browser.post(path, form)
  assert.equal(answer.status, 303, `${path} ${answer.text.slice(0, 600)}`)
  return shown(browser, answer.headers.location!)
}

async function addRace(instance: Instance, title: string, days = 1): Promise<number> {
  await instance.db.write
    .insertInto('event_type')
    .values({ id: 1, title: 'Race' })
    .onConflict((c) => c.doNothing())
    .execute()
  const at = (hours: number) => new Date(instance.now.getTime() + days * 86_400_000 + hours * 3_600_000).toISOString()
  return (await addEvent(instance.db.write, { title, type: 1, shifts: [{ start: at(0), end: at(2) }] }, instance.now)).id
}

const valueIn = (text: string, id: string): string =>
  new RegExp(`id="${id}"[^>]* value="([^"]*)"`).exec(text)![1]!.replaceAll('&amp;', '&')
const flashOf = (text: string): string => /class="flash[^"]*"[\s\S]*?<p>([^<]*)<\/p>/.exec(text)?.[1] ?? ''

describe('federation pages', async () => {
  const a = await openInstance({ host: 'a.localhost', allow: ALLOW })
  const b = await openInstance({ host: 'b.localhost', allow: ALLOW })
  for (const { db } of [a, b]) await db.write.deleteFrom('federated_guest').execute()
  const [olgaA, olgaB, annB] = [await a.browserOf(OLGA), await b.browserOf(OLGA), await b.browserOf(ANN)]
  const idIn = async (instance: Instance, table: 'federated_guest' | 'federated_host') =>
    (await instance.db.read.selectFrom(table).select('id').executeTakeFirstOrThrow()).id

  async function invite(): Promise<string> {
    await shown(olgaA, `${PLACE}invite/`)
    const page = await done(olgaA, `${PLACE}invite/`, { url: b.base })
    return valueIn(page, 'share-string')
  }

  test('only administrators have access', async () => {
    for (const path of [PLACE, `${PLACE}invite/`, `${PLACE}join/`, `${PLACE}hosts/1/`, `${PLACE}guests/1/`])
      assert.equal((await annB.go(path)).status, 403, path)
    assert.match(await shown(olgaB, '/manage/'), /href="\/manage\/federation\/"/)
    assert.match(await shown(olgaB, PLACE), /You are not linked with any other organisation yet/)
    assert.equal((await olgaB.go(`${PLACE}hosts/77/`)).status, 404)
    assert.equal((await olgaB.go(`${PLACE}hosts/x/`)).status, 404)
  })

  test('an invitation is shown as text, link and QR code until it is withdrawn', async () => {
    await shown(olgaA, `${PLACE}invite/`)
    for (const [url, words] of [
      ['not a host', /This is not a web address/],
      [a.base, /your own instance/],
      ['', /./],
    ] as const) {
      const refused = await olgaA.post(`${PLACE}invite/`, { url })
      assert.equal(refused.status, 422)
      assert.match(refused.text, words)
    }
    const code = await invite()
    const invitation = JSON.parse(Buffer.from(code, 'base64').toString())
    assert.deepEqual([invitation.guest_url, invitation.host_url], [b.base, a.base])
    const list = await shown(olgaA, PLACE)
    const path = /href="(\/manage\/federation\/invites\/\d+\/)"/.exec(list)![1]!
    const page = await shown(olgaA, path)
    assert.equal(valueIn(page, 'share-link'), `${b.base}/settings/federation/hosts/add/?${new URLSearchParams({ code })}`)
    assert.match(page, /<svg class="qr" role="img"[^>]*><title>QR code for redeeming the invitation at b\.localhost/)
    assert.match(flashOf(await done(olgaA, `${path}withdraw/`)), /The invitation for b\.localhost:\d+ has been withdrawn/)
    const gone = await olgaA.go(path)
    assert.deepEqual([gone.status, gone.headers.location], [303, PLACE])
    assert.match(flashOf(await done(olgaA, `${path}withdraw/`)), /already been used or withdrawn/)
    const refused = await olgaB.post(`${PLACE}join/`, { code, step: 'join' })
    assert.match(refused.text, /The host refused the invitation: the code is not valid/)
  })

  test('an expired invitation is not shown', async () => {
    await invite()
    a.pass(49 * 3600)
    const [row] = await a.db.read.selectFrom('invite_code').select('id').execute()
    const gone = await (await a.browserOf(OLGA)).go(`${PLACE}invites/${row!.id}/`)
    a.pass(-49 * 3600)
    assert.deepEqual([gone.status, gone.headers.location], [303, PLACE])
  })

  test('a code that cannot be redeemed here is refused before anything is sent', async () => {
    const written = (parts: object) => Buffer.from(JSON.stringify(parts)).toString('base64')
    const rows: [string, RegExp][] = [
      ['rubbish', /This is not a valid invitation/],
      ['', /Paste the invitation code/],
      [written({ guest_url: 'https://else.example', code: 'x', host_url: a.base }), /issued for another address/],
      [written({ guest_url: b.base, code: 'x', host_url: b.base }), /your own instance/],
      [written({ guest_url: b.base, code: 'x', host_url: `${a.base}/deep/` }), /not a valid instance address/],
    ]
    for (const [code, words] of rows) {
      const answer = await olgaB.post(`${PLACE}join/`, { code, step: 'look' })
      assert.equal(answer.status, 422)
      assert.match(answer.text, words)
    }
    assert.deepEqual(await b.db.read.selectFrom('oauth_application').select('id').execute(), [])
  })

  test('the link of an invitation shows a preview, and confirming it links the host', async () => {
    const code = await invite()
    const first = await olgaB.go(`/settings/federation/hosts/add/?${new URLSearchParams({ code })}`)
    assert.equal(first.status, 303)
    const preview = await shown(olgaB, first.headers.location!)
    assert.match(preview, new RegExp(`<b>${a.base}</b>`))
    assert.match(preview, /\(this instance\)/)
    assert.deepEqual(await b.db.read.selectFrom('federated_host').select('id').execute(), [])
    const joined = await done(olgaB, `${PLACE}join/`, { code, step: 'join' })
    assert.match(flashOf(joined), /You are now linked with a\.localhost/)
    assert.match(joined, />connected</)
    assert.match((await olgaB.post(`${PLACE}join/`, { code, step: 'look' })).text, /already linked with this instance/)
    assert.match(await shown(olgaA, PLACE), new RegExp(`<a href="${PLACE}guests/\\d+/">`))
  })

  test('many events can be shared at once, and events that the page did not show stay unchanged', async () => {
    const [run, fair, camp] = [await addRace(a, 'Harbour run'), await addRace(a, 'Fair', 2), await addRace(a, 'Camp', 3)]
    const guestId = await idIn(a, 'federated_guest')
    const path = `${PLACE}guests/${guestId}/`
    assert.match(await shown(olgaA, path), /Harbour run[\s\S]*Fair[\s\S]*Camp/)
    const found = await shown(olgaA, `${path}?q=camp`)
    assert.ok(found.includes('Camp') && !found.includes('Harbour run'))
    const sent = new URLSearchParams([
      ['csrf_token', olgaA.csrf],
      ...[run, fair].map((id) => ['shown', String(id)]),
      ...[run, fair, camp].map((id) => ['chosen', String(id)]),
    ] as [string, string][])
    const answer = await olgaA.go(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: sent.toString(),
    })
    assert.match(flashOf(await shown(olgaA, answer.headers.location!)), /2 events changed/)
    const shares = await a.db.read.selectFrom('event_share').select('event_id').orderBy('event_id').execute()
    assert.deepEqual(
      shares.map(({ event_id }) => event_id),
      [run, fair],
    )
    assert.match(flashOf(await done(olgaA, path, { shown: String(fair), chosen: String(fair) })), /No changes to save/)
    await done(olgaA, path, { shown: String(fair) })
    const kinds = await a.db.read.selectFrom('journal').select('kind').where('kind', '=', 'event.shared').execute()
    assert.equal(kinds.length, 3)
  })

  test('the event form has a checkbox for each guest, checked if the event is shared', async () => {
    const guestId = await idIn(a, 'federated_guest')
    const run = (await a.db.read.selectFrom('event_share').select('event_id').executeTakeFirstOrThrow()).event_id
    const form = await shown(olgaA, `/events/${run}/edit/`)
    assert.match(
      form,
      new RegExp(`name="share_with" value="${guestId}"[^>]*checked|checked[^>]*name="share_with" value="${guestId}"`),
    )
    assert.doesNotMatch(await shown(olgaA, '/events/new/'), /name="share_with"[^>]*checked/)
    assert.doesNotMatch(await shown(olgaB, '/events/new/'), /share_with/)
  })

  test('shared events are shown from the copy, with their age if the host does not respond', async () => {
    const hostId = await idIn(b, 'federated_host')
    assert.match(flashOf(await done(olgaB, `${PLACE}hosts/${hostId}/sync/`)), /responded: 1 event\./)
    assert.match(flashOf(await done(olgaB, `${PLACE}hosts/${hostId}/sync/`)), /nothing has changed/)
    const external = await shown(annB, '/events/external/')
    assert.match(external, new RegExp(`href="${a.base}/events/shared/\\d+/\\d+/"[^>]*>Harbour run`))
    assert.match(external, /at a\.localhost/)
    assert.doesNotMatch(external, /cannot be reached/)
    assert.match(await shown(annB, '/events/'), /href="\/events\/external\/"/)
    await b.db.write.updateTable('federated_host').set({ failures_in_row: 3, last_error: 'no answer' }).execute()
    b.pass(3 * 3600)
    const down = await shown(await b.browserOf(ANN), '/events/external/')
    b.pass(-3 * 3600)
    assert.match(down, /As of 3 hours ago: a\.localhost:\d+ cannot be reached/)
    assert.match(down, /Harbour run/)
    await b.db.write.updateTable('federated_host').set({ failures_in_row: 0 }).execute()
  })

  test('sign-in errors are explained, and unknown error values are not echoed', async () => {
    assert.match(await shown(annB, '/events/external/?error=oauth_error'), /You could not be signed in at the other organisation/)
    assert.match(await shown(annB, '/events/external/?error=event_error'), /no longer shares this event with us/)
    const other = await shown(annB, '/events/external/?error=%3Cscript%3E')
    assert.match(other, /could not show the event/)
    assert.ok(!other.includes('&lt;script'))
  })

  test('external events appear in the list and the calendar, and can be filtered', async () => {
    await addRace(b, 'Our own')
    for (const place of ['/events/', '/events/calendar/']) {
      const read = async (query: string) => {
        const page = await shown(olgaB, `${place}${query}`)
        return ['Harbour run', 'Our own'].filter((title) => page.includes(title))
      }
      const day = (days: number) => new Date(b.now.getTime() + days * 86_400_000).toISOString().slice(0, 7)
      const month = place.includes('calendar') ? `month=${day(1)}&` : ''
      assert.deepEqual(await read(`?${month}`), ['Harbour run', 'Our own'])
      assert.deepEqual(await read(`?${month}whose=ours`), ['Our own'])
      assert.deepEqual(await read(`?${month}whose=others`), ['Harbour run'])
      assert.deepEqual(await read(`?${month}q=harbour`), ['Harbour run'])
      assert.deepEqual(await read(`?${month}needs=1&whose=others`), [])
    }
    assert.match(await shown(olgaB, '/events/?whose=others'), /1 event/)
  })

  test('a host can be paused and resumed', async () => {
    const path = `${PLACE}hosts/${await idIn(b, 'federated_host')}/`
    const paused = await done(olgaB, `${path}pause/`)
    assert.match(paused, />paused</)
    assert.match(await shown(annB, '/events/external/'), /updates from a\.localhost:\d+ are paused/)
    assert.match(flashOf(await done(olgaB, `${path}resume/`)), /Syncing with a\.localhost:\d+ has resumed/)
  })

  test('a link ended by the host is shown with the next steps, and can be removed if the host does not respond', async () => {
    const path = `${PLACE}hosts/${await idIn(b, 'federated_host')}/`
    assert.match(
      await shown(olgaA, `${PLACE}guests/${await idIn(a, 'federated_guest')}/end/`),
      /1 upcoming event is no longer shared/,
    )
    const ended = await done(olgaA, `${PLACE}guests/${await idIn(a, 'federated_guest')}/end/`)
    assert.match(flashOf(ended), /has ended/)
    assert.match(flashOf(await done(olgaB, `${path}sync/`)), /a\.localhost:\d+ has ended the link/)
    const page = await shown(olgaB, path)
    assert.match(page, /ask for a new invitation/)
    assert.match(await shown(olgaB, PLACE), /Ended by the partner: a\.localhost/)
    assert.match(await shown(olgaB, '/'), /Ended by the partner: a\.localhost/)
    assert.doesNotMatch(await shown(annB, '/'), /Ended by the partner/)
    assert.match(await shown(annB, '/events/external/'), /no longer shares events with us/)
    assert.match(await shown(olgaB, `${path}end/`), /1 of their events is no longer shown here/)
    await b.db.write.updateTable('federated_host').set({ url: 'https://192.168.3.4' }).execute()
    const unreachable: Reply = await olgaB.post(`${path}end/`, {})
    assert.equal(unreachable.status, 409)
    assert.match(unreachable.text, /could not be notified: its address is not on the public internet[\s\S]*name="anyway"/)
    assert.match(flashOf(await done(olgaB, `${path}end/`, { anyway: '1' })), /has ended/)
    assert.deepEqual(await b.db.read.selectFrom('partner_event').select('id').execute(), [])
    assert.doesNotMatch(await shown(annB, '/'), /href="\/events\/external\/"/)
    assert.match(await shown(annB, '/events/external/'), /not linked with another organisation/)
  })
})
