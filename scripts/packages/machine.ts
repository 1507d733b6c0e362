// The operators' chapter of the handbook, line by line, on a fresh Debian with systemd in a container, and nginx in front.
import assert from 'node:assert/strict'
import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Launch, launch, ROOT, until } from '#test/support/process/processes.ts'
import { execute } from '../execute.ts'

const CHAPTER = 'handbook/de/operating.md'
const HOST = 'plan.example.org'
const ORIGIN = `https://${HOST}`
/** What a server has before anybody reads the chapter. */
const SYSTEM = ['systemd', 'systemd-sysv', 'dbus', 'ca-certificates', 'curl', 'openssl']
/** Into the cache of packages, because the machine has no network: nobody else can reach what it serves. */
const INSTALLED_LATER = ['nginx', 'certbot']
const SETTINGS = '/etc/turnout/turnout.env'
const TLS = `/etc/letsencrypt/live/${HOST}`

type Debian = { root: string; inRoot: (root: string, args: string[]) => Launch }
type Debs = { deb: string; next: string }

/** The lines of the blocks of code, in their order. */
const readBlocks = (): string[][] =>
  [...readFileSync(join(ROOT, CHAPTER), 'utf8').matchAll(/^```\n([\s\S]*?)^```$/gm)].map(([, text]) => text!.trim().split('\n'))

function prepare({ root, inRoot }: Debian, { deb, next }: Debs): void {
  const apt = (args: string[]) => {
    const { program, args: all } = inRoot(root, ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args])
    execute(program!, all)
  }
  cpSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'), { dereference: true })
  apt(['update'])
  apt(['install', '--yes', '--no-install-recommends', ...SYSTEM])
  apt(['install', '--yes', '--download-only', ...INSTALLED_LATER])
  for (const path of [deb, next]) cpSync(path, join(root, 'root', basename(path)))
  appendFileSync(join(root, 'etc/hosts'), `127.0.0.1 localhost ${HOST}\n`)
}

/** A shell of root in the machine, in its home. */
async function boot(root: string): Promise<(line: string) => string> {
  const args = ['--directory', root, '--register=no', '--keep-unit', '--private-network', '--boot', '--console=pipe']
  const { pid } = launch({ program: 'systemd-nspawn', args })
  let init = ''
  await until('systemd runs', () => {
    init = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
    return init !== ''
  })
  const enter = ['--target', init, '--mount', '--uts', '--ipc', '--net', '--pid', '--wdns=/root']
  const environment = ['env', '-i', `PATH=${process.env.PATH}:/usr/sbin:/sbin`, 'HOME=/root', 'DEBIAN_FRONTEND=noninteractive']
  const shell = (line: string) => execute('nsenter', [...enter, ...environment, 'sh', '-c', line])
  await until('the machine is up', () => /running|degraded/.test(shell('systemctl is-system-running || true')), 500)
  return shell
}

/** What an editor or the authority of certificates would do; everything else runs as it is written. */
function perform(shell: (line: string) => string, line: string, { settings, debs }: { settings: string[]; debs: Debs }): void {
  if (line === `nano ${SETTINGS}`) shell(`cat >> ${SETTINGS} <<'END'\n${settings.join('\n')}\nEND`)
  else if (line.startsWith('nano ')) assert.match(shell(`cat ${line.slice(5)}`), new RegExp(HOST))
  else if (line.startsWith('certbot '))
    shell(`mkdir -p ${TLS} && openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=${HOST} -addext subjectAltName=DNS:${HOST} \
      -keyout ${TLS}/privkey.pem -out ${TLS}/fullchain.pem && cp ${TLS}/fullchain.pem /usr/local/share/ca-certificates/own.crt && update-ca-certificates`)
  else if (line.startsWith('apt install '))
    shell(
      line
        .replace('apt install', 'apt-get install --yes')
        .replace(/turnout_[\d.]+_amd64\.deb/, basename(debs.deb))
        .replace('turnout_….deb', basename(debs.next)),
    )
  else shell(line)
}

export async function checkMachine(debian: Debian, debs: Debs): Promise<string> {
  prepare(debian, debs)
  const shell = await boot(debian.root)
  const blocks = readBlocks()
  const settings = blocks.filter(([line]) => /^[A-Z_]+=/.test(line!)).flat()
  const commands = blocks.filter(([line]) => /^[a-z]/.test(line!)).flat()
  const rules = blocks.find(([line]) => line === '[Service]')!
  assert.ok(settings.length >= 2 && commands.length >= 10 && rules.length === 2, JSON.stringify(blocks))
  const isReady = () => shell(`curl --silent --output /dev/null --write-out '%{http_code}' ${ORIGIN}/readyz || true`) === '200'
  for (const line of commands) {
    console.log(line)
    if (line.startsWith('turnout backup ')) await putBackupsElsewhere(debian.root, shell, { rules, isReady })
    if (line.startsWith('journalctl ')) {
      await until('the link is in the log', () => shell(`${line} || true`).includes('/first-administrator/'), 500)
      await until('nginx leads to it', isReady, 500)
      const [link] = new RegExp(`${ORIGIN}/accounts/first-administrator/\\w+/`).exec(shell(line))!
      assert.match(shell(`curl --silent --fail ${link}`), /name="password_again"/)
    } else perform(shell, line, { settings, debs })
  }
  await until('the new version answers', isReady, 500)
  const [, version] = /_(.+)_/.exec(basename(debs.next))!
  assert.equal(shell('turnout --version').trim(), version)
  assert.equal(shell('systemctl is-enabled turnout').trim(), 'enabled')
  return `${commands.length} commands, upgraded to ${version}`
}

type Machine = { rules: readonly string[]; isReady: () => boolean }

/** As the chapter says for another disk; `doctor` then reports only what a fresh instance lacks. */
async function putBackupsElsewhere(root: string, shell: (line: string) => string, { rules, isReady }: Machine): Promise<void> {
  const [, folder] = /=(.+)$/.exec(rules[1]!)!
  const unit = join(root, 'etc/systemd/system/turnout.service.d/override.conf')
  mkdirSync(dirname(unit), { recursive: true })
  writeFileSync(unit, `${rules.join('\n')}\n`)
  shell(`install -d -o turnout -m 0700 ${folder} && echo BACKUP_DIR=${folder} >> ${SETTINGS}`)
  shell('systemctl daemon-reload && systemctl restart turnout')
  await until('it is ready again', isReady, 500)
  const [, main] = /=(\d+)/.exec(shell('systemctl show --property MainPID turnout'))!
  shell(`nsenter --target ${main} --mount setpriv --reuid=turnout --regid=turnout --clear-groups touch ${folder}/written`)
  const found = shell('turnout doctor 2>&1 || true')
  assert.match(found, /MAIL_URL is not set/)
  assert.equal(found.split('\n').filter((line) => line.startsWith('found: ')).length, 3, found)
}
