import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { makeMemoryStore } from '#test/support/file-store.ts'
import { downloadFile } from './file-download.ts'
import { Problem } from './problem.ts'

const store = makeMemoryStore()
await store.put('f1', Readable.from([Buffer.from('hello')]))
const download = (content_type: string, name = 'plan.bin') => downloadFile(store, { id: 'f1', name, content_type, bytes: 5 })

const SANDBOX = "default-src 'none'; frame-ancestors 'none'; sandbox"
const TYPES: [type: string, disposition: string, policy: string][] = [
  ['application/pdf', 'inline', "default-src 'none'; frame-ancestors 'none'"],
  ['image/png', 'inline', SANDBOX],
  ['text/html', 'attachment', SANDBOX],
  ['application/vnd.oasis.opendocument.text', 'attachment', SANDBOX],
]
for (const [type, disposition, policy] of TYPES)
  test(`a file of the type ${type} is sent as ${disposition}, and nothing keeps or runs it`, async () => {
    const { content, contentType, headers } = await download(type)
    assert.equal(await text(content as Readable), 'hello')
    assert.equal(contentType, type)
    assert.deepEqual(headers, {
      'content-length': '5',
      'content-disposition': `${disposition}; filename="plan.bin"; filename*=UTF-8''plan.bin`,
      'content-security-policy': policy,
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    })
  })

const NAMES: [name: string, ascii: string, encoded: string][] = [
  ['Übung.pdf', '_bung.pdf', '%C3%9Cbung.pdf'],
  ['a"b\\c%d.pdf', 'a_b_c_d.pdf', 'a%22b%5Cc%25d.pdf'],
  ["it's (a) *.pdf", "it's (a) *.pdf", 'it%27s%20%28a%29%20%2A.pdf'],
  ['a\r\nb\x7f.pdf', 'a__b_.pdf', 'a%0D%0Ab%7F.pdf'],
  ['~ !.pdf', '~ !.pdf', '~%20!.pdf'],
]
for (const [name, ascii, encoded] of NAMES)
  test(`the name ${JSON.stringify(name)} is written for old and new clients`, async () => {
    const { headers } = await download('application/pdf', name)
    assert.equal(headers!['content-disposition'], `inline; filename="${ascii}"; filename*=UTF-8''${encoded}`)
  })

test('a file that is not in the store is not found', async () => {
  await assert.rejects(
    downloadFile(store, { id: 'f2', name: 'a', content_type: 'application/pdf', bytes: 1 }),
    (error) => error instanceof Problem && error.code === 'not_found',
  )
})
