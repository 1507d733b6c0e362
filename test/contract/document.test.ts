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

type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  $ref?: string
  maxLength?: number
  maxItems?: number
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  format?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
}
type Operation = { operationId: string; requestBody?: { content: Record<string, { schema: Schema }> } }
const COMPONENTS = (document.components as { schemas: Record<string, Schema> }).schemas

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
    const described = pathsIn(COMPONENTS[DOCUMENTED[slug]!]!)
    const read = pathsIn(z.toJSONSchema(configuration, { io: 'input' }) as Schema)
    assert.ok(read.length > 0)
    assert.deepEqual(
      read.filter((path) => !described.includes(path)),
      [],
    )
  })

/** Texts, numbers and lists in bodies that say nothing about their limits, by the operation and the place in the body. */
function unlimitedIn(schema: Schema, at: string): string[] {
  const { $ref, anyOf = [], oneOf = [], items, properties = {}, additionalProperties } = schema
  const component = $ref?.split('/').at(-1)
  if (component) return unlimitedIn(COMPONENTS[component]!, component)
  const types = [schema.type].flat()
  const has = (...keys: (keyof Schema)[]) => keys.some((key) => schema[key] !== undefined)
  const isFree = types.includes('string') && !has('maxLength', 'enum', 'const', 'format', 'pattern')
  // Ids have a format.
  const isNumber = types.includes('integer') || types.includes('number')
  const isUnbounded = isNumber && !has('enum', 'const', 'format') && !(has('minimum', 'exclusiveMinimum') && has('maximum'))
  const isEndless = types.includes('array') && !has('maxItems')
  const parts = [
    ...[...anyOf, ...oneOf].map((part) => [part, at] as const),
    ...Object.entries(properties).map(([name, part]) => [part, `${at}/${name}`] as const),
    ...[items, additionalProperties].flatMap((part) => (typeof part === 'object' ? [[part, at] as const] : [])),
  ]
  return [...(isFree || isUnbounded || isEndless ? [at] : []), ...parts.flatMap(([part, place]) => unlimitedIn(part, place))]
}

/** Without a limit of their own: that of the body of a request applies. */
const UNLIMITED = [
  // The server makes or calculates them.
  'NamedTeamsConfiguration/teams/uuid',
  'ComplexConfiguration/starting_blocks/uuid',
  'SelfServiceConfiguration/signup_from_rule',
  'SelfServiceConfiguration/signup_until_rule',
  // A date-time or a duration, as the description says.
  'SelfServiceConfiguration/signup_from',
  'SelfServiceConfiguration/signup_until',
  'SelfServiceConfiguration/late_change_asks_again',
  'ManualConfiguration/no_selfservice_explanation',
  // An id.
  'qualifications_destroy/move_to',
  // The body of partners is the one of ephios.
  'federation_setup/code',
  'federation_setup/turnout',
]

test('bodies of writes say the limits of their texts, numbers and lists', () => {
  const found = Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap((item) =>
    Object.values(item).flatMap(({ operationId, requestBody }) => {
      const schema = requestBody?.content['application/json']?.schema
      return schema ? unlimitedIn(schema, operationId) : []
    }),
  )
  assert.deepEqual([...new Set(found)].sort(), [...UNLIMITED].sort())
})

test('descriptions of records state no numbers of elements, which the schema can', () => {
  assert.deepEqual(JSON.stringify(COMPONENTS).match(/"description":"[^"]*at most \d[^"]*"/g), null)
})
