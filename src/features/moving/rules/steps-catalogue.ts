import { type Book, clean, cut, numbersIn, type SourceRow, type Step, type Target, text, uuidOf } from './book.ts'
import { Circles } from './circles.ts'
import { linked } from './steps-people.ts'

/** Qualifications, event types and building blocks: what events are made of. */
export function qualificationSteps(): Step[] {
  const circles = new Circles()
  return [
    {
      source: 'qualificationcategory',
      take: (row, book) => {
        book.add('qualificationcategory', row.id as number)
        const values = {
          id: row.id!,
          uuid: uuidOf(book, 'qualificationcategory', row),
          title: titleOf(row, book, 'qualificationcategory'),
          show_with_user: row.show_with_user === true,
        }
        return [{ table: 'qualification_category', values }]
      },
    },
    {
      source: 'qualification',
      take: (row, book) => {
        if (!linked(book, 'qualification', row, [['qualificationcategory', row.category_id]])) return []
        book.add('qualification', row.id as number)
        const values = {
          id: row.id!,
          uuid: uuidOf(book, 'qualification', row),
          title: titleOf(row, book, 'qualification'),
          category_id: row.category_id!,
          abbreviation: cut(clean(row.abbreviation), 254),
          is_imported: row.is_imported === true,
        }
        return [{ table: 'qualification', values }]
      },
    },
    {
      source: 'qualification_includes',
      take: (row, book) => {
        const { from_qualification_id: from, to_qualification_id: to } = row
        const isThere = linked(book, 'qualification_includes', row, [
          ['qualification', from],
          ['qualification', to],
        ])
        if (!isThere || !book.isNew('qualification_includes', row, text(from), text(to))) return []
        if (!circles.join(from as number, to as number)) {
          book.leftOut('qualification_includes', row.id, `qualification ${from} would include itself through ${to}`)
          return []
        }
        return [{ table: 'qualification_inclusion', values: { qualification_id: from!, included_id: to! } }]
      },
    },
  ]
}

export function titleOf(row: SourceRow, book: Book, table: string, column = 'title', most = 254): string {
  const title = cut(clean(row[column]), most)
  if (title) return title
  book.repaired(table, row.id, 'had no title; it got its number')
  return `No. ${row.id}`
}

const MODES = new Set([0, 1, 2, 3])
const PREFERENCES: Record<string, (row: SourceRow, book: Book) => Target[]> = {
  visible_for: (row, book) => groupsOf(row, book, 'audience'),
  responsible_groups: (row, book) => groupsOf(row, book, 'responsible'),
  responsible_users: (row, book) =>
    present(row, book, 'userprofile').map((user_id) => ({
      table: 'event_type_default_user',
      values: { event_type_id: row.instance_id!, user_id },
    })),
  general_required_qualifications: (row, book) =>
    present(row, book, 'qualification').map((qualification_id) => ({
      table: 'event_type_required_qualification',
      values: { event_type_id: row.instance_id!, qualification_id },
    })),
}

const groupsOf = (row: SourceRow, book: Book, role: string): Target[] =>
  present(row, book, 'auth_group').map((group_id) => ({
    table: 'event_type_default_group',
    values: { event_type_id: row.instance_id!, group_id, role },
  }))

function present(row: SourceRow, book: Book, table: string): number[] {
  const [known, gone] = [
    numbersIn(row.raw_value).filter((id) => book.has(table, id)),
    numbersIn(row.raw_value).filter((id) => !book.has(table, id)),
  ]
  if (gone.length) book.repaired('eventtypepreference', row.id, `named ${table} ${gone.join(', ')}, which is not there`)
  return known
}

/** `restricted`: types whose events are not for all groups unless somebody says so. */
export function eventTypeSteps(restricted: ReadonlySet<number>): Step[] {
  return [
    {
      source: 'eventtype',
      take: (row, book) => {
        const isColour = /^#[0-9a-f]{6}$/i.test(text(row.color))
        const isMode = MODES.has(row.show_participant_data as number)
        if (!isColour) book.repaired('eventtype', row.id, 'had no colour that can be shown; it became grey')
        if (!isMode) book.repaired('eventtype', row.id, 'did not say who sees participants; it became responsibles only')
        book.add('eventtype', row.id as number)
        const values = {
          id: row.id!,
          title: titleOf(row, book, 'eventtype'),
          color: isColour ? row.color! : '#343a40',
          show_participant_data: isMode ? row.show_participant_data! : 2,
          default_description: row.default_description === null ? null : clean(row.default_description),
          visible_for_all_groups: !restricted.has(row.id as number),
        }
        return [{ table: 'event_type', values }]
      },
    },
    {
      source: 'eventtypepreference',
      take: (row, book) => {
        if (!linked(book, 'eventtypepreference', row, [['eventtype', row.instance_id]])) return []
        const take = PREFERENCES[text(row.name)]
        if (!take) book.leftOut('eventtypepreference', row.id, `${row.name}: a preference that has no place here yet`)
        return take?.(row, book) ?? []
      },
    },
  ]
}

