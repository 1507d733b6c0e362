import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANN, HELPERS, OLGA } from '#test/support/people.ts'
import { addressOf, clientOf, type Fetch, losingAnswers, REACHABLE } from '#test/support/typed-client.ts'
import { openWorld } from '#test/support/world.ts'
import { ProblemError, TurnoutClient } from '../../clients/typescript/src/client.ts'

const OWN = '/api/users/me/participations/{id}/'

describe('the client', async () => {
  const world = await openWorld(REACHABLE)
  const event = await world.addEvent({ seenBy: [HELPERS], title: 'Rowing & running', shifts: [{}, {}, {}, {}] })
  const [first, second, third, fourth] = event.shifts as [number, number, number, number]
  for (let n = 1; n <= 24; n++) await world.addEvent({ seenBy: [HELPERS], title: `Event ${n}` })
  const reader = await clientOf(world, ANN, ['PUBLIC_READ'])
  const ann = await clientOf(world, ANN, ['PUBLIC_READ', 'ME_READ', 'ME_WRITE'])
  const commentsOf = async (id: number) => (await ann.get(OWN, { path: { id } })).comments.map(({ text }) => text)
  /** Counts requests, and can look at them. */
  const counting = (look: (url: URL, init: RequestInit) => void = () => {}) => {
    const counter = { count: 0 }
    const fetch: Fetch = (input, init) => {
      counter.count++
      look(new URL(String(input)), init ?? {})
      return globalThis.fetch(input, init)
    }
    return { counter, fetch }
  }

  test('reads a record by its path parameters', async () => {
    const record = await reader.get('/api/events/{id}/', { path: { id: event.id } })
    assert.equal(record.title, 'Rowing & running')
    assert.equal(record.shifts.length, 4)
  })

  test('encodes path parameters and queries', async () => {
    const olga = await clientOf(world, OLGA, ['CONFIDENTIAL_READ'])
    const profile = await olga.get('/api/users/by_email/{email}/', { path: { email: ANN.email } })
    assert.equal(profile.id, ANN.id)
    const strange = olga.get('/api/users/by_email/{email}/', { path: { email: 'a/b?c#d@a.example' } })
    await assert.rejects(strange, { status: 404, code: 'not_found' })
    const found = await reader.get('/api/events/', { query: { search: '"Rowing & running"', start_time_after: undefined } })
    assert.deepEqual(
      found.results.map(({ id }) => id),
      [event.id],
    )
  })

  test('sends lists of values as repeated parameters', async () => {
    let sent = ''
    const { fetch } = counting(({ search }) => {
      sent = search
    })
    const olga = await clientOf(world, OLGA, ['CONFIDENTIAL_READ'], { fetch })
    await olga.get('/api/participations/', { query: { event: [event.id, 5] } })
    assert.equal(sent, `?event=${event.id}&event=5`)
  })

  test('does not send a request without its path parameters', async () => {
    await assert.rejects(reader.get('/api/events/{id}/', { path: {} as { id: number } }), /needs the path parameter id/)
  })

  test('takes the token from a function for each request, and texts in the language', async () => {
    const token = await world.token(ANN, ['PUBLIC_READ'])
    let asked = 0
    const makeToken = async () => {
      asked++
      return token
    }
    const german = new TurnoutClient({ url: addressOf(world), language: 'de', token: makeToken })
    await assert.rejects(german.get('/api/events/{id}/', { path: { id: 1_000_000 } }), { title: 'Nicht gefunden' })
    await german.get('/api/events/')
    assert.equal(asked, 2)
  })

  test('tells status, ETag, request id and headers of an answer', async () => {
    const answer = await reader.request('GET', '/api/events/{id}/', { path: { id: event.id } })
    assert.equal(answer.status, 200)
    assert.match(answer.etag!, /^"/)
    assert.match(answer.requestId!, /^[0-9a-f-]{36}$/)
    assert.equal(answer.headers.get('content-type'), 'application/json')
  })

  describe('pages', () => {
    test('gives every record of a list, and asks for a page when it is needed', async () => {
      const { counter, fetch } = counting()
      const client = await clientOf(world, ANN, ['PUBLIC_READ'], { fetch })
      const titles: string[] = []
      const requests: number[] = []
      for await (const { title } of client.pages('/api/events/', { query: { limit: 10 } })) {
        titles.push(title)
        requests.push(counter.count)
      }
      assert.equal(new Set(titles).size, 25)
      assert.deepEqual([requests[0], requests[9], requests[10], requests[24], counter.count], [1, 1, 2, 3, 3])
    })

    test('follows the position of records, so that nothing is left out when others are deleted', async () => {
      const walk = async (query: { limit: number; offset?: number }) => {
        const doomed = await world.addEvent({
          seenBy: [HELPERS],
          title: 'First',
          shifts: [{ start: '2031-05-02T08:00:00+02:00' }],
        })
        const titles: string[] = []
        for await (const { title } of reader.pages('/api/events/', { query })) {
          if (titles.push(title) === 1) await world.db.write.deleteFrom('event').where('id', '=', doomed.id).execute()
        }
        return titles.length
      }
      assert.equal(await walk({ limit: 1 }), 26)
      assert.equal(await walk({ limit: 1, offset: 0 }), 25, 'by offset, one is left out')
    })

    test('asks for nothing more when the loop is left', async () => {
      const { counter, fetch } = counting()
      const client = await clientOf(world, ANN, ['PUBLIC_READ'], { fetch })
      for await (const _ of client.pages('/api/events/', { query: { limit: 1 } })) break
      assert.equal(counter.count, 1)
    })

    test('sends the token only to the address of the client, whatever a link names', async () => {
      const hosts = new Set<string>()
      const fetch: Fetch = async (input, init) => {
        hosts.add(new URL(String(input)).origin)
        const response = await globalThis.fetch(input, init)
        const text = (await response.text()).replaceAll(addressOf(world), 'https://elsewhere.example')
        return new Response(text, { status: response.status, headers: response.headers })
      }
      const client = await clientOf(world, ANN, ['PUBLIC_READ'], { fetch })
      let count = 0
      for await (const _ of client.pages('/api/events/', { query: { limit: 20 } })) count++
      assert.deepEqual([count, [...hosts]], [25, [addressOf(world)]])
    })
  })

  describe('problems', () => {
    const problemOf = async (failing: Promise<unknown>): Promise<ProblemError> => {
      const error = await failing.then(
        () => assert.fail('was answered'),
        (reason) => reason,
      )
      assert.ok(error instanceof ProblemError, String(error))
      return error
    }

    test('carry code, detail, every error and the request id', async () => {
      const query = { type: 'none' as never, start_time_after: 'tomorrow' }
      const problem = await problemOf(reader.get('/api/events/', { query }))
      assert.deepEqual([problem.status, problem.code], [400, 'invalid_input'])
      assert.deepEqual(problem.errors.map(({ parameter }) => parameter).sort(), ['start_time_after', 'type'])
      assert.match(problem.requestId!, /^[0-9a-f-]{36}$/)
      assert.match(problem.message, /^GET \/api\/events\/\?type=none.* → 400 invalid_input: .*\n {2}type: /)
      assert.deepEqual([problem.request.method, problem.request.isUncertain], ['GET', false])
    })

    test('name the scope that is missing', async () => {
      const problem = await problemOf(reader.get('/api/users/me/'))
      assert.deepEqual([problem.code, problem.requiredScope], ['insufficient_scope', 'ME_READ'])
    })

    test('list the reasons of a refusal', async () => {
      await ann.post('/api/shifts/{id}/signup/', { path: { id: first } })
      const problem = await problemOf(ann.post('/api/shifts/{id}/signup/', { path: { id: first } }))
      assert.deepEqual([problem.status, problem.code, problem.errors.length > 0], [409, 'refused', true])
    })

    test('of something in between are unknown, and say what it sent', async () => {
      const page = (status: number, headers: Record<string, string>) => async () =>
        new Response('<h1>Sorry</h1>', { status, headers })
      const html = { 'content-type': 'text/html; charset=utf-8' }
      for (const [status, headers, detail] of [
        [500, html, /not a problem document \(text\/html\)/],
        [200, html, /not JSON \(text\/html\); is this the address/],
        [301, { location: 'https://plan.example/' }, /redirects to https:\/\/plan\.example\//],
      ] as const) {
        const client = await clientOf(world, ANN, ['PUBLIC_READ'], { fetch: page(status, headers) })
        const problem = await problemOf(client.get('/api/events/'))
        assert.deepEqual([problem.status, problem.code, problem.errors], [status, 'unknown', []])
        assert.match(problem.detail, detail)
      }
    })
  })

  describe('change', () => {
    test('reads, asks for the changes, and writes them', async () => {
      const { id } = await ann.post('/api/shifts/{id}/signup/', { path: { id: second } })
      const changed = await ann.change(OWN, { path: { id } }, ({ comments }) => ({
        comment: `I am comment ${comments.length + 1}`,
      }))
      assert.deepEqual(
        changed.comments.map(({ text }) => text),
        ['I am comment 1'],
      )
      const same = await ann.change(OWN, { path: { id } }, () => undefined)
      assert.equal(same.comments.length, 1)
    })

    /** Somebody else adds a comment after the record was read. */
    const changeMeanwhile = async (shift: number, ifMatch: (etag: string) => string) => {
      const { id } = await ann.post('/api/shifts/{id}/signup/', { path: { id: shift } })
      const fetch: Fetch = (input, init = {}) => {
        const headers = new Headers(init.headers)
        if (headers.has('if-match')) headers.set('if-match', ifMatch(headers.get('if-match')!))
        return globalThis.fetch(input, { ...init, headers })
      }
      const client = await clientOf(world, ANN, ['ME_READ', 'ME_WRITE'], { fetch })
      const seen: number[] = []
      await client.change(OWN, { path: { id } }, async ({ comments }) => {
        seen.push(comments.length)
        if (seen.length === 1) await ann.patch(OWN, { path: { id }, ifMatch: '*', body: { comment: 'meanwhile' } })
        return { comment: `after ${comments.length}` }
      })
      return { seen, comments: await commentsOf(id) }
    }

    test('reads again and asks again if somebody else was faster', async () => {
      const { seen, comments } = await changeMeanwhile(third, (etag) => etag)
      assert.deepEqual(seen, [0, 1])
      assert.deepEqual(comments, ['meanwhile', 'after 1'])
    })

    test('twin: without the version, the change is based on what is no longer true', async () => {
      const { seen, comments } = await changeMeanwhile(fourth, () => '*')
      assert.deepEqual(seen, [0])
      assert.deepEqual(comments, ['meanwhile', 'after 0'])
    })

    test('gives up when the record changes every time', async () => {
      const { results } = await ann.get('/api/users/me/participations/', { query: { shift: [second] } })
      const { id } = results[0]!
      let asked = 0
      const changing = ann.change(OWN, { path: { id } }, async () => {
        await ann.patch(OWN, { path: { id }, ifMatch: '*', body: { comment: `other ${++asked}` } })
        return { comment: 'mine' }
      })
      await assert.rejects(changing, { status: 412, code: 'precondition_failed' })
      assert.equal(asked, 10)
      assert.ok(!(await commentsOf(id)).includes('mine'))
    })

    test('does not repeat a change whose answer was lost', async () => {
      const { results } = await ann.get('/api/users/me/participations/', { query: { shift: [second] } })
      const { id } = results[0]!
      const losing = losingAnswers(1)
      const fetch: Fetch = (input, init) => (init?.method === 'PATCH' ? losing(input, init) : globalThis.fetch(input, init))
      const client = await clientOf(world, ANN, ['ME_READ', 'ME_WRITE'], { fetch })
      const changing = client.change(OWN, { path: { id } }, () => ({ comment: 'only once' }))
      await assert.rejects(changing, (error: ProblemError) => error.status === 412 && error.request.isUncertain)
      assert.equal((await commentsOf(id)).filter((text) => text === 'only once').length, 1)
    })
  })

  describe('a signal', () => {
    test('that is aborted before sends nothing', async () => {
      const { counter, fetch } = counting()
      const client = await clientOf(world, ANN, ['PUBLIC_READ'], { fetch })
      const reason = new Error('enough')
      await assert.rejects(client.get('/api/events/', { signal: AbortSignal.abort(reason) }), reason)
      assert.equal(counter.count, 0)
    })

    test('ends a request, which is not tried again', async () => {
      const abort = new AbortController()
      const { counter, fetch } = counting(() => abort.abort())
      const client = await clientOf(world, ANN, ['PUBLIC_READ'], { fetch })
      await assert.rejects(client.get('/api/events/', { signal: abort.signal }), { name: 'AbortError' })
      assert.equal(counter.count, 1)
    })

    test('ends the waiting between two attempts', async () => {
      const abort = new AbortController()
      const fetch: Fetch = async () => {
        // After the answer, while the client waits.
        setTimeout(() => abort.abort(), 0)
        return new Response('', { status: 503, headers: { 'retry-after': '100' } })
      }
      const client = new TurnoutClient({ url: addressOf(world), fetch })
      await assert.rejects(client.get('/api/events/', { signal: abort.signal }), { name: 'AbortError' })
    })

    test('ends a walk through pages', async () => {
      const abort = new AbortController()
      const walk = async () => {
        for await (const _ of reader.pages('/api/events/', { query: { limit: 1 }, signal: abort.signal })) abort.abort()
      }
      await assert.rejects(walk, { name: 'AbortError' })
    })
  })

  test('needs an address', () => {
    assert.throws(() => new TurnoutClient({ url: 'plan.example.org' }), TypeError)
    assert.throws(() => new TurnoutClient({ url: 'ftp://plan.example.org' }), /not the address of an instance/)
  })
})
