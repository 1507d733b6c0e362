// Builds what people install, installs it where nothing of ours was, starts it, asks for the sign-in page, its assets and the handbook,
// creates an administrator, upgrades and removes it. `npm test` starts the npm package only (test/process/package.test.ts).
// Needs the network; the Debian package and the image need root on Debian with debootstrap, dpkg, buildah, podman and runc.
// The machine is a Debian with systemd in a container (systemd-container, util-linux), set up by the operators' chapter of the handbook.
// The proxies of the machine's Debian release (nginx, caddy; apt-get, dpkg, openssl) run with the examples of `deploy/` in front of it.
//   npm run check:packages -- --only npm,npx,deb,machine,image,proxies --base /srv/bookworm (a folder made by debootstrap)
import assert from 'node:assert/strict'
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { API_DOCUMENTS, apiDocumentPath } from '#features/operations/handbook/rules/contents.ts'
import { ask } from '#test/support/process/http-client.ts'
import {
  endAll,
  freePort,
  isReady,
  type Launch,
  launch,
  ROOT,
  type Running,
  run,
  SECRET_KEY,
  until,
} from '#test/support/process/processes.ts'
import { buildDeb } from './build-deb.ts'
import { execute } from './execute.ts'
import { checkMachine } from './packages/machine.ts'
import { checkProxies } from './packages/proxies.ts'

type Row = { artifact: string; size: string; install: string; start: string; answered: string; upgrade: string; removed: string }

const SUITE = 'bookworm'
const ADMIN = ['create-admin', '--email', 'olga@example.org', '--name', 'Olga']
const NO_ADMIN = /There is no administrator yet/

const { values } = parseArgs({
  options: { only: { type: 'string', default: 'npm,npx,deb,machine,image,proxies' }, base: { type: 'string' } },
})
const folder = mkdtempSync(join(tmpdir(), 'turnout-check-packages-'))
const inFolder = (name: string): string => join(folder, name)
/** Without the programs in our node_modules, so that the Node of the machine is used. */
const PATH = process.env
  .PATH!.split(delimiter)
  .filter((dir) => !dir.includes('node_modules'))
  .join(delimiter)
