import { FEATURES } from '../../src/features.ts'
import { folderOf, importsOf, isTest, lineOf, type Source, targetOf, withoutComments } from './source.ts'

const FOUNDATION = ['platform/db', 'platform/clock', 'platform/config', 'platform/log']

/** Folders that a folder may import besides itself; `platform/*` means all of the platform. */
const FOLDERS_ALLOWED: Record<string, string[]> = {
  'main.ts': ['app.ts', 'cli', 'platform/*'],
  'cli.ts': ['app.ts', 'cli', 'platform/*', 'version.ts'],
  'version.ts': [],
  // The public interface of extensions: elements of pages, and types of its own.
  'extension.ts': ['platform/html', 'platform/ui'],
  // Shows the elements of the UI.
  styleguide: ['features', 'platform/html', 'platform/http', 'platform/i18n', 'platform/ui'],
  // Registers the words of the features.
  'features.ts': ['features', 'platform/features', 'platform/i18n'],
  'app-options.ts': ['features', 'features.ts', 'platform/*', 'version.ts'],
  'endpoints.ts': ['features.ts', 'platform/features', 'platform/http', 'version.ts'],
  cli: ['app.ts', 'demo', 'endpoints.ts', 'features', 'features.ts', 'platform/*', 'version.ts'],
  demo: ['features', 'features.ts', 'platform/*'],
  'platform/http': [
    'platform/auth',
    'platform/db',
    'platform/files',
    'platform/html',
    'platform/ui',
    'platform/i18n',
    'platform/clock',
    'platform/csv',
    'platform/json-depth',
    'platform/json-fault',
    'platform/single-line',
    'platform/load-later',
    'platform/log',
    'platform/mail-address',
    'platform/page-work',
  ],
  // A user has a language, and a request has words in that language. A site has features and files.
  'platform/auth': ['platform/concurrency', 'platform/db', 'platform/features', 'platform/files', 'platform/i18n'],
  'platform/db': ['platform/host-list', 'platform/invocation', 'platform/operator-error'],
  'platform/html': ['platform/ui', 'platform/i18n'],
  'platform/ui': ['platform/html', 'platform/i18n', 'platform/no-address', 'platform/phone', 'platform/single-line'],
  'platform/i18n': ['platform/remembered'],
  // Lists of the parts of an Office file.
  'platform/files': ['platform/concurrency', 'platform/db', 'platform/outbound', 'platform/spreadsheet', 'platform/xml'],
  // An entry names its actor and adds a job.
  'platform/journal': [...FOUNDATION, 'platform/auth', 'platform/jobs'],
  'platform/jobs': FOUNDATION,
  'platform/outbound': FOUNDATION,
  'platform/mail': FOUNDATION,
  'platform/clock': [],
  'platform/concurrency': [],
  // The languages that there are.
  'platform/config': ['platform/host-list', 'platform/i18n'],
  // Commands of features get the features and the terminal.
  'platform/command-line': ['platform/*'],
  // Languages with a decimal comma separate cells otherwise.
  'platform/csv': ['platform/i18n'],
  'platform/mail-address': [],
  'platform/no-address': [],
  'platform/phone': ['platform/load-later', 'platform/remembered'],
  'platform/load-later': [],
  // What a feature is: it may add to every part of the platform.
  'platform/features': ['platform/*'],
  'platform/host-list': [],
  'platform/ids': [],
  'platform/invocation': [],
  'platform/json-depth': [],
  'platform/json-fault': [],
  'platform/single-line': [],
  'platform/thread': [],
  'platform/page-work': [],
  'platform/remembered': [],
  // The time of errors that are kept.
  'platform/log': ['platform/clock'],
  'platform/operator-error': [],
  'platform/spreadsheet': ['platform/csv', 'platform/xml'],
  'platform/xml': [],
  'platform/sample-data': ['platform/i18n'],
  'platform/time-span': [],
}

/** The names of the features that each feature may import. */
export const USES: Record<string, string[]> = Object.fromEntries(
  FEATURES.map(({ name, uses }) => [name, uses.map((used) => used.name)]),
)
/** They list values of every feature, so they may import every role. */
const LISTS_OF_ALL_FEATURES = ['app.ts', 'app-options.ts', 'features.ts']
const PUBLIC_ROLES = ['access', 'schema', 'rules', 'commands', 'queries', 'views', 'flows', 'structures', 'mount', 'points']
const PUBLIC_ROLES_FOR: Record<string, string[]> = {
  webhooks: ['schema', 'queries', 'rules', 'views'],
  cli: ['commands', 'queries', 'rules', 'schema'],
  // The list and the choices of channels derive from the kinds of notifications.
  inbox: [...PUBLIC_ROLES, 'kinds'],
}

