import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { CHART, type ChartColumn, layOutChart } from '../rules/chart.ts'

type ChartData = {
  words: Words
  /** Unique on the page. */
  id: string
  title: string
  series: readonly string[]
  /** With the name of the month, and a short one for the axis. */
  columns: readonly (ChartColumn & { name: string })[]
}

/** Stacked bars, the first series at the bottom. Every second series is hatched, so that colours are not needed to tell them apart. */
export function chartView({ words, id, title, series, columns }: ChartData): Html {
  const { bars, lines, labels } = layOutChart(columns)
  const { width, height, left, right } = CHART
  const classOf = (part: number) => `chart-bar chart-${part + 1}`
  const fillOf = (part: number) => (part % 2 === 1 ? `url(#${id}-${part})` : undefined)
  return html`<figure class="chart"><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${words.t('reports.chart', { name: title })}">
<defs>${series.map((_, part) => part % 2 === 1 && html`<pattern id="${id}-${part}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="chart-ground chart-${part + 1}" width="6" height="6"/><rect class="chart-hatch" width="2" height="6"/></pattern>`)}</defs>
${lines.map(({ y, value }) => html`<line class="chart-line" x1="${left}" x2="${width - right}" y1="${y}" y2="${y}"/><text class="chart-text" x="${left - 4}" y="${y + 4}" text-anchor="end">${words.number(value)}</text>`)}
${bars.map(
  ({ column, part, x, y, width, height }) =>
    html`<rect class="${classOf(part)}" ${attrs({ fill: fillOf(part) })} x="${x}" y="${y}" width="${width}" height="${height}"><title>${words.t('reports.bar', { month: columns[column]!.name, name: series[part]!, value: words.number(columns[column]!.parts[part]!) })}</title></rect>`,
)}
${labels.map(({ x, label }) => html`<text class="chart-text" x="${x}" y="${height - 5}" text-anchor="middle">${label}</text>`)}</svg>
${
  series.length > 1 &&
  html`<figcaption class="chart-legend">${series.map(
    (name, part) =>
      html`<span><svg width="14" height="14" aria-hidden="true"><rect class="${classOf(part)}" ${attrs({ fill: fillOf(part) })} width="14" height="14" rx="2"/></svg>${name}</span>`,
  )}</figcaption>`
}</figure>`
}
