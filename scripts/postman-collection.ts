// A collection of all requests for Postman, Bruno, Hoppscotch and others that import it. `npm run api` writes it.

type Schema = { $ref?: string; example?: unknown; examples?: unknown[] }
type Parameter = {
  $ref?: string
  name: string
  in: string
  required?: boolean
  deprecated?: boolean
  description?: string
  schema: Schema
}
type Operation = {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  security?: object[]
}
type Document = {
  info: { title: string; description: string }
  paths: Record<string, Record<string, Operation>>
  components: { parameters: Record<string, Parameter> }
}

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/** The text of the collection: a folder for each tag, with the variables `site` and `token`. Writes begin as dry runs. */
export function makeCollection(openapi: object): string {
  const document = openapi as Document
  const folders = new Map<string, object[]>()
  for (const [path, operations] of Object.entries(document.paths))
    for (const [verb, operation] of Object.entries(operations)) {
      const tag = operation.tags[0] ?? 'other'
      folders.set(tag, [...(folders.get(tag) ?? []), requestOf(verb.toUpperCase(), path, operation, document)])
    }
  const collection = {
    info: { name: document.info.title, description: document.info.description, schema: SCHEMA },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      { key: 'site', value: 'http://localhost:8000' },
      { key: 'token', value: '' },
    ],
    item: [...folders].map(([name, item]) => ({ name, item })),
  }
  return `${JSON.stringify(collection, null, 2)}\n`
}

function requestOf(method: string, path: string, operation: Operation, { components }: Document): object {
  const parameters = (operation.parameters ?? [])
    .map((each) => (each.$ref ? components.parameters[each.$ref.split('/').at(-1)!]! : each))
    .filter(({ deprecated }) => !deprecated)
  const { description = '' } = operation
  const segments = path
    .split('/')
    .slice(1)
    .map((segment) => segment.replace(/^\{(\w+)\}$/, ':$1'))
  const inside = parameters.filter((each) => each.in === 'path')
  const query = parameters.filter((each) => each.in === 'query').map((each) => queryOf(each))
  const active = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`)
  const body = operation.requestBody?.content['application/json']?.schema
  const headers = parameters.filter((each) => each.in === 'header').map((each) => headerOf(each))
  return {
    name: operation.summary,
    request: {
      method,
      ...(operation.security?.length === 0 ? { auth: { type: 'noauth' } } : {}),
      description,
      header: [...(body ? [{ key: 'Content-Type', value: 'application/json' }] : []), ...headers],
      url: {
        raw: `{{site}}/${segments.join('/')}${active.length ? `?${active.join('&')}` : ''}`,
        host: ['{{site}}'],
        path: segments,
        ...(query.length ? { query } : {}),
        ...(inside.length ? { variable: inside.map(({ name }) => ({ key: name, value: '1' })) } : {}),
      },
      ...(body
        ? { body: { mode: 'raw', raw: JSON.stringify(exampleOf(body), null, 2), options: { raw: { language: 'json' } } } }
        : {}),
    },
    response: [],
  }
}

/** Writes begin as dry runs, other parameters are switched off. */
const queryOf = ({ name, description = '' }: Parameter) => ({
  key: name,
  value: name === 'dry_run' ? 'true' : '',
  description,
  disabled: name !== 'dry_run',
})

const headerOf = ({ name, required = false, description = '' }: Parameter) => ({
  key: name,
  value: name === 'If-Match' ? '*' : name === 'Idempotency-Key' ? '{{$guid}}' : '',
  description,
  disabled: !required,
})

const exampleOf = ({ example, examples }: Schema): unknown => example ?? examples?.[0] ?? {}
