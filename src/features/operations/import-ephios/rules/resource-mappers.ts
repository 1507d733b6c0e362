import type { TableMapper } from './import-context.ts'
import { clean, cut, text } from './values.ts'

/** `shiftOfAllocation`: shift ids by the id of the allocation. */
export const makeResourceMappers = (shiftOfAllocation: ReadonlyMap<number, number>): TableMapper[] => [
  {
    source: 'simpleresource_resourcecategory',
    map: (row, context) => {
      context.add('simpleresource_resourcecategory', row.id as number)
      const name = cut(clean(row.name).trim(), 50) || `Category ${row.id}`
      const icon = cut(clean(row.icon), 50)
      if (icon)
        context.omitValue({
          what: 'Icons of resource categories',
          why: 'they are stored, but lists of resources show names only',
          detail: `${name}: ${icon}`,
        })
      return [{ table: 'resource_category', values: { id: row.id!, name, icon } }]
    },
  },
  {
    source: 'simpleresource_resource',
    map: (row, context) => {
      const table = 'simpleresource_resource'
      if (!context.hasReferences(table, row, [['simpleresource_resourcecategory', row.category_id]])) return []
      context.add(table, row.id as number)
      const title = cut(clean(row.title).trim(), 100) || `Resource ${row.id}`
      return [{ table: 'resource', values: { id: row.id!, category_id: row.category_id!, title } }]
    },
  },
  {
    source: 'simpleresource_resourceallocation',
    map: (row, context) => {
      context.hasReferences('simpleresource_resourceallocation', row, [['shift', row.shift_id]])
      return []
    },
  },
  {
    source: 'simpleresource_resourceallocation_resources',
    map: (row, context) => {
      const table = 'simpleresource_resourceallocation_resources'
      const shift = shiftOfAllocation.get(row.resourceallocation_id as number) ?? null
      const isComplete = context.hasReferences(table, row, [
        ['shift', shift],
        ['simpleresource_resource', row.resource_id],
      ])
      if (!isComplete || !context.isUnique(table, row, text(shift), text(row.resource_id))) return []
      return [{ table: 'shift_resource', values: { shift_id: shift!, resource_id: row.resource_id! } }]
    },
  },
]
