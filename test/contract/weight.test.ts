import assert from 'node:assert/strict'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { buildApp } from '#app'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import { cookieNames } from '#platform/http/cookies.ts'
import { openTestDatabase } from '#test/support/database.ts'
import { demoOptions, freshDemoDatabase, getDemoPerson, NOW } from '#test/support/demo-instance.ts'

const KB = 1000

/** Bytes of the bodies on the wire, for a browser that accepts brotli. Headers are not counted. */
describe('the weight of pages on the wire', async () => {
  const database = await freshDemoDatabase()
  const db = openTestDatabase({ url: database.url })
  const { app, site } = await buildApp(demoOptions(database.url, db))
  await app.listen({ host: '127.0.0.1', port: 0 })
  after(async () => {
    await app.close()
    await db.close()
    await database.drop()
  })
  const { port } = app.server.address() as AddressInfo

  const session = randomSecret(43)
  const { id } = await getDemoPerson(db, 'ann')
  await db.write
    .insertInto('session')
    .values({
      id_hash: hashSecret(session),
      user_id: id,
      created_at: NOW,
      last_seen_at: NOW,
      expires_at: new Date(NOW.getTime() + 1e9),
    })
    .execute()

  const load = (path: string, { isSignedIn = false } = {}): Promise<{ bytes: number; text: string; status: number }> =>
    new Promise((done, fail) => {
      const headers = {
        host: new URL(site.url).host,
        'accept-encoding': 'br',
        'sec-fetch-site': 'none',
        ...(isSignedIn ? { cookie: `${cookieNames(site.url).session}=${session}` } : {}),
      }
      get({ port, host: '127.0.0.1', path, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const body = Buffer.concat(chunks)
          done({ bytes: body.length, text: body.toString(), status: response.statusCode! })
        })
      }).on('error', fail)
    })
  const textOf = async (path: string, isSignedIn: boolean): Promise<string> => {
    const cookie = isSignedIn ? { cookie: `${cookieNames(site.url).session}=${session}` } : {}
    const response = await app.inject({ url: path, headers: { host: new URL(site.url).host, ...cookie } })
    assert.equal(response.statusCode, 200, path)
    return response.body
  }
  const weigh = async (path: string, isSignedIn: boolean) => {
    const text = await textOf(path, isSignedIn)
    const files = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:css|js|svg))"/g)].map(([, url]) => url!)
    assert.ok(files.length > 5, 'the page refers to its files')
    const page = await load(path, { isSignedIn })
    let bytes = page.bytes
    for (const url of new Set(files)) bytes += (await load(url)).bytes
    return { page: page.bytes, all: bytes }
  }

  test('the sign-in page needs at most 40 kB', async () => {
    const { all } = await weigh('/accounts/login/', false)
    assert.ok(all <= 40 * KB, `${all} bytes`)
  })

  test('home needs at most 60 kB, and 12 kB on the next visit', async () => {
    const { page, all } = await weigh('/', true)
    assert.ok(all <= 60 * KB, `${all} bytes`)
    assert.ok(page <= 12 * KB, `${page} bytes again`)
  })

  test('pages without replaced parts do not load the script for them', async () => {
    assert.doesNotMatch(await textOf('/accounts/login/', false), /\/assets\/htmx/)
    assert.match(await textOf('/', true), /\/assets\/htmx/)
  })
})
