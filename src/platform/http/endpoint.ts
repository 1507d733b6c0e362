import type { z } from 'zod'
import type { CommandContext, RequestContext } from '#platform/auth/context.ts'
import { type ApiAccess, assertAccess } from './access.ts'
import type { Page } from './paging.ts'
import type { Parameters, QueryOf } from './parameters.ts'

/** `{id}` and `{user}` are decimal numbers, everything else is text. */
export type PathOf<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: K extends 'id' | 'user' ? number : string } & PathOf<Rest>
  : unknown

type EndpointInfo = {
  /** What OPTIONS calls it. */
  name: string
  operationId: string
  summary: string
  description?: string
  tag: string
  /** `.json` after the path works, too. */
  suffix?: boolean
}

/** How the request came: for links to other parts of the API. */
export type LinkContext = {
  /** Scheme and host that the caller used. */
  origin: string
  /** `json` or `api`, if it stood behind the path. */
  suffix: string | undefined
}

export type ListResult<Row> = {
  count: number
  /** As a function where the rows need not be loaded for a caller who has them already. */
  rows: Row[] | (() => Promise<Row[]>)
  /** Changes whenever a row's record changes; with it, an unchanged list is answered without being written. */
  fingerprint?: string
}

export type ListEndpoint<Path extends string = string, P extends Parameters = Parameters, Row = never> = EndpointInfo & {
  kind: 'list'
  path: Path
  access: ApiAccess
  parameters: P
  item: z.ZodType
  find(context: RequestContext, query: QueryOf<P>, page: Page, path: PathOf<Path>): Promise<ListResult<Row>>
  present(row: Row, context: RequestContext): unknown
}

export type RecordEndpoint<Path extends string = string, P extends Parameters = Parameters, Row = never> = EndpointInfo & {
  kind: 'record'
  path: Path
  access: ApiAccess
  parameters: P
  record: z.ZodType
  /** Undefined: does not exist, or not for this caller. */
  get(context: RequestContext, path: PathOf<Path>, query: QueryOf<P>): Promise<Row | undefined>
  present(row: Row, context: RequestContext, linkContext: LinkContext): unknown
}

/** One form in which a document can be had, and its name as the parameter `format`. */
export type Rendering = { mediaType: string; format?: string }
export type RenderedDocument = {
  content: string
  contentType: string
  headers?: Record<string, string>
}

/** Something else than JSON records: the description of the API itself. */
export type DocumentEndpoint = EndpointInfo & {
  kind: 'document'
  path: string
  access: ApiAccess
  /** The first is for those who take anything. */
  renderings: Rendering[]
  /** Different at every request: has no ETag. */
  fresh?: boolean
  render(rendering: Rendering, context: RequestContext, linkContext: LinkContext): RenderedDocument
}

export type ActionResponse = { status: number; body?: unknown; headers?: Record<string, string> }

export type ActionEndpoint<Path extends string = string, Body = never> = EndpointInfo & {
  kind: 'action'
  method: 'POST' | 'DELETE'
  path: Path
  access: ApiAccess
  /** Refused attempts are counted per address, so that nobody can try codes. */
  limitFailures?: boolean
  /** Form and JSON are both read into it. */
  body?: z.ZodType<Body>
  responses: Record<number, { description: string; schema?: z.ZodType }>
  perform(commandContext: CommandContext, path: PathOf<Path>, body: Body): Promise<ActionResponse>
}

// biome-ignore lint/suspicious/noExplicitAny: the machine does not look into paths, rows and bodies
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

/** `/api/events/01/` is event 1; blanks around are tolerated; anything else names nothing. */
export function parseId(text: string): number | undefined {
  const trimmed = text.trim()
  if (!/^\d{1,25}$/.test(trimmed)) return undefined
  const id = Number(trimmed)
  return Number.isSafeInteger(id) ? id : undefined
}
