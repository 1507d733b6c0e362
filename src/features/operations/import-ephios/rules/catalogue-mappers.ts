import { AcyclicGraph } from './acyclic-graph.ts'
import { type ImportContext, makeUuid, type TableMapper, type Target } from './import-context.ts'
import { clean, cut, parseIds, type SourceRow, text } from './values.ts'

export function makeQualificationMappers(): TableMapper[] {
  const graph = new AcyclicGraph()
  return [
    {
      source: 'qualificationcategory',
      map: (row, context) => {
        context.add('qualificationcategory', row.id as number)
        const values = {
          id: row.id!,
          uuid: makeUuid(context, 'qualificationcategory', row),
          title: makeTitle(row, context, 'qualificationcategory'),
          show_with_user: row.show_with_user === true,
        }
        return [{ table: 'qualification_category', values }]
      },
    },
    {
      source: 'qualification',
      map: (row, context) => {
        if (!context.hasReferences('qualification', row, [['qualificationcategory', row.category_id]])) return []
        context.add('qualification', row.id as number)
        const values = {
          id: row.id!,
          uuid: makeUuid(context, 'qualification', row),
          title: makeTitle(row, context, 'qualification'),
          category_id: row.category_id!,
          abbreviation: cut(clean(row.abbreviation), 254),
          is_imported: row.is_imported === true,
        }
        return [{ table: 'qualification', values }]
      },
    },
    {
      source: 'qualification_includes',
      map: (row, context) => {
        const { from_qualification_id: from, to_qualification_id: to } = row
        const isComplete = context.hasReferences('qualification_includes', row, [
          ['qualification', from],
          ['qualification', to],
        ])
        if (!isComplete || !context.isUnique('qualification_includes', row, text(from), text(to))) return []
        if (!graph.addEdge(from as number, to as number)) {
          context.noteSkipped('qualification_includes', row.id, `qualification ${from} would include itself through ${to}`)
          return []
        }
        return [{ table: 'qualification_inclusion', values: { qualification_id: from!, included_id: to! } }]
      },
    },
  ]
}

export function makeTitle(row: SourceRow, context: ImportContext, table: string, column = 'title', maxLength = 254): string {
  const title = cut(clean(row[column]), maxLength)
  if (title) return title
  const replacement = `No. ${row.id}`
  context.noteRepaired(table, row.id, `empty ${column} replaced by “${replacement}”`)
  return replacement
}

const VISIBILITIES = new Set([0, 1, 2, 3])
const PREFERENCES: Record<string, (row: SourceRow, context: ImportContext) => Target[]> = {
  visible_for: (row, context) => mapGroups(row, context, 'audience'),
  responsible_groups: (row, context) => mapGroups(row, context, 'responsible'),
  responsible_users: (row, context) =>
    parseReferences(row, context, 'userprofile').map((user_id) => ({
      table: 'event_type_default_user',
      values: { event_type_id: row.instance_id!, user_id },
    })),
  general_required_qualifications: (row, context) =>
    parseReferences(row, context, 'qualification').map((qualification_id) => ({
      table: 'event_type_required_qualification',
      values: { event_type_id: row.instance_id!, qualification_id },
    })),
}

const mapGroups = (row: SourceRow, context: ImportContext, role: string): Target[] =>
  parseReferences(row, context, 'auth_group').map((group_id) => ({
    table: 'event_type_default_group',
    values: { event_type_id: row.instance_id!, group_id, role },
  }))

function parseReferences(row: SourceRow, context: ImportContext, table: string): number[] {
  const [known, gone] = [
    parseIds(row.raw_value).filter((id) => context.has(table, id)),
    parseIds(row.raw_value).filter((id) => !context.has(table, id)),
  ]
  if (gone.length)
    context.noteRepaired('eventtypepreference', row.id, `refers to ${table} ${gone.join(', ')}, which does not exist`)
  return known
}

/** `restricted`: event types that are not visible for all groups. */
export function makeEventTypeMappers(restricted: ReadonlySet<number>): TableMapper[] {
  return [
    {
      source: 'eventtype',
      map: (row, context) => {
        const isColour = /^#[0-9a-f]{6}$/i.test(text(row.color))
        const isVisibility = VISIBILITIES.has(row.show_participant_data as number)
        if (!isColour) context.noteRepaired('eventtype', row.id, 'invalid colour replaced by grey')
        if (!isVisibility)
          context.noteRepaired('eventtype', row.id, 'invalid visibility of participants replaced by “responsibles only”')
        context.add('eventtype', row.id as number)
        const values = {
          id: row.id!,
          title: makeTitle(row, context, 'eventtype'),
          color: isColour ? row.color! : '#343a40',
          show_participant_data: isVisibility ? row.show_participant_data! : 2,
          default_description: row.default_description === null ? null : clean(row.default_description),
          visible_for_all_groups: !restricted.has(row.id as number),
        }
        return [{ table: 'event_type', values }]
      },
    },
    {
      source: 'eventtypepreference',
      map: (row, context) => {
        if (!context.hasReferences('eventtypepreference', row, [['eventtype', row.instance_id]])) return []
        const mapPreference = PREFERENCES[text(row.name)]
        if (!mapPreference) context.noteSkipped('eventtypepreference', row.id, `preference ${row.name} belongs to an extension`)
        return mapPreference?.(row, context) ?? []
      },
    },
  ]
}

