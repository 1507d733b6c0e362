// Loaded before everything else (`node --import`): what was compiled once is kept, so that later starts take half of the work.
// Node itself ignores what belongs to other sources or another version; where nothing can be written, nothing is kept.
import module from 'node:module'
import { fileURLToPath } from 'node:url'

// Not there in Nodes that are too old; the program itself says so.
module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/turnout', import.meta.url)))
