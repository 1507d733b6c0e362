import type { z } from 'zod'
import type { CommandContext, RequestContext, WriteContext } from '#platform/auth/context.ts'
import type { Edges } from '#platform/db/paged.ts'
import { type ApiAccess, assertAccess } from './access.ts'
import type { Connection } from './connection.ts'
import type { Pagination } from './paging.ts'
import type { Parameters, QueryOf } from './parameters.ts'
import type { PathOf } from './path.ts'
import type { ProblemCode } from './problem.ts'

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
  /** Problems besides those of all endpoints. */
  problems?: ProblemCode[]
}

/** How links to other parts of the API are built. */
export type LinkContext = {
  /** Scheme and host that the caller used. */
  origin: string
  /** The suffix of the requested path, `json` or `api`. */
  suffix: string | undefined
}

type ListResult<Row> = {
  /** Null for pages by cursor, which do not count. */
  count: number | null
  /** A function if rows should be loaded only when the caller's ETag does not match. */
  rows: Row[] | (() => Promise<Row[]>)
  /** Changes whenever a row's record changes. Allows 304 without loading and serializing the rows. */
  fingerprint?: string
  /** For pages by cursor. */
  edges?: Edges | undefined
}

/** Related records that a request may add to each record by `include`. */
export type Include = {
  description: string
  access: ApiAccess
  /** Of one related record. */
  item: z.ZodType
  /** Presented records by the id of the record that they belong to, with a fixed number of statements. */
  load(context: RequestContext, ids: number[]): Promise<ReadonlyMap<number, unknown[]>>
}

export type ListEndpoint<Path extends string = string, P extends Parameters = Parameters, Row = never> = EndpointInfo & {
  kind: 'list'
  path: Path
  access: ApiAccess
  parameters: P
  item: z.ZodType
  includes?: Record<string, Include>
  find(context: RequestContext, query: QueryOf<P>, page: Pagination, path: PathOf<Path>): Promise<ListResult<Row>>
  present(row: Row, context: RequestContext): unknown
}

/**
 * What changes of a record depend on besides what the record shows, for callers who may change it. It is part of the ETag, so that
 * If-Match notices changes of it. Text that differs whenever one of these values does.
 */
export type Revision<Path extends string = string> = (context: RequestContext, path: PathOf<Path>) => Promise<string | undefined>

