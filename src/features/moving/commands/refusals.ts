/** What keeps a backup or an import from being taken, in a sentence for the person at the terminal. */
export class ArchiveRefused extends Error {}
