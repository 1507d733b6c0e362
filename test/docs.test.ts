import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
/** Documents name sources from the root, from `src/`, or by feature without its group. */
const FOLDERS = [
  '',
  'src/',
  'src/features/',
  'src/platform/',
  ...globSync('src/features/*', { cwd: root }).map((group) => `${group}/`),
]
const ENDING = String.raw`\.(?:ts|js|mjs|sql|css|json|yaml|yml|md|cfg|service)`
/** `a/b.ts`, `a/b/`, `a/*.ts`, also `a/{b,c}.ts`. A single name stands for a role of many features. */
const QUOTED_PATH = /`((?:[\w.*-]+\/)+(?:[\w.*-]*|\{[\w.,-]+\}[\w.]*))`/g
const PATH_IN_COMMENT = new RegExp(String.raw`(?<![\w./:@*{-])(?:[\w.-]+\/)+[\w.-]+${ENDING}\b`, 'g')
const NAME_IN_COMMENT = /(?<![\w./:@*{-])`([\w-]+\.test\.ts)`/g
const LINK = /\]\((?!https?:|mailto:|#|\/)([^)#\s]+)(?:#[^)]*)?\)/g
/** What commands write, and what the text asks the reader to write. */
const NOT_KEPT = ['clients/typescript/build', 'languages/da.po', 'languages/CODE.po']

function expandBraces(path: string): string[] {
  const [, before, names, after] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? []
  return names === undefined ? [path] : names.split(',').map((name) => `${before}${name}${after}`)
}

const exists = (path: string): boolean =>
  path.includes('*') ? globSync(path, { cwd: root }).length > 0 : existsSync(root + path)
const existsInFolders = (path: string, folders = FOLDERS): boolean => folders.some((folder) => exists(folder + path))

/** Where readers are in the folder of a clone. */
const IN_A_CLONE = ['docs/operate.md', 'docs/architecture.md', 'docs/extensions.md']

test('documents do not call a package of the registry', () => {
  const documents = globSync(['docs/*.md', 'docs/api/*.md', 'handbook/*/*.md'], { cwd: root }).filter(
    (file) => !IN_A_CLONE.includes(file),
  )
  assert.deepEqual(
    documents.filter((file) => /npx turnout [a-z]/.test(readFileSync(root + file, 'utf8'))),
    [],
  )
})

test('documents do not say how many texts are translated, which `npm run words` prints', () => {
  const stated = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).filter(
    (file) => !file.includes('decisions') && /\d (?:of [\d,]+ )?(?:translated )?texts\b/.test(readFileSync(root + file, 'utf8')),
  )
  assert.deepEqual(stated, [])
})

/** Other text with slashes, such as `origin/main`, neither ends like a file nor begins with a folder of the project. */
const isPath = (text: string): boolean =>
  new RegExp(`${ENDING}$`).test(text) || (!text.startsWith('.') && existsInFolders(text.split('/')[0]!))

const missingPaths = (text: string): string[] =>
  [...text.matchAll(QUOTED_PATH)]
    .flatMap(([, path]) => expandBraces(path!))
    .filter((path) => isPath(path) && !NOT_KEPT.includes(path) && !existsInFolders(path))

/** Links outside of quoted examples. */
const missingLinks = (text: string, document: string): string[] =>
  [...text.replaceAll(/`[^`\n]*`/g, '').matchAll(LINK)]
    .map(([, path]) => path!)
    .filter((path) => !existsSync(join(root, dirname(document), path)))

/** Paths in a tree of folders: `  name/  other.ts   what they hold`, indented by two spaces a level. */
function missingInTree(tree: string): string[] {
  const open: string[] = []
  return tree.split('\n').flatMap((line) => {
    const level = /^ */.exec(line)![0].length / 2
    const names = line
      .trim()
      .split(/ {2,}/)
      .filter((name) => /^[a-z][a-z./-]*(?:\/|\.ts)$/.test(name))
    open.splice(level)
    const paths = names.flatMap((name) => name.split(/ (?=\S)/)).map((name) => open.join('') + name)
    if (names.length > 0) open[level] = names[0]!
    return paths.filter((path) => !existsSync(root + path))
  })
}

const COMMENT = /^\s*(?:\/\*\*|\*|\/\/)(.*)$|\s\/\/ (.*)$/gm

function missingInComments(source: string, file: string): string[] {
  const folder = `${dirname(file)}/`
  return [...source.matchAll(COMMENT)].flatMap(([, whole, behind]) => {
    const comment = whole ?? behind ?? ''
    const paths = [...comment.matchAll(PATH_IN_COMMENT)].map(([path]) => path)
    const names = [...comment.matchAll(NAME_IN_COMMENT)].map(([, name]) => name!)
    return [
      ...paths.filter((path) => !existsInFolders(path, [...FOLDERS, folder])),
      ...names.filter(
        (name) => globSync([`${folder}**/${name}`, `${folder}../**/${name}`, `test/**/${name}`], { cwd: root }).length === 0,
      ),
    ]
  })
}

const readAll = (paths: string[]): { path: string; text: string }[] =>
  paths.sort().map((path) => ({ path, text: readFileSync(root + path, 'utf8') }))

const documents = readAll(
  globSync(['*.md', 'docs/**/*.md', 'handbook/*/*.md', 'clients/*/README.md'], { cwd: root }).filter(
    (path) => path !== 'CHANGELOG.md',
  ),
)

test('every file and folder that the documents name exists', () => {
  assert.ok(documents.length > 100)
  const missing = documents.flatMap(({ path, text }) =>
    [...missingPaths(text), ...missingLinks(text, path)].map((name) => `${path}: ${name}`),
  )
  assert.deepEqual(missing, [])
})

test('every folder in the tree of docs/architecture.md exists', () => {
  const { text } = documents.find(({ path }) => path === 'docs/architecture.md')!
  const tree = /```\n(src\/\n[\s\S]*?)```/.exec(text)![1]!
  assert.ok(tree.includes('platform/'))
  assert.deepEqual(missingInTree(tree), [])
})

test('every file that a comment names exists', () => {
  const sources = readAll(
    globSync(['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.{ts,mjs}', 'assets/*.js'], { cwd: root }).filter(
      (path) => path !== 'test/docs.test.ts',
    ),
  )
  assert.ok(sources.length > 1000)
  const missing = sources.flatMap(({ path, text }) => missingInComments(text, path).map((name) => `${path}: ${name}`))
  assert.deepEqual(missing, [])
})

test('reports files and folders that do not exist', () => {
  const text =
    '`platform/http/{server,nothing}.ts`, `src/app.ts`, `events/access.ts`, `test/docs.test.ts`, `jobs/turn.ts`, `words.en.ts`, ' +
    '`staffing/structures`, `staffing/nothing`, `platform/nothing/`, `events/words.*.ts`, `events/none.*.ts`, `origin/main`'
  assert.deepEqual(missingPaths(text), [
    'platform/http/nothing.ts',
    'jobs/turn.ts',
    'staffing/nothing',
    'platform/nothing/',
    'events/none.*.ts',
  ])
  assert.deepEqual(
    missingLinks('[a](operate.md), [b](nothing.md#part), [c](https://example.org/d.md), [e](#part)', 'docs/a.md'),
    ['nothing.md'],
  )
  assert.deepEqual(missingInTree('src/\n  app.ts  nothing.ts   what\n  platform/\n    http/  clock.ts\n    none/    of it'), [
    'src/nothing.ts',
    'src/platform/none/',
  ])
  const source = '// see events/access.ts\nconst a = 1 // and jobs/turn.ts\n/** `docs.test.ts`, `none.test.ts` */'
  assert.deepEqual(missingInComments(source, 'test/a.ts'), ['jobs/turn.ts', 'none.test.ts'])
})
