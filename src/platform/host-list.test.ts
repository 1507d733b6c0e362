import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HostList, readHostList, urlOfHost } from './host-list.ts'

const at = (host: string, port = 5432) => ({ host, port })

const READ: [text: string, expected: HostList][] = [
  ['postgresql://ann:pw@db/turnout', { hosts: [at('db')], target: undefined, url: 'postgresql://ann:pw@db/turnout' }],
  [
    'postgres:///turnout?host=/run&sslmode=disable',
    { hosts: [at('/run')], target: undefined, url: 'postgres:///turnout?host=/run&sslmode=disable' },
  ],
  [
    'postgresql://ann:p%40w@a:5001,b,[::1]:5003/turnout?sslmode=require',
    {
      hosts: [at('a', 5001), at('b'), at('::1', 5003)],
      target: undefined,
      url: 'postgresql://ann:p%40w@a:5001/turnout?sslmode=require',
    },
  ],
  [
    'postgresql://db/turnout?target_session_attrs=primary',
    { hosts: [at('db')], target: 'primary', url: 'postgresql://db/turnout' },
  ],
  [
    'postgresql://ann@/turnout?host=/a,/b&port=5001,5002&target_session_attrs=read-write',
    { hosts: [at('/a', 5001), at('/b', 5002)], target: 'read-write', url: 'postgresql://ann@localhost/turnout' },
  ],
  [
    'postgresql:///turnout?host=a,b&port=6000',
    { hosts: [at('a', 6000), at('b', 6000)], target: undefined, url: 'postgresql:///turnout' },
  ],
]

for (const [text, expected] of READ) test(`reads ${text}`, () => assert.deepEqual(readHostList(text), expected))

const REFUSED: [text: string, message: RegExp][] = [
  ['mysql://db', /is no address/],
  ['postgresql://a:x,b/turnout', /cannot be read: a:x/],
  ['postgresql://a,b/turnout?target_session_attrs=writable', /target_session_attrs must be one of any, read-write/],
  ['postgresql:///turnout?host=a,b,c&port=1,2', /another number of ports/],
]
for (const [text, message] of REFUSED) test(`refuses ${text}`, () => assert.throws(() => readHostList(text), { message }))

test('the address of each host has the credentials and parameters of all', () => {
  const list = readHostList('postgresql://ann:pw@a:5001,[::1]:5002/turnout?sslmode=require&target_session_attrs=read-write')
  assert.deepEqual(
    list.hosts.map((host) => urlOfHost(list, host)),
    ['postgresql://ann:pw@a:5001/turnout?sslmode=require', 'postgresql://ann:pw@[::1]:5002/turnout?sslmode=require'],
  )
  const sockets = readHostList('postgresql://ann@/turnout?host=/a,/b&port=5001,5002')
  assert.deepEqual(
    sockets.hosts.map((host) => urlOfHost(sockets, host)),
    ['postgresql://ann@localhost/turnout?host=%2Fa&port=5001', 'postgresql://ann@localhost/turnout?host=%2Fb&port=5002'],
  )
})
