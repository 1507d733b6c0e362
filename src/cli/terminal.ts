/** Words on a terminal: plain when the output is a file, in CI, or when somebody asked for it. */
export type Terminal = {
  bold: (text: string) => string
  dim: (text: string) => string
  accent: (text: string) => string
  print: (line: string) => void
  progress: (what: string) => (done: number, total: number) => void
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
    progress: (what) => (plain ? plainProgress(what, stream) : liveProgress(what, stream)),
  }
}

/** A line for every tenth. */
function plainProgress(what: string, stream: Stream): (done: number, total: number) => void {
  let told = -1
  return (done, total) => {
    const tenth = total ? Math.floor((10 * done) / total) : 10
    if (tenth === told) return
    told = tenth
    stream.write(`${what}: ${tenth * 10} %\n`)
  }
}

function liveProgress(what: string, stream: Stream): (done: number, total: number) => void {
  const width = 30
  return (done, total) => {
    const share = total ? Math.min(1, done / total) : 1
    const bar = '█'.repeat(Math.round(share * width)).padEnd(width, '░')
    stream.write(`\r${what} ${bar} ${String(Math.round(share * 100)).padStart(3)} %${share === 1 ? '\n' : ''}`)
  }
}

/** Columns as wide as their widest cell. */
export function tableOf(rows: string[][]): string[] {
  const widths = rows.reduce<number[]>((most, row) => row.map((cell, i) => Math.max(most[i] ?? 0, cell.length)), [])
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('   ')
      .trimEnd(),
  )
}
