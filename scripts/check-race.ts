// Many concurrent sign-ups for few places, in all structures. `npm test` runs a shorter version.
//   npm run check:race -- --rounds 500 --crowd 500
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '500' }, crowd: { type: 'string', default: '500' } },
})
for (const [name, value] of Object.entries(values))
  if (!/^[1-9]\d*$/.test(value)) {
    console.error(`--${name} must be a positive whole number`)
    process.exit(2)
  }

const test = fileURLToPath(new URL('../src/features/staffing/participations/commands/race.test.ts', import.meta.url))
const env = { ...process.env, TURNOUT_RACE_ROUNDS: values.rounds, TURNOUT_RACE_CROWD: values.crowd }
const child = spawn(process.execPath, [test], { stdio: 'inherit', env })
// The child also receives Ctrl-C and stops its database; wait for it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
const [code] = await once(child, 'close')
process.exitCode = code ?? 1
