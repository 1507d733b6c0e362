import { hash } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import pg from 'pg'
import { type Host, type HostList, urlOfHost } from '../host-list.ts'
import { readFailure } from './failure.ts'
import { destroyConnection, type HostChooser, probeServer, type ServerState } from './host-chooser.ts'
import { KnownRows, NamedQuery } from './named-query.ts'
import type { Pooling } from './pooler.ts'
import type { ConnectionWatch, Watched } from './watch.ts'

const names = new Map<string, string>()
/** A statement that begins with a comment is not prepared: the database plans it for its values each time. */
const preparable = /^\s*(select|insert|update|delete|with|merge)\b/i

function nameOf(text: string): string {
  let name = names.get(text)
  if (!name) {
    name = hash('sha1', text)
    if (names.size < 5000) names.set(text, name)
  }
  return name
}

export type ClientOptions = pg.ClientConfig & {
  connectionTimeoutMillis: number
  list: HostList
  /** With several servers. */
  hosts: HostChooser | undefined
  watch: ConnectionWatch
  pooling: Pooling
}

const RESULT_CHANGED = '0A000'
const READ_ONLY = '25006'
/** The pool gives up a little later, with an error that says less. */
const MARGIN_MS = 250

/**
 * Prepares statements with values once per connection under a name, which makes small lookups three times as fast. With several
 * servers, it connects to the one that is chosen, and reports failures that another server might not have.
 */
export class DatabaseClient extends pg.Client {
  readonly #options: ClientOptions
  readonly #watched: Watched
  readonly #known = new KnownRows()
  #host: Host | undefined
  #busySince: number | undefined

  constructor(options: ClientOptions) {
    super(options)
    this.#options = options
    this.#watched = {
      busySince: () => this.#busySince,
      probe: () => probeServer(this.#host ? urlOfHost(options.list, this.#host) : options.list.url),
      giveUp: () => {
        destroyConnection(this)
        if (this.#host) options.hosts?.suspect(this.#host)
      },
    }
    this.on('drain', () => {
      this.#busySince = undefined
    })
    this.once('end', () => this.#forget())
    // The pool listens to idle connections only. On others the next statement fails; without a listener the process would end.
    this.on('error', () => {})
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg's connect is overloaded
  override connect(callback?: any): any {
    const connecting = this.#connect()
    if (!callback) return connecting
    connecting.then(
      () => process.nextTick(callback, undefined, this),
      (error) => process.nextTick(callback, error),
    )
  }

  /** Poolers refuse parameters that they do not know; this one they pass on. */
  getStartupConf(): Record<string, string> {
    const { getStartupConf } = pg.Client.prototype as unknown as { getStartupConf: () => Record<string, string> }
    const usual = getStartupConf.call(this)
    return this.#options.pooling === 'direct' ? usual : { ...usual, TimeZone: 'UTC' }
  }

  async #connect(): Promise<void> {
    const { hosts, watch, connectionTimeoutMillis } = this.#options
    const host = await hosts?.choose(connectionTimeoutMillis - MARGIN_MS)
    if (host) {
      Object.assign(this, host)
      this.#host = host
      hosts!.attach(this.#watched, host)
      this.once('error', () => hosts!.suspect(host))
    }
    const state = this.#readState()
    try {
      await super.connect()
      // The server may have become a standby while no connection was open to it.
      if (hosts && !hosts.accepts(state)) throw new Error('Connection terminated: the server has another role by now')
      watch.add(this.#watched)
    } catch (error) {
      destroyConnection(this)
      this.#forget()
      if (host) hosts!.suspect(host)
      throw error
    }
  }

  /** PostgreSQL tells its role with each new connection. */
  #readState(): ServerState {
    const state: ServerState = { recovering: false, readOnly: false }
    const { connection } = this as unknown as { connection: EventEmitter }
    connection.on('parameterStatus', ({ parameterName: name, parameterValue: value }: Record<string, string>) => {
      if (name === 'in_hot_standby') state.recovering = value === 'on'
      if (name === 'in_hot_standby' || name === 'default_transaction_read_only') state.readOnly ||= value === 'on'
    })
    return state
  }

  #forget(): void {
    const { hosts, watch } = this.#options
    watch.remove(this.#watched)
    hosts?.detach(this.#watched)
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg's query is overloaded
  override query(...args: any[]): any {
    this.#busySince ??= performance.now()
    const [text, values, callback] = args
    if (typeof text !== 'string' || !Array.isArray(values) || !(names.has(text) || preparable.test(text)))
      return this.#observe(super.query(...(args as [string])))
    // Through a pooler that knows no names, the next transaction may be on a connection without this statement.
    const name = this.#options.pooling === 'unnamed' ? {} : { name: nameOf(text) }
    const statement = { ...name, text, values: [...values] }
    const finish = (done: (error: unknown, result: unknown) => void) =>
      super.query(new NamedQuery(statement, this.#known, done) as never)
    if (callback)
      return finish((error, result) => {
        if (error) this.#judge(error)
        callback(error, result)
      })
    return this.#observe(
      new Promise((resolve, reject) => {
        finish((error, result) => (error ? reject(error) : resolve(result)))
      }),
    )
  }

  #observe(result: unknown): unknown {
    if (!(result instanceof Promise)) return result
    return result.catch((error: unknown) => {
      // The trace leads to who asked, not to the socket.
      if (error instanceof Error) Error.captureStackTrace(error)
      this.#judge(error)
      throw error
    })
  }

  #judge(error: unknown): void {
    const { code } = error as { code?: string }
    // A migration changed the result of the statement; on this connection it would fail for ever.
    if (code === RESULT_CHANGED) void super.end().catch(() => {})
    if (!this.#host || !isOfServer(error)) return
    // The server was the primary before: nothing can be written here any more.
    if (code === READ_ONLY) void super.end().catch(() => {})
    this.#options.hosts?.suspect(this.#host)
  }
}

/** The server is going down, is no primary any more, or has ended the connection: another one may be usable. */
function isOfServer(error: unknown): boolean {
  const { code = '' } = error as { code?: string }
  if (code === READ_ONLY || /^(57P0|08)/.test(code)) return true
  return !/^[0-9A-Z]{5}$/.test(code) && readFailure(error) === 'busy'
}
