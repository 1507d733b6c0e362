import { BlockList, isIP, isIPv4 } from 'node:net'

/** Addresses that are not public (IANA special-purpose address registries). */
const SPECIAL: readonly [address: string, bits: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  // Exceptions within 2000::/3, the public part of IPv6: documentation, and addresses with an embedded IPv4 address.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6')

function listOf(networks: readonly (readonly [address: string, bits: number])[]): BlockList {
  const list = new BlockList()
  for (const [address, bits] of networks) list.addSubnet(address, bits, familyOf(address))
  return list
}

const special = listOf(SPECIAL)
const publicV6 = listOf([['2000::', 3]])

/** An IPv4-mapped address (`::ffff:10.0.0.1`) counts as its IPv4 address. */
export function isPublicAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return isPublicAddress(mapped)
  if (!isIP(address)) return false
  if (special.check(address, familyOf(address))) return false
  return isIPv4(address) || publicV6.check(address, 'ipv6')
}

/** Link-local, and the IPv6 address of the same service: clouds serve credentials of the machine there. */
const metadata = listOf([
  ['169.254.0.0', 16],
  ['fe80::', 10],
  ['fd00:ec2::254', 128],
])

export function isMetadataAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  const plain = mapped ?? address.split('%')[0]!
  return isIP(plain) !== 0 && metadata.check(plain, familyOf(plain))
}

const loopback = listOf([
  ['127.0.0.0', 8],
  ['::1', 128],
])

/** Whether a host of a URL is this machine, so that nobody else can read what is sent there. */
export function isLoopbackHost(host: string): boolean {
  const plain = host.replace(/^\[|\]$/g, '')
  if (isIP(plain)) return loopback.check(plain, familyOf(plain))
  return /^(.+\.)?localhost$/i.test(plain)
}

export type AllowList = { host: (name: string) => boolean; address: (address: string) => boolean }

/** Hosts, addresses and networks of OUTBOUND_ALLOW. */
export function parseAllowList(entries: readonly string[]): AllowList {
  const names = new Set<string>()
  const networks: [string, number][] = []
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    if (isIP(address)) networks.push([address, bits === undefined ? (isIPv4(address) ? 32 : 128) : Number(bits)])
    else names.add(entry.toLowerCase())
  }
  const list = listOf(networks)
  return {
    host: (name) => names.has(name.toLowerCase()),
    address: (address) => isIP(address) !== 0 && list.check(address, familyOf(address)),
  }
}

type UrlRefusal = 'not_a_url' | 'not_https' | 'not_public'

/**
 * What is wrong with an address that requests should be sent to, as far as it can be told without a name server. Every request checks the
 * resolved address as well.
 */
export function checkUrl(text: string, allow: readonly string[]): UrlRefusal | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || !url.hostname || url.username || url.password || url.hash) return 'not_a_url'
  const allowed = parseAllowList(allow)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isMetadataAddress(host)) return 'not_public'
  if (allowed.host(host) || allowed.address(host)) return undefined
  if (isIP(host) ? !isPublicAddress(host) : host === 'localhost' || host.endsWith('.localhost')) return 'not_public'
  // A name may resolve to an address of an allowed network.
  const mayBeAllowed = !isIP(host) && allow.some((entry) => isIP(entry.split('/')[0]!))
  return url.protocol === 'https:' || mayBeAllowed ? undefined : 'not_https'
}
