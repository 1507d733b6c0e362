import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { z } from 'zod'
import { DOCUMENT_PARTS, ENDPOINTS } from '#endpoints'
import { FLOWS } from '#features/staffing/staffing/flows/registry.ts'
import { STRUCTURES } from '#features/staffing/staffing/structures/registry.ts'
import { cookieNames } from '#platform/http/cookies.ts'
import { openApiDocument } from '#platform/http/openapi.ts'
import { VERSION } from '../../src/version.ts'

const siteUrl = 'https://turnout.example'
const sessionCookie = cookieNames(siteUrl).session
const document = openApiDocument(ENDPOINTS, { siteUrl, version: VERSION, parts: DOCUMENT_PARTS, sessionCookie })

// `openapi.test.ts` compares what the command prints. Here, in this process, so that `npm run check:mutation` can change the endpoints.
test('the endpoints are those of docs/api/openapi.json', () => {
  const committed = readFileSync(new URL('../../docs/api/openapi.json', import.meta.url), 'utf8')
  assert.ok(`${JSON.stringify(document, null, 2)}\n` === committed, 'the API changed; if this is intended, run: npm run api')
})

test('every endpoint has a name, which answers to OPTIONS show for the first one of a path', () => {
  for (const { name, path } of ENDPOINTS) assert.match(name, /^[A-Z]\w/, path)
})

test('each tag of an endpoint has a description, and each description a tag', () => {
  const tags = new Set(ENDPOINTS.map(({ tag }) => tag))
  assert.deepEqual(Object.keys(DOCUMENT_PARTS.tags).sort(), [...tags].sort())
})

type Schema = { properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[] }

/** Paths of all properties, such as `teams/title`. */
function pathsIn(schema: Schema, at = ''): string[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, part]) => [
    `${at}${name}`,
    ...pathsIn(part, `${at}${name}/`),
  ])
  const parts = [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])]
  return [...own, ...parts.flatMap((part) => pathsIn(part, at))]
}

const DOCUMENTED: Record<string, string> = {
  request_confirm: 'SelfServiceConfiguration',
  instant_confirmation: 'SelfServiceConfiguration',
  manual: 'ManualConfiguration',
  coupled: 'CoupledConfiguration',
  uniform: 'UniformConfiguration',
  named_teams: 'NamedTeamsConfiguration',
  qualification_mix: 'QualificationMixConfiguration',
  complex: 'ComplexConfiguration',
}

for (const { slug, configuration } of [...FLOWS, ...STRUCTURES])
  test(`the description of ${slug} names every key that is read`, () => {
    const schemas = (document.components as { schemas: Record<string, Schema> }).schemas
    const described = pathsIn(schemas[DOCUMENTED[slug]!]!)
    const read = pathsIn(z.toJSONSchema(configuration, { io: 'input' }) as Schema)
    assert.ok(read.length > 0)
    assert.deepEqual(
      read.filter((path) => !described.includes(path)),
      [],
    )
  })
