import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { textField } from '#platform/ui/fields.ts'
import { filterFormView, linkButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import { type HeadCount, headCount } from '../rules/head-count.ts'
import type { BuildingBlock } from '../schema.ts'
import { peopleText } from './outline.ts'

export const BLOCKS = '/manage/blocks/'
export const blockPath = (id: number, what = ''): string => `${BLOCKS}${id}/${what && `${what}/`}`
export const newBlockPath = (kind: 'atomic' | 'composite', subBlockId?: number): string =>
  `${BLOCKS}new/?kind=${kind}${subBlockId === undefined ? '' : `&sub=${subBlockId}`}`

type BlockListData = {
  words: Words
  /** All blocks, because the head count depends on sub blocks. */
  blocks: ReadonlyMap<number, BuildingBlock>
  shifts: ReadonlyMap<number, number>
  search: string
}

export function blockListView({ words, blocks, shifts, search }: BlockListData): Html {
  const add = (kind: 'atomic' | 'composite') =>
    linkButtonView({
      href: newBlockPath(kind),
      label: words.t(`block.new_${kind}`),
      icon: 'plus',
      kind: kind === 'atomic' ? 'primary' : 'secondary',
    })
  const head = (actions: Html[]) => pageHeadView({ title: words.t('block.list'), facts: words.t('block.intro'), actions })
  if (!blocks.size) return html`${head([])}${emptyView({ icon: 'blocks', text: words.t('block.empty'), action: add('atomic') })}`
  const wanted = search.toLocaleLowerCase()
  const collator = new Intl.Collator(words.language)
  const rows = [...blocks.values()]
    .filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
    .sort((a, b) => collator.compare(a.name, b.name) || a.id - b.id)
  const filter = filterFormView({
    action: BLOCKS,
    submit: words.t('ui.search'),
    fields: textField({ words, type: 'search', name: 'search', value: search, label: words.t('block.search') }),
    reset: search ? { href: BLOCKS, label: words.t('block.show_all') } : undefined,
  })
  const found = rows.length
    ? tableOf(words, rows, blocks, shifts)
    : emptyView({ icon: 'search-x', text: words.t('block.nothing_found', { search }) })
  return html`${head([add('composite'), add('atomic')])}${filter}${found}`
}

function tableOf(
  words: Words,
  rows: readonly BuildingBlock[],
  blocks: ReadonlyMap<number, BuildingBlock>,
  shifts: ReadonlyMap<number, number>,
): Html {
  const known = new Map<number, HeadCount>()
  const outerOf = new Map<number, string[]>()
  for (const { name, compositions } of blocks.values())
    for (const inner of new Set(compositions.map(({ subBlockId }) => subBlockId)))
      outerOf.set(inner, [...(outerOf.get(inner) ?? []), name])
  const usedText = (id: number) => {
    const outer = outerOf.get(id)
    const count = shifts.get(id) ?? 0
    const parts = [
      ...(count ? [words.t('block.used_shifts', { count })] : []),
      ...(outer ? [words.t('block.used_in', { list: words.list(outer) })] : []),
    ]
    return parts.join(' · ') || words.t('block.used_nowhere')
  }
  return tableView<BuildingBlock>({
    caption: words.t('block.list'),
    rows,
    columns: [
      { label: words.t('block.name'), main: true, cell: ({ id, name }) => html`<a href="${blockPath(id)}">${name}</a>` },
      { label: words.t('block.kind'), cell: ({ blockType }) => words.t(`block.${blockType}`) },
      { label: words.t('block.used'), cell: ({ id }) => usedText(id) },
      { label: words.t('block.people'), cell: (block) => peopleText(words, headCount(block, blocks, known)), numeric: true },
    ],
  })
}
