import { attrs, type Child, type Html, html } from '#platform/html/html.ts'

export type Column<Row> = {
  label: string
  cell: (row: Row) => Child
  /** Numbers and times align at their end. */
  numeric?: boolean
  /** The column that names the row; becomes the title of its card on phones. Default: the first. */
  main?: boolean
  /** Buttons and links; the heading is for screen readers only. */
  actions?: boolean
}

/** A list of cards on phones, where each cell shows the heading of its column. */
export function tableView<Row>({
  caption,
  columns,
  rows,
  rowId,
  below,
  showCaption,
}: {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** For rows whose buttons act in place: they keep their place after the action. */
  rowId?: (row: Row) => string
  /** What belongs to a row and needs the whole width. */
  below?: (row: Row) => Html | false
  showCaption?: boolean
}): Html {
  const main = Math.max(
    columns.findIndex((column) => column.main),
    0,
  )
  const belowView = (row: Row) => {
    const content = below?.(row)
    return content && html`<tr class="below"><td colspan="${columns.length}">${content}</td></tr>`
  }
  const classOf = (column: Column<Row>) => (column.actions ? 'actions' : column.numeric ? 'numeric' : undefined)
  return html`<table class="table"><caption ${attrs({ class: !showCaption && 'sr-only' })}>${caption}</caption>
<thead><tr>${columns.map(
    (column) =>
      html`<th scope="col" ${attrs({ class: classOf(column) })}>${column.actions ? html`<span class="sr-only">${column.label}</span>` : column.label}</th>`,
  )}</tr></thead>
<tbody>${rows.map(
    (row) =>
      html`<tr ${attrs({ id: rowId?.(row), 'data-row': rowId !== undefined })}>${columns.map((column, index) =>
        index === main
          ? html`<th scope="row">${column.cell(row)}</th>`
          : html`<td ${attrs({ class: classOf(column), 'data-label': column.actions ? undefined : column.label })}>${column.cell(row)}</td>`,
      )}</tr>${belowView(row)}`,
  )}</tbody></table>`
}
