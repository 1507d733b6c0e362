import { type Endpoint, methodOf } from './endpoint.ts'
import { failureComponents, HEADERS, problemSchema } from './openapi-failures.ts'
import { includedProperties, operationOf, PAGING, pageSchemas, WRITE_PARAMETERS } from './openapi-operation.ts'
import { type Json, namedSchemas, schemaReference } from './openapi-schemas.ts'

type WebhookPart = {
  summary: string
  description: string
  headers: Readonly<Record<string, string>>
  /** By name; the component has its own beside. */
  examples?: (endpoints: readonly Endpoint[]) => Record<string, unknown>
}

/** What the endpoints do not say. */
export type DocumentParts = {
  /** Who answers questions. */
  contact: string
  /** Descriptions of the tags. */
  tags: Readonly<Record<string, string>>
  /** Requests that the instance sends, by the id of the component with their body. */
  webhooks: Readonly<Record<string, WebhookPart>>
}

type OpenApiOptions = { siteUrl: string; version: string; sessionCookie: string; parts?: DocumentParts }

const DESCRIPTION = `Events, their shifts, people and who takes part.

- **Lists** are paged by \`limit\` and \`offset\`, or by \`cursor\`; the envelope and the header \`Link\` name the pages beside.
- **Times** are ISO 8601 with the offset of the instance's zone. Filters by time include their bounds.
- **Errors** are RFC 9457 problems: \`code\` is stable, texts follow \`Accept-Language\` (en, de). What does not exist and what the caller may not see are answered alike.
- **Writes** take JSON, report all mistakes with JSON pointers, are one transaction each, can be tried with \`dry_run=true\`, repeated with an \`Idempotency-Key\` (POST) and need \`If-Match\` (PATCH, PUT, DELETE). A rule that stands against a write is a 409 with the reasons.
- **HEAD** is answered wherever GET is, and GET has an \`ETag\`, except for streams and records with \`include\`.
- **Fields may be added** to records; what is deprecated stays for at least twelve months and says so in the headers \`Deprecation\` and \`Sunset\`.`

/** OpenAPI 3.1, generated from the endpoint values that are served, so that both always agree. */
export function openApiDocument(endpoints: Endpoint[], { siteUrl, version, sessionCookie, parts }: OpenApiOptions): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path as string
    paths[path] = { ...paths[path], [methodOf(endpoint).toLowerCase()]: operationOf(endpoint) }
  }
  const pages = pageSchemas(endpoints)
  const webhooks = webhooksOf(parts, endpoints)
  return {
    openapi: '3.1.0',
    servers: [{ url: siteUrl }],
    info: {
      title: 'Turnout',
      version,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
      ...(parts && { contact: { name: parts.contact, url: `${siteUrl}/help/api/` } }),
    },
    ...(parts && { externalDocs: { description: 'The guide', url: `${siteUrl}/help/api/` } }),
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({
      name,
      ...(parts && { description: parts.tags[name] ?? '' }),
    })),
    paths,
    ...(parts && { webhooks }),
    components: {
      schemas: sorted({ ...withIncluded(namedSchemas([paths, pages, webhooks]), endpoints), ...pages, Problem: problemSchema }),
      responses: failureComponents(paths),
      parameters: usedIn(paths, { ...PAGING, ...WRITE_PARAMETERS }),
      headers: HEADERS,
      securitySchemes: {
        tokenAuth: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A personal API token, a key of a service account or an OAuth2 access token, with the scopes that are named; federation endpoints take the token of the partner.',
        },
        cookieAuth: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookie,
          description: 'The session of the web interface; it needs no scope.',
        },
      },
    },
  }
}

/** Any 2xx is taken as received. */
function webhooksOf(parts: DocumentParts | undefined, endpoints: readonly Endpoint[]): Json {
  const webhooks = Object.entries(parts?.webhooks ?? {}).map(([id, { summary, description, headers, examples }]) => {
    const parameters = Object.entries(headers).map(([name, text]) => ({
      name,
      in: 'header',
      required: true,
      description: text,
      schema: { type: 'string' },
    }))
    const named = Object.entries(examples?.(endpoints) ?? {}).map(([name, value]) => [name, { value }])
    const content = { schema: schemaReference(id), ...(named.length && { examples: Object.fromEntries(named) }) }
    const operation = {
      operationId: `webhook_${id.toLowerCase()}`,
      summary,
      description,
      tags: ['webhooks'],
      security: [],
      parameters,
      requestBody: { required: true, content: { 'application/json': content } },
      responses: { '2XX': { description: 'Received' }, '4XX': { description: 'Refused' } },
    }
    return [id.toLowerCase(), { post: operation }]
  })
  return Object.fromEntries(webhooks)
}

function usedIn(paths: Json, parameters: Json): Json {
  const used = JSON.stringify(paths)
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => used.includes(`"#/components/parameters/${name}"`)))
}

/** Keys that only requests with `include` get. */
function withIncluded(schemas: Json, endpoints: Endpoint[]): Json {
  const added = Object.entries(includedProperties(endpoints)).map(([id, more]) => {
    const schema = schemas[id] as { properties: Json }
    return [id, { ...schema, properties: { ...schema.properties, ...more } }]
  })
  return { ...schemas, ...Object.fromEntries(added) }
}

const sorted = (schemas: Json): Json => Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