/** What a role may import from its own feature, besides files of the same role. */
const OTHER_ROLES = ['points', 'flows', 'structures', 'provider', 'partner', 'mount', 'kinds', 'feed', 'formats']
const ROLES: Record<string, string[]> = {
  // Lists and limits.
  schema: ['rules'],
  rules: ['flows', 'structures', 'formats'],
  'personal-data': [],
  // The types of what journal entries hold.
  journal: ['access', 'rules', 'schema'],
  words: ['words.en', 'words.de'],
  'words.de': ['words.en'],
  'words.en': [],
  access: ['rules'],
  queries: ['access', 'rules', 'schema', ...OTHER_ROLES],
  commands: ['access', 'rules', 'schema', 'queries', ...OTHER_ROLES],
  // Refusals have the texts of the pages.
  api: ['access', 'queries', 'commands', 'schema', 'rules', 'views', ...OTHER_ROLES],
  views: ['schema', 'rules', 'kinds', 'formats', 'points'],
  pages: ['access', 'queries', 'commands', 'rules', 'views', 'schema', ...OTHER_ROLES],
  // Jobs render mails.
  jobs: ['queries', 'commands', 'schema', 'rules', 'views', ...OTHER_ROLES],
  ...Object.fromEntries(OTHER_ROLES.map((name) => [name, ['rules', 'schema', 'queries']])),
  // What they show is made of types of the pages, and views show what others add.
  points: ['rules', 'schema', 'queries', 'access', 'views', 'mount'],
  layout: ['rules', 'schema', 'queries', 'views'],
  cli: ['commands', 'queries', 'rules', 'schema'],
  sample: ['commands', 'queries', 'rules', 'formats'],
  flows: ['rules'],
  structures: ['rules'],
}
/** It declares what the other files define. */
ROLES.feature = Object.keys(ROLES)
const FOLDERS = [
  'schema',
  'rules',
  'access',
  'queries',
  'commands',
  'api',
  'views',
  'pages',
  'jobs',
  'flows',
  'structures',
  'kinds',
  'formats',
  'cli',
]
/** A service account is a term of the glossary. */
const VAGUE_PARTS = /(^|-)(util|helper|manager|service(?!-accounts?(-|$)))s?(-|$)/
const VAGUE_NAMES = ['type', 'types', 'index', 'common', 'shared', 'misc']

export const featureOf = (path: string): string | undefined => /^features\/[^/]+\/([^/]+)\//.exec(path)?.[1]
/** The role of a file of a feature: its name, or that of its folder. */
const roleOf = (path: string): string => path.split('/')[3]!.replace(/\.ts$/, '')

function mayImport(from: string, to: string): boolean {
  if (from === to || from === 'app.ts') return true
  if (from === 'features/extensions' && to === 'extension.ts') return true
  const allowed = from.startsWith('features/') ? ['platform/*', 'features'] : (FOLDERS_ALLOWED[from] ?? [])
  if (allowed.includes(to)) return true
  if (to.startsWith('platform/')) return allowed.includes('platform/*')
  return to.startsWith('features/') && allowed.includes('features')
}

/** Imports between folders that are not allowed. */
export function folderViolations(sources: Source[]): string[] {
  return sources.flatMap((source) => {
    const from = folderOf(source.path)
    if (!isTest(source) && from !== 'app.ts' && !from.startsWith('features/') && !FOLDERS_ALLOWED[from])
      return [`${source.path}: ${from} is not a known folder`]
    return importsOf(source).flatMap(({ line, specifier }) => {
      const at = `${source.path}:${line}`
      if (isTest(source)) return []
      if (specifier.startsWith('#test/') || specifier.endsWith('.test.ts')) return [`${at} imports the test ${specifier}`]
      const target = targetOf(source.path, specifier)
      if (target?.startsWith('../')) return [`${at} leaves src/ by ${specifier}`]
      if (target === undefined || mayImport(from, folderOf(target))) return []
      return [`${at} ${from} must not import ${folderOf(target)}`]
    })
  })
}

/** Imports of an extension that the public interface does not cover. */
export const pastTheInterface = (source: Source): string[] =>
  importsOf(source).flatMap(({ line, specifier }) =>
    /^(turnout\/extension$|node:|\.\/)/.test(specifier) ? [] : [`${source.path}:${line} imports ${specifier}`],
  )

