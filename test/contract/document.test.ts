import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { DOCUMENT_PARTS, ENDPOINTS } from '#endpoints'
import { cookieNames } from '#platform/http/cookies.ts'
import { openApiDocument } from '#platform/http/openapi.ts'
import { VERSION } from '../../src/version.ts'

// `openapi.test.ts` compares what the command prints. Here, in this process, so that `npm run check:mutation` can change the endpoints.
test('the endpoints are those of docs/api/openapi.json', () => {
  const siteUrl = 'https://turnout.example'
  const document = openApiDocument(ENDPOINTS, {
    siteUrl,
    version: VERSION,
    parts: DOCUMENT_PARTS,
    sessionCookie: cookieNames(siteUrl).session,
  })
  const committed = readFileSync(new URL('../../docs/api/openapi.json', import.meta.url), 'utf8')
  assert.ok(`${JSON.stringify(document, null, 2)}\n` === committed, 'the API changed; if this is intended, run: npm run api')
})

test('each tag of an endpoint has a description, and each description a tag', () => {
  const tags = new Set(ENDPOINTS.map(({ tag }) => tag))
  assert.deepEqual(Object.keys(DOCUMENT_PARTS.tags).sort(), [...tags].sort())
})