export function blockSteps(): Step[] {
  const circles = new Circles()
  const types = new Map<number, string>()
  const qualified = (source: string, target: string, own: string, table: string, column: string): Step => ({
    source,
    take: (row, book) => {
      const isThere = linked(book, source, row, [
        [own, row[column]],
        ['qualification', row.qualification_id],
      ])
      if (!isThere || !book.isNew(source, row, text(row[column]), text(row.qualification_id))) return []
      return [{ table: target, values: { [table]: row[column]!, qualification_id: row.qualification_id! } }]
    },
  })
  const isOf = (book: Book, source: string, row: SourceRow, block: SourceRow[string] | undefined, type: string): boolean => {
    if (types.get(block as number) === type) return true
    book.leftOut(source, row.id, `belongs to block ${block}, which is not ${type}`)
    return false
  }
  return [
    {
      source: 'complexsignup_buildingblock',
      take: (row, book) => {
        const type = row.block_type === 'composite' ? 'composite' : 'atomic'
        if (type !== row.block_type)
          book.repaired('complexsignup_buildingblock', row.id, `was of type ${row.block_type}; it became atomic`)
        types.set(row.id as number, type)
        book.add('complexsignup_buildingblock', row.id as number)
        const values = {
          id: row.id!,
          uuid: uuidOf(book, 'complexsignup_buildingblock', row),
          name: titleOf(row, book, 'complexsignup_buildingblock', 'name', 255),
          block_type: type,
          allow_more: row.allow_more === true,
        }
        return [{ table: 'building_block', values }]
      },
    },
    {
      source: 'complexsignup_position',
      take: (row, book) => {
        const source = 'complexsignup_position'
        if (!linked(book, source, row, [['complexsignup_buildingblock', row.block_id]])) return []
        if (!isOf(book, source, row, row.block_id, 'atomic')) return []
        book.add(source, row.id as number)
        const values = {
          id: row.id!,
          block_id: row.block_id!,
          label: cut(clean(row.label), 255),
          optional: row.optional === true,
        }
        return [{ table: 'block_position', values }]
      },
    },
    qualified(
      'complexsignup_position_qualifications',
      'block_position_qualification',
      'complexsignup_position',
      'position_id',
      'position_id',
    ),
    {
      source: 'complexsignup_blockcomposition',
      take: (row, book) => {
        const source = 'complexsignup_blockcomposition'
        const { composite_block_id: block, sub_block_id: sub } = row
        const isThere = linked(book, source, row, [
          ['complexsignup_buildingblock', block],
          ['complexsignup_buildingblock', sub],
        ])
        if (!isThere || !isOf(book, source, row, block, 'composite')) return []
        if (!circles.join(block as number, sub as number)) {
          book.leftOut(source, row.id, `block ${block} would contain itself through ${sub}`)
          return []
        }
        const values = {
          id: row.id!,
          block_id: block!,
          sub_block_id: sub!,
          label: cut(clean(row.label), 255),
          optional: row.optional === true,
        }
        return [{ table: 'block_composition', values }]
      },
    },
    {
      source: 'complexsignup_blockqualificationrequirement',
      take: (row, book) => {
        const source = 'complexsignup_blockqualificationrequirement'
        if (!linked(book, source, row, [['complexsignup_buildingblock', row.block_id]])) return []
        book.add(source, row.id as number)
        const values = {
          id: row.id!,
          block_id: row.block_id!,
          everyone: row.everyone === true,
          at_least: Math.max(0, Number(row.at_least ?? 0)),
        }
        return [{ table: 'block_requirement', values }]
      },
    },
    qualified(
      'complexsignup_blockqualificationrequirement_qualifications',
      'block_requirement_qualification',
      'complexsignup_blockqualificationrequirement',
      'requirement_id',
      'blockqualificationrequirement_id',
    ),
  ]
}