/** Features import only features below them, and only their public roles; roles inside of a feature have an order, too. */
export function featureViolations(sources: Source[]): string[] {
  return sources
    .filter((source) => !isTest(source))
    .flatMap((source) =>
      importsOf(source).flatMap(({ line, specifier, names, isType }) => {
        const target = targetOf(source.path, specifier)
        const other = target && featureOf(target)
        const own = featureOf(source.path)
        const at = `${source.path}:${line}`
        const isRule = own !== undefined && PURE_ROLES.includes(roleOf(source.path))
        if (isRule && !isType && !isPure(source, specifier, target, names))
          return [`${at} rules are pure: ${specifier} is not a rule`]
        if (!other) return []
        const role = roleOf(target)
        if (other === own) {
          const from = roleOf(source.path)
          // Views show what queries return, so they may name its type.
          const isRowType = from === 'views' && role === 'queries' && isType
          return role === from || isRowType || ROLES[from]?.includes(role) ? [] : [`${at} ${from} must not import ${role}`]
        }
        if (LISTS_OF_ALL_FEATURES.includes(source.path) || folderOf(source.path) === 'demo') return []
        if (own !== undefined && !USES[own]?.includes(other)) return [`${at} ${own} must not import ${other}`]
        // A feature declares the features that it uses, and puts together its parts and theirs.
        if (own !== undefined && roleOf(source.path) === 'feature') return []
        if (role === 'sample' && roleOf(source.path) === 'sample') return []
        const publicRoles = PUBLIC_ROLES_FOR[own ?? folderOf(source.path)] ?? PUBLIC_ROLES
        return publicRoles.includes(role) ? [] : [`${at} must not import ${role} of ${other}`]
      }),
    )
}

/** Flows and structures are rules that read a stored configuration. */
const PURE_ROLES = ['rules', 'flows', 'structures']
const PURE_MODULES =
  /^platform\/(ids|mail-address|no-address|remembered|single-line|time-span|auth\/(scopes|permissions|networks)|files\/file-types|journal\/list-requests|i18n\/(days|filter-days|languages|local-time|typed-dates|zone|times)|spreadsheet\/(delimited|fold-name|sheet)|ui\/form-values)\.ts$/

/** Modules without side effects or I/O. */
function isPure(source: Source, specifier: string, target: string | undefined, names: string): boolean {
  if (specifier === 'zod') return roleOf(source.path) !== 'rules'
  if (target === undefined)
    return (
      specifier === 'temporal-polyfill' ||
      specifier === 'ical.js' ||
      (specifier === 'node:crypto' && names.replaceAll(/[\s{}]/g, '') === 'hash')
    )
  return PURE_MODULES.test(target) || (featureOf(target) !== undefined && PURE_ROLES.includes(roleOf(target)))
}

/** Cycles of features that import each other, independent of the order above. */
export function cycleViolations(sources: Source[]): string[] {
  const edges = new Map<string, Set<string>>()
  for (const source of sources.filter((each) => !isTest(each))) {
    const from = featureOf(source.path)
    for (const { specifier } of from ? importsOf(source) : []) {
      const to = featureOf(targetOf(source.path, specifier) ?? '')
      if (to && to !== from) edges.set(from!, (edges.get(from!) ?? new Set()).add(to))
    }
  }
  return cyclesIn(edges).map((cycle) => `${cycle.join(' → ')} is a cycle of features`)
}

/** A feature is made with the runtime, and the runtime lists the features. */
const REFER_TO_EACH_OTHER = ['platform/features/feature.ts', 'platform/features/runtime.ts']

/** Cycles of files that import each other, if only types. */
export function fileCycleViolations(sources: Source[]): string[] {
  const edges = new Map(
    sources
      .filter((source) => !isTest(source))
      .map((source) => [
        source.path,
        new Set(
          importsOf(source)
            .flatMap(({ specifier }) => targetOf(source.path, specifier) ?? [])
            .filter((target) => !(REFER_TO_EACH_OTHER.includes(source.path) && REFER_TO_EACH_OTHER.includes(target))),
        ),
      ]),
  )
  return cyclesIn(edges).map((cycle) => `${cycle.join(' → ')} is a cycle of files`)
}

function cyclesIn(edges: Map<string, Set<string>>): string[][] {
  const cycles: string[][] = []
  const done = new Set<string>()
  const visit = (node: string, path: string[]): void => {
    if (path.includes(node)) return void cycles.push([...path.slice(path.indexOf(node)), node])
    if (done.has(node)) return
    for (const next of edges.get(node) ?? []) visit(next, [...path, node])
    done.add(node)
  }
  for (const node of edges.keys()) visit(node, [])
  return cycles
}

