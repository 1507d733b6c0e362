import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import accepts from '@fastify/accepts'
import Fastify, { type FastifyRequest } from 'fastify'
import type { Rendering } from './endpoint.ts'
import { negotiateJson, negotiateRendering } from './negotiation.ts'
import { Problem } from './problem.ts'
import { parseRawQuery } from './raw-query.ts'

const app = Fastify()
await app.register(accepts)
const RENDERINGS: Rendering[] = [
  { mediaType: 'application/vnd.oai.openapi', format: 'yaml' },
  { mediaType: 'application/yaml', format: 'yaml' },
  { mediaType: 'application/json', format: 'json' },
]
const outcomeOf = (negotiate: () => string): string => {
  try {
    return negotiate()
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}
const json = (request: FastifyRequest) => {
  negotiateJson(request.accepts(), parseRawQuery(request.raw.url!))
  return 'ok'
}
const rendering = (request: FastifyRequest) =>
  negotiateRendering(RENDERINGS, request.accepts(), parseRawQuery(request.raw.url!)).mediaType
app.get('/json', async (request) => outcomeOf(() => json(request)))
app.get('/rendering', async (request) => outcomeOf(() => rendering(request)))
after(() => app.close())

async function negotiate(path: string, accept: string | undefined, query: string): Promise<string> {
  return (await app.inject({ url: `${path}?${query}`, headers: accept === undefined ? {} : { accept } })).body
}

const CASES: [accept: string | undefined, query: string, outcome: 'ok' | 'not_acceptable' | 'not_found'][] = [
  [undefined, '', 'ok'],
  ['', '', 'ok'],
  ['*/*', '', 'ok'],
  ['application/*', '', 'ok'],
  ['application/json', '', 'ok'],
  ['Application/JSON; indent=4', '', 'ok'],
  ['application/json;charset=utf-8', '', 'ok'],
  ['application/problem+json', '', 'ok'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', '', 'ok'],
  ['text/html', '', 'ok'],
  ['text/*', '', 'ok'],
  ['image/png, application/json;q=0.1', '', 'ok'],
  ['text/html;q=0.1, application/json', '', 'ok'],
  ['text/html;q=0, application/json', '', 'ok'],
  ['text/html;q=0, */*;q=0.1', '', 'ok'],
  ['*/*;q=0, application/json', '', 'ok'],
  ['*/*;q=0', '', 'not_acceptable'],
  ['application/json;q=0', '', 'not_acceptable'],
  ['application/json;q=0.0, image/png', '', 'not_acceptable'],
  ['application/json;q=0, */*', '', 'not_acceptable'],
  ['application/*;q=0, */*', '', 'not_acceptable'],
  ['application/json; indent=4; q=0', '', 'not_acceptable'],
  ['text/html;q=0, text/plain', '', 'not_acceptable'],
  ['application/xml', '', 'not_acceptable'],
  ['text/plain', '', 'not_acceptable'],
  ['application/jsonp', '', 'not_acceptable'],
  ['json', '', 'not_acceptable'],
  [',', '', 'not_acceptable'],
  [undefined, 'format=json', 'ok'],
  [undefined, 'format=api', 'ok'],
  [undefined, 'format=', 'ok'],
  [undefined, 'format=xml', 'not_found'],
  [undefined, 'format=JSON', 'not_found'],
  [undefined, 'format=xml&format=json', 'ok'],
  [undefined, 'format=json&format=xml', 'not_found'],
  ['application/xml', 'format=json', 'not_acceptable'],
]
for (const [accept, query, outcome] of CASES) {
  test(`Accept: ${accept} with ?${query} is ${outcome}`, async () => {
    assert.equal(await negotiate('/json', accept, query), outcome)
  })
}

const OPENAPI = 'application/vnd.oai.openapi'
const DOCUMENTS: [accept: string | undefined, query: string, outcome: string][] = [
  [undefined, '', OPENAPI],
  ['*/*', '', OPENAPI],
  ['application/*', '', OPENAPI],
  ['application/yaml', '', 'application/yaml'],
  ['Application/YAML; charset=utf-8', '', 'application/yaml'],
  ['application/yaml;q=0.5, application/json', '', 'application/json'],
  ['application/yaml, application/json;q=0.5', '', 'application/yaml'],
  ['*/*, application/json;q=0.1', '', 'application/json'],
  [`${OPENAPI};q=0, */*`, '', 'application/yaml'],
  ['application/*;q=0, application/json', '', 'application/json'],
  ['application/json;q=0, */*', 'format=json', 'not_acceptable'],
  ['*/*;q=0', '', 'not_acceptable'],
  ['text/html', '', 'not_acceptable'],
  ['application/yaml', 'format=json', 'not_acceptable'],
  ['*/*', 'format=xml', 'not_found'],
]
for (const [accept, query, outcome] of DOCUMENTS) {
  test(`with three formats, Accept: ${accept} with ?${query} gets ${outcome}`, async () => {
    assert.equal(await negotiate('/rendering', accept, query), outcome)
  })
}
