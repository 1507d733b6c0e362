export type Host = { host: string; port: number }

const TARGETS = ['any', 'read-write', 'primary', 'read-only', 'standby', 'prefer-standby'] as const
/** As in libpq: which of the servers may be used. */
export type Target = (typeof TARGETS)[number]

/** `url` is for the driver, which knows one host only: it names the first one and has no target. */
export type HostList = { hosts: Host[]; target: Target | undefined; url: string }

const PARTS = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#]*)(.*)$/s
const NAMED = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]*)(?::(\d{1,5}))?$/
const DEFAULT_PORT = 5432

/**
 * Reads a connection URL with one or several hosts, in the forms of libpq: `postgresql://ann:pw@a:5432,b:5432/turnout` and
 * `postgresql:///turnout?host=a,b&port=5432,5433`. Throws if it is none.
 */
export function readHostList(text: string): HostList {
  const [, scheme, credentials, named, rest] = PARTS.exec(text) ?? []
  if (scheme === undefined) throw new TypeError('is no address of a PostgreSQL server')
  const hosts = named!.split(',').map(readHost)
  const first = named!.split(',')[0] || (credentials && 'localhost')
  const url = new URL(`${scheme}${credentials}${first}${rest}`)
  const target = url.searchParams.get('target_session_attrs') ?? undefined
  if (target !== undefined && !isTarget(target)) throw new TypeError(`target_session_attrs must be one of ${TARGETS.join(', ')}`)
  const asParameters = readParameters(url.searchParams)
  // The driver must see addresses of one host as they are: it also reads parameters that are not known here.
  if (target === undefined && hosts.length === 1 && asParameters.length < 2)
    return { hosts: asParameters.length ? asParameters : hosts, target, url: text }
  for (const name of ['target_session_attrs', ...(asParameters.length > 1 ? ['host', 'port'] : [])]) url.searchParams.delete(name)
  return { hosts: asParameters.length ? asParameters : hosts, target, url: url.href }
}

const isTarget = (text: string): text is Target => (TARGETS as readonly string[]).includes(text)

function readHost(text: string): Host {
  const [, host, port] = NAMED.exec(text) ?? []
  if (host === undefined) throw new TypeError(`has a host that cannot be read: ${text}`)
  return { host: decodeURIComponent(host).replace(/^\[|\]$/g, '') || 'localhost', port: Number(port ?? DEFAULT_PORT) }
}

/** One port is the port of all hosts. */
function readParameters(parameters: URLSearchParams): Host[] {
  const hosts = parameters.get('host')?.split(',') ?? []
  const ports = (parameters.get('port') ?? String(DEFAULT_PORT)).split(',').map(Number)
  if (ports.length > 1 && ports.length !== hosts.length) throw new TypeError('has another number of ports than of hosts')
  return hosts.map((host, n) => ({ host, port: ports[n] ?? ports[0]! }))
}

/** The address with this host only. */
export function urlOfHost({ hosts, url }: HostList, host: Host): string {
  if (hosts.length === 1) return url
  const one = new URL(url)
  if (host.host.startsWith('/')) one.searchParams.set('host', host.host)
  else one.host = `${host.host.includes(':') ? `[${host.host}]` : host.host}:${host.port}`
  if (host.host.startsWith('/')) one.searchParams.set('port', String(host.port))
  return one.href
}