export type RecordEndpoint<Path extends string = string, P extends Parameters = Parameters, Row = never> = EndpointInfo & {
  kind: 'record'
  path: Path
  access: ApiAccess
  parameters: P
  record: z.ZodType
  includes?: Record<string, Include>
  /** Undefined if it does not exist or the caller may not see it. */
  get(context: RequestContext, path: PathOf<Path>, query: QueryOf<P>, connection: Connection): Promise<Row | undefined>
  /** By default that of a write at the same path. */
  revision?: Revision<Path>
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

/** An event of a stream. One without data moves only the id that the client continues from. */
export type StreamEvent = { id?: string; event?: string; data?: unknown; comment?: string }

/** Server-Sent Events (HTML standard, section 9.2). */
export type StreamEndpoint<P extends Parameters = Parameters> = EndpointInfo & {
  kind: 'stream'
  path: string
  access: ApiAccess
  parameters: P
  /** The data of an event. */
  item: z.ZodType
  /** Throws a Problem if there is nothing to follow. The events end with the signal of the connection. */
  open(context: RequestContext, query: QueryOf<P>, connection: Connection): Promise<AsyncGenerator<StreamEvent, void>>
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

type WriteMethod = 'POST' | 'PATCH' | 'PUT' | 'DELETE'
/**
 * `access`: what reading the record needs. Callers without it get the id and the version of the record instead (`Written`), so that
 * a WRITE scope reads nothing.
 */
type WriteResponse = { description: string; schema?: undefined } | { description: string; schema: z.ZodType; access: ApiAccess }

export type WriteAnswer = {
  status: number
  /** The record. */
  body?: unknown
  /** What the write made and nobody can read later, such as a secret. Every caller gets it beside the record. */
  result?: object
  headers?: Record<string, string>
  /** Of the record in the body. */
  revision?: string | undefined
  /** The person whom the record tells about, if it does not name them as `user`. */
  about?: number | null
  /** The record whose person may have no account, as `kind id`. */
  aboutRecord?: string
}

/**
 * Creates, changes or deletes records by the command that a page uses, too. The request is one transaction: `perform` calls commands
 * with its context. POST takes an Idempotency-Key, PATCH, PUT and DELETE need If-Match, and all can be tried with `dry_run`.
 */
export type WriteEndpoint<Path extends string = string, Body = never> = EndpointInfo & {
  kind: 'write'
  method: WriteMethod
  path: Path
  access: ApiAccess
  /** Schema of the JSON body. Strict objects report unknown keys, so that a misspelled key is not ignored. */
  body?: z.ZodType<Body>
  /** Of the body, if it is larger than others. */
  maxBytes?: number
  /**
   * Work that takes long, before the transaction begins. What it stores must be deleted by somebody if nothing refers to it in the end.
   * Not possible in a batch.
   */
  prepare?(context: RequestContext, body: Body): Promise<Body>
  /**
   * The presented record whose ETag is compared with If-Match; undefined if the caller cannot reach it. PATCH, PUT and DELETE need it.
   * The command must lock the record, so that nobody else changes it between the comparison and the commit.
   */
  target?(context: RequestContext, path: PathOf<Path>): Promise<unknown>
  /** Of the target. */
  revision?: Revision<Path>
  responses: Record<number, WriteResponse>
  /** Its commands catch no error of the database, so their transactions need no savepoints. */
  isOnePart?: true
  perform(context: WriteContext, path: PathOf<Path>, body: Body): Promise<WriteAnswer>
}

export type Endpoint =
  // biome-ignore-start lint/suspicious/noExplicitAny: the handler does not look into paths, rows and bodies
  | ListEndpoint<any, any, any>
  | RecordEndpoint<any, any, any>
  | StreamEndpoint<any>
  | ActionEndpoint<any, any>
  | WriteEndpoint<any, any>
  // biome-ignore-end lint/suspicious/noExplicitAny: the handler does not look into paths, rows and bodies
  | DocumentEndpoint

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

type Collection<Path extends string, P extends Parameters, Row> = Omit<EndpointInfo, 'operationId'> & {
  /** Of the list. The path of a record adds the id. */
  path: Path
  access: ApiAccess
  /** The names of the endpoints add `List` and `Instance`. */
  name: string
  /** By default that of the list behind `One of: `. */
  recordSummary?: string
  recordDescription?: string
  parameters: P
  record: z.ZodType
  find: ListEndpoint<Path, P, Row>['find']
  /** Undefined if it does not exist or the caller may not see it. */
  get(context: RequestContext, path: PathOf<Path> & { id: number }, query: QueryOf<P>): Promise<Row | undefined>
  revision?: (context: RequestContext, path: { id: number }) => Promise<string | undefined>
  present(row: Row, context: RequestContext): unknown
}

/** `/api/users/{user}/working-hours/` is `users_working_hours`. */
const operationOf = (path: string): string =>
  path
    .replace(/^\/api\//, '')
    .replaceAll(/\{\w+\}\//g, '')
    .replaceAll(/\W(?!$)/g, '_')
    .replace(/\/$/, '')

/** A list, and the endpoint of one of its records, with the same access, parameters and presentation. */
export function collectionEndpoints<const Path extends string, P extends Parameters, Row>(
  value: Collection<Path, P, Row>,
): Endpoint[] {
  const {
    path,
    name,
    summary,
    recordSummary = `One of: ${summary}`,
    description,
    recordDescription,
    record,
    find,
    get,
    revision,
    ...both
  } = value
  const operation = operationOf(path)
  return [
    listEndpoint({
      ...both,
      path,
      name: `${name} List`,
      operationId: `${operation}_list`,
      summary,
      ...(description === undefined ? {} : { description }),
      item: record,
      find,
    }),
    recordEndpoint({
      ...both,
      path: `${path}{id}/`,
      name: `${name} Instance`,
      operationId: `${operation}_retrieve`,
      summary: recordSummary,
      ...(recordDescription === undefined ? {} : { description: recordDescription }),
      record,
      get: (context, params, query) => get(context, params as PathOf<Path> & { id: number }, query),
      ...(revision ? { revision: (context, params) => revision(context, params as { id: number }) } : {}),
    }),
  ]
}

export function streamEndpoint<P extends Parameters>(value: Omit<StreamEndpoint<P>, 'kind'>): StreamEndpoint<P> {
  assertAccess(value)
  return { kind: 'stream', ...value }
}

export function actionEndpoint<const Path extends string, Body = undefined>(
  value: Omit<ActionEndpoint<Path, Body>, 'kind'>,
): ActionEndpoint<Path, Body> {
  assertAccess(value)
  return { kind: 'action', ...value }
}

export function writeEndpoint<const Path extends string, Body = unknown>(
  value: Omit<WriteEndpoint<Path, Body>, 'kind'>,
): WriteEndpoint<Path, Body> {
  assertAccess(value)
  if (value.method !== 'POST' && !value.target) throw new Error(`${value.method} ${value.path} needs a target for If-Match`)
  return { kind: 'write', ...value }
}

export function documentEndpoint(value: Omit<DocumentEndpoint, 'kind'>): DocumentEndpoint {
  assertAccess(value)
  return { kind: 'document', ...value }
}

export const methodOf = (endpoint: Endpoint): 'GET' | WriteMethod =>
  endpoint.kind === 'action' || endpoint.kind === 'write' ? endpoint.method : 'GET'

/** Adds what the list at each path, and its record, may include: records of features that the endpoints do not know. */
export function withIncludes(endpoints: Endpoint[], includes: Record<string, Record<string, Include>>): Endpoint[] {
  return endpoints.map((endpoint) => {
    const added = includes[(endpoint.path as string).replace(/\{id\}\/$/, '')]
    return added && (endpoint.kind === 'list' || endpoint.kind === 'record') ? { ...endpoint, includes: added } : endpoint
  })
}
