/** A row from the nullable side of an outer join: all columns are null where no row was joined. */
export type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null }
