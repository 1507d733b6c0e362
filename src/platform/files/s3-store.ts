import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { AwsV4Signer } from 'aws4fetch'
import { makeTransfer, type Transfer } from '#platform/outbound/transfer.ts'
import type { FileStore } from './store.ts'

/** Parts of `FILES_URL`. */
type Bucket = {
  /** The bucket with the prefix of all keys, ending with a slash. */
  folder: URL
  /** The bucket itself, and the prefix of all keys. */
  root: URL
  prefix: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const DEFAULT_REGION = 'us-east-1'
const EMPTY_SHA256 = createHash('sha256').digest('hex')

/** `s3://KEY:SECRET@host/bucket/prefix?region=…`; `s3+http://` for a host that is reached without TLS. Undefined if it is none. */
export function parseS3Url(value: string): Bucket | undefined {
  const url = URL.parse(value.replace(/^s3\+http:/, 'http:').replace(/^s3:/, 'https:'))
  const isS3 = /^s3(\+http)?:\/\//.test(value)
  const [bucket, ...rest] = url?.pathname.split('/').filter(Boolean) ?? []
  if (!isS3 || !url?.username || !url.password || !bucket) return undefined
  const prefix = rest.length ? `${rest.join('/')}/` : ''
  return {
    folder: new URL(`/${bucket}/${prefix}`, url.origin),
    root: new URL(`/${bucket}`, url.origin),
    prefix: decodeURIComponent(prefix),
    region: url.searchParams.get('region') ?? DEFAULT_REGION,
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
  }
}

type S3Options = {
  bucket: Bucket
  /** For files that are not complete yet: requests to S3 need the size and checksum in advance. */
  spoolFolder: string
  transfer?: Transfer
}

/** Stores files in a bucket of S3-compatible storage, so that several nodes share them. */
export function makeS3Store({ bucket, spoolFolder, transfer }: S3Options): FileStore {
  const transferTo = transfer ?? makeTransfer({ allow: [bucket.root.hostname.replace(/^\[|\]$/g, '')] })
  const urlOf = (id: string) => new URL(id, bucket.folder)

  async function send(method: 'GET' | 'PUT' | 'DELETE', url: URL, upload?: { path: string; bytes: number; sha256: string }) {
    const { region, accessKeyId, secretAccessKey } = bucket
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { 'x-amz-content-sha256': upload?.sha256 ?? EMPTY_SHA256 },
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey,
    })
    const signed = await signer.sign()
    const headers = Object.fromEntries(signed.headers)
    // Exactly the query that was signed: `URL` writes a space as a plus sign.
    signed.url.search = signer.encodedSearch
    if (!upload) return transferTo(signed.url, { method, headers })
    return transferTo(signed.url, {
      method,
      headers: { ...headers, 'content-length': String(upload.bytes) },
      body: createReadStream(upload.path),
    })
  }

  return {
    put: async (id, source) => {
      await mkdir(spoolFolder, { recursive: true, mode: 0o700 })
      const path = join(spoolFolder, id)
      const hash = createHash('sha256')
      let bytes = 0
      try {
        await pipeline(
          source,
          async function* (chunks: AsyncIterable<Uint8Array>) {
            for await (const chunk of chunks) {
              hash.update(chunk)
              bytes += chunk.length
              yield chunk
            }
          },
          createWriteStream(path, { mode: 0o600 }),
        )
        const response = await send('PUT', urlOf(id), { path, bytes, sha256: hash.digest('hex') })
        response.resume()
        requireStatus(response, 200)
      } finally {
        await rm(path, { force: true })
      }
    },
    get: async (id) => {
      const response = await send('GET', urlOf(id))
      if (response.statusCode === 200) return response
      response.resume()
      requireStatus(response, 404)
      return undefined
    },
    delete: async (id) => {
      const response = await send('DELETE', urlOf(id))
      response.resume()
      if (response.statusCode !== 404) requireStatus(response, 200, 204)
    },
    list: async function* () {
      let token: string | undefined
      do {
        const url = new URL(bucket.root)
        url.searchParams.set('list-type', '2')
        url.searchParams.set('prefix', bucket.prefix)
        if (token !== undefined) url.searchParams.set('continuation-token', token)
        const response = await send('GET', url)
        const page = await text(response)
        requireStatus(response, 200)
        for (const [, entry] of page.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)) {
          const id = textOf(entry!, 'Key')?.slice(bucket.prefix.length) ?? ''
          // Other programs may use the bucket, too.
          if (ID.test(id)) yield { id, storedAt: new Date(textOf(entry!, 'LastModified')!) }
        }
        token = textOf(page, 'NextContinuationToken')
      } while (token)
    },
  }
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The text of the first element of this name. Keys and tokens contain no markup besides these entities. */
const textOf = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]?.replaceAll('&quot;', '"').replaceAll('&amp;', '&')

function requireStatus({ statusCode }: IncomingMessage, ...expected: number[]): void {
  if (!expected.includes(statusCode!)) throw new Error(`the file storage answered ${statusCode}`)
}
