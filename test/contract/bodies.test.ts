import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { open } from '#platform/http/access.ts'
import { actionEndpoint } from '#platform/http/endpoint.ts'
import { NORD, OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const echo = actionEndpoint({
  path: '/api/echo/',
  method: 'POST',
  access: open('a test'),
  name: 'Echo',
  operationId: 'echo',
  tag: 'test',
  summary: 'Says it again',
  body: z.object({ name: z.string(), code: z.string() }),
  responses: { 200: { description: 'What was said' } },
  perform: async (_context, _path, body) => ({ status: 200, body }),
})
const part = (name: string, value: string, more = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`

describe('request bodies', async () => {
  const world = await openWorld({ extra: { endpoints: [echo] } })
  const BODIES: [type: string, body: string, status: number][] = [
    ['application/json', '{"name":"Ä & B","code":"1"}', 200],
    ['application/json; charset=utf-8', '{"name":"Ä & B","code":"1","more":1}', 200],
    ['application/x-www-form-urlencoded', 'name=%C3%84+%26+B&code=1', 200],
    ['multipart/form-data; boundary=x', `${part('name', 'Ä & B')}${part('code', '1')}--x--\r\n`, 200],
    ['multipart/form-data; boundary=x', `${part('name', 'Ä & B')}${part('code', '1', '; filename="f"')}--x--\r\n`, 400],
    ['multipart/form-data; boundary=y', `${part('name', 'Ä & B')}--x--\r\n`, 400],
    ['multipart/form-data', 'name=a', 400],
    ['application/json', '{"name":', 400],
    ['application/json', '["name"]', 400],
    ['application/json', '', 400],
    ['text/plain', 'name=a&code=1', 415],
    ['application/xml', '<a/>', 415],
    ['constructor', 'name=a', 415],
    ['', 'name=a', 415],
  ]
  for (const [type, body, status] of BODIES)
    test(`${body.length} characters of ${type || 'no type'} are answered with ${status}`, async () => {
      const headers = type ? { 'content-type': type } : {}
      const answer = await world.nobody.request('POST', '/api/echo/', { body, headers, unchecked: status === 200 })
      assert.equal(answer.status, status, answer.text)
      if (status === 200) assert.deepEqual(answer.body, { name: 'Ä & B', code: '1' })
      if (status === 415) assert.equal(answer.body.code, 'unsupported_media_type')
    })

  test('a public endpoint ignores credentials', async () => {
    const options = { body: 'name=a&code=b', headers: { 'content-type': 'application/x-www-form-urlencoded' }, unchecked: true }
    for (const caller of [
      world.withSession(OLGA),
      world.as(OLGA),
      world.partner(NORD),
      world.with({ authorization: 'Bearer unknown' }),
    ])
      assert.equal((await caller.request('POST', '/api/echo/', options)).status, 200)
  })
  test('checks access before it reads the body', async () => {
    for (const type of ['', 'garbage', 'a/b/c', ';', 'application/', 'text/plain', 'application/json; ;=', '\u00e4/b'])
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const options = { body: 'x', headers: { 'content-type': type } }
        assert.equal((await world.nobody.request(method, '/api/events/', options)).status, 401, type)
        assert.equal((await world.nobody.request('DELETE', '/api/federation/guest/delete/', options)).status, 403, type)
        // POST creates an event, and needs the token against forged requests before anything else.
        const { status } = await world.withSession(OLGA).request(method, '/api/events/', options)
        assert.equal(status, method === 'POST' ? 403 : 405, type)
      }
  })
})
