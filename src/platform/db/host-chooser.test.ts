import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Host, Target } from '../host-list.ts'
import { HostChooser } from './host-chooser.ts'

const HOSTS: Host[] = ['a', 'b', 'c'].map((host) => ({ host, port: 5432 }))
type Role = 'primary' | 'standby' | 'down' | 'silent' | 'hanging'

/** Servers whose roles a test changes. */
function makeServers(roles: Record<string, Role>, target?: Target) {
  const probed: string[] = []
  const chooser = new HostChooser({ hosts: HOSTS, target }, async ({ host }) => {
    probed.push(host)
    if (roles[host] === 'silent') return new Promise((_, reject) => setImmediate(() => reject(new Error('timeout'))))
    if (roles[host] === 'hanging') return new Promise(() => {})
    if (roles[host] === 'down') throw new Error('ECONNREFUSED')
    return { recovering: roles[host] === 'standby', readOnly: roles[host] === 'standby' }
  })
  return { chooser, probed, roles }
}

const nameOf = async (chooser: HostChooser) => (await chooser.choose(60_000)).host

const CHOSEN: [roles: Record<string, Role>, target: Target | undefined, expected: string][] = [
  [{ a: 'standby', b: 'primary', c: 'standby' }, undefined, 'b'],
  [{ a: 'down', b: 'silent', c: 'primary' }, 'read-write', 'c'],
  [{ a: 'primary', b: 'down', c: 'standby' }, 'standby', 'c'],
  [{ a: 'down', b: 'standby', c: 'down' }, 'any', 'b'],
]
for (const [roles, target, expected] of CHOSEN)
  test(`chooses ${expected} of ${JSON.stringify(roles)} for ${target ?? 'no target'}`, async (t) => {
    const { chooser } = makeServers(roles, target)
    t.after(() => chooser.close())
    assert.equal(await nameOf(chooser), expected)
  })

test('the server that was found is used until it is suspected', async (t) => {
  const { chooser, probed, roles } = makeServers({ a: 'primary', b: 'standby', c: 'standby' })
  t.after(() => chooser.close())
  assert.equal(await nameOf(chooser), 'a')
  assert.equal(await nameOf(chooser), 'a')
  assert.equal(probed.length, 3)
  Object.assign(roles, { a: 'standby', c: 'primary' })
  assert.equal(await nameOf(chooser), 'a')
  chooser.suspect(HOSTS[0]!)
  assert.equal(await nameOf(chooser), 'c')
  chooser.suspect(HOSTS[0]!) // a late error of a connection to the former server
  assert.equal(await nameOf(chooser), 'c')
  assert.equal(probed.length, 6)
})

test('waits for a server while a new primary is elected', async (t) => {
  const { chooser, probed, roles } = makeServers({ a: 'down', b: 'standby', c: 'standby' })
  t.after(() => chooser.close())
  const chosen = nameOf(chooser)
  while (probed.length < 6) await new Promise((done) => setImmediate(done))
  roles.b = 'primary'
  assert.equal(await chosen, 'b')
})

test('a server that does not answer does not delay the discovery of the next primary', async (t) => {
  const { chooser, probed, roles } = makeServers({ a: 'hanging', b: 'standby', c: 'standby' })
  t.after(() => chooser.close())
  const chosen = nameOf(chooser)
  while (probed.length < 3) await new Promise((done) => setImmediate(done))
  roles.c = 'primary'
  assert.equal(await chosen, 'c')
  assert.equal(probed.filter((host) => host === 'a').length, 1)
})

test('connections to other servers are ended when another one is chosen, and all while none answers', async (t) => {
  const { chooser, roles } = makeServers({ a: 'primary', b: 'standby', c: 'standby' })
  t.after(() => chooser.close())
  const ended: string[] = []
  const attach = (host: Host) => chooser.attach({ giveUp: () => ended.push(host.host) }, host)
  const chosen = await chooser.choose(60_000)
  attach(chosen)
  chooser.suspect(chosen)
  assert.equal(await nameOf(chooser), 'a')
  assert.deepEqual(ended, [], 'the server is still the right one')
  Object.assign(roles, { a: 'silent', b: 'primary' })
  chooser.suspect(chosen)
  const next = await chooser.choose(60_000)
  assert.deepEqual(ended, ['a'])
  attach(next)
  roles.b = 'silent'
  chooser.suspect(next)
  while (ended.length < 3) await new Promise((done) => setImmediate(done))
  assert.deepEqual(ended, ['a', 'a', 'b'])
})

test('gives up with an error that means: try again later', async (t) => {
  const { chooser } = makeServers({ a: 'down', b: 'standby', c: 'silent' })
  t.after(() => chooser.close())
  await assert.rejects(
    chooser.choose(0),
    /timeout exceeded when trying to connect: no usable server among a:5432, b:5432, c:5432/,
  )
})
