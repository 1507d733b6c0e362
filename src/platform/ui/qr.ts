import qrcode from 'qrcode-generator'
import { type Html, html } from '#platform/html/html.ts'

/** Quiet zone around the code, in modules (ISO/IEC 18004). */
const MARGIN = 4

/** One path, black on white in both colour schemes, so that cameras can read it. */
export function qrView({ text, title }: { text: string; title: string }): Html {
  const code = qrcode(0, 'L')
  code.addData(text)
  code.make()
  const count = code.getModuleCount()
  const size = count + 2 * MARGIN
  const rows = Array.from({ length: count }, (_, row) => rowPath(count, row, (column) => code.isDark(row, column)))
  return html`<svg class="qr" role="img" focusable="false" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><title>${title}</title><rect width="${size}" height="${size}" fill="#ffffff"/><path fill="#000000" d="${rows.join('')}"/></svg>`
}

/** Adjacent dark modules become one stroke. */
function rowPath(count: number, row: number, isDark: (column: number) => boolean): string {
  let path = ''
  for (let column = 0; column < count; column++) {
    if (!isDark(column)) continue
    const from = column
    while (column + 1 < count && isDark(column + 1)) column++
    path += `M${from + MARGIN} ${row + MARGIN}h${column - from + 1}v1H${from + MARGIN}z`
  }
  return path
}
