import type { z } from 'zod'
import type { CommandContext, RequestContext } from '#platform/auth/context.ts'
import { type ApiAccess, assertAccess } from './access.ts'
import type { Pagination } from './paging.ts'
import type { Parameters, QueryOf } from './parameters.ts'
import type { PathOf } from './path.ts'

type EndpointInfo = {
  /** Shown by OPTIONS. */
  name: string
  operationId: string
  summary: string
  description?: string
  tag: string
  /** Whether `.json` may follow the path; yes by default. */
  suffix?: boolean
  /** Other methods than those offered are 403 without the permission to write such records, and 405 with it. */
  writePermissions?: 'event' | 'user'
}

/** How links to other parts of the API are built. */
export type LinkContext = {
  /** Scheme and host that the caller used. */
  origin: string
  /** The suffix of the requested path, `json` or `api`. */
  suffix: string | undefined
}

type ListResult<Row> = {
  count: number
  /** A function if rows should be loaded only when the caller's ETag does not match. */
  rows: Row[] | (() => Promise<Row[]>)
  /** Changes whenever a row's record changes. Allows 304 without loading and serializing the rows. */
  fingerprint?: string
}

export type ListEndpoint<Path extends string = string, P extends Parameters = Parameters, Row = never> = EndpointInfo & {
  kind: 'list'
  path: Path
  access: ApiAccess
  parameters: P
  item: z.ZodType
  find(context: RequestContext, query: QueryOf<P>, page: Pagination, path: PathOf<Path>): Promise<ListResult<Row>>
  present(row: Row, context: RequestContext): unknown
}

export type RecordEndpoint<Path extends string = string, P extends Parameters = Parameters, Row = never> = EndpointInfo & {
  kind: 'record'
  path: Path
  access: ApiAccess
  parameters: P
  record: z.ZodType
  /** Undefined if it does not exist or the caller may not see it. */
  get(context: RequestContext, path: PathOf<Path>, query: QueryOf<P>): Promise<Row | undefined>
  present(row: Row, context: RequestContext, linkContext: LinkContext): unknown
}

/** A media type of a document, and its name as the query parameter `format`. */
export type Rendering = { mediaType: string; format?: string }
type RenderedDocument = {
  content: string
  contentType: string
  headers?: Record<string, string>
}

/** Anything but JSON records: the OpenAPI document and its page. */
export type DocumentEndpoint = EndpointInfo & {
  kind: 'document'
  path: string
  access: ApiAccess
  /** The first is the default. */
  renderings: Rendering[]
  /** Differs with every request, so it gets no ETag. */
  fresh?: boolean
  render(rendering: Rendering, context: RequestContext, linkContext: LinkContext): RenderedDocument
}

type ActionResponse = { status: number; body?: unknown; headers?: Record<string, string> }

export type ActionEndpoint<Path extends string = string, Body = never> = EndpointInfo & {
  kind: 'action'
  method: 'POST' | 'DELETE'
  path: Path
  access: ApiAccess
  /** Limit failed attempts per address, so that codes cannot be guessed. */
  limitFailures?: boolean
  /** Schema of the body, sent as JSON or as a form. */
  body?: z.ZodType<Body>
  responses: Record<number, { description: string; schema?: z.ZodType }>
  perform(context: CommandContext, path: PathOf<Path>, body: Body): Promise<ActionResponse>
}

// biome-ignore lint/suspicious/noExplicitAny: the handler does not look into paths, rows and bodies
export type Endpoint = ListEndpoint<any, any, any> | RecordEndpoint<any, any, any> | ActionEndpoint<any, any> | DocumentEndpoint

export function listEndpoint<const Path extends string, P extends Parameters, Row>(
  value: Omit<ListEndpoint<Path, P, Row>, 'kind'>,
): ListEndpoint<Path, P, Row> {
  assertAccess(value)
  return { kind: 'list', ...value }
}

export function recordEndpoint<const Path extends string, P extends Parameters, Row>(
  value: Omit<RecordEndpoint<Path, P, Row>, 'kind'>,
): RecordEndpoint<Path, P, Row> {
  assertAccess(value)
  return { kind: 'record', ...value }
}

export function actionEndpoint<const Path extends string, Body = undefined>(
  value: Omit<ActionEndpoint<Path, Body>, 'kind'>,
): ActionEndpoint<Path, Body> {
  assertAccess(value)
  return { kind: 'action', ...value }
}

export function documentEndpoint(value: Omit<DocumentEndpoint, 'kind'>): DocumentEndpoint {
  assertAccess(value)
  return { kind: 'document', ...value }
}

export const methodOf = (endpoint: Endpoint): 'GET' | 'POST' | 'DELETE' => (endpoint.kind === 'action' ? endpoint.method : 'GET')
