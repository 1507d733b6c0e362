import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Host, type HostList, readHostList, type Target, urlOfHost } from '../host-list.ts'

/** A server that does not answer so long is not chosen. */
const PROBE_MS = 2_000
const PAUSE_MS = 250
/** Not the name of connections that work: commands that need the database for themselves count those. */
export const PROBE_NAME = 'turnout-probe'

export type ServerState = { recovering: boolean; readOnly: boolean }

const ACCEPTS: Record<Target, (state: ServerState) => boolean> = {
  any: () => true,
  'read-write': ({ readOnly }) => !readOnly,
  primary: ({ recovering }) => !recovering,
  'read-only': ({ readOnly }) => readOnly,
  standby: ({ recovering }) => recovering,
  'prefer-standby': () => true,
}

type Probe = (host: Host) => Promise<ServerState>
/** A connection that can be ended at once. */
type Attached = { giveUp: () => void }

/** Chooses the server that connections are opened to, and another one after a failure. */
export class HostChooser {
  readonly #hosts: readonly Host[]
  readonly #accepts: (state: ServerState) => boolean
  readonly #probe: Probe
  readonly #closed = new AbortController()
  #current: Host | undefined
  #search: Promise<Host> | undefined
  #attached = new Map<Attached, Host>()

  constructor({ hosts, target = 'read-write' }: Pick<HostList, 'hosts' | 'target'>, probe: Probe) {
    this.#hosts = hosts
    this.#accepts = ACCEPTS[target]
    this.#probe = probe
  }

  /** Rejects if none of the servers can be used within this time. */
  async choose(withinMs: number): Promise<Host> {
    if (this.#current) return this.#current
    const over = new AbortController()
    try {
      return await Promise.race([this.#find(), this.#giveUp(withinMs, over.signal)])
    } finally {
      over.abort()
    }
  }

  /** Something failed on this server: looks for one that works, and ends the connections to others. */
  suspect(host: Host): void {
    if (this.#current !== host) return
    this.#current = undefined
    // The next `choose` reports a failure.
    this.#find().catch(() => {})
  }

  /** Whether a server in this state may be used: it may have changed since it was chosen. */
  accepts(state: ServerState): boolean {
    return this.#accepts(state)
  }

  attach(connection: Attached, host: Host): void {
    this.#attached.set(connection, host)
  }

  detach(connection: Attached): void {
    this.#attached.delete(connection)
  }

  close(): void {
    this.#closed.abort()
  }

  #find(): Promise<Host> {
    this.#search ??= this.#searchUntilFound().finally(() => {
      this.#search = undefined
    })
    return this.#search
  }

  /** The first one that can be used: at most one of them accepts writes. */
  async #searchUntilFound(): Promise<Host> {
    const found = new AbortController()
    const signal = AbortSignal.any([this.#closed.signal, found.signal])
    try {
      const host = await Promise.race(this.#hosts.map((each) => this.#waitFor(each, signal)))
      for (const other of this.#hosts) if (other !== host) this.#endConnections(other)
      this.#current = host
      return host
    } finally {
      found.abort()
    }
  }

  /** Each server is asked on its own: one that does not answer must not delay the discovery of another one. */
  async #waitFor(host: Host, signal: AbortSignal): Promise<Host> {
    for (;;) {
      const isUsable = await this.#probe(host).then(this.#accepts, () => false)
      signal.throwIfAborted()
      if (isUsable) return host
      this.#endConnections(host)
      await sleep(PAUSE_MS, undefined, { signal, ref: false })
    }
  }

  /** A server that does not answer would keep its connections, and requests that wait for them. */
  #endConnections(host: Host): void {
    for (const [connection, attachedTo] of this.#attached) if (attachedTo === host) connection.giveUp()
  }

  async #giveUp(withinMs: number, signal: AbortSignal): Promise<never> {
    await sleep(withinMs, undefined, { signal })
    throw new Error(`timeout exceeded when trying to connect: no usable server among ${this.#hosts.map(nameOf).join(', ')}`)
  }
}

const nameOf = ({ host, port }: Host): string => `${host}:${port}`

/** Undefined for an address of one host without conditions: the server at this address is used. */
export function chooserFor(list: HostList): HostChooser | undefined {
  if (list.hosts.length === 1 && list.target === undefined) return undefined
  return new HostChooser(list, (host) => probeServer(urlOfHost(list, host)))
}

export async function probeServer(url: string): Promise<ServerState> {
  const client = new pg.Client({
    connectionString: url,
    application_name: PROBE_NAME,
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<ServerState>(
      `select pg_is_in_recovery() as recovering, current_setting('transaction_read_only')::boolean as "readOnly"`,
    )
    return rows[0]!
  } finally {
    // A server that hangs does not confirm the end of the connection.
    void client.end().catch(() => {})
    destroyConnection(client)
  }
}

/** Ends the connection without waiting for the server. */
export function destroyConnection(client: pg.Client): void {
  const { connection } = client as unknown as { connection: { stream: { destroy: () => void } } }
  connection.stream.destroy()
}

/** A connection of its own to the server that the address leads to. */
export async function connectTo(url: string, options: Omit<pg.ClientConfig, 'connectionString'>): Promise<pg.Client> {
  const list = readHostList(url)
  const chooser = chooserFor(list)
  try {
    const host = await chooser?.choose(options.connectionTimeoutMillis ?? 10_000)
    return new pg.Client({ connectionString: host ? urlOfHost(list, host) : list.url, ...options })
  } finally {
    chooser?.close()
  }
}
