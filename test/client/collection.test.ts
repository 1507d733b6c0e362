import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

const read = (path: string) => JSON.parse(readFileSync(new URL(`../../docs/api/${path}`, import.meta.url), 'utf8'))

type Request = {
  method: string
  url: { raw: string; path: string[]; query?: { key: string; value: string; disabled: boolean }[] }
  header: { key: string; disabled?: boolean }[]
  body?: { raw: string }
}

describe('the collection of requests', () => {
  const requests: Request[] = read('postman.json').item.flatMap(({ item }: { item: { request: Request }[] }) =>
    item.map(({ request }) => request),
  )
  const operations = Object.entries(read('openapi.json').paths).flatMap(([path, verbs]) =>
    Object.keys(verbs as object).map((verb) => `${verb.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  )

  test('has each operation once', () => {
    const found = requests.map(({ method, url }) => `${method} /${url.path.join('/')}`)
    assert.deepEqual(found.sort(), operations.sort())
  })
  test('begins writes that can be tried as dry runs, and sends nothing else that is optional', () => {
    const sent = requests.flatMap(({ url }) => (url.query ?? []).filter(({ disabled }) => !disabled))
    assert.ok(sent.length > 50)
    assert.ok(sent.every(({ key, value }) => key === 'dry_run' && value === 'true'))
    for (const { url } of requests)
      assert.equal(url.raw.endsWith('?dry_run=true'), url.query?.some(({ key }) => key === 'dry_run') ?? false)
  })
  test('has bodies that are JSON, and If-Match where it is needed', () => {
    for (const { body } of requests) if (body) JSON.parse(body.raw)
    const changes = requests.filter(({ method, url }) => ['PATCH', 'DELETE'].includes(method) && url.query)
    assert.ok(changes.length > 10)
    for (const { header, url } of changes)
      assert.ok(
        header.some(({ key, disabled }) => key === 'If-Match' && !disabled),
        url.raw,
      )
  })
})
