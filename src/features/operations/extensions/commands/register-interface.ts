// `node --import` of this file lets tests of an extension import `turnout/extension`.
import { hookImports } from './import.ts'

hookImports()