/** A folder in a group of `features/` is a feature, and a file name is a role. */
export function fileNameViolations(sources: Source[]): string[] {
  return sources.flatMap((source) => {
    const { path } = source
    const parts = path.replace(/(\.test)?\.ts$/, '').split('/')
    const vague = parts.find((part) => VAGUE_NAMES.includes(part) || VAGUE_PARTS.test(part))
    if (vague) return [`${path}: ${vague} is too vague as a file name`]
    if (parts[0] !== 'features' || parts.length === 1) return []
    const [, , feature = '', role = ''] = parts
    if (!USES[feature]) return [`${path}: ${feature} is not a known feature`]
    if (parts.length === 4 && isTest(source)) return []
    if (!ROLES[role]) return [`${path}: ${role} is not a role`]
    if (parts.length > 5 || (parts.length === 5 && !FOLDERS.includes(role))) return [`${path}: too deep a folder`]
    return []
  })
}

/** Code that only certain files may contain. */
const RESTRICTED_CODE: { what: string; pattern: RegExp; allowed: RegExp }[] = [
  { what: 'reads the environment', pattern: /\bprocess\.env\b|\bfrom 'node:process'/g, allowed: /^(main|cli)\.ts$/ },
  {
    what: 'reads the time',
    pattern: /\bDate\.now\(|\bnew Date(?:\(\s*\)|(?!\s*[(\w<]))|\bTemporal\.Now\b/g,
    allowed: /^platform\/clock\.ts$/,
  },
  {
    what: 'opens a connection',
    pattern: /(?<![.\w])fetch\(|\bnew (?:WebSocket|EventSource)\(/g,
    allowed: /^platform\/outbound\//,
  },
  {
    what: 'uses zone rules of the database',
    pattern: /\bat time zone(?! 'UTC')|\bto_char\(/gi,
    // Compares the rules of the database with those that are used.
    allowed: /^cli\/zone-check\.ts$/,
  },
]
const RESTRICTED_PACKAGES: { what: RegExp; allowed: RegExp }[] = [
  { what: /^@?fastify(\/|$)/, allowed: /^platform\/http\// },
  { what: /^nodemailer$/, allowed: /^platform\/mail\// },
  { what: /^(pg|kysely-codegen)$/, allowed: /^platform\/db\// },
  { what: /^graphile-worker$/, allowed: /^platform\/(jobs\/|db\/graphile-worker\.ts)/ },
  { what: /^(node:)?(http|https|http2|net|tls|dgram)$|^undici$/, allowed: /^platform\/outbound\// },
]
/** Names of `node:net` that open no outgoing connection. */
const ALLOWED_NET_NAMES = new Set(['isIP', 'isIPv4', 'isIPv6', 'BlockList', 'createServer'])

export function accessViolations(sources: Source[]): string[] {
  return sources
    .filter((source) => !isTest(source))
    .flatMap((source) => {
      const code = withoutComments(source.text)
      const words = RESTRICTED_CODE.filter(({ allowed }) => !allowed.test(source.path)).flatMap(({ what, pattern }) =>
        [...code.matchAll(pattern)].map((found) => `${source.path}:${lineOf(code, found.index)} ${what}`),
      )
      const packages = importsOf(source).flatMap(({ line, specifier, names, isType }) => {
        const rule = RESTRICTED_PACKAGES.find(({ what }) => what.test(specifier))
        if (!rule || rule.allowed.test(source.path)) return []
        const isFramework = /fastify/.test(specifier)
        if (isType && !isFramework) return []
        const taken = names
          .replaceAll(/[{}]/g, '')
          .split(',')
          .map((name) => name.trim())
          .filter(Boolean)
        if (
          specifier === 'node:net' &&
          taken.length &&
          taken.every((name) => ALLOWED_NET_NAMES.has(name) || name.startsWith('type '))
        )
          return []
        return [`${source.path}:${line} must not import ${specifier}`]
      })
      return [...words, ...packages]
    })
}

/** Every export has a name, so that a search for the name finds every use. */
export function exportViolations(sources: Source[]): string[] {
  return sources.flatMap(({ path, text }) => {
    const code = withoutComments(text)
    return [...code.matchAll(/^\s*export\s+(default\b|\*\s+from|\{[^}]*\bas default\b)/gm)].map(
      (found) => `${path}:${lineOf(code, found.index + found[0].search(/\S/))} exports without a name`,
    )
  })
}
