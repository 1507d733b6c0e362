import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OutboundError } from '#platform/outbound/outbound.ts'
import { fetchProgramme } from './fetch.ts'

const FILE = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART:20310607T080000Z\r\nDTEND:20310607T090000Z
SUMMARY:Opening\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`.replaceAll(/\r?\n/g, '\r\n')
const KNOWN = { etag: '"1"', lastModified: 'Sat, 07 Jun 2031 08:00:00 GMT' }
type Response = { status: number; headers?: Record<string, string>; text?: string }

async function fetch(response: Response | Error, known?: { etag: string | null; lastModified: string | null }) {
  const sent: Record<string, string>[] = []
  const send = async (_url: string, request?: { headers?: Record<string, string> }) => {
    sent.push(request?.headers ?? {})
    if (response instanceof Error) throw response
    return { headers: {}, text: '', ...response }
  }
  const fetched = await fetchProgramme({ send } as never, { url: 'https://a.example/', known, timeZone: 'UTC' })
  return { fetched, headers: sent[0]! }
}

describe('the file of a programme', () => {
  const failed = (code: string, value?: string) => ({ outcome: 'failed', failure: { code, ...(value ? { value } : {}) } })
  const CASES: [what: string, response: Response | Error, known: typeof KNOWN | undefined, expected: object][] = [
    ['that has not changed', { status: 304 }, KNOWN, { outcome: 'unchanged' }],
    ['of which nothing is known cannot be unchanged', { status: 304 }, undefined, failed('status', '304')],
    ['that is gone', { status: 404, text: FILE }, KNOWN, failed('status', '404')],
    ['that is moved', { status: 301 }, undefined, failed('status', '301')],
    ['that cannot be reached', new OutboundError('unreachable', 'x'), KNOWN, failed('unreachable')],
  ]
  for (const [what, response, known, expected] of CASES)
    test(what, async () => assert.deepEqual((await fetch(response, known)).fetched, expected))

  test('is read, with what tells whether it changes', async () => {
    const headers = { etag: '"2"', 'last-modified': 'Sun, 08 Jun 2031 08:00:00 GMT' }
    const { fetched } = await fetch({ status: 200, headers, text: FILE }, KNOWN)
    assert.ok(fetched.outcome === 'read', JSON.stringify(fetched))
    assert.deepEqual([fetched.etag, fetched.lastModified], ['"2"', 'Sun, 08 Jun 2031 08:00:00 GMT'])
    assert.equal(fetched.file.content.sessions[0]?.title, 'Opening')
  })

  test('keeps no header that is longer than 500 characters', async () => {
    const etags = [`"${'x'.repeat(498)}"`, `"${'x'.repeat(499)}"`]
    const kept = await Promise.all(
      etags.map(async (etag) => {
        const { fetched } = await fetch({ status: 200, headers: { etag }, text: FILE })
        return fetched.outcome === 'read' && [fetched.etag, fetched.lastModified]
      }),
    )
    assert.deepEqual(kept, [
      [etags[0], null],
      [null, null],
    ])
  })

  test('that is no programme says what is wrong', async () => {
    const { fetched } = await fetch({ status: 200, text: 'hello' })
    assert.ok(fetched.outcome === 'failed' && fetched.failure.code === 'file' && fetched.failure.value)
  })

  test('is asked for with what was known of it', async () => {
    const asked = async (known?: { etag: string | null; lastModified: string | null }) => {
      const { headers } = await fetch({ status: 304 }, known)
      return [headers['if-none-match'], headers['if-modified-since']]
    }
    assert.deepEqual(await asked(KNOWN), [KNOWN.etag, KNOWN.lastModified])
    assert.deepEqual(await asked({ etag: null, lastModified: KNOWN.lastModified }), [undefined, KNOWN.lastModified])
    assert.deepEqual(await asked({ etag: KNOWN.etag, lastModified: null }), [KNOWN.etag, undefined])
    assert.deepEqual(await asked(), [undefined, undefined])
  })

  test('in JSON with a byte order mark is read', async () => {
    const talks = [{ code: 'A', title: 'A', start: '2031-06-07T08:00:00Z', end: '2031-06-07T09:00:00Z', room: 'Deck' }]
    const { fetched } = await fetch({ status: 200, text: `\ufeff${JSON.stringify({ talks })}` })
    assert.equal(fetched.outcome, 'read')
  })

  test('of several pages is read to its end, from one server only', async () => {
    const results = (code: string) => [
      { code, title: code, slot: { start: '2031-06-07T08:00:00Z', end: '2031-06-07T09:00:00Z', room: 'Deck' } },
    ]
    const read = async (next: string, second: Response) => {
      const pages: Record<string, Response> = {
        'https://a.example/': { status: 200, headers: { etag: '"1"' }, text: JSON.stringify({ next, results: results('A') }) },
        'https://a.example/?page=2': second,
        'https://b.example/?page=2': second,
      }
      const send = async (url: string) => ({ headers: {}, text: '', ...pages[url]! })
      const fetched = await fetchProgramme({ send } as never, { url: 'https://a.example/', timeZone: 'UTC' })
      return fetched.outcome === 'read' ? [fetched.file.content.sessions.map(({ key }) => key), fetched.etag] : fetched
    }
    const last = { status: 200, text: JSON.stringify({ next: null, results: results('B') }) }
    assert.deepEqual(await read('https://a.example/?page=2', last), [['A', 'B'], null])
    assert.deepEqual(await read('https://b.example/?page=2', last), failed('file', 'more_pages'))
    assert.deepEqual(await read('page 2', last), failed('file', 'more_pages'))
    assert.deepEqual(await read('https://a.example/?page=2', { status: 500 }), failed('file', 'more_pages'))
  })

  test('has 100 pages at most', async () => {
    const read = async (count: number) => {
      const accepted = new Set<string | undefined>()
      const send = async (url: string, { headers }: { headers: Record<string, string> }) => {
        const page = Number(new URL(url).searchParams.get('page') ?? 1)
        if (page > 1) accepted.add(headers.accept)
        const slot = { start: '2031-06-07T08:00:00Z', end: '2031-06-07T09:00:00Z', room: 'Deck' }
        const next = page < count ? `https://a.example/?page=${page + 1}` : null
        return { status: 200, headers: {}, text: JSON.stringify({ next, results: [{ code: `T${page}`, title: 'Talk', slot }] }) }
      }
      const fetched = await fetchProgramme({ send } as never, { url: 'https://a.example/', timeZone: 'UTC' })
      assert.deepEqual([...accepted], ['application/json'])
      return fetched.outcome === 'read' ? fetched.file.content.sessions.length : fetched
    }
    assert.equal(await read(100), 100)
    assert.deepEqual(await read(101), failed('file', 'more_pages'))
  })

  test('a fault of this program is not taken for one of the file', async () => {
    await assert.rejects(fetch(new TypeError('a bug')), TypeError)
  })
})
