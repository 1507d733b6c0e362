import { systemClock } from '#platform/clock.ts'

/** Terminal output: without colours if it is no terminal, in CI, or with NO_COLOR. */
export type Terminal = {
  bold: (text: string) => string
  dim: (text: string) => string
  accent: (text: string) => string
  print: (line: string) => void
  /** For processes that run on: under a service a JSON line, as the log writes them. */
  report: (line: string) => void
  /** The last words of such a process, one line for each reason; the stack of a bug belongs to its line. */
  reportFailure: (text: string) => void
  progress: (label: string) => (done: number, total: number) => void
  /** A line can be written again: it shows how far something is. */
  isLive: boolean
}

type Stream = { isTTY?: boolean; write: (text: string) => unknown }

export function makeTerminal(env: Record<string, string | undefined>, stream: Stream): Terminal {
  const plain = Boolean(env.CI || env.NO_COLOR !== undefined || !stream.isTTY)
  const paint = (code: number) => (text: string) => (plain ? text : `\u001b[${code}m${text}\u001b[0m`)
  return {
    bold: paint(1),
    dim: paint(2),
    accent: paint(36),
    print: (line) => void stream.write(`${line}\n`),
    report: (line) => void stream.write(`${stream.isTTY ? line : logLine(line, INFO_LEVEL)}\n`),
    reportFailure: (text) =>
      void stream.write(
        `${
          stream.isTTY
            ? text
            : text
                .split(/\n(?! )/)
                .map((line) => logLine(line, FATAL_LEVEL))
                .join('\n')
        }\n`,
      ),
    isLive: !plain,
    progress: (label) => (plain ? plainProgress(label, stream) : liveProgress(label, stream)),
  }
}

const INFO_LEVEL = 30
const FATAL_LEVEL = 60

const logLine = (line: string, level: number): string =>
  JSON.stringify({ level, time: systemClock.now().getTime(), msg: line.trim() })

/** One line per 10 %. */
function plainProgress(label: string, stream: Stream): (done: number, total: number) => void {
  let printed = -1
  return (done, total) => {
    const tenth = total ? Math.floor((10 * done) / total) : 10
    if (tenth === printed) return
    printed = tenth
    stream.write(`${label}: ${tenth * 10} %\n`)
  }
}

function liveProgress(label: string, stream: Stream): (done: number, total: number) => void {
  const width = 30
  return (done, total) => {
    const share = total ? Math.min(1, done / total) : 1
    const bar = '█'.repeat(Math.round(share * width)).padEnd(width, '░')
    stream.write(`\r${label} ${bar} ${String(Math.round(share * 100)).padStart(3)} %${share === 1 ? '\n' : ''}`)
  }
}

/** For the migrations of a start: one line that is written again, where that is possible. */
export const migrationProgress = ({ isLive, progress }: Terminal): ReturnType<Terminal['progress']> | undefined =>
  isLive ? progress('Preparing the database') : undefined

/** Aligns columns. */
export function formatTable(rows: string[][]): string[] {
  const widths = rows.reduce<number[]>((most, row) => row.map((cell, i) => Math.max(most[i] ?? 0, cell.length)), [])
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('   ')
      .trimEnd(),
  )
}
