// Foreign tools read the OpenAPI document and use the API: linters, generators of clients, and a tester with random requests. They are
// installed from the registries of npm and PyPI, in fixed versions. docs/api/tools.md lists what they find, with the reasons.
//   npm run check:api-tools -- --seed 7 --examples 5 --only redocly,spectral --document FILE
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { endAll, startTryOut } from '#test/support/process/processes.ts'
import { EXPECTED, NPM_TOOLS, PYTHON_TOOLS, SCHEMATHESIS_CHECKS, unexpected } from './api-tools/expected.ts'
import { execute, executeAny } from './execute.ts'

const TOOLS = ['redocly', 'spectral', 'hey-api', 'openapi-python-client', 'schemathesis'] as const
type Tool = (typeof TOOLS)[number]
/** How often each rule of a tool was broken. */
type Findings = Map<string, number>

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '7' },
    examples: { type: 'string', default: '5' },
    only: { type: 'string', default: TOOLS.join() },
    /** For linters and generators. */
    document: { type: 'string', default: fileURLToPath(new URL('../docs/api/openapi.json', import.meta.url)) },
  },
})
const document = resolve(values.document)
const folder = join(tmpdir(), 'turnout-check-api-tools')
const output = mkdtempSync(join(tmpdir(), 'turnout-api-tools-'))
const npmTool = (name: string): string => join(folder, 'node_modules', '.bin', name)
const pythonTool = (name: string): string => join(folder, 'python', 'bin', name)

/** A file with the versions says what is installed. */
function install(name: string, versions: readonly string[], perform: () => void): void {
  const mark = join(folder, `${name}.txt`)
  if (existsSync(mark) && readFileSync(mark, 'utf8') === versions.join('\n')) return
  mkdirSync(folder, { recursive: true })
  perform()
  writeFileSync(mark, versions.join('\n'))
}

const installNpm = (): void =>
  install('npm', NPM_TOOLS, () => {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
    execute('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', ...NPM_TOOLS])
  })

const installPython = (): void =>
  install('python', PYTHON_TOOLS, () => {
    execute('python3', ['-m', 'venv', '--clear', join(folder, 'python')])
    execute(pythonTool('pip'), ['install', '--quiet', '--disable-pip-version-check', ...PYTHON_TOOLS])
  })

function count(rules: Iterable<string>): Findings {
  const findings: Findings = new Map()
  for (const rule of rules) findings.set(rule, (findings.get(rule) ?? 0) + 1)
  return findings
}

const runs: Record<Tool, () => Promise<Findings>> = {
  redocly: async () => {
    const { stdout } = executeAny(npmTool('redocly'), ['lint', document, '--format=json', '--max-problems=10000'], folder)
    const { problems } = JSON.parse(stdout) as { problems: { ruleId: string }[] }
    return count(problems.map(({ ruleId }) => ruleId))
  },
  spectral: async () => {
    const rules = join(output, 'spectral.yaml')
    writeFileSync(rules, 'extends: ["spectral:oas"]\n')
    const { stdout } = executeAny(npmTool('spectral'), ['lint', document, '--ruleset', rules, '--format=json', '--quiet'], folder)
    return count((JSON.parse(stdout) as { code: string }[]).map(({ code }) => code))
  },
  'hey-api': async () => {
    const args = ['-i', document, '-o', join(output, 'hey-api')]
    const { status, stdout, stderr } = executeAny(npmTool('openapi-ts'), args, folder)
    if (status !== 0) return new Map([['failed', 1]])
    return count(`${stdout}${stderr}`.match(/warning|error/gi) ?? [])
  },
  'openapi-python-client': async () => {
    const args = ['generate', '--path', document, '--output-path', join(output, 'python'), '--meta', 'none']
    const env = { ...process.env, PATH: `${join(folder, 'python', 'bin')}:${process.env.PATH}` }
    const { status, stdout, stderr } = executeAny(pythonTool('openapi-python-client'), args, folder, env)
    if (status !== 0) return new Map([['failed', 1]])
    return count(`${stdout}${stderr}`.match(/WARNING parsing|Unable to process schema|Unable to parse/g) ?? [])
  },
  schemathesis: async () => {
    const server = await startTryOut({ RATE_LIMIT: 'off' })
    const token = /turnout_pat_\w+/.exec(server.stdout())![0]
    const report = join(output, 'schemathesis.json')
    const args = [
      ['run', `${server.origin}/api/schema/?format=json`, '--header', `Authorization: Bearer ${token}`],
      ['--phases', 'examples,coverage,fuzzing', '--checks', SCHEMATHESIS_CHECKS.join()],
      ['--seed', values.seed, '--max-examples', values.examples, '--workers', '1', '--request-timeout', '70'],
      // A stream has no end.
      ['--exclude-operation-id', 'changes_stream', '--continue-on-failure', '--no-shrink', '--no-color'],
      ['--report', 'json', '--report-json-path', report],
    ].flat()
    executeAny(pythonTool('schemathesis'), args, output)
    const { failures, errors, test_cases } = JSON.parse(readFileSync(report, 'utf8')) as {
      failures: { title: string; count: number; operations: string[] }[]
      errors: unknown[]
      test_cases: { generated: number }
    }
    console.log(`schemathesis: ${test_cases.generated} requests`)
    for (const { title, operations } of failures) console.log(`  ${title}: ${operations.join(', ')}`)
    for (const error of errors) console.log(`  ${JSON.stringify(error).slice(0, 500)}`)
    return new Map([
      ...failures.map(({ title, count: times }) => [title, times] as const),
      ...(errors.length ? [['errors', errors.length] as const] : []),
    ])
  },
}

const chosen = TOOLS.filter((tool) => values.only.split(',').includes(tool))
try {
  if (chosen.some((tool) => ['redocly', 'spectral', 'hey-api'].includes(tool))) installNpm()
  if (chosen.some((tool) => ['openapi-python-client', 'schemathesis'].includes(tool))) installPython()
  for (const tool of chosen) {
    const findings = await runs[tool]()
    const listed = [...findings].map(([rule, times]) => `${rule} ${times}${EXPECTED[tool]?.[rule] ? ' (expected)' : ''}`)
    console.log(`${tool}: ${listed.join(', ') || 'no findings'}`)
    for (const rule of unexpected(tool, findings)) {
      console.error(`${tool} finds ${rule}, which docs/api/tools.md does not list`)
      process.exitCode = 1
    }
  }
} finally {
  await endAll()
  rmSync(output, { recursive: true, force: true })
}