/** The type of each block, by its id. */
type BlockTypes = Map<number, string>

export function makeBlockMappers(): TableMapper[] {
  const types: BlockTypes = new Map()
  return [
    makeBlockMapper(types),
    makePositionMapper(types),
    makeQualificationMapper(
      'complexsignup_position_qualifications',
      'block_position_qualification',
      'complexsignup_position',
      'position_id',
      'position_id',
    ),
    makeCompositionMapper(types, new AcyclicGraph()),
    REQUIREMENT_MAPPER,
    makeQualificationMapper(
      'complexsignup_blockqualificationrequirement_qualifications',
      'block_requirement_qualification',
      'complexsignup_blockqualificationrequirement',
      'requirement_id',
      'blockqualificationrequirement_id',
    ),
  ]
}

const makeBlockMapper = (types: BlockTypes): TableMapper => ({
  source: 'complexsignup_buildingblock',
  map: (row, context) => {
    const type = row.block_type === 'composite' ? 'composite' : 'atomic'
    if (type !== row.block_type)
      context.noteRepaired('complexsignup_buildingblock', row.id, `unknown block type ${row.block_type} replaced by atomic`)
    types.set(row.id as number, type)
    context.add('complexsignup_buildingblock', row.id as number)
    const values = {
      id: row.id!,
      uuid: makeUuid(context, 'complexsignup_buildingblock', row),
      name: makeTitle(row, context, 'complexsignup_buildingblock', 'name', 255),
      block_type: type,
      allow_more: row.allow_more === true,
    }
    return [{ table: 'building_block', values }]
  },
})

const makePositionMapper = (types: BlockTypes): TableMapper => ({
  source: 'complexsignup_position',
  map: (row, context) => {
    const source = 'complexsignup_position'
    if (!context.hasReferences(source, row, [['complexsignup_buildingblock', row.block_id]])) return []
    if (!requireType(types, context, source, row, row.block_id, 'atomic')) return []
    context.add(source, row.id as number)
    const values = {
      id: row.id!,
      block_id: row.block_id!,
      label: cut(clean(row.label), 255),
      optional: row.optional === true,
    }
    return [{ table: 'block_position', values }]
  },
})

const makeCompositionMapper = (types: BlockTypes, graph: AcyclicGraph): TableMapper => ({
  source: 'complexsignup_blockcomposition',
  map: (row, context) => {
    const source = 'complexsignup_blockcomposition'
    const { composite_block_id: block, sub_block_id: sub } = row
    const isComplete = context.hasReferences(source, row, [
      ['complexsignup_buildingblock', block],
      ['complexsignup_buildingblock', sub],
    ])
    if (!isComplete || !requireType(types, context, source, row, block, 'composite')) return []
    if (!graph.addEdge(block as number, sub as number)) {
      context.noteSkipped(source, row.id, `block ${block} would contain itself through ${sub}`)
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
})

const REQUIREMENT_MAPPER: TableMapper = {
  source: 'complexsignup_blockqualificationrequirement',
  map: (row, context) => {
    const source = 'complexsignup_blockqualificationrequirement'
    if (!context.hasReferences(source, row, [['complexsignup_buildingblock', row.block_id]])) return []
    context.add(source, row.id as number)
    const values = {
      id: row.id!,
      block_id: row.block_id!,
      everyone: row.everyone === true,
      at_least: Math.max(0, Number(row.at_least ?? 0)),
    }
    return [{ table: 'block_requirement', values }]
  },
}

const makeQualificationMapper = (
  source: string,
  target: string,
  ownerSource: string,
  targetColumn: string,
  column: string,
): TableMapper => ({
  source,
  map: (row, context) => {
    const isComplete = context.hasReferences(source, row, [
      [ownerSource, row[column]],
      ['qualification', row.qualification_id],
    ])
    if (!isComplete || !context.isUnique(source, row, text(row[column]), text(row.qualification_id))) return []
    return [{ table: target, values: { [targetColumn]: row[column]!, qualification_id: row.qualification_id! } }]
  },
})

const requireType = (
  types: BlockTypes,
  context: ImportContext,
  source: string,
  row: SourceRow,
  block: SourceRow[string] | undefined,
  type: string,
): boolean => {
  if (types.get(block as number) === type) return true
  context.noteSkipped(source, row.id, `belongs to block ${block}, which is not ${type}`)
  return false
}
