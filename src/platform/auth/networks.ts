import { BlockList, isIP, isIPv4 } from 'node:net'

/** The network in CIDR notation, with `/32` or `/128` added to a single address. Undefined: not a network. */
export function readNetwork(text: string): string | undefined {
  const [, address = '', bits] = /^([0-9a-f.:]+)(?:\/(0|[1-9]\d{0,2}))?$/i.exec(text.trim()) ?? []
  const plain = plainAddress(address)
  // An IPv4-mapped network would never match, because callers are compared by their IPv4 address.
  if (plain === undefined || isIPv4(plain) !== isIPv4(address)) return undefined
  const longest = isIPv4(plain) ? 32 : 128
  const prefix = bits === undefined ? longest : Number(bits)
  return prefix <= longest ? `${plain}/${prefix}` : undefined
}

/** Whether an address is in one of the networks, which `readNetwork` has returned. */
export function makeNetworkCheck(networks: readonly string[]): (address: string) => boolean {
  // One list per family: `::/0` must not match IPv4 addresses.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const network of networks) {
    const [address, bits] = network.split('/')
    const family = isIPv4(address!) ? 'ipv4' : 'ipv6'
    lists[family].addSubnet(address!, Number(bits), family)
  }
  return (address) => {
    const plain = plainAddress(address.split('%')[0]!)
    if (plain === undefined) return false
    const family = isIPv4(plain) ? 'ipv4' : 'ipv6'
    return lists[family].check(plain, family)
  }
}

/** An IPv4-mapped address (`::ffff:10.0.0.1`, also in hexadecimal) counts as its IPv4 address. */
function plainAddress(address: string): string | undefined {
  const version = isIP(address)
  if (!version) return undefined
  if (version === 4) return address
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short) ?? []
  if (high === undefined || low === undefined) return short
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [first >> 8, first & 255, second >> 8, second & 255].join('.')
}
