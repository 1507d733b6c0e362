import type { components, paths } from './api.ts'

/** Records by name: `Schemas['Event']`. */
export type Schemas = components['schemas']
export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
export type Path = keyof paths

type OperationOf<M extends Method, P extends Path> = paths[P] extends Record<Lowercase<M>, infer O> ? O : never

type JsonOf<R> = R extends { content: infer C }
  ? [C] extends [never]
    ? undefined
    : C extends { 'application/json': infer B }
      ? B
      : never
  : undefined
/** Tokens with only a WRITE scope get `Written` instead of the record; the types are those of tokens that may read it. */
type Readable<T> = T extends unknown ? (Schemas['Written'] extends T ? never : T) : never
type AnswerOf<O> = O extends { responses: infer R } ? { [S in keyof R]: Readable<JsonOf<R[S]>> }[keyof R] : never

/** Paths that have this method and answer with JSON or nothing. */
export type PathWith<M extends Method> = {
  [P in Path]: paths[P] extends Record<Lowercase<M>, infer O> ? ([AnswerOf<O>] extends [never] ? never : P) : never
}[Path]

/** The body of the answer. */
export type Answer<M extends Method, P extends Path> = AnswerOf<OperationOf<M, P>>

type Page = { next: string | null; previous: string | null; results: unknown[] }
/** Paths of lists with pages. */
export type ListPath = { [P in PathWith<'GET'>]: Answer<'GET', P> extends Page ? P : never }[PathWith<'GET'>]
/** A record of a list. */
export type Item<P extends ListPath> = Answer<'GET', P> extends { results: (infer I)[] } ? I : never

type EventStream<O> = O extends { responses: { 200: { content: { 'text/event-stream': infer T } } } } ? T : never
/** Paths of streams. */
export type StreamPath = {
  [P in Path]: paths[P] extends { get: infer O } ? ([EventStream<O>] extends [never] ? never : P) : never
}[Path]

/** The data of an event of the stream. */
export type StreamData<P extends StreamPath> = paths[P] extends { get: infer O } ? EventStream<O> : never

type ParametersOf<O> = O extends { parameters: infer P } ? P : object
/** Undefined is not sent. */
type Sendable<Q> = { [K in keyof Q]: Q[K] | undefined }

type PathOption<O> = ParametersOf<O> extends { path: infer P } ? { path: P } : { path?: never }
type QueryOption<O> =
  ParametersOf<O> extends { query: infer Q }
    ? { query: Sendable<Q> }
    : 'query' extends keyof ParametersOf<O>
      ? { query?: Sendable<NonNullable<ParametersOf<O>['query']>> | undefined }
      : { query?: never }
type SentBody<O> = 'requestBody' extends keyof O
  ? NonNullable<O['requestBody']> extends { content: { 'application/json': infer B } }
    ? B
    : never
  : never
type BodyOption<O> = [SentBody<O>] extends [never]
  ? { body?: never }
  : object extends SentBody<O>
    ? { body?: SentBody<O> }
    : { body: SentBody<O> }
type IfMatchOption<O> =
  ParametersOf<O> extends { header: { 'If-Match': string } }
    ? {
        /** The `etag` of the answer that the write is based on, or `*` to overwrite any version. */
        ifMatch: string
      }
    : { ifMatch?: string }

/** Options of every request. */
export type CallOptions = {
  /** Ends the request, and the waiting between attempts. */
  signal?: AbortSignal | undefined
  /** For one attempt; instead of the time of the client. */
  timeoutMs?: number | undefined
  headers?: Record<string, string>
}

/** What the operation takes: path, query, body and ifMatch. */
export type RequestOptions<M extends Method, P extends Path> = CallOptions &
  PathOption<OperationOf<M, P>> &
  QueryOption<OperationOf<M, P>> &
  BodyOption<OperationOf<M, P>> &
  IfMatchOption<OperationOf<M, P>> & {
    /** Of a POST: a key of your own, to repeat the same request after a restart. */
    idempotencyKey?: string
  }

/** The options may be left out if the operation needs none. */
export type Arguments<M extends Method, P extends Path> =
  object extends RequestOptions<M, P> ? [options?: RequestOptions<M, P>] : [options: RequestOptions<M, P>]

/** Records that can be read and changed at the same path. */
export type ChangeablePath = PathWith<'GET'> & PathWith<'PATCH'>
export type ChangeOptions<P extends ChangeablePath> = CallOptions & PathOption<OperationOf<'PATCH', P>>
export type Changes<P extends ChangeablePath> = SentBody<OperationOf<'PATCH', P>>

export type StreamOptions<P extends Path> = QueryOption<OperationOf<'GET', P>> & {
  /** Ends the stream with its reason as the error. */
  signal?: AbortSignal | undefined
  /** Continue after the event with this id. */
  lastEventId?: string | undefined
  /** Connect again if nothing arrives for so long; the server sends something every 15 seconds. */
  idleTimeoutMs?: number | undefined
}

/** An answer with what stands beside its body. */
export type FullAnswer<Body> = {
  status: number
  body: Body
  /** The version of the record, for `ifMatch`. */
  etag: string | undefined
  /** Address of the record that was created. */
  location: string | undefined
  requestId: string | undefined
  /** The server repeated the answer to an earlier attempt with the same key. */
  isReplayed: boolean
  headers: Headers
}