const ENVIRONMENT = { ...process.env, PATH, HOME: folder, npm_config_cache: inFolder('cache'), npm_config_audit: 'false' }
const port = String(await freePort())
const origin = `http://127.0.0.1:${port}`
const SETTINGS = { SITE_URL: origin, SECRET_KEY, PORT: port }

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`
const step = (text: string): void => console.log(text)

function timed(work: () => void): string {
  const since = performance.now()
  work()
  return seconds(since)
}

type Started = { server: Running; start: string; answered: string }

/** Starts a server and asks for the sign-in page with its assets, and for the handbook. */
async function startAndAsk(command: Launch): Promise<Started> {
  const since = performance.now()
  const server = launch(command)
  await server.says(/Turnout listens on|Ctrl\+C stops Turnout/)
  await until('it is ready', () => isReady(origin))
  const start = seconds(since)
  const page = await ask(`${origin}/accounts/login/`)
  assert.equal(page.status, 200)
  const assets = [...page.body.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!)
  assert.ok(assets.length >= 3, page.body)
  for (const path of assets) assert.equal((await ask(`${origin}${path}`)).status, 200, path)
  for (const path of ['/help/en/volunteers/', ...API_DOCUMENTS.map(apiDocumentPath)])
    assert.equal((await ask(`${origin}${path}`)).status, 200, path)
  return { server, start, answered: `page, ${assets.length} assets, handbook` }
}

async function succeed(command: Launch): Promise<string> {
  const { code, stdout, stderr } = await run(command)
  assert.equal(code, 0, `${command.program} ${command.args.join(' ')}: ${stdout}${stderr}`)
  return stdout
}

type Artifact = { serve: () => Launch; command: (args: string[]) => Launch; upgrade: () => void }

/** First start, an administrator, upgrade, second start on the same data. */
async function liveThrough({ serve, command, upgrade }: Artifact): Promise<Pick<Row, 'start' | 'answered' | 'upgrade'>> {
  const first = await startAndAsk(serve())
  assert.match(first.server.stdout() + first.server.stderr(), NO_ADMIN)
  await succeed(command(ADMIN))
  assert.equal(await first.server.stop(), 0)
  const time = timed(upgrade)
  const second = await startAndAsk(serve())
  assert.equal(await second.server.stop(), 0)
  assert.doesNotMatch(second.server.stdout() + second.server.stderr(), NO_ADMIN)
  return { start: first.start, answered: first.answered, upgrade: `${time}, data kept` }
}

function pack(): string {
  step('npm pack')
  execute('npm', ['pack', '--pack-destination', folder], { cwd: ROOT, env: ENVIRONMENT })
  return globSync(inFolder('*.tgz'))[0]!
}

const nextVersion = (version: string): string => version.replace(/\d+$/, (patch) => String(Number(patch) + 1))

function bumpManifest(path: string): string {
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as { version: string }
  manifest.version = nextVersion(manifest.version)
  writeFileSync(path, JSON.stringify(manifest, undefined, 2))
  return manifest.version
}

function packNext(tarball: string): { tarball: string; version: string } {
  const source = inFolder('next')
  mkdirSync(source)
  execute('tar', ['-xzf', tarball, '-C', source])
  const version = bumpManifest(join(source, 'package/package.json'))
  const next = join(source, `turnout-${version}.tgz`)
  execute('tar', ['-czf', next, '-C', source, 'package'])
  return { tarball: next, version }
}

async function checkNpm(tarball: string): Promise<Row> {
  const prefix = inFolder('prefix')
  const npm = (args: string[]): string => execute('npm', [...args, '--prefix', prefix], { cwd: folder, env: ENVIRONMENT })
  step('npm install -g')
  const install = timed(() => npm(['install', '-g', tarball]))
  const next = packNext(tarball)
  const settings = { ...SETTINGS, DATA_DIR: inFolder('npm-data'), PATH, NODE_COMPILE_CACHE: undefined }
  const command = (args: string[]): Launch => ({ program: join(prefix, 'bin/turnout'), args, settings })
  assert.match(await succeed(command(['--help'])), /^Usage: /)
  const life = await liveThrough({
    serve: () => command(['serve']),
    command,
    upgrade: () => npm(['install', '-g', next.tarball]),
  })
  assert.equal((await succeed(command(['--version']))).trim(), next.version)
  npm(['uninstall', '-g', 'turnout'])
  assert.deepEqual([existsSync(join(prefix, 'lib/node_modules/turnout')), existsSync(settings.DATA_DIR)], [false, true])
  return { artifact: 'npm install -g', size: megabytes(statSync(tarball).size), install, ...life, removed: 'program; data stays' }
}

async function checkNpx(tarball: string): Promise<Row> {
  step('npx')
  const npx = (args: string[]): Launch => ({
    program: 'npx',
    args: ['--yes', '--package', tarball, 'turnout', ...args],
    settings: { ...ENVIRONMENT, PORT: port, DATA_DIR: inFolder('npx-data'), NODE_COMPILE_CACHE: undefined },
    ownGroup: true,
  })
  const since = performance.now()
  await succeed(npx(['--version']))
  const install = seconds(since)
  const { server, start, answered } = await startAndAsk(npx(['try-out']))
  process.kill(-server.pid, 'SIGTERM')
  await server.exited
  const size = megabytes(statSync(tarball).size)
  return { artifact: 'npx … try-out', size, install, start: `${start}, demo data`, answered, upgrade: '–', removed: '–' }
}

/** A Debian that contains nothing of ours. */
function makeRoot(name: string): string {
  const base = values.base ?? inFolder('base')
  if (!existsSync(base)) {
    step(`debootstrap ${SUITE}`)
    execute('debootstrap', ['--variant=minbase', SUITE, base])
  }
  execute('cp', ['-a', base, inFolder(name)])
  return inFolder(name)
}

/** With /proc and /dev of the machine in a mount namespace of its own; signals reach the program directly. */
const inRoot = (root: string, args: string[]): Launch => ({
  program: 'unshare',
  args: [
    '--mount',
    'sh',
    '-c',
    'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"',
    root,
    ...args,
  ],
})

/** What systemd does for the unit: directories, variables, user, command. */
function serviceOf(root: string): Launch {
  const unit = readFileSync(join(root, 'lib/systemd/system/turnout.service'), 'utf8')
  const values = (key: string): string[] => [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value!)
  const [user, group, command] = ['User', 'Group', 'ExecStart'].map((key) => values(key)[0]!) as [string, string, string]
  for (const name of values('RuntimeDirectory'))
    execute('chroot', [root, 'install', '-d', '-o', user, '-g', group, '-m', '0700', `/run/${name}`])
  const files = values('EnvironmentFile').flatMap((path) => readFileSync(join(root, path), 'utf8').split('\n'))
  const variables = [
    ...values('Environment').flatMap((line) => line.split(' ')),
    ...files.filter((line) => /^[A-Z_]+=/.test(line)),
  ]
  const identity = ['setpriv', `--reuid=${user}`, `--regid=${group}`, '--init-groups']
  return inRoot(root, [...identity, 'env', '-i', ...variables, ...command.split(' ')])
}

/** `systemd-analyze` looks for the program on this machine, so its paths lead into the chroot. */
function verifyUnit(root: string): void {
  const unit = readFileSync(join(root, 'lib/systemd/system/turnout.service'), 'utf8')
  const path = inFolder('turnout.service')
  writeFileSync(path, unit.replaceAll('/usr/lib/turnout', join(root, 'usr/lib/turnout')))
  assert.equal(execute('systemd-analyze', ['verify', '--man=no', path]), '')
}

function debOfNext(deb: string): string {
  const tree = inFolder('next-deb')
  execute('dpkg-deb', ['--raw-extract', deb, tree])
  const version = bumpManifest(join(tree, 'usr/lib/turnout/package.json'))
  const control = join(tree, 'DEBIAN/control')
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, `Version: ${version}`))
  const next = inFolder(`turnout_${version}_next.deb`)
  execute('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, next])
  return next
}

type Debs = { deb: string; next: string }
let built: Debs | undefined

function buildDebs(tarball: string): Debs {
  if (built) return built
  step('npm run package:deb')
  const deb = buildDeb({ tarball, into: folder })
  built = { deb, next: debOfNext(deb) }
  return built
}

async function checkDeb(tarball: string): Promise<Row> {
  const { deb, next } = buildDebs(tarball)
  const root = makeRoot('debian')
  const dpkg = (args: string[]): string => execute('chroot', [root, 'dpkg', ...args])
  const installDeb = (path: string): void => {
    cpSync(path, join(root, 'var/tmp/turnout.deb'))
    dpkg(['--install', '/var/tmp/turnout.deb'])
  }
  step('dpkg --install')
  const install = timed(() => installDeb(deb))
  verifyUnit(root)
  const settingsFile = join(root, 'etc/turnout/turnout.env')
  writeFileSync(settingsFile, `${readFileSync(settingsFile, 'utf8')}\nSITE_URL=${origin}\nPORT=${port}\n`)
  const secretKey = readFileSync(join(root, 'etc/turnout/secret-key.env'), 'utf8')
  const command = (args: string[]): Launch => inRoot(root, ['turnout', ...args])
  const life = await liveThrough({ serve: () => serviceOf(root), command, upgrade: () => installDeb(next) })
  assert.match(readFileSync(settingsFile, 'utf8'), /^SITE_URL=http/m)
  assert.equal(readFileSync(join(root, 'etc/turnout/secret-key.env'), 'utf8'), secretKey)
  dpkg(['--remove', 'turnout'])
  assert.ok(existsSync(settingsFile) && existsSync(join(root, 'var/lib/turnout/postgres')))
  dpkg(['--purge', 'turnout'])
  const left = ['etc/turnout', 'usr/lib/turnout', 'usr/bin/turnout', 'var/lib/turnout', 'var/cache/turnout'].filter((path) =>
    existsSync(join(root, path)),
  )
  assert.deepEqual([...left, ...globSync('{etc,lib,usr/lib}/systemd/**/turnout.service', { cwd: root })], [])
  const removed = 'remove keeps data; purge: nothing left'
  return { artifact: 'Debian package', size: megabytes(statSync(deb).size), install, ...life, removed }
}

const STORE = ['--root', inFolder('store'), '--runroot', inFolder('store-run'), '--storage-driver', 'vfs']
const podman = (args: string[]): Launch => ({ program: 'podman', args: [...STORE, '--runtime', 'runc', ...args] })

/** What the Dockerfile expects of its base image: Node, npm and a user, on Debian. */
function makeBaseImage(): void {
  const root = makeRoot('base-image')
  const local = join(root, 'usr/local')
  cpSync(process.execPath, join(local, 'bin/node'))
  const [npm] = execute('sh', ['-c', 'readlink -f "$(command -v npm)"'], { env: ENVIRONMENT }).split('\n') as [string]
  cpSync(dirname(dirname(npm)), join(local, 'lib/node_modules/npm'), { recursive: true })
  execute('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm')])
  execute('chroot', [root, 'useradd', '--create-home', '--uid', '1000', 'node'])
  const certificates = '/etc/ssl/certs/ca-certificates.crt'
  if (existsSync(certificates)) {
    cpSync(certificates, join(root, certificates))
    mkdirSync(join(local, 'etc'), { recursive: true })
    writeFileSync(join(local, 'etc/npmrc'), `cafile=${certificates}\n`)
  }
  execute('tar', ['-cf', inFolder('base-image.tar'), '-C', root, '.'])
  execute('podman', [...STORE, 'import', inFolder('base-image.tar'), 'localhost/turnout-base'])
}

async function checkImage(): Promise<Row> {
  makeBaseImage()
  step('buildah build')
  const build = [
    'bud',
    '--isolation',
    'chroot',
    '--format',
    'docker',
    '--pull-never',
    '--build-arg',
    'BASE=localhost/turnout-base',
  ]
  const install = timed(() => execute('buildah', [...STORE, ...build, '--tag', 'localhost/turnout', ROOT]))
  const [size] = execute('podman', [...STORE, 'image', 'inspect', '--format', '{{.Size}}', 'localhost/turnout']).split('\n')
  // As compose.yaml runs it, but in the network of the machine.
  const variables = { ...SETTINGS, LISTEN_HOST: '127.0.0.1' }
  const hardened = ['--read-only', '--tmpfs=/tmp', '--shm-size=256m', '--cap-drop=ALL', '--security-opt=no-new-privileges']
  const volumes = ['--volume=data:/data', '--volume=backups:/backups']
  const limits = ['--ulimit=nofile=10000:10000', '--ulimit=nproc=4096:4096', '--no-healthcheck', '--network=host']
  const environment = Object.entries(variables).map(([name, value]) => `--env=${name}=${value}`)
  step('podman run')
  const life = await liveThrough({
    serve: () =>
      podman(['run', '--rm', '--name=turnout', ...hardened, ...volumes, ...limits, ...environment, 'localhost/turnout']),
    command: (args) => podman(['exec', 'turnout', 'node', '/app/src/cli.ts', ...args]),
    upgrade: () => {}, // The container is removed when it stops; the next one gets its volumes.
  })
  const upgrade = 'new container, data kept'
  return {
    artifact: 'image',
    size: megabytes(Number(size)),
    install: `${install} (build)`,
    ...life,
    upgrade,
    removed: 'volumes stay',
  }
}

const rows: Row[] = []
try {
  const chosen = new Set(values.only.split(','))
  const tarball = ['npm', 'npx', 'deb', 'machine'].some((name) => chosen.has(name)) ? pack() : ''
  const checks: Record<string, () => Promise<Row>> = {
    npm: () => checkNpm(tarball),
    npx: () => checkNpx(tarball),
    deb: () => checkDeb(tarball),
    image: checkImage,
  }
  for (const [name, check] of Object.entries(checks)) {
    if (!chosen.has(name)) continue
    try {
      rows.push(await check())
    } catch (error) {
      console.error(`${name} failed:`, error)
      process.exitCode = 1
    }
  }
  if (chosen.has('machine')) console.log(await checkMachine({ root: makeRoot('machine'), inRoot }, buildDebs(tarball)))
  if (chosen.has('proxies')) console.table(await checkProxies(folder))
} finally {
  await endAll()
  rmSync(folder, { recursive: true, force: true })
}
if (rows.length) console.table(Object.fromEntries(rows.map(({ artifact, ...row }) => [artifact, row])))
