import assert from 'node:assert/strict'
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { openFileStore } from './open-store.ts'
import { parseS3Url } from './s3-store.ts'

const KEY = 'turnout'
const SECRET = 'a/secret+key'
const REGION = 'eu-test-1'
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')

/** Signature version 4, from the request alone, as a server computes it. */
function isSigned({ method, url, headers }: IncomingMessage, body: Buffer): boolean {
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)$/
  const [, key, day, region, signed, signature] = found.exec(String(headers.authorization)) ?? []
  if (key !== KEY || region !== REGION || headers['x-amz-content-sha256'] !== sha256(body)) return false
  const [path, query = ''] = url!.split('?')
  const canonical = [
    method,
    path,
    query.split('&').sort().join('&'),
    ...signed!.split(';').map((name) => `${name}:${headers[name]}`),
    '',
    signed,
    headers['x-amz-content-sha256'],
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const signingKey = ['s3', 'aws4_request'].reduce(hmac as never, hmac(hmac(`AWS4${SECRET}`, day!), region!)) as Buffer
  return hmac(signingKey, toSign).toString('hex') === signature
}

/** Keeps objects in memory, checks every signature, and lists one object per page. */
async function startStorage() {
  const objects = new Map<string, Buffer>()
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const answer = (status: number, content: string | Buffer = '') => response.writeHead(status).end(content)
    if (!isSigned(request, body)) return answer(403)
    const { pathname, searchParams } = new URL(request.url!, 'http://storage')
    if (searchParams.has('list-type')) {
      const keys = [...objects.keys()].filter((key) => key.startsWith(searchParams.get('prefix')!)).sort()
      const at = Number(searchParams.get('continuation-token') ?? 0)
      const entry = `<Contents><Key>${keys[at]}</Key><LastModified>2031-05-01T10:00:00.000Z</LastModified></Contents>`
      const next = at + 1 < keys.length ? `<NextContinuationToken>${at + 1}</NextContinuationToken>` : ''
      return answer(200, `<ListBucketResult>${keys.length ? entry : ''}${next}</ListBucketResult>`)
    }
    const key = decodeURIComponent(pathname.replace(/^\/bucket\//, ''))
    if (request.method === 'PUT') objects.set(key, body)
    if (request.method === 'DELETE') return answer(objects.delete(key) ? 204 : 404)
    const content = objects.get(key)
    return content ? answer(200, request.method === 'GET' ? content : '') : answer(404)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { objects, port: (server.address() as AddressInfo).port, close: () => server.close() }
}

describe('S3-compatible storage', async () => {
  const storage = await startStorage()
  const dataDir = mkdtempSync(join(tmpdir(), 's3-'))
  after(() => {
    storage.close()
    rmSync(dataDir, { recursive: true })
  })
  const urlWith = (secret: string) =>
    `s3+http://${KEY}:${encodeURIComponent(secret)}@127.0.0.1:${storage.port}/bucket/our%20files?region=${REGION}`
  const store = openFileStore({ dataDir, filesUrl: urlWith(SECRET) })
  const bytes = (text: string) => Readable.from([Buffer.from(text.slice(0, 3)), Buffer.from(text.slice(3))])
  const idsOf = async (listed = store) => {
    const ids: string[] = []
    for await (const { id } of listed.list()) ids.push(id)
    return ids
  }

  test('stores, returns, lists and deletes files, with signed requests', async () => {
    const ids = [randomUUID(), randomUUID(), randomUUID()].sort()
    for (const id of ids) await store.put(id, bytes(`content of ${id}`))
    storage.objects.set('our files/notes.txt', Buffer.from('of another program'))
    assert.deepEqual(
      [...storage.objects.keys()].sort().slice(0, 3),
      ids.map((id) => `our files/${id}`),
    )
    assert.equal((await buffer((await store.get(ids[0]!))!)).toString(), `content of ${ids[0]}`)
    assert.deepEqual(await idsOf(), ids)
    for (const id of ids) await store.delete(id)
    await store.delete(ids[0]!)
    assert.equal(await store.get(ids[0]!), undefined)
    assert.deepEqual(await idsOf(), [])
  })

  test('stores nothing of a file whose source fails, and leaves no temporary file', async () => {
    const id = randomUUID()
    const failing = async function* () {
      yield Buffer.from('half')
      throw new Error('the client is gone')
    }
    await assert.rejects(store.put(id, failing()), /the client is gone/)
    assert.equal(storage.objects.has(`our files/${id}`), false)
    assert.deepEqual(readdirSync(join(dataDir, 'files/incoming')), [])
  })

  test('fails if the storage refuses the key', async () => {
    const other = openFileStore({ dataDir, filesUrl: urlWith('wrong') })
    await assert.rejects(other.put(randomUUID(), bytes('content')), /answered 403/)
    await assert.rejects(other.get(randomUUID()), /answered 403/)
    await assert.rejects(idsOf(other), /answered 403/)
  })
})

for (const [url, folder] of [
  ['s3://k:s@s3.example/bucket', 'https://s3.example/bucket/'],
  ['s3://k:s@s3.example:9000/bucket/a/b/', 'https://s3.example:9000/bucket/a/b/'],
  ['s3+http://k:s@minio/bucket?region=x', 'http://minio/bucket/'],
  ['s3://s3.example/bucket', undefined],
  ['s3://k:s@s3.example', undefined],
  ['https://k:s@s3.example/bucket', undefined],
] as const)
  test(`${url} is ${folder ?? 'refused'}`, () => assert.equal(parseS3Url(url)?.folder.href, folder))
