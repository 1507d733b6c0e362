import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { moveOnBoard } from '#test/support/board.ts'
import { ALLOW, addShared, contactOf, contextAs, contextAt, link, outbound, share, visit } from '#test/support/federation.ts'
import { openInstance, type Reply, TestBrowser } from '#test/support/instance.ts'
import { ANN, BEN, PAUL } from '#test/support/people.ts'
import { endHost } from './commands/hosts.ts'
import { syncHost } from './commands/sync-host.ts'

const INSTANT = { flow: 'instant_confirmation', flowConfiguration: { user_can_decline_confirmed: true } }

describe('pages for visitors', async () => {
  const a = await openInstance({ host: 'a.localhost', allow: ALLOW })
  const b = await openInstance({ host: 'b.localhost', allow: ALLOW })
  const ab = await link(a, b)
  await a.db.write.updateTable('federated_guest').set({ name: 'Nord' }).where('id', '=', ab.guestId).execute()

  const pageOf = (eventId: number) => `/events/shared/${eventId}/${ab.guestId}/`
  const signupOf = (shiftId: number) => `/shifts/shared/${shiftId}/${ab.guestId}/signup/`
  const declineOf = (shiftId: number) => `/shifts/shared/${shiftId}/${ab.guestId}/decline/`
  const statesOf = (eventId: number) =>
    a.db.read.selectFrom('participation').select(['kind', 'state']).where('event_id', '=', eventId).orderBy('id').execute()
  /** A browser in which a person of instance b has opened the event page. */
  const annAt = async (eventId: number, person = ANN) => {
    const browser = new TestBrowser(a)
    const page = await visit(browser, await b.browserOf(person), pageOf(eventId))
    assert.equal(page.status, 200, page.text)
    return { browser, page }
  }
  const assertNotShared = ({ status, text }: Reply) => {
    assert.equal(status, 403)
    assert.match(text, /This event is not shared with Nord, or no longer/)
  }
  const assertNotFoundPage = ({ status, headers }: Reply) =>
    assert.deepEqual([status, headers['content-type']?.split(';')[0]], [404, 'text/html'])

  test('sign-up and decision are synced to the home instance; ending the link leaves a placeholder', async () => {
    const c = await openInstance({ host: 'c.localhost', allow: ALLOW })
    const { hostId, guestId } = await link(a, c)
    const { id, shifts } = await addShared(a, { title: 'Harbour run', responsible: [PAUL] }, [guestId])
    await syncHost(contextAt(c), contactOf(c), hostId)
    const copy = await c.db.read.selectFrom('partner_event').select(['title', 'signup_url']).executeTakeFirstOrThrow()
    assert.equal(copy.title, 'Harbour run')
    const browser = new TestBrowser(a)
    const page = await visit(browser, await c.browserOf(ANN), new URL(copy.signup_url).pathname)
    assert.match(page.text, /You are here as Ann of c\.localhost/)
    const done = await browser.post(`/shifts/shared/${shifts[0]}/${guestId}/signup/`, { quick: '1' })
    assert.equal(done.status, 303, done.text)
    assert.match((await browser.go(done.headers.location!)).text, /You requested a place at Harbour run/)
    const stateAtHome = async () => {
      await syncHost(contextAt(c), contactOf(c), hostId)
      return c.db.read.selectFrom('participation_abroad').select(['user_id', 'state']).execute()
    }
    assert.deepEqual(await stateAtHome(), [{ user_id: ANN.id, state: 0 }])
    const { visitor_id } = await a.db.read
      .selectFrom('participation')
      .select('visitor_id')
      .where('event_id', '=', id)
      .executeTakeFirstOrThrow()
    const who = { kind: 'visitor' as const, id: visitor_id! }
    assert.ok((await moveOnBoard(contextAs(a, PAUL), { shiftId: shifts[0]!, who, to: 1 })).ok)
    assert.match((await browser.go(`/events/shared/${id}/${guestId}/`)).text, /You are confirmed/)
    assert.deepEqual(await stateAtHome(), [{ user_id: ANN.id, state: 1 }])
    assert.deepEqual(await endHost(contextAt(c), outbound, hostId), { ok: true })
    const left = await a.db.read
      .selectFrom('participation')
      .select(['kind', 'state', 'placeholder_name', 'visitor_id'])
      .where('event_id', '=', id)
      .execute()
    const name = `Former guest of ${new URL(c.base).host} (1)`
    assert.deepEqual(left, [{ kind: 'placeholder', state: 1, placeholder_name: name, visitor_id: null }])
    const after = await browser.go(`/events/shared/${id}/${guestId}/`)
    assert.deepEqual([after.status, after.headers['content-type']], [403, 'text/html; charset=utf-8'])
  })

  test('the event is shown in the language of the profile, whatever the browser asks for', async () => {
    const { id } = await addShared(a, { title: 'Hafenlauf' }, [ab.guestId])
    await b.db.write.updateTable('user_profile').set({ preferred_language: 'de' }).where('id', '=', BEN.id).execute()
    const { browser } = await annAt(id, BEN)
    assert.match((await browser.go(pageOf(id), { headers: { 'accept-language': 'en' } })).text, /<html lang="de">/)
  })

  test('the event is shown in the browser language if the home instance does not tell one, without links to internal pages', async () => {
    const { id } = await addShared(a, { title: 'Hafenlauf' }, [ab.guestId])
    const { browser } = await annAt(id)
    await a.db.write.updateTable('visitor').set({ language: null }).execute()
    const { text } = await browser.go(pageOf(id), { headers: { 'accept-language': 'de' } })
    assert.match(text, /Du bist hier als Ann von Nord/)
    assert.match(text, /<html lang="de">/)
    for (const foreign of ['/accounts/login/', 'href="/events/"', 'href="/"', '/calendar.ics', '/disposition/', '/edit/'])
      assert.ok(!text.includes(foreign), foreign)
  })

  test('markup of planners, visitors and partners is shown as text', async () => {
    const MARKUP = `"><img src=x onerror=planted=1></title><script>planted=1</script>`
    const { id, shifts } = await addShared(a, { title: MARKUP, location: MARKUP, shifts: [{ label: MARKUP }] }, [ab.guestId])
    await a.db.write.updateTable('event').set({ description: MARKUP }).where('id', '=', id).execute()
    await a.db.write.updateTable('federated_guest').set({ name: MARKUP }).where('id', '=', ab.guestId).execute()
    try {
      const { browser } = await annAt(id)
      await a.db.write.updateTable('visitor').set({ display_name: MARKUP }).execute()
      const form = await browser.go(signupOf(shifts[0]!))
      const done = await browser.post(signupOf(shifts[0]!), { comment: MARKUP })
      const pages = [form, await browser.go(pageOf(id)), await browser.go(done.headers.location ?? signupOf(shifts[0]!))]
      for (const { status, text } of pages) {
        assert.equal(status, 200)
        assert.match(text, /&lt;img src=x/)
        assert.doesNotMatch(text, /<img src=x|<script>planted|onerror=planted=1>/)
      }
    } finally {
      await a.db.write.updateTable('federated_guest').set({ name: 'Nord' }).where('id', '=', ab.guestId).execute()
    }
  })

  test('visitors sign up with times, a wish and a comment, change them, and decline', async () => {
    const configuration = {
      teams: [
        { uuid: 'north', title: 'North', min_count: 0, max_count: 2 },
        { uuid: 'south', title: 'South', min_count: 0, max_count: 2 },
      ],
    }
    const { id, shifts } = await addShared(a, { shifts: [{ ...INSTANT, structure: 'named_teams', configuration }] }, [ab.guestId])
    const { browser } = await annAt(id)
    const form = await browser.go(signupOf(shifts[0]!))
    const start = /value="([^"]+)"[^>]*name="start"/.exec(form.text)?.[1]
    const end = /value="([^"]+)"[^>]*name="end"/.exec(form.text)?.[1]
    assert.ok(start && end, form.text)
    const backwards = await browser.post(signupOf(shifts[0]!), { start: end, end: start, wish: 'south' })
    assert.equal(backwards.status, 422)
    assert.match(backwards.text, /The end must not be before the start/)
    assert.match(backwards.text, /You are here as Ann of Nord/)
    const taken = await browser.post(signupOf(shifts[0]!), { start, end, wish: 'south', comment: 'I bring the van' })
    assert.deepEqual([taken.status, taken.headers.location], [303, pageOf(id)])
    assert.match((await browser.go(pageOf(id))).text, /You are confirmed/)
    const again = await browser.go(signupOf(shifts[0]!))
    assert.match(again.text, /I bring the van/)
    const changed = await browser.post(signupOf(shifts[0]!), { doing: 'customize', start, end, wish: 'north' })
    assert.equal(changed.status, 303, changed.text)
    const gone = await browser.post(declineOf(shifts[0]!), { sure: '1' })
    assert.deepEqual([gone.status, gone.headers.location], [303, pageOf(id)])
    assert.deepEqual(await statesOf(id), [{ kind: 'visitor', state: 2 }])
    const [, action, entry] = /action="([^"]+undo\/)"[\s\S]*?name="entry" value="(\d+)"/.exec(
      (await browser.go(pageOf(id))).text,
    )!
    assert.equal((await browser.post(action!, { entry: entry! })).status, 303)
    assert.deepEqual(await statesOf(id), [{ kind: 'visitor', state: 1 }])
  })

  test('the page states why a sign-up is refused', async () => {
    const { id, shifts } = await addShared(a, { shifts: [{ ...INSTANT, configuration: { minimum_age: 90 } }] }, [ab.guestId])
    const { browser, page } = await annAt(id)
    assert.match(page.text, /You must be at least 90 years old on the day of the shift/)
    assert.ok(!page.text.includes(signupOf(shifts[0]!)))
    const refused = await browser.post(signupOf(shifts[0]!), { quick: '1' })
    assert.equal(refused.status, 409)
    assert.deepEqual(await statesOf(id), [])
  })

  test('names of others are shown only if the event type shows them to everyone', async () => {
    for (const [mode, seen] of [
      [0, false],
      [1, false],
      [2, false],
      [3, true],
    ] as const) {
      const type = 70 + mode
      await a.db.write
        .insertInto('event_type')
        .values({ id: type, title: `Type ${mode}`, show_participant_data: mode })
        .execute()
      const { id, shifts } = await addShared(a, { type, shifts: [INSTANT] }, [ab.guestId])
      await a.db.write
        .insertInto('participation')
        .values({ shift_id: shifts[0]!, event_id: id, kind: 'local', user_id: BEN.id, state: 1 } as never)
        .execute()
      const { browser, page } = await annAt(id)
      assert.equal(page.text.includes('Ben'), seen, `mode ${mode}`)
      assert.equal(/Only members of this organisation can see the names of others/.test(page.text), !seen, `mode ${mode}`)
      await browser.post(signupOf(shifts[0]!), { quick: '1' })
      const { text } = await browser.go(pageOf(id))
      assert.match(text, /class="position own">.*<span>Ann<\/span>/, `mode ${mode}: visitors always see themselves`)
    }
  })

  test('comments for responsibles only are hidden', async () => {
    const { id, shifts } = await addShared(a, { shifts: [INSTANT] }, [ab.guestId])
    const { browser } = await annAt(id)
    await browser.post(signupOf(shifts[0]!), { quick: '1' })
    const own = await a.db.read.selectFrom('participation').select('id').where('event_id', '=', id).executeTakeFirstOrThrow()
    const said = (text: string, level: number) => ({
      participation_id: own.id,
      text,
      visible_for: level,
      author_kind: 'responsible',
      author_id: PAUL.id,
      created_at: a.now,
    })
    await a.db.write
      .insertInto('participation_comment')
      .values([said('Keep an eye on her', 0), said('Bring boots', 1)] as never)
      .execute()
    const shown = (await browser.go(signupOf(shifts[0]!))).text + (await browser.go(pageOf(id))).text
    assert.ok(shown.includes('Bring boots'))
    assert.ok(!shown.includes('Keep an eye on her'))
  })

  test('unshared, draft, cancelled and unknown events are 403 with a sentence for pages and forms', async () => {
    const open = await addShared(a, { shifts: [INSTANT] }, [ab.guestId])
    const other = await addShared(a, { shifts: [INSTANT] }, [])
    const draft = await addShared(a, { shifts: [INSTANT], draft: true }, [ab.guestId])
    const cancelled = await addShared(a, { shifts: [INSTANT], cancelled: true }, [ab.guestId])
    const { browser } = await annAt(open.id)
    for (const { id, shifts } of [other, draft, cancelled]) {
      assertNotShared(await browser.go(pageOf(id)))
      assertNotShared(await browser.go(signupOf(shifts[0]!)))
      assertNotShared(await browser.post(signupOf(shifts[0]!), { quick: '1' }))
      assertNotShared(await browser.post(declineOf(shifts[0]!), {}))
      assert.deepEqual(await statesOf(id), [])
    }
    assertNotShared(await browser.go(pageOf(987654)))
    assertNotFoundPage(await browser.go('/events/shared/x/1/'.replace('1', String(ab.guestId))))
    const done = await browser.post(signupOf(open.shifts[0]!), { quick: '1' })
    assert.equal(done.status, 303)
    await share(a, open.id, [])
    assertNotShared(await browser.go(pageOf(open.id)))
    assertNotShared(await browser.post(declineOf(open.shifts[0]!), {}))
    assert.deepEqual(await statesOf(open.id), [{ kind: 'visitor', state: 1 }])
  })

  test('a visitor of one partner cannot act as a visitor of another', async () => {
    const c = await openInstance({ host: 'c.localhost', allow: ALLOW })
    const { guestId: other } = await link(a, c)
    const { id, shifts } = await addShared(a, { title: 'Regatta', shifts: [INSTANT] }, [ab.guestId, other])
    const { browser } = await annAt(id)
    const pages = {
      event: `/events/shared/${id}/${other}/`,
      signup: `/shifts/shared/${shifts[0]}/${other}/signup/`,
      decline: `/shifts/shared/${shifts[0]}/${other}/decline/`,
    }
    for (const path of [pages.event, pages.signup]) {
      const { status, headers } = await browser.go(path)
      assert.equal(status, 303, path)
      assert.equal(new URL(headers.location!).origin, c.base, 'they have to sign in at the other instance')
    }
    for (const path of [pages.signup, pages.decline]) {
      const { status, headers } = await browser.post(path, { quick: '1' })
      assert.deepEqual([status, new URL(headers.location!).origin], [303, c.base], path)
    }
    assert.deepEqual(await statesOf(id), [])
    // An event that is shared with the other partner only is refused by way of their own.
    const theirs = await addShared(a, { title: 'Secret', shifts: [INSTANT] }, [other])
    assertNotShared(await browser.go(pageOf(theirs.id)))
    assertNotShared(await browser.post(signupOf(theirs.shifts[0]!), { quick: '1' }))
    assert.deepEqual(await statesOf(theirs.id), [])
  })

  test('ending the visit invalidates the session, even with the old cookie', async () => {
    const { id } = await addShared(a, {}, [ab.guestId])
    const { browser } = await annAt(id)
    const copy = new Map(browser.jar)
    const ended = await browser.post(`/visits/${ab.guestId}/end/`, {})
    assert.deepEqual([ended.status, ended.headers.location], [303, `${b.base}/events/external/`])
    assert.equal((await browser.go(pageOf(id))).status, 303)
    for (const [key, value] of copy) browser.jar.set(key, value)
    assert.equal((await browser.go(pageOf(id))).status, 303, 'the old cookie is not valid')
  })
})
