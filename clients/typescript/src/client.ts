import { ProblemError } from './errors.ts'
import { DEFAULT_RETRY, makeIdempotencyKey, type RetryOptions } from './retry.ts'
import { type Received, send, type Transport } from './send.ts'
import { follow, type StreamEvent } from './stream.ts'
import type {
  Answer,
  Arguments,
  CallOptions,
  ChangeablePath,
  ChangeOptions,
  Changes,
  FullAnswer,
  Item,
  ListPath,
  Method,
  Path,
  PathWith,
  StreamData,
  StreamOptions,
  StreamPath,
} from './types.ts'

export type { components, operations, paths } from './api.ts'
export { ConnectionError, type FailedRequest, type InputError, type Problem, type ProblemCode, ProblemError } from './errors.ts'
export type { RetryOptions } from './retry.ts'
export type { StreamEvent } from './stream.ts'
export type {
  Answer,
  CallOptions,
  ChangeablePath,
  Changes,
  FullAnswer,
  Item,
  ListPath,
  Method,
  Path,
  PathWith,
  RequestOptions,
  Schemas,
  StreamOptions,
  StreamPath,
} from './types.ts'

export type ClientOptions = {
  /** Address of the instance: `https://plan.example.org`. */
  url: string
  /** A personal or OAuth token. A function is called before each request, so that it can refresh the token. */
  token?: string | (() => string | Promise<string>)
  /** Language of texts in answers; English by default. */
  language?: 'en' | 'de'
  /** For one attempt; 30 seconds by default. */
  timeoutMs?: number
  retry?: Partial<RetryOptions>
  /** Replaces the fetch of the environment. */
  fetch?: typeof globalThis.fetch
}

type AnyOptions = CallOptions & {
  path?: Record<string, string | number>
  query?: Record<string, unknown> | undefined
  body?: unknown
  ifMatch?: string
  idempotencyKey?: string
}

const TIMEOUT_MS = 30_000
const IDLE_TIMEOUT_MS = 45_000
/** Somebody else changes the record all the time. */
const MAX_CHANGE_ROUNDS = 10

/** Calls the API of one instance. */
export class TurnoutClient {
  readonly #origin: string
  readonly #options: ClientOptions
  readonly #transport: Transport

