// All checks that a release needs, one after the other, with the sizes of docs/reliability.md. It goes on after a failure, and lists the
// results at the end. It takes most of a day.
//   npm run check:all
//   npm run check:all -- --from check:backup    goes on where an earlier run was stopped
//   npm run check:all -- --list
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { LEFT_OUT, RELEASE_CHECKS } from './releasing/checks.ts'

const { values } = parseArgs({ options: { from: { type: 'string' }, list: { type: 'boolean', default: false } } })
const first = values.from === undefined ? 0 : RELEASE_CHECKS.findIndex(([name]) => name === values.from)
if (first < 0) {
  console.error(`--from must be one of ${RELEASE_CHECKS.map(([name]) => name).join(', ')}`)
  process.exit(2)
}
const spell = ([name, ...args]: readonly string[]) => ['npm run', name, ...(args.length ? ['--', ...args] : [])].join(' ')

if (values.list) {
  for (const check of RELEASE_CHECKS) console.log(spell(check))
  for (const [name, why] of Object.entries(LEFT_OUT)) console.log(`not ${name}: ${why}`)
} else {
  const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout.trim()
  const lines: string[] = []
  for (const check of RELEASE_CHECKS.slice(first)) {
    const [name = '', ...args] = check
    console.log(`\n${spell(check)}`)
    const since = performance.now()
    const { status, signal } = spawnSync('npm', ['run', '--silent', name, '--', ...args], { stdio: 'inherit' })
    const minutes = ((performance.now() - since) / 60_000).toFixed(1)
    lines.push(`${status === 0 ? 'passed' : 'FAILED'}  ${minutes.padStart(6)} min  ${spell(check)}`)
    if (status !== 0) process.exitCode = 1
    if (signal || status === 130) break
  }
  console.log(`\nCommit ${commit}, ${new Date().toISOString().slice(0, 10)}:\n${lines.join('\n')}`)
}
