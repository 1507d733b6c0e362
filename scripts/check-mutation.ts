// `npm run check:mutation`: changes the source in small ways, one at a time, and expects a test to fail for each. `-- --help` lists the
// options. It mutates by itself instead of by Stryker, which would add 176 packages and copy the project for each worker.
import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

process.chdir(fileURLToPath(new URL('../', import.meta.url)))

const HELP = `npm run check:mutation -- [options]

Changes the source in small ways, one at a time, and expects a test to fail for each. Survivors are printed. One that no test can notice
belongs in scripts/mutation/equivalents.json, with the reason. Exits with 1 if a group is below its score.

Without --near: commands, queries, jobs, API and conditions of access of each feature, and parts of the platform, SQL included, with the
tests near them. A file is loaded once with all of its mutants, of which one is active; only tests that reach it run. What tests reach
and all verdicts are kept in node_modules/.cache/turnout-mutation as long as files stay the same, so an interrupted run goes on, and the
same command tries survivors again after tests were added. Verdicts by the time limit are not kept.

  --near          rules of features, with tests that need no database; complete runs take minutes
  --group NAME    only this group: "write-api", "replicas", "access-rules" (all access.ts), "http", "db", "jobs", a folder of features
                  ("folder:staffing"), or a feature ("exchanges"); may be repeated
  --file PATH     only this file of the groups; may be repeated
  --max N         a sample of N mutants per group; --seed N chooses another one
  --jobs N        how many mutants are tried at the same time; default: the number of processors, at most 2
  --minutes N     begin no mutant after this time
  --limit N       seconds of the nearest tests that run with one mutant; those that pass are active together while all other tests
                  near them run, and the reason of a failure is found by halves; default: 20 (not with --near)
  --patience N    seconds that a test may take with a mutant, and ten times as long as without; default: 30 (not with --near)
  --fresh         ignore verdicts of earlier runs (not with --near)
  --unconfirmed   a mutant that passes in the worker is not tried in a process of its own; for a quick look while writing tests
  --by-process    every mutant in a process of its own, as a check of the worker (only with --near)
  --list          print each verdict, not only survivors
`

const { values } = parseArgs({
  options: {
    group: { type: 'string', multiple: true },
    file: { type: 'string', multiple: true },
    max: { type: 'string' },
    near: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    minutes: { type: 'string' },
    limit: { type: 'string', default: '20' },
    patience: { type: 'string', default: '30' },
    fresh: { type: 'boolean', default: false },
    unconfirmed: { type: 'boolean', default: false },
    'by-process': { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(HELP)
  process.exit()
}
const common = {
  groups: values.group,
  files: values.file,
  max: values.max === undefined ? undefined : Number(values.max),
  seed: Number(values.seed),
  jobs: Number(values.jobs),
  isListed: values.list,
  isConfirmed: !values.unconfirmed,
}

async function check(): Promise<string[]> {
  if (values.near) {
    const { checkRules } = await import('./mutation/near.ts')
    return checkRules({ ...common, isByProcess: values['by-process'] })
  }
  const { checkWithDatabase } = await import('./mutation/database/check.ts')
  const budgetMs = values.minutes === undefined ? Number.POSITIVE_INFINITY : Number(values.minutes) * 60_000
  const limits = { mostMs: Number(values.limit) * 1000, patienceMs: Number(values.patience) * 1000, budgetMs }
  return checkWithDatabase({ ...common, isFresh: values.fresh, ...limits })
}

const below = await check()
if (below.length > 0) {
  console.log(`${basename(import.meta.filename)}: below their score: ${below.join(', ')}`)
  process.exitCode = 1
}
