import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Validator } from '@seriousme/openapi-schema-validator'
import openapiTS from 'openapi-typescript'
import { z } from 'zod'
import { ENDPOINTS } from '#endpoints'
import { methodOf } from '#platform/http/endpoint.ts'
import { makeApiFiles } from '../../scripts/api-files.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const command = 'npm run api (node scripts/api-files.ts)'
const committed = readFileSync(join(root, 'docs/api/openapi.json'), 'utf8')
const document = JSON.parse(committed)

type Schema = { properties?: object; examples?: unknown[]; $ref?: string }
type Parameter = { name?: string; in?: string; deprecated?: boolean; $ref?: string }
type Operation = {
  operationId: string
  tags: string[]
  parameters: Parameter[]
  security: object[]
  responses: Record<string, { headers?: object; $ref?: string }>
}
const operations = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
)

describe('docs/api/openapi.json', () => {
  test('matches the endpoints', () => {
    const args = ['src/cli.ts', 'openapi', '--server', 'https://turnout.example']
    const printed = spawnSync(process.execPath, args, {
      cwd: root,
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
      maxBuffer: 2 ** 24,
    })
    assert.equal(printed.status, 0, printed.stderr)
    assert.ok(printed.stdout === committed, `the API changed; if this is intended, run: ${command}`)
  })

  test('matches the generated parts of the clients and the collection', async () => {
    for (const [path, text] of Object.entries(await makeApiFiles(document)))
      assert.ok(readFileSync(join(root, path), 'utf8') === text, `${path} is not current; run: ${command}`)
  })

  test('is valid OpenAPI 3.1', async () => {
    const verdict = await new Validator().validate(structuredClone(document))
    assert.ok(verdict.valid, JSON.stringify(verdict, null, 2))
  })

  test('has no dangling references and no unused components', () => {
    const references = new Set([...committed.matchAll(/"\$ref": "([^"]+)"/g)].map(([, reference]) => reference!))
    for (const reference of references) {
      assert.match(reference, /^#\/components\//)
      const found = reference.slice(2).split('/')
      assert.ok(
        found.reduce((part: Record<string, unknown>, key) => part?.[key] as never, document),
        reference,
      )
    }
    for (const [kind, parts] of Object.entries(document.components as Record<string, object>)) {
      if (kind === 'securitySchemes') continue
      for (const name of Object.keys(parts)) assert.ok(references.has(`#/components/${kind}/${name}`), `${kind} ${name}`)
    }
  })

  test('has exactly the endpoints of the app', () => {
    const documented = operations.map(({ path, method, operation }) => `${method} ${path} ${operation.operationId}`)
    assert.deepEqual(
      documented.sort(),
      ENDPOINTS.map((endpoint) => `${methodOf(endpoint)} ${endpoint.path} ${endpoint.operationId}`).sort(),
    )
    assert.equal(new Set(operations.map(({ operation }) => operation.operationId)).size, operations.length)
  })

  test('describes the parameters, credentials, error responses and headers of each operation', () => {
    for (const endpoint of ENDPOINTS) {
      const { operation } = operations.find((each) => each.operation.operationId === endpoint.operationId)!
      const named = (name: string) => operation.parameters.find((parameter) => parameter.name === name)
      for (const [, name] of String(endpoint.path).matchAll(/\{(\w+)\}/g)) assert.equal(named(name!)?.in, 'path')
      if ('parameters' in endpoint)
        for (const [name, { deprecated }] of Object.entries(endpoint.parameters as Record<string, { deprecated?: object }>))
          assert.equal(named(name)?.deprecated, deprecated ? true : undefined, `${name} of ${endpoint.path}`)
      const schemes = { open: 0, partner: 1, 'any-user': 2, scope: 2 }[endpoint.access.kind]
      assert.equal(operation.security.length, schemes)
      for (const status of ['400', '404', '406', '414', '421', '429', '500', '503'])
        assert.ok(operation.responses[status], status)
      // Partners retry after a 401, so partner endpoints never send it.
      assert.equal('401' in operation.responses, schemes === 2)
      assert.equal('403' in operation.responses, schemes > 0)
      const headers = Object.keys(operation.responses['200']?.headers ?? {})
      if (endpoint.kind === 'list' || endpoint.kind === 'record')
        assert.ok(headers.includes('ETag') && operation.responses['304'])
      if (endpoint.kind === 'list') assert.ok(headers.includes('Link'))
      const deprecates = operation.parameters.some(({ deprecated }) => deprecated)
      for (const name of ['Deprecation', 'Sunset'])
        assert.equal(headers.includes(name), deprecates, `${name} of ${endpoint.path}`)
    }
  })

  test('has a valid example for every record', () => {
    const records = z.globalRegistry._idmap as Map<string, z.ZodType>
    for (const [id, schema] of Object.entries(document.components.schemas as Record<string, Schema>)) {
      const { examples = [] } = schema
      assert.ok(examples.length > 0, `${id} has no example; give it one by meta({ id, examples })`)
      const record = records.get(id)
      // Parsing returns the keys in the order of the schema.
      if (record) for (const example of examples) assert.equal(JSON.stringify(record.parse(example)), JSON.stringify(example), id)
    }
  })
})

const CLIENT = `
import type { components, paths } from './turnout.d.ts'

type Gettable = { [P in keyof paths]: paths[P] extends { get: unknown } ? P : never }[keyof paths]
type Body<P extends Gettable> = paths[P] extends { get: { responses: { 200: { content: { 'application/json': infer B } } } } } ? B : never
type Query<P extends Gettable> = paths[P] extends { get: { parameters: { query?: infer Q } } } ? Q : never

declare function get<P extends Gettable>(path: P, query?: Query<P>): Promise<Body<P>>

const page = await get('/api/events/', { type: 2, start_time_after: '2031-05-04', limit: 50 })
const next: string | null = page.next
const event: components['schemas']['Event'] = page.results[0]!
const start: string | null = event.start_time
const free: number | null = event.shifts[0]!.signup_stats.free
const [block] = (await get('/api/buildingblocks/')).results
const wanted: number[] = block!.positions[0]!.qualifications
const partner: string = (await get('/api/federation/events/')).results[0]!.signup_url
const kind: 'atomic' | 'composite' = block!.block_type
const users: string = (await get('/api/')).users
const label: string = (await get('/api/participations/', { event: [1, 2], state: 1 })).results[0]!.state.label
const problem: components['schemas']['Problem'] = { type: '', title: '', status: 404, detail: '', code: 'not_found', request_id: '' }
type Nothing = paths['/api/federation/guest/delete/']['delete']['responses'][204]['content']
const isNothing: [Nothing] extends [undefined] ? true : false = true
export { free, isNothing, kind, label, next, partner, problem, start, users, wanted }

// @ts-expect-error there is no such list
void get('/api/event/')
// @ts-expect-error a state is a number of five
void get('/api/participations/', { state: 9 })
// @ts-expect-error an event without shifts has no times
export const certain: string = event.start_time
// @ts-expect-error the public record has no e-mail address
void (await get('/api/participations/')).results[0]!.participant.email
`

test('generated clients type-check', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-client-'))
  try {
    writeFileSync(join(folder, 'turnout.d.ts'), await openapiTS(structuredClone(document)))
    writeFileSync(join(folder, 'client.ts'), CLIENT)
    const flags = '--noEmit --strict --target es2024 --module nodenext --allowImportingTsExtensions --noUncheckedIndexedAccess'
    const args = [join(root, 'node_modules/typescript/bin/tsc'), ...flags.split(' '), '--types', '', join(folder, 'client.ts')]
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const checked = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
    assert.equal(checked.status, 0, checked.stdout + checked.stderr)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
