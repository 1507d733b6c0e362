import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeNetworkCheck, readNetwork } from './networks.ts'

const NETWORKS: [text: string, expected: string | undefined][] = [
  ['10.0.0.0/8', '10.0.0.0/8'],
  ['192.0.2.7', '192.0.2.7/32'],
  [' 2001:DB8::/32 ', '2001:db8::/32'],
  ['2001:db8:0:0::1', '2001:db8::1/128'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['::/0', '::/0'],
  ['10.0.0.0/33', undefined],
  ['2001:db8::/129', undefined],
  ['10.0.0.0/08', undefined],
  ['10.0.0.0/-1', undefined],
  ['10.0.0/8', undefined],
  ['010.0.0.1', undefined],
  ['example.org', undefined],
  ['fe80::1%eth0', undefined],
  ['::ffff:10.0.0.0/104', undefined],
  ['', undefined],
]
for (const [text, expected] of NETWORKS)
  test(`“${text}” ${expected ? `is the network ${expected}` : 'is not a network'}`, () =>
    assert.equal(readNetwork(text), expected))

const CALLERS: [network: string, address: string, isInside: boolean][] = [
  ['10.0.0.0/8', '10.255.0.1', true],
  ['10.0.0.0/8', '11.0.0.1', false],
  ['10.0.0.0/8', '::ffff:10.0.0.1', true],
  ['10.0.0.0/8', '::ffff:a00:1', true],
  ['10.0.0.0/8', '0:0:0:0:0:ffff:0a00:0001', true],
  ['10.0.0.0/8', '::ffff:11.0.0.1', false],
  ['10.0.0.0/8', '::10.0.0.1', false],
  ['2001:db8::/32', '2001:db8:1::1', true],
  ['2001:db8::/32', '2001:db9::1', false],
  ['fe80::/10', 'fe80::1%eth0', true],
  ['::/0', '10.0.0.1', false],
  ['::/0', '::ffff:10.0.0.1', false],
  ['::/0', '2001:db8::1', true],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['0.0.0.0/0', '', false],
  ['0.0.0.0/0', 'unknown', false],
]
for (const [network, address, isInside] of CALLERS)
  test(`${address || 'no address'} is ${isInside ? 'in' : 'outside of'} ${network}`, () =>
    assert.equal(makeNetworkCheck([network])(address), isInside))

test('an address is inside if one of several networks contains it', () => {
  const isInside = makeNetworkCheck(['10.0.0.0/8', '2001:db8::/32'])
  assert.deepEqual(['10.1.1.1', '2001:db8::1', '192.0.2.1'].map(isInside), [true, true, false])
  assert.equal(makeNetworkCheck([])('10.0.0.1'), false)
})