  constructor(options: ClientOptions) {
    const { protocol, origin } = new URL(options.url)
    if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError(`not the address of an instance: ${options.url}`)
    this.#origin = origin
    this.#options = options
    this.#transport = {
      // Browsers refuse to call fetch as a method of another object.
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      retry: { ...DEFAULT_RETRY, ...options.retry },
    }
  }

  /** The record or page at this path. */
  async get<P extends PathWith<'GET'>>(path: P, ...args: Arguments<'GET', P>): Promise<Answer<'GET', P>> {
    return (await this.request('GET', path, ...args)).body
  }

  /** Sent with an Idempotency-Key, so that a retry after a lost answer does not write twice. */
  async post<P extends PathWith<'POST'>>(path: P, ...args: Arguments<'POST', P>): Promise<Answer<'POST', P>> {
    return (await this.request('POST', path, ...args)).body
  }

  async patch<P extends PathWith<'PATCH'>>(path: P, ...args: Arguments<'PATCH', P>): Promise<Answer<'PATCH', P>> {
    return (await this.request('PATCH', path, ...args)).body
  }

  async put<P extends PathWith<'PUT'>>(path: P, ...args: Arguments<'PUT', P>): Promise<Answer<'PUT', P>> {
    return (await this.request('PUT', path, ...args)).body
  }

  async delete<P extends PathWith<'DELETE'>>(path: P, ...args: Arguments<'DELETE', P>): Promise<Answer<'DELETE', P>> {
    return (await this.request('DELETE', path, ...args)).body
  }

  /** As the methods above, with status, ETag and headers of the answer. */
  async request<M extends Method, const P extends PathWith<M>>(
    method: M,
    path: P,
    ...[options]: Arguments<M, P>
  ): Promise<FullAnswer<Answer<M, P>>> {
    const { path: parameters, query, ...rest } = (options ?? {}) as AnyOptions
    const received = await this.#send(method, this.#urlOf(path, parameters, query), rest)
    return presentAnswer<Answer<M, P>>(received)
  }

  /** Every record of a list, page by page as they are needed. Pages by cursor, unless the query has an offset. */
  async *pages<P extends ListPath>(path: P, ...[options]: Arguments<'GET', P>): AsyncGenerator<Item<P>, void> {
    const { path: parameters, query, ...rest } = (options ?? {}) as AnyOptions
    // An empty cursor is the start.
    const start = query?.offset === undefined ? { cursor: '', ...query } : query
    let url: URL | undefined = this.#urlOf(path, parameters, start)
    while (url) {
      const { body }: FullAnswer<{ next: string | null; results: Item<P>[] }> = presentAnswer(await this.#send('GET', url, rest))
      yield* body.results
      url = body.next === null ? undefined : this.#urlOfLink(body.next)
    }
  }

  /**
   * Reads a record, asks `alter` for the changes, and writes them if nobody has changed the record meanwhile. Otherwise reads it
   * again and asks again. Without changes (undefined) nothing is written.
   */
  async change<P extends ChangeablePath>(
    path: P,
    options: ChangeOptions<P>,
    alter: (record: Answer<'GET', P>) => Changes<P> | undefined | Promise<Changes<P> | undefined>,
  ): Promise<Answer<'PATCH', P> | Answer<'GET', P>> {
    const { path: parameters, ...rest } = options as AnyOptions
    const url = this.#urlOf(path, parameters, undefined)
    for (let round = 1; ; round++) {
      const { body: record, etag } = presentAnswer<Answer<'GET', P>>(await this.#send('GET', url, rest))
      const body = await alter(record)
      if (body === undefined) return record
      try {
        return presentAnswer<Answer<'PATCH', P>>(await this.#send('PATCH', url, { ...rest, body, ifMatch: etag ?? '*' })).body
      } catch (error) {
        // After a lost answer the change may be the own one; asking again could repeat it.
        const isRepeatable = error instanceof ProblemError && error.status === 412 && !error.request.isUncertain
        if (!isRepeatable || round === MAX_CHANGE_ROUNDS) throw error
      }
    }
  }

  /** Follows a stream of events; connects again and continues after the last event until the loop is left. */
  async *stream<P extends StreamPath>(path: P, options?: StreamOptions<P>): AsyncGenerator<StreamEvent<StreamData<P>>, void> {
    const { query, signal, lastEventId, idleTimeoutMs = IDLE_TIMEOUT_MS } = (options ?? {}) as StreamOptions<never> & AnyOptions
    const url = this.#urlOf(path, undefined, query)
    const headers = () => this.#headers({ accept: 'text/event-stream' })
    yield* follow<StreamData<P>>(this.#transport, { url, headers, lastEventId, signal, idleTimeoutMs })
  }

  async #send(method: Method, url: URL, options: AnyOptions): Promise<Received> {
    const { body, ifMatch, signal, timeoutMs = this.#options.timeoutMs ?? TIMEOUT_MS } = options
    const idempotencyKey = method === 'POST' ? (options.idempotencyKey ?? makeIdempotencyKey()) : undefined
    signal?.throwIfAborted()
    const headers = await this.#headers({
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...options.headers,
    })
    const text = body === undefined ? undefined : JSON.stringify(body)
    return send(this.#transport, { method, url, headers, body: text, idempotencyKey, signal, timeoutMs })
  }

  async #headers(given: Record<string, string>): Promise<Headers> {
    const { token, language } = this.#options
    const value = typeof token === 'function' ? await token() : token
    return new Headers({
      ...(value === undefined ? {} : { authorization: `Bearer ${value}` }),
      ...(language === undefined ? {} : { 'accept-language': language }),
      ...given,
    })
  }

  #urlOf(path: Path, parameters: AnyOptions['path'] = {}, query: AnyOptions['query'] = {}): URL {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = parameters[name]
      if (value === undefined || value === '') throw new TypeError(`${path} needs the path parameter ${name}`)
      return encodeURIComponent(value)
    })
    const url = new URL(filled, this.#origin)
    for (const [name, value] of Object.entries(query))
      for (const each of Array.isArray(value) ? value : [value])
        if (each !== undefined && each !== null) url.searchParams.append(name, String(each))
    return url
  }

  /** Links name the public address; the token goes only to the address that the client was given. */
  #urlOfLink(link: string): URL {
    const { pathname, search } = new URL(link, this.#origin)
    return new URL(pathname + search, this.#origin)
  }
}

function presentAnswer<Body>(received: Received): FullAnswer<Body> {
  const { status, headers, text } = received
  return {
    status,
    body: (text === '' ? undefined : JSON.parse(text)) as Body,
    etag: headers.get('etag') ?? undefined,
    location: headers.get('location') ?? undefined,
    requestId: headers.get('x-request-id') ?? undefined,
    isReplayed: headers.get('idempotency-replayed') === 'true',
    headers,
  }
}
